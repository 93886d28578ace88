# add_nginx_module(TARGET SOURCES...): the module as a CMake target, against the
# headers of the distribution's NGINX (package nginx-dev). NGINX's own configure
# runs once, with the distribution's flags, to make ngx_auto_config.h.
set(NGINX_DEV_DIR /usr/share/nginx/src CACHE PATH "Where nginx-dev put the NGINX sources")

# The module runs inside NGINX: no exception may cross its C frames, and no C++
# runtime may be needed to load it.
set(WEBHOOK_NO_RUNTIME
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>)
if(WEBHOOK_SANITIZE)
  list(APPEND WEBHOOK_NO_RUNTIME $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=vptr>)
endif()

function(add_nginx_module target)
  set(objs ${CMAKE_BINARY_DIR}/nginx-objs)
  if(NOT EXISTS ${objs}/ngx_auto_config.h)
    message(STATUS "Configuring NGINX headers in ${objs}")
    execute_process(
      COMMAND bash -c ". ./conf_flags && ./configure \"\${NGX_CONF_FLAGS[@]}\" --builddir=${objs}"
      WORKING_DIRECTORY ${NGINX_DEV_DIR}
      OUTPUT_FILE ${CMAKE_BINARY_DIR}/nginx-configure.log
      ERROR_FILE ${CMAKE_BINARY_DIR}/nginx-configure.log
      COMMAND_ERROR_IS_FATAL ANY)
  endif()

  add_library(${target} MODULE ${ARGN}
              ngx_webhook_module/exported_modules.c)
  set_target_properties(${target} PROPERTIES
    PREFIX "" CXX_STANDARD 17 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ngx_webhook_module/exports.map)
  target_compile_options(${target} PRIVATE ${WEBHOOK_NO_RUNTIME})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  set(nginx_includes ${objs})
  foreach(dir core event event/modules os/unix http http/modules http/v2)
    list(APPEND nginx_includes ${NGINX_DEV_DIR}/src/${dir})
  endforeach()
  target_include_directories(${target} SYSTEM PRIVATE ${nginx_includes})
  # gcc, not g++, drives the link: g++ would add libstdc++.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_link_options(${target} PRIVATE
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/ngx_webhook_module/exports.map -Wl,--as-needed)
  target_link_libraries(${target} PRIVATE protobuf-nanopb PkgConfig::YAJL OpenSSL::Crypto)
endfunction()

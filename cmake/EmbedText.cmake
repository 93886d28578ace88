# embed_text(TARGET NAMESPACE ns ROOT dir): a static library that holds every
# file below dir. Header: "TARGET.h", with `std::string_view text(path)` in ns
# (empty for a path that is not there) and `all()` for what there is, by path.
function(embed_text target)
  cmake_parse_arguments(arg "" "NAMESPACE;ROOT" "" ${ARGN})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${arg_ROOT}
       ${CMAKE_SOURCE_DIR}/${arg_ROOT}/*.sql)
  set(dir ${CMAKE_BINARY_DIR}/embedded)
  set(paths ${files})
  list(TRANSFORM paths PREPEND ${CMAKE_SOURCE_DIR}/${arg_ROOT}/)
  add_custom_command(
    OUTPUT ${dir}/${target}.h ${dir}/${target}.cpp
    COMMAND ${CMAKE_COMMAND} -DTARGET=${target} -DNAMESPACE=${arg_NAMESPACE}
            -DROOT=${CMAKE_SOURCE_DIR}/${arg_ROOT} "-DFILES=${files}" -DDIR=${dir}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_text_run.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/embed_text_run.cmake
    VERBATIM)
  add_library(${target} STATIC ${dir}/${target}.cpp)
  target_include_directories(${target} PUBLIC ${dir})
endfunction()

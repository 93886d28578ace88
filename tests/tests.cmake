# Unit tests (label `unit`) and end-to-end tests (label `e2e`), for `ctest -j2`.
#
# An end-to-end test is one file of tests/e2e, run by Debian's pytest against
# the binaries of this build. Each takes ports and folders of its own.
find_package(GTest REQUIRED)

# add_unit_tests(NAME DIR LIBRARY...): tests/DIR/*_test.cpp as one executable; no
# target while there are no such files.
function(add_unit_tests name dir)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${dir}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN} GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support)
  target_compile_definitions(${name} PRIVATE WEBHOOK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

add_unit_tests(verify_tests verify webhook_verify)
add_unit_tests(processor_tests processor webhook_processor GTest::gmock)
add_unit_tests(module_tests module webhook_module_wire webhook_proto)
add_unit_tests(ctl_tests ctl webhook_signer)

# The stores: by itself the binary tests SQLite alone, here PostgreSQL as well,
# of two versions, through a pooler, and for a role without what other engines
# lack.
add_unit_tests(store_tests store webhook_processor nlohmann_json::nlohmann_json)
target_sources(store_tests PRIVATE tests/store/backends.cpp)
set_tests_properties(store_tests PROPERTIES LABELS unit)
add_test(NAME store_tests_postgres
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/store/with_stores.py
                 $<TARGET_FILE:store_tests> --gtest_filter=-*/sqlite)
set_tests_properties(store_tests_postgres PROPERTIES
  LABELS unit TIMEOUT 600 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
if(WEBHOOK_BENCH)
  add_unit_tests(bench_tests bench webhook_load_parts)
endif()

include(tests/verify/verify.cmake)

set(e2e_environment
    WEBHOOK_BUILD_DIR=${CMAKE_BINARY_DIR}
    WEBHOOK_SANITIZE=$<BOOL:${WEBHOOK_SANITIZE}>
    WEBHOOK_FAULT_POINTS=$<BOOL:${WEBHOOK_FAULT_POINTS}>
    PYTHONDONTWRITEBYTECODE=1)

file(GLOB e2e_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/e2e/test_*.py)
if(NOT WEBHOOK_FAULT_POINTS)
  list(FILTER e2e_files EXCLUDE REGEX "/test_crash.py$")
endif()
if(WEBHOOK_SANITIZE)
  # About the module as it is shipped.
  list(FILTER e2e_files EXCLUDE REGEX "/test_(module_symbols|nginx_build).py$")
endif()
foreach(file ${e2e_files})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE test_ e2e_ name ${name})
  add_test(NAME ${name}
           COMMAND /usr/bin/python3 -m pytest -q -x -p no:cacheprovider ${file}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/tests/e2e)
  set_tests_properties(${name} PROPERTIES
    LABELS e2e TIMEOUT 600 ENVIRONMENT "${e2e_environment}")
endforeach()
# These measure time, or fill both processors: nothing beside them.
set_tests_properties(e2e_link e2e_concurrency e2e_five_and_one PROPERTIES RUN_SERIAL ON)

# The verify library against Python as an independent reference.
add_executable(verify_driver ${CMAKE_SOURCE_DIR}/tests/verify/verify_driver.cpp)
target_compile_definitions(verify_driver PRIVATE WEBHOOK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(verify_driver PRIVATE webhook_verify)
add_test(NAME verify_reference
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/verify/reference_property_test.py
                 $<TARGET_FILE:verify_driver>)
set_tests_properties(verify_reference PROPERTIES LABELS unit TIMEOUT 120)

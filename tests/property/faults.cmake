# weir_fault(NAME FILE path FROM text TO text)
#
# Plants one fault: makes a copy of a source file of pool/ or sched/ in the build folder in which
# FROM, found exactly once, reads TO; links the property test with that copy in front of the
# libraries; and registers a test that passes only if the property test fails and says why.
function(weir_fault name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;FROM;TO" "")
  set(source "${CMAKE_SOURCE_DIR}/src/${arg_FILE}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(FIND "${text}" "${arg_FROM}" first)
  string(FIND "${text}" "${arg_FROM}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "fault ${name}: src/${arg_FILE} must hold this text exactly once, "
                        "change the fault in tests/property with the source:\n${arg_FROM}")
  endif()
  string(REPLACE "${arg_FROM}" "${arg_TO}" text "${text}")
  set(copy "${CMAKE_CURRENT_BINARY_DIR}/faults/${name}.cpp")
  set(before "")
  if(EXISTS "${copy}")
    file(READ "${copy}" before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE "${copy}" "${text}")
  endif()

  # A fault may leave a name unused, so no warnings here; and no debug information: there are many.
  add_executable(fault_${name} "${copy}")
  set_source_files_properties("${copy}" PROPERTIES COMPILE_OPTIONS "-g0;-w")
  target_link_options(fault_${name} PRIVATE -Wl,--strip-debug)
  target_link_libraries(fault_${name} PRIVATE property_objects weir_core weir_testing)
  set_target_properties(fault_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                 "${CMAKE_CURRENT_BINARY_DIR}/faults")
  add_test(NAME property.fault.${name}
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:fault_${name}>
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/expect_caught.cmake")
endfunction()

# weir_planted(NAME FILE path FROM text TO text [SEEDS first..last])
#
# Plants one fault: a copy of a source file in which FROM, found exactly once, reads TO, is linked
# in front of the libraries; the test passes only if some seed of the range finds it.
function(weir_planted name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;FROM;TO;SEEDS" "")
  if(NOT arg_SEEDS)
    set(arg_SEEDS 1..200)
  endif()
  set(source "${CMAKE_SOURCE_DIR}/src/${arg_FILE}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(FIND "${text}" "${arg_FROM}" first)
  string(FIND "${text}" "${arg_FROM}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "fault ${name}: src/${arg_FILE} must hold this text exactly once, "
                        "change the fault in tests/faults with the source:\n${arg_FROM}")
  endif()
  string(REPLACE "${arg_FROM}" "${arg_TO}" text "${text}")
  set(copy "${CMAKE_CURRENT_BINARY_DIR}/planted/${name}.cpp")
  set(before "")
  if(EXISTS "${copy}")
    file(READ "${copy}" before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE "${copy}" "${text}")
  endif()

  add_executable(planted_${name} "${copy}")
  set_source_files_properties("${copy}" PROPERTIES COMPILE_OPTIONS "-g0;-w")
  target_link_options(planted_${name} PRIVATE -Wl,--strip-debug)
  target_link_libraries(planted_${name} PRIVATE faults_objects weir_sim weir_testing)
  set_target_properties(planted_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                   "${CMAKE_CURRENT_BINARY_DIR}/planted")
  add_test(NAME sim.planted.${name}
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:planted_${name}> -DSEEDS=${arg_SEEDS}
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/expect_found.cmake")
endfunction()

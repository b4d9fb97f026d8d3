# cmake -DPROGRAM=file -P expect_caught.cmake: runs a property test with a planted fault and fails
# unless it told of a violation. A broken assertion of ours counts; a crash or a time-out does not.
set(ENV{WEIR_PROPERTY_RUNS})
set(ENV{WEIR_PROPERTY_SEED})
execute_process(COMMAND "${PROGRAM}" --gtest_brief=1 --gtest_filter=Property.* RESULT_VARIABLE result OUTPUT_VARIABLE told
                ERROR_VARIABLE told TIMEOUT 240)
string(REGEX MATCH "(property violated|weir: invariant broken): [^\n]*" violation "${told}")
string(REGEX MATCH "WEIR_PROPERTY_SEED=[0-9]+" seed "${told}")
if(result STREQUAL "0" OR violation STREQUAL "")
  string(LENGTH "${told}" length)
  if(length GREATER 2000)
    string(SUBSTRING "${told}" 0 2000 told)
  endif()
  message(FATAL_ERROR "the planted fault was not caught (result: ${result})\n${told}")
endif()
message(STATUS "caught, ${seed}: ${violation}")

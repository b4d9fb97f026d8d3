# cmake -DPROGRAM=file -DSEEDS=first..last -P expect_found.cmake: runs the simulator with a planted
# fault and fails unless a seed tells of a broken promise. A crash or a time-out does not count.
set(ENV{WEIR_FAULT_SEEDS} "${SEEDS}")
execute_process(COMMAND "${PROGRAM}" --gtest_brief=1 --gtest_filter=Faults.BreakNoPromise
                RESULT_VARIABLE result OUTPUT_VARIABLE told ERROR_VARIABLE told TIMEOUT 240)
string(REGEX MATCH "(fault found|weir: invariant broken): [^\n]*" found "${told}")
string(REGEX MATCH "WEIR_FAULT_SEEDS=[0-9]+" seed "${told}")
if(result STREQUAL "0" OR found STREQUAL "")
  string(LENGTH "${told}" length)
  if(length GREATER 2000)
    string(SUBSTRING "${told}" 0 2000 told)
  endif()
  message(FATAL_ERROR "the planted fault was not found (result: ${result})\n${told}")
endif()
message(STATUS "found, ${seed}: ${found}")

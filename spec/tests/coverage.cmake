# Fails when a clause has no test or nothing in the model looks at it, or a case names no clause. STREAMPOOL: the command; COVERAGE: the check;
# MODEL: the folder of the model; HISTORIES: that of the histories with expected verdicts.
execute_process(COMMAND ${STREAMPOOL} list --json
  COMMAND ${COVERAGE} --cases - --histories ${HISTORIES} --sources ${MODEL}
  RESULTS_VARIABLE results OUTPUT_VARIABLE output ERROR_VARIABLE errors)
message("${output}${errors}")
if(NOT results STREQUAL "0;0")
  message(FATAL_ERROR "exit codes of list and clause_coverage: ${results}")
endif()

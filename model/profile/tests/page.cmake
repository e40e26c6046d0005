# Fails unless PROGRAM prints exactly what stands in PAGE.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} page)
if(NOT printed STREQUAL page)
  message(FATAL_ERROR "${PAGE} is out of date: ${PROGRAM} > ${PAGE}")
endif()

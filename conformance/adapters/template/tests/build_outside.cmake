# Copies the template and the header into a fresh folder and runs the command that the guide gives.
file(REMOVE_RECURSE ${OUTSIDE})
file(MAKE_DIRECTORY ${OUTSIDE})
file(COPY ${TEMPLATE} ${HEADER} DESTINATION ${OUTSIDE})
execute_process(
  COMMAND ${CC} -std=c11 -shared -fPIC -O2 -Wall -Wextra -Werror my_runtime.c -o libmy_runtime.so -I .
  WORKING_DIRECTORY ${OUTSIDE} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the template does not build outside the tree")
endif()

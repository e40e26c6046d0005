# Installs a finished build into a folder of its own, then builds and runs projects outside of this tree against it.
#   cmake -DBUILD=… -DSOURCE=… -DWORK=… -DGENERATOR=… -DCC=… -DCXX=… -P run.cmake
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

# run(EXPECTED command…): stops unless the command ends well and its output matches.
function(run expected)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR NOT output MATCHES "${expected}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}, expected output '${expected}':\n${output}")
  endif()
endfunction()

run("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Nothing that is installed may need the tree it came from.
file(GLOB_RECURSE package ${prefix}/*.cmake)
foreach(file IN LISTS package)
  file(READ ${file} text)
  string(FIND "${text}" "${SOURCE}/" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the source tree")
  endif()
endforeach()

file(COPY ${CMAKE_CURRENT_LIST_DIR}/engine ${CMAKE_CURRENT_LIST_DIR}/judge ${CMAKE_CURRENT_LIST_DIR}/c DESTINATION ${WORK})
file(COPY ${SOURCE}/impl/examples/embed_user_device.cpp DESTINATION ${WORK}/engine)

function(outside project expected)
  run("" ${CMAKE_COMMAND} -S ${WORK}/${project} -B ${WORK}/${project}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX})
  run("" ${CMAKE_COMMAND} --build ${WORK}/${project}/build)
  run("${expected}" ${WORK}/${project}/build/program)
endfunction()
outside(engine "sum [0-9]+, at most 1048576 bytes reserved")
outside(judge "line 12: REUSE-UNSAFE")
outside(c "used 4096, then 0")

# The command works where it was installed to: it finds its runtimes beside itself.
run("[0-9]+  pass.*CONFORMANT" ${prefix}/bin/streampool run --runtime host --filter order/* --suite directed
  --out ${WORK}/results)
run("nothing was recorded" ${prefix}/bin/streampool record --output ${WORK}/run.pool -- ${CMAKE_COMMAND} --version)

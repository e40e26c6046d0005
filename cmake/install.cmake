# What an installation holds beside the command and the adapters: the engine and the model for other projects
# (find_package(streampool)), the engine's runtimes, and the headers that need nothing else.
include(CMakePackageConfigHelpers)

# Headers keep their paths below one folder, for they include each other by them ("model/history/history.hpp").
set(streampool_headers ${CMAKE_INSTALL_INCLUDEDIR}/streampool)
set(streampool_package ${CMAKE_INSTALL_LIBDIR}/cmake/streampool)

# streampool_component(NAME targets…): libraries that find_package(streampool COMPONENTS NAME) offers, each as
# streampool::<its name without the prefix>.
function(streampool_component component)
  foreach(target IN LISTS ARGN)
    string(REPLACE streampool_ "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${streampool_headers}>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
  install(TARGETS ${ARGN} EXPORT streampool_${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT streampool_${component} NAMESPACE streampool:: FILE streampool-${component}.cmake
    DESTINATION ${streampool_package})
endfunction()

streampool_component(abi streampool_abi)
streampool_component(engine streampool_pool streampool_device streampool_cuda_vmm streampool_c)
streampool_component(model streampool_spec streampool_history streampool_profile streampool_monitor streampool_explain
  streampool_machine streampool_model)

configure_package_config_file(cmake/streampoolConfig.cmake.in ${PROJECT_BINARY_DIR}/streampoolConfig.cmake
  INSTALL_DESTINATION ${streampool_package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/streampoolConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/streampoolConfig.cmake ${PROJECT_BINARY_DIR}/streampoolConfigVersion.cmake
  DESTINATION ${streampool_package})

foreach(folder impl/api impl/device impl/pool model spec)
  install(DIRECTORY ${folder}/ DESTINATION ${streampool_headers}/${folder} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
    PATTERN tests EXCLUDE PATTERN tools EXCLUDE PATTERN theorems EXCLUDE PATTERN explorer EXCLUDE
    PATTERN clauses EXCLUDE PATTERN profiles EXCLUDE PATTERN litmus EXCLUDE PATTERN streampool.h EXCLUDE)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/spec/clause_ids.hpp DESTINATION ${streampool_headers}/spec)
# The C headers are what one asks for by name: <streampool/streampool.h>.
install(FILES conformance/abi/streampool_runtime.h conformance/abi/streampool_history_writer.h impl/api/streampool.h
  DESTINATION ${streampool_headers})
install(TARGETS streampool_runtime_host streampool_runtime_sim streampool_runtime_mutant LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/streampool)
install(DIRECTORY spec/profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/streampool FILES_MATCHING PATTERN "*.toml")
install(FILES LICENSE docs/test-your-runtime.md docs/pipe-protocol.md docs/results-schema.md docs/embed.md docs/record.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Other projects against an installation: what each prints is checked, not only that it builds.
if(STREAMPOOL_TESTS)
  add_test(NAME package COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DWORK=${PROJECT_BINARY_DIR}/package_test -DGENERATOR=${CMAKE_GENERATOR} -DCC=${CMAKE_C_COMPILER}
    -DCXX=${CMAKE_CXX_COMPILER} -P ${PROJECT_SOURCE_DIR}/cmake/package_test/run.cmake)
  set_tests_properties(package PROPERTIES LABELS kit TIMEOUT 180)
endif()

# What an installation holds beside the command and the adapters: the engine's runtimes, and the headers that need nothing else.
install(TARGETS streampool_runtime_host streampool_runtime_sim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/streampool)
install(FILES conformance/abi/streampool_runtime.h conformance/abi/streampool_history_writer.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/streampool)

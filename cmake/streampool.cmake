# The helpers every folder uses, so that flags and naming are said once.

add_library(streampool_flags INTERFACE)
target_compile_options(streampool_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# Includes are written from the repository root ("model/history/history.hpp"); generated headers mirror the tree.
target_include_directories(streampool_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
if(STREAMPOOL_SANITIZE)
  target_compile_options(streampool_flags INTERFACE -fsanitize=${STREAMPOOL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(streampool_flags INTERFACE -fsanitize=${STREAMPOOL_SANITIZE})
endif()

# The sanitizer trees read the headers that most files include once: reading them is most of those builds. The other
# trees do without, so that an include that is missing somewhere shows.
if(STREAMPOOL_SANITIZE)
  add_library(streampool_precompiled STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
  add_executable(streampool_precompiled_test EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
  foreach(owner streampool_precompiled streampool_precompiled_test)
    target_link_libraries(${owner} PRIVATE streampool_flags GTest::gmock)
    target_precompile_headers(${owner} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/precompiled.hpp)
  endforeach()
  function(streampool_precompiled name owner)
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endfunction()
endif()

# streampool_library(NAME [SHARED|MODULE|INTERFACE] SOURCES ... [LINK ...])
function(streampool_library name)
  cmake_parse_arguments(ARG "SHARED;MODULE;INTERFACE" "" "SOURCES;LINK" ${ARGN})
  if(ARG_INTERFACE)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE $<BUILD_INTERFACE:streampool_flags> ${ARG_LINK})
    return()
  endif()
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  elseif(ARG_MODULE)
    set(kind MODULE)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:streampool_flags> PUBLIC ${ARG_LINK})
  target_compile_features(${name} PUBLIC cxx_std_20)  # of those who use an installed one, too
  if(STREAMPOOL_SANITIZE)
    streampool_precompiled(${name} streampool_precompiled)
  endif()
endfunction()

# Nothing leaves the library but what its code says is exported: the one function of a runtime.
function(streampool_hidden name)
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    DISABLE_PRECOMPILE_HEADERS ON)  # those are compiled without
endfunction()

function(streampool_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE streampool_flags ${ARG_LINK})
endfunction()

# streampool_test(NAME SOURCES ... [LINK ...] [LABELS ...] [TIMEOUT seconds]): a GoogleTest program, one ctest entry.
function(streampool_test name)
  if(NOT STREAMPOOL_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  streampool_executable(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  if(STREAMPOOL_SANITIZE)
    streampool_precompiled(${name} streampool_precompiled_test)
  else()
    target_compile_options(${name} PRIVATE -O1)  # what takes time in a test is the library under it
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "unit;${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

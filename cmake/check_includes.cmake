# Who may include whom (docs/decisions/0001): reads the includes of every source file. Run as
#   cmake -DROOT=<repository> -P cmake/check_includes.cmake
# One line a folder: where it is, then the starts of what it may include. The longest folder that fits decides.
set(rules
  "spec/rules/=spec/rules/"
  "spec/theorems/=spec/;model/;absl/;fmt/;nlohmann/;openssl/;tl/"
  "spec/=spec/;fmt/;tl/;toml++/"
  "model/=spec/;model/;absl/;fmt/;tl/;toml++/;openssl/"
  "impl/=impl/;conformance/abi/"
  "conformance/mutants/=conformance/;impl/;model/;spec/"
  "conformance/adapters/model/=conformance/;model/;spec/;fmt/;absl/"
  "conformance/adapters/=conformance/;fmt/;nlohmann/;tl/"
  "conformance/=conformance/;model/;spec/;fmt/;nlohmann/;tl/;absl/;toml++/;openssl/"
  "fuzz/=fuzz/;conformance/;impl/;model/;spec/")

set(wrong 0)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/spec/*.?pp ${ROOT}/model/*.?pp ${ROOT}/impl/*.?pp ${ROOT}/conformance/*.?pp
  ${ROOT}/fuzz/*.?pp)
list(LENGTH files count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} source files found under ${ROOT}: the check would prove nothing")
endif()
foreach(file IN LISTS files)
  # Tests may use anything of the parts they stand beside, and the test libraries.
  string(REGEX MATCH "/(tests|bench|examples)/" lenient "${file}")
  set(allowed "")
  foreach(rule IN LISTS rules)
    # A rule's own list is split off again here, for `rules` holds them flattened.
    if(rule MATCHES "^([^=]+)=(.*)$")
      set(folder "${CMAKE_MATCH_1}")
      set(first "${CMAKE_MATCH_2}")
      string(FIND "${file}" "${folder}" at)
      if(at EQUAL 0 AND NOT allowed)
        set(collecting ON)
        set(allowed "${first}")
      else()
        set(collecting OFF)
      endif()
    elseif(collecting)
      list(APPEND allowed "${rule}")
    endif()
  endforeach()
  file(STRINGS "${ROOT}/${file}" includes REGEX "^#include \"[^\"]*/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
    set(good OFF)
    foreach(start IN LISTS allowed)
      string(FIND "${included}" "${start}" at)
      if(at EQUAL 0)
        set(good ON)
      endif()
    endforeach()
    if(lenient AND NOT (file MATCHES "^impl/" AND included MATCHES "^(spec|model)/"))
      set(good ON)
    endif()
    if(NOT good)
      message(SEND_ERROR "${file} includes ${included}; it may include: ${allowed}")
      math(EXPR wrong "${wrong} + 1")
    endif()
  endforeach()
endforeach()
message(STATUS "${count} files, ${wrong} includes across a border")

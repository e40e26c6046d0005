# cmake -DDIRECTORY=... -DOUTPUT=file -P embed_litmus.cmake: writes the litmus files' texts as one C++ file.
file(GLOB_RECURSE files RELATIVE ${DIRECTORY} ${DIRECTORY}/*.pool)
list(SORT files)
set(rows "")
foreach(name ${files})
  file(READ ${DIRECTORY}/${name} text)
  string(REGEX REPLACE "\\.pool$" "" name ${name})
  string(APPEND rows "    {\"${name}\", R\"streampool(${text})streampool\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from spec/litmus. Do not edit.
#include \"conformance/generate/litmus_suite.hpp\"

namespace streampool::generate {

std::span<const LitmusFile> litmus_files() {
  static constexpr LitmusFile files[] = {
${rows}  };
  return files;
}

}  // namespace streampool::generate
")

# cmake -DDIRECTORY=... -DOUTPUT=file -P embed_histories.cmake: writes the histories' texts as one C++ file.
file(GLOB_RECURSE files RELATIVE ${DIRECTORY} ${DIRECTORY}/*.pool)
set(rows "")
foreach(file ${files})
  file(READ ${DIRECTORY}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"streampool(${text})streampool\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from model/tests/histories. Do not edit.
#include \"conformance/cli/known_histories.hpp\"

namespace streampool::cli {

std::span<const KnownHistory> known_histories() {
  static constexpr KnownHistory histories[] = {
${rows}  };
  return histories;
}

}  // namespace streampool::cli
")

# cmake -DDIRECTORY=... -DNAMES=a;b -DOUTPUT=file -P embed.cmake: writes the profiles' texts as one C++ file.
set(rows "")
foreach(name ${NAMES})
  file(READ ${DIRECTORY}/${name}.toml text)
  string(APPEND rows "    {\"${name}\", R\"streampool(${text})streampool\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from spec/profiles/*.toml. Do not edit.
#include \"model/profile/builtin.hpp\"

namespace streampool::model {

std::span<const BuiltinProfile> builtin_profile_texts() {
  static constexpr BuiltinProfile texts[] = {
${rows}  };
  return texts;
}

}  // namespace streampool::model
")

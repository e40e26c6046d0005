// Runs a fuzz target over every file of the given folders, and over the small ones' beginnings: cut behind every byte,
// every so many bytes, or every line, as the first argument says (a number, or `line`).
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t small_bytes = 4096;

// Bytes between cuts; 0: cuts are behind lines.
std::size_t run_file(const std::filesystem::path& path, std::size_t step) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto cut = [&](std::size_t size) { return step != 0 ? size % step == 0 : size == 0 || data[size - 1] == '\n'; };
  std::size_t runs = 0;
  for (std::size_t size = text.size() <= small_bytes ? 0 : text.size(); size <= text.size(); ++size) {
    if (size != text.size() && !cut(size)) continue;
    LLVMFuzzerTestOneInput(data, size);
    ++runs;
  }
  return runs;
}

}  // namespace

int main(int count, char** arguments) {
  const std::span all(arguments, static_cast<std::size_t>(count));
  if (all.size() < 3) return 2;
  const std::size_t step = std::string(all[1]) == "line" ? 0 : std::stoul(all[1]);
  std::size_t files = 0;
  std::size_t runs = 0;
  for (const char* folder : all.subspan(2)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      runs += run_file(entry.path(), step);
      ++files;
    }
  }
  std::printf("%zu inputs from %zu files\n", runs, files);
  return files == 0 ? 1 : 0;  // an empty corpus tests nothing
}

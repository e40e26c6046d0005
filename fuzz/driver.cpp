// Runs a fuzz target once over every file of the given folders, and over every prefix of the small ones.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t small_bytes = 4096;

std::size_t run_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t runs = 0;
  for (std::size_t size = text.size() <= small_bytes ? 0 : text.size(); size <= text.size(); ++size, ++runs) {
    LLVMFuzzerTestOneInput(data, size);
  }
  return runs;
}

}  // namespace

int main(int count, char** folders) {
  std::size_t files = 0;
  std::size_t runs = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders[i])) {
      if (!entry.is_regular_file()) continue;
      runs += run_file(entry.path());
      ++files;
    }
  }
  std::printf("%zu inputs from %zu files\n", runs, files);
  return files == 0 ? 1 : 0;  // an empty corpus tests nothing
}

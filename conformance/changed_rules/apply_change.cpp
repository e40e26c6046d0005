// apply_change RULES TABLE            checks that every edit of the table can be made
// apply_change RULES TABLE NAME OUT   copies RULES to OUT/spec/rules with that edit in it; files that stay the same are
//                                     not written, so that only what sees the edit is compiled again
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Change {
  std::string name, file, from, to;
};

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool write_if_other(const fs::path& path, const std::string& text) {
  if (read(path) == text) return true;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

// A head, `< ` and the old text, `> ` and the new one; both may go on over several lines. A blank line ends the edit.
std::vector<Change> parse(const std::string& table) {
  std::vector<Change> all;
  std::istringstream lines(table);
  std::string* part = nullptr;
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      open = false;
    } else if (!open) {
      Change& change = all.emplace_back();
      std::string theorem, shows;
      std::istringstream(line) >> change.name >> theorem >> shows >> change.file;
      open = true;
      part = nullptr;
    } else if (part == nullptr && line.starts_with("< ")) {
      part = &all.back().from;
      *part = line.substr(2);
    } else if (part == &all.back().from && line.starts_with('>')) {
      part = &all.back().to;
      *part = line.size() > 2 ? line.substr(2) : "";
    } else if (part != nullptr) {
      *part += '\n' + line;
    }
  }
  return all;
}

// The rule's text with the edit; nothing where the old text does not stand there exactly once.
std::optional<std::string> edited(const fs::path& rules, const Change& change) {
  auto text = read(rules / change.file);
  if (!text || change.from.empty()) return std::nullopt;
  const std::size_t at = text->find(change.from);
  if (at == std::string::npos || text->find(change.from, at + 1) != std::string::npos) return std::nullopt;
  return text->replace(at, change.from.size(), change.to);
}

int check(const fs::path& rules, const std::vector<Change>& changes) {
  int stale = 0;
  for (const Change& change : changes) {
    if (edited(rules, change)) continue;
    std::cout << change.name << ": its text is not in " << change.file << " exactly once\n";
    ++stale;
  }
  std::cout << changes.size() << " edits, " << stale << " of them stale\n";
  return stale == 0 && !changes.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) return 2;
  const fs::path rules = argv[1];
  const auto table = read(argv[2]);
  if (!table) return 2;
  const std::vector<Change> changes = parse(*table);
  if (argc == 3) return check(rules, changes);
  const auto change = std::ranges::find(changes, std::string(argv[3]), &Change::name);
  if (change == changes.end()) return 2;
  const auto text = edited(rules, *change);
  if (!text) return 1;
  const fs::path out = fs::path(argv[4]) / "spec" / "rules";
  std::error_code failed;
  fs::create_directories(out, failed);
  for (const auto& entry : fs::directory_iterator(rules, failed)) {
    const bool changed = entry.path().filename() == change->file;
    const auto same = read(entry.path());
    if (!same || !write_if_other(out / entry.path().filename(), changed ? *text : *same)) return 1;
  }
  return failed ? 1 : 0;
}

#include "conformance/report/archive.hpp"

#include <gtest/gtest.h>

namespace streampool::report {
namespace {

const Files files = {{"a.txt", "one"}, {"failures/b.pool", std::string(1000, 'x')}, {"empty", ""}};

TEST(Archive, ComesBackAsItWas) { EXPECT_EQ(unpack(*pack(files)).value(), files); }

TEST(Archive, SameFilesSameBytes) { EXPECT_EQ(*pack(files), *pack(Files(files))); }

TEST(Archive, LongPaths) {
  const Files deep = {{std::string(120, 'd') + "/" + std::string(90, 'f'), "x"}};
  EXPECT_EQ(unpack(*pack(deep)).value(), deep);
  EXPECT_FALSE(pack({{std::string(300, 'f'), "x"}}).has_value());
}

TEST(Archive, BrokenOnesAreErrors) {
  const std::string good = *pack(files);
  for (std::size_t length = 0; length + 1024 < good.size(); length += 100) {
    EXPECT_FALSE(unpack(good.substr(0, length)).has_value()) << length;
  }
  std::string changed = good;
  changed[0] = 'z';  // a name that the header's sum does not cover
  EXPECT_FALSE(unpack(changed).has_value());
  EXPECT_FALSE(unpack("no archive").has_value());
}

}  // namespace
}  // namespace streampool::report

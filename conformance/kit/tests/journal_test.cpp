#include "conformance/kit/journal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace streampool::kit {
namespace {

TEST(Journal, IsReadThroughItsDescriptor) {
  Journal mine;
  Journal theirs(dup(mine.descriptor()));
  const auto before = mine.progress();
  theirs.append("malloc a");
  theirs.append(" -> ok\n");
  EXPECT_EQ(mine.text(), "malloc a -> ok\n");
  EXPECT_GT(mine.progress(), before);
  theirs.clear();
  EXPECT_EQ(mine.text(), "");
}

TEST(Journal, DropsWhatDoesNotFit) {
  Journal journal;
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 6; ++i) journal.append(block);
  EXPECT_EQ(journal.text().size(), Journal::capacity);
}

}  // namespace
}  // namespace streampool::kit

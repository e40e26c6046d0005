#include "conformance/report/waivers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "conformance/report/folder.hpp"

namespace streampool::report {
namespace {

using kit::Verdict;
using namespace spec::literals;
using namespace std::chrono_literals;

class WaiverFile : public testing::Test {
 protected:
  WaiverFile()
      : path_(std::filesystem::temp_directory_path() / ("streampool-waivers-" + std::to_string(getpid()) + ".toml")) {}
  ~WaiverFile() override { std::filesystem::remove(path_); }
  WaiverFile(const WaiverFile&) = delete;
  WaiverFile& operator=(const WaiverFile&) = delete;

  tl::expected<Waivers, std::string> load(const std::string& text) {
    EXPECT_TRUE(write_file(path_, text).has_value());
    return Waivers::load(path_);
  }
  std::filesystem::path path_;
};

constexpr const char* good =
    "[[waiver]]\nclause = \"REUSE-UNSAFE\"\ncase = \"reuse/*\"\nruntime = \"cuda*\"\nowner = \"Ann\"\nlink = "
    "\"https://example.org/1\"\n"
    "reason = \"known\"\nexpires = 2027-01-31\n";

kit::CaseResult failure() {
  kit::CaseResult result;
  result.name = "reuse/x";
  result.verdict = Verdict::fail;
  result.clause = "REUSE-UNSAFE"_clause;
  return result;
}

TEST_F(WaiverFile, CoversUntilItsLastDay) {
  const auto waivers = load(good);
  ASSERT_TRUE(waivers.has_value()) << waivers.error();
  kit::CaseResult result = failure();
  waivers->apply(result, "cuda 13", 2027y / 1 / 31);
  EXPECT_EQ(result.verdict, Verdict::waived);
  EXPECT_THAT(result.explanation, testing::HasSubstr("Ann until 2027-01-31"));

  result = failure();
  waivers->apply(result, "cuda 13", 2027y / 2 / 1);
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(result.explanation, testing::HasSubstr("ended"));
}

TEST_F(WaiverFile, CoversNothingElse) {
  const auto waivers = load(good);
  for (const char* what : {"runtime", "clause", "case", "verdict"}) {
    kit::CaseResult result = failure();
    if (what == std::string("clause")) result.clause = "ALLOC-OVERLAP"_clause;
    if (what == std::string("case")) result.name = "release/x";
    if (what == std::string("verdict")) result.verdict = Verdict::internal_error;
    waivers->apply(result, what == std::string("runtime") ? "hip" : "cuda", 2027y / 1 / 1);
    EXPECT_NE(result.verdict, Verdict::waived) << what;
  }
}

TEST_F(WaiverFile, ErrorsNameThePlace) {
  EXPECT_THAT(load("[[waiver]]\nclause = \"REUSE-UNSAFE\"\n").error(), testing::HasSubstr("expected case"));
  EXPECT_THAT(load("[[waiver\n").error(), testing::HasSubstr(":1"));
  std::string unknown = good;
  unknown.replace(unknown.find("REUSE-UNSAFE"), 12, "REUSE-NOTHING");
  EXPECT_THAT(load(unknown).error(), testing::HasSubstr("no clause REUSE-NOTHING"));
  EXPECT_THAT(Waivers::load("/nothing/here.toml").error(), testing::HasSubstr("here.toml"));
}

}  // namespace
}  // namespace streampool::report

// Programs over a fake vendor library, recorded by the command and judged by the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"

namespace streampool {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Record : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("record_test." + std::to_string(getpid()));
  fs::path history = folder / "run.pool";
  std::string said;  // by the command and the program, on both outputs
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  int run(const std::string& options, const std::string& program) {
    const std::string command =
        std::string(COMMAND) + " record " + options + " -- " + program + " > " + (folder / "said").string() + " 2>&1";
    const int status = std::system(command.c_str());
    said = read(folder / "said");
    return WEXITSTATUS(status);
  }
  int record(const std::string& program) { return run("--output " + history.string(), program); }

  // The clause that the recorded history breaks; empty: none.
  std::string judged(const fs::path& path) {
    history::NameTable names;
    const auto lines = history::read_file(path.string(), names);
    if (!lines) return history::to_text(lines.error());
    const auto profile = model::load_profile(lines->front().profile.name);
    if (!profile) return profile.error();
    model::Judge judge(*profile, names);
    for (const history::Line& line : *lines) judge.apply(line);
    judge.finish();
    return judge.finding() ? std::string(spec::info(judge.finding()->clause).id) : "";
  }
};

TEST_F(Record, WritesWhatAProgramCalled) {
  ASSERT_EQ(record(SAMPLE_CUDA " good"), 0) << said;
  const std::string text = read(history);
  EXPECT_THAT(text, MatchesRegex("streampool-history 1\nprofile cuda-13\ndevice d0\n(.|\n)*"));
  EXPECT_THAT(text, HasSubstr("stream_create s2 nonblocking -> ok handle=0x"));
  EXPECT_THAT(text, HasSubstr("max_size=0 -> ok"));
  EXPECT_THAT(text, HasSubstr("attr:4 4096 -> ok"));
  EXPECT_THAT(text, HasSubstr("attr:4 -> ok 4096"));
  // Two settings of memory, one by an inner address, and a copy that waits.
  EXPECT_THAT(text, MatchesRegex("(.|\n)*launch s2 a5 -> ok\n(.|\n)*launch s3 a5 -> ok\n(.|\n)*launch legacy a5 -> ok\n"
                                 "(.|\n)*event_record e[0-9]+ legacy -> ok\n(.|\n)*event_sync e[0-9]+ -> ok\n(.|\n)*"));
  EXPECT_THAT(text,
              MatchesRegex("(.|\n)*plain_malloc (a[0-9]+) 256 -> ok 0x[0-9a-f]+\n.*plain_free a[0-9]+ -> ok\n(.|\n)*"));
  EXPECT_THAT(text, Not(HasSubstr("left out")));
  EXPECT_THAT(said, HasSubstr("judge it with `streampool judge"));
  EXPECT_EQ(judged(history), "");
}

TEST_F(Record, ServesHipByTheSameTable) {
  ASSERT_EQ(record(SAMPLE_HIP " good"), 0) << said;
  EXPECT_THAT(read(history), HasSubstr("profile hip-"));
  EXPECT_EQ(judged(history), "");
}

TEST_F(Record, ShowsTheProgramsOwnFault) {
  ASSERT_EQ(record(SAMPLE_CUDA " missing_wait"), 0) << said;
  EXPECT_EQ(judged(history), "PROGRAM-USE-BEFORE-ALLOC");
}

TEST_F(Record, WritesOverlappingCallsInTwoHalves) {
  ASSERT_EQ(record(SAMPLE_CUDA " overlap"), 0) << said;
  EXPECT_THAT(read(history),
              MatchesRegex("(.|\n)*\\[t[0-9]+\\] call (c[0-9]+) stream_sync s2\n"
                           "\\[t[0-9]+\\] free a4 s2 -> ok\n\\[t[0-9]+\\] return c[0-9]+ -> ok\n(.|\n)*"));
  EXPECT_EQ(judged(history), "");
}

TEST_F(Record, IntroducesOrLeavesOutWhatItDidNotSeeBeingMade) {
  ASSERT_EQ(record(SAMPLE_CUDA " unknown"), 0) << said;
  const std::string text = read(history);
  EXPECT_THAT(text, MatchesRegex("(.|\n)*# stream 0x[0-9a-f]+ was made by no recorded call\n(.|\n)*"));
  EXPECT_THAT(text, HasSubstr("# left out: 1 calls on an event that no recorded call made"));
  EXPECT_THAT(text, HasSubstr("# left out: 1 frees of memory that is not in the record"));
  // Of the two waits for the event only the one behind its record is in the history, and it carries the order.
  EXPECT_THAT(text,
              MatchesRegex("(.|\n)*event_record e[0-9]+ s4 -> ok\n.*stream_wait_event s3 e[0-9]+ -> ok\n(.|\n)*"));
  EXPECT_THAT(text, Not(MatchesRegex("(.|\n)*stream_wait_event(.|\n)*event_record(.|\n)*")));
  EXPECT_EQ(judged(history), "");
  EXPECT_THAT(said, HasSubstr("left out: 1 calls on an event"));
}

TEST_F(Record, EndsWhereAGraphIsCaptured) {
  ASSERT_EQ(record(SAMPLE_CUDA " capture"), 0) << said;
  EXPECT_THAT(read(history), HasSubstr("# the record ends here: a stream is captured"));
  EXPECT_THAT(read(history), Not(HasSubstr("malloc")));
  EXPECT_THAT(said, HasSubstr("the record ends here"));
}

TEST_F(Record, KeepsWhatWasCalledBeforeTheProgramDied) {
  EXPECT_EQ(record(SAMPLE_CUDA " dies"), 128 + SIGABRT);
  EXPECT_THAT(read(history), HasSubstr("malloc a4 4096 current s2 -> ok"));
  EXPECT_EQ(judged(history), "");
}

TEST_F(Record, GivesEachProcessAFile) {
  ASSERT_EQ(record("sh -c '" SAMPLE_CUDA " good && " SAMPLE_CUDA " missing_wait'"), 0) << said;
  EXPECT_EQ(judged(history), "");
  int further = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("run.pool.")) continue;
    ++further;
    EXPECT_EQ(judged(entry.path()), "PROGRAM-USE-BEFORE-ALLOC");
  }
  EXPECT_EQ(further, 1);
}

TEST_F(Record, EndsAsTheProgramDoesAndSaysThatNothingWasRecorded) {
  EXPECT_EQ(record(SAMPLE_CUDA " seven"), 7);
  EXPECT_THAT(said, HasSubstr("nothing was recorded"));
  EXPECT_THAT(said, HasSubstr("statically"));
  EXPECT_FALSE(fs::exists(history));
}

TEST_F(Record, PassesASignalOnToTheProgram) {
  // The program ends its parent, which is the command, and waits for the signal to come back.
  EXPECT_EQ(record("sh -c 'trap \"exit 9\" TERM; kill -TERM $PPID; while :; do :; done'"), 9);
}

TEST_F(Record, RefusesWhatCannotBe) {
  EXPECT_EQ(run("--output /nowhere/run.pool", SAMPLE_CUDA " good"), 2);
  EXPECT_THAT(said, HasSubstr("cannot write to /nowhere/run.pool"));
  EXPECT_EQ(run("--output " + folder.string(), SAMPLE_CUDA " good"), 2);
  EXPECT_THAT(said, HasSubstr("no regular file"));
  EXPECT_EQ(record("/nowhere/program"), 2);
  EXPECT_THAT(said, HasSubstr("cannot run '/nowhere/program'"));
  EXPECT_EQ(run("--profile strickt --output " + history.string(), SAMPLE_CUDA " good"), 2);
  EXPECT_THAT(said, HasSubstr("strickt"));
  EXPECT_EQ(run("", SAMPLE_CUDA " good"), 2);
  EXPECT_THAT(said, HasSubstr("--output"));
}

}  // namespace
}  // namespace streampool

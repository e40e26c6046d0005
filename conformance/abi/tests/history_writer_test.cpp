#define SAMPLE_NAME write_sample_as_cpp
#include <gtest/gtest.h>

#include <barrier>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "conformance/abi/tests/history_writer_sample.h"
#include "model/history/print.hpp"
#include "model/history/reader.hpp"

extern "C" int write_sample_as_c(const char* path);

namespace {

namespace history = streampool::history;

std::string temporary_file(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::string(name) + std::to_string(::getpid()) + ".pool")).string();
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* expected_sample = R"(streampool-history 1
profile strict
[t1] stream_create s2 nonblocking -> ok handle=0x51
[t1] event_create e3 -> ok handle=0xe1
[t1] pool_create p4 max_size=0 -> ok handle=0x91
[t1] pool_set p4 attr:4 18446744073709551615 -> ok
[t1] malloc a5 4096 p4 s2 -> ok 0x200000
[t1] launch s2 a5 -> ok
[t1] event_record e3 s2 -> ok
[t1] stream_wait_event legacy e3 -> ok
[t1] free a5 legacy -> ok
[t1] event_query e3 -> not_ready
[t1] pool_get p4 attr:7 -> ok 0
[t1] malloc a6 4096 current legacy -> ok 0x200000
[t1] malloc a7 18446744073709551615 p4 s2 -> out_of_memory
[t1] stream_destroy s2 -> ok
[t1] stream_create s8 blocking -> ok handle=0x51
[t1] stream_sync s8 -> ok
[t1] free_sync a6 -> invalid_value
[t1] free @0x12345 s8 -> invalid_value
[t1] memory_info -> ok 77
)";

TEST(HistoryWriter, TheSameFromCAndFromCpp) {
  for (const auto write : {write_sample_as_c, write_sample_as_cpp}) {
    const std::string path = temporary_file("streampool_writer_sample");
    ASSERT_EQ(write(path.c_str()), 0);
    EXPECT_EQ(content(path), expected_sample);
    history::NameTable names;
    const auto lines = history::read_file(path, names);
    EXPECT_TRUE(lines) << history::to_text(lines.error());
    std::filesystem::remove(path);
  }
}

TEST(HistoryWriter, OverlappingCallsBecomeTwoLinesEach) {
  const std::string path = temporary_file("streampool_writer_overlap");
  streampool_history h;
  ASSERT_EQ(streampool_history_open(&h, path.c_str(), "strict"), 0);
  streampool_history_end(&h, streampool_history_begin_pool_create(&h, 0), STREAMPOOL_HISTORY_OK, 0x91);
  const auto outer = streampool_history_begin_malloc(&h, 256, 0x91, STREAMPOOL_HISTORY_LEGACY);
  std::thread([&h] {
    streampool_history_end(&h, streampool_history_begin_device_sync(&h), STREAMPOOL_HISTORY_OK, 0);
  }).join();
  streampool_history_end(&h, outer, STREAMPOOL_HISTORY_OK, 0x200000);
  EXPECT_EQ(streampool_history_close(&h), 0);
  EXPECT_EQ(content(path), R"(streampool-history 1
profile strict
[t1] pool_create p2 max_size=0 -> ok handle=0x91
[t1] call c2 malloc a3 256 p2 legacy
[t4] device_sync -> ok
[t1] return c2 -> ok 0x200000
)");
  std::filesystem::remove(path);
}

TEST(HistoryWriter, WhatIsNotKnownIsReported) {
  const std::string path = temporary_file("streampool_writer_unknown");
  streampool_history h;
  ASSERT_EQ(streampool_history_open(&h, path.c_str(), "strict"), 0);
  EXPECT_EQ(streampool_history_begin_stream_sync(&h, 0x51), 0u);
  streampool_history_end(&h, 0, STREAMPOOL_HISTORY_OK, 0);
  EXPECT_EQ(streampool_history_close(&h), -1);
  EXPECT_EQ(streampool_history_open(&h, "/nonexistent/file.pool", "strict"), -1);
  std::filesystem::remove(path);
}

TEST(HistoryWriter, ManyThreadsWriteOneReadableHistory) {
  const std::string path = temporary_file("streampool_writer_threads");
  streampool_history h;
  ASSERT_EQ(streampool_history_open(&h, path.c_str(), "strict"), 0);
  streampool_history_end(&h, streampool_history_begin_pool_create(&h, 0), STREAMPOOL_HISTORY_OK, 0x91);
  constexpr std::size_t thread_count = 4, rounds = 500;
  std::barrier start(thread_count);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < thread_count; ++t) {
    threads.emplace_back([&h, &start, t] {
      start.arrive_and_wait();
      for (std::size_t i = 0; i < rounds; ++i) {
        const std::uint64_t address = 0x10000000 + (t * rounds + i) * 4096;
        const auto id = streampool_history_begin_malloc(&h, 4096, 0x91, STREAMPOOL_HISTORY_PER_THREAD);
        streampool_history_end(&h, id, STREAMPOOL_HISTORY_OK, address);
        streampool_history_end(&h, streampool_history_begin_free(&h, address, STREAMPOOL_HISTORY_PER_THREAD),
                               STREAMPOOL_HISTORY_OK, 0);
      }
      start.arrive_and_wait();  // a thread that ended could give its identity to a later one
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(streampool_history_close(&h), 0);
  history::NameTable names;
  const auto lines = history::read_file(path, names);
  ASSERT_TRUE(lines) << history::to_text(lines.error());
  std::size_t calls = 0;
  for (const auto& line : *lines)
    calls += line.kind != history::LineKind::profile && line.kind != history::LineKind::call_begin;
  EXPECT_EQ(calls, 1 + thread_count * rounds * 2);
  std::filesystem::remove(path);
}

}  // namespace

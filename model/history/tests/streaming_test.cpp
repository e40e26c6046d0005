#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <random>
#include <string>

#include "model/history/print.hpp"
#include "model/history/reader.hpp"
#include "model/history/signature.hpp"

namespace streampool::history {
namespace {

// Answers `head` once and then `body` again and again, `count` times in all, without holding more than one of them.
Source repeated(std::string head, std::string body, std::size_t count) {
  return [text = std::move(head), body = std::move(body), count, at = std::size_t{0}](char* buffer,
                                                                                      std::size_t size) mutable {
    if (at == text.size()) {
      if (count == 0) return std::ptrdiff_t{0};
      --count;
      text = body;
      at = 0;
    }
    const std::size_t bytes = std::min(size, text.size() - at);
    std::copy_n(text.data() + at, bytes, buffer);
    at += bytes;
    return static_cast<std::ptrdiff_t>(bytes);
  };
}

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(Streaming, AMillionLinesInBoundedMemory) {
  NameTable names;
  const std::string head =
      "streampool-history 1\nstream_create s nonblocking\npool_create p\nmalloc a 1MiB p s -> ok 0x200000\n";
  Reader reader(
      repeated(head, "fill s a+16 0x11 1KiB -> ok # and a comment\nevent_create e -> out_of_memory\n", 500000), names);
  const std::size_t before = peak_bytes();
  std::uint64_t count = 0;
  Line line;
  for (;;) {
    const auto more = reader.next(line);
    ASSERT_TRUE(more) << to_text(more.error());
    if (!*more) break;
    ++count;
  }
  EXPECT_EQ(count, 1000003u);
  EXPECT_EQ(line.number, 1000004u);
  EXPECT_LT(peak_bytes() - before, std::size_t{4} << 20);
}

TEST(Streaming, ALineOfTenMegabytesIsRefusedUnread) {
  for (const char* filler : {"x", "# ", " ", "\xC3\xBC"}) {
    NameTable names;
    std::string chunk;
    while (chunk.size() < 65536) chunk += filler;
    std::size_t reads = 0;
    Source inner = repeated("streampool-history 1\n", chunk, 160);
    Reader reader([&](char* buffer, std::size_t size) { return ++reads, inner(buffer, size); }, names);
    const auto answer = reader.next();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().line, 2u);
    EXPECT_EQ(answer.error().message, "expected the end of the line after at most 1 MiB, found more");
    EXPECT_LT(reads, 32u);
  }
}

TEST(Streaming, ALineOfOneMebibyteIsTheLongest) {
  const std::string header = "streampool-history 1\n";
  for (const std::string end : {"\n", "\r\n", ""}) {
    NameTable names;
    const std::string line = "device_sync #" + std::string(max_line_bytes - 13, 'x');
    EXPECT_TRUE(read_text(header + line + end, names));
    EXPECT_TRUE(read_text(header + line + end + (end.empty() ? "" : "device_sync"), names));
    const auto longer = read_text(header + line + "x" + end, names);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error(),
              (Error{2, max_line_bytes + 1, "expected the end of the line after at most 1 MiB, found more"}));
  }
}

constexpr std::string_view sample = R"(streampool-history 1
profile strict
device d1 memory=1GiB granularity=2MiB
stream_create s1 nonblocking d1 -> ok handle=0x7
event_create e
gate_create g
pool_create p max_size=64MiB device=d1 -> ok
pool_set p attr:4 raw:0011223344556677 -> ok
@first [t1] malloc a 2MiB p s1 -> ok 0x10000000 native=0
[t2] call c1 stream_sync s1
free a+16 s1 -> invalid_value
[t2] return c1 -> ok blocked=g
launch s1 a null @0x10
expect overlap(a,a) forbidden
expect status first ok
expect attribute(p,used_mem_high) in 0..4MiB # end
)";

TEST(Streaming, ATruncatedFileIsReadUpToItsLastWholeLineOrRefusedInTheLastOne) {
  for (std::size_t length = 0; length <= sample.size(); ++length) {
    const std::string_view part = sample.substr(0, length);
    NameTable names;
    const auto lines = read_text(part, names);
    const auto complete = static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    if (!lines) {
      EXPECT_EQ(lines.error().line, complete + 1) << part;
    } else {
      EXPECT_LE(lines->size(), complete) << part;
      EXPECT_GE(lines->size() + 1, complete) << part;
    }
  }
}

TEST(Streaming, EveryBlockBoundaryGivesTheSameLines) {
  NameTable names;
  const auto whole = read_text(sample, names);
  ASSERT_TRUE(whole) << to_text(whole.error());
  for (std::size_t block = 1; block < 80; ++block) {
    Source inner = source_from_text(sample);
    Reader reader([&](char* buffer, std::size_t size) { return inner(buffer, std::min(size, block)); }, names);
    std::vector<Line> lines;
    for (auto line = reader.next(); line && *line; line = reader.next()) lines.push_back(**line);
    EXPECT_EQ(print(lines, names), print(*whole, names)) << block;
  }
}

// Damage at random places: an answer each time, and whatever is read comes back after printing.
TEST(Streaming, JunkIsRefusedOrReadButNeverMore) {
  std::mt19937 random(20261130);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(sample);
    for (std::uint32_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        default:
          text.insert(at, 1, " \n\t#@[]>-+0"[random() % 11]);
          break;
      }
    }
    NameTable names;
    const auto lines = read_text(text, names);
    if (!lines) {
      ++refused;
      EXPECT_TRUE(lines.error().message.starts_with("expected ")) << text;
      EXPECT_GE(lines.error().column, 1u);
      continue;
    }
    const auto again = read_text(print(*lines, names), names);
    ASSERT_TRUE(again) << to_text(again.error()) << "\n" << text;
    ASSERT_TRUE(std::equal(lines->begin(), lines->end(), again->begin(), again->end(), same)) << text;
  }
  EXPECT_GT(refused, 5000u);
  EXPECT_LT(refused, 20000u);
}

TEST(Streaming, BinaryJunkIsRefused) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string junk(random() % 5000, '\0');
    for (char& c : junk) c = static_cast<char>(random());
    NameTable names;
    EXPECT_FALSE(read_text(junk, names));
    const auto behind = read_text("streampool-history 1\n" + junk + "\n\xFF", names);
    EXPECT_FALSE(behind);
  }
}

}  // namespace
}  // namespace streampool::history

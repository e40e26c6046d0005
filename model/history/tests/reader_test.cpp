#include "model/history/reader.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "model/history/signature.hpp"

namespace streampool::history {
namespace {

std::vector<Line> lines_of(std::string_view body, NameTable& names) {
  const auto lines = read_text(std::string("streampool-history 1\n").append(body), names);
  EXPECT_TRUE(lines) << to_text(lines.error());
  return lines ? *lines : std::vector<Line>{};
}

TEST(Reader, ReadsTheExampleOfTheFormat) {
  NameTable names;
  const auto lines = lines_of(R"(profile strict
stream_create s1 nonblocking
gate_create g
pool_create p max_size=0
pool_set p reuse_allow_opportunistic 0
malloc a 2MiB p s1                 -> ok 0x10000000   # with a comment
gate_hold s1 g
free a s1                          -> ok

	# nothing here
pool_get p used_mem_current        -> ok 2097152
)",
                              names);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0].kind, LineKind::profile);
  EXPECT_EQ(lines[0].profile.name, "strict");
  EXPECT_EQ(lines[0].number, 2u);
  EXPECT_EQ(lines[1].call.stream_kind, StreamKind::nonblocking);
  EXPECT_EQ(lines[1].result, std::nullopt);
  EXPECT_EQ(lines[3].call.size, 0u);
  EXPECT_EQ(lines[4].call.attribute, Attribute::reuse_allow_opportunistic);
  const Line& malloc = lines[5];
  EXPECT_EQ(malloc.call.op, Op::malloc);
  EXPECT_EQ(names.text(malloc.call.allocation), "a");
  EXPECT_EQ(malloc.call.size, 2097152u);
  EXPECT_EQ(malloc.call.pool, lines[3].call.pool);
  EXPECT_EQ(malloc.result->value, 0x10000000u);
  EXPECT_EQ(lines[7].call.pointer.name, malloc.call.allocation);
  EXPECT_EQ(lines[8].number, 12u);
  EXPECT_EQ(lines[8].result->value, 2097152u);
}

TEST(Reader, TakesCarriageReturnsAndAMissingLastLineEnd) {
  NameTable names;
  const auto lines = read_text("streampool-history 1\r\nstream_create s blocking -> ok\r\nstream_sync s -> ok", names);
  ASSERT_TRUE(lines) << to_text(lines.error());
  EXPECT_EQ(lines->size(), 2u);
}

TEST(Reader, TakesUtf8InComments) {
  NameTable names;
  EXPECT_EQ(lines_of("device_sync # größe ≤ 𝟚 \xF4\x8F\xBF\xBF\n", names).size(), 1u);
}

TEST(Reader, NumbersAndSizesReachTheirLimits) {
  NameTable names;
  const auto lines = lines_of(R"(pool_create p max_size=16383GiB
pool_trim p 18446744073709551615
pool_trim p 0xffffffffffffffff
pool_trim p max
pool_trim p 17179869183GiB
pool_trim p 0x10KiB
pool_trim p 0x1B
pool_trim p 12B
pool_set p release_threshold 4MiB
pool_set p release_threshold max
pool_get p attr:9 width=4 -> ok raw:01020304 wrote=4
)",
                              names);
  ASSERT_EQ(lines.size(), 11u);
  constexpr std::uint64_t top = ~std::uint64_t{0};
  EXPECT_EQ(lines[1].call.size, top);
  EXPECT_EQ(lines[2].call.size, top);
  EXPECT_EQ(lines[3].call.size, top);
  EXPECT_EQ(lines[4].call.size, 17179869183u << 30);
  EXPECT_EQ(lines[5].call.size, 16384u);
  EXPECT_EQ(lines[6].call.size, 27u);
  EXPECT_EQ(lines[7].call.size, 12u);
  EXPECT_EQ(lines[8].call.value.integer, 4194304u);
  EXPECT_EQ(lines[8].call.value.kind, AttributeValue::Kind::integer);
  EXPECT_EQ(lines[9].call.value.kind, AttributeValue::Kind::max);
  EXPECT_EQ(lines[10].result->value, 0x04030201u);
}

TEST(Reader, ANameWhoseCallFailedIsFreeAgain) {
  NameTable names;
  const auto lines = lines_of(R"(pool_create p
malloc a 1 p legacy -> out_of_memory
stream_create a blocking
stream_sync a
)",
                              names);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[3].call.stream, lines[1].call.allocation);
}

TEST(Reader, DeadNamesMayBePassed) {
  NameTable names;
  EXPECT_EQ(lines_of("pool_create p\npool_destroy p\npool_trim p 0 -> invalid_handle\n", names).size(), 3u);
}

TEST(Reader, AReturnCarriesTheCallThatItEnds) {
  NameTable names;
  const auto lines = lines_of(R"(pool_create p
[t1] call 7 malloc a 1MiB p legacy
[t2] call 8 malloc b 1MiB p per_thread
return 7 -> ok 0x200000
[t2] return 8 -> out_of_memory out=null
free a legacy
malloc b 1 p legacy
[t1] call 7 stream_sync legacy
)",
                              names);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[1].kind, LineKind::call_begin);
  EXPECT_EQ(lines[3].kind, LineKind::call_return);
  EXPECT_EQ(lines[3].call, lines[1].call);
  EXPECT_EQ(names.thread(lines[3].thread), "t1");
  EXPECT_EQ(names.id(lines[3].id), "7");
  EXPECT_EQ(lines[4].result->out, Result::Out::null);
}

TEST(Reader, LabelsAndExpectations) {
  NameTable names;
  const auto lines = lines_of(R"(pool_create p
@first malloc a 1MiB p legacy
@second [t] malloc b 1MiB p legacy
expect overlap( a , b ) forbidden
expect status second ok
expect attribute (p, used_mem_current) in 1KiB .. max
expect attribute(p,attr:8) in 0..4096
expect violation ATTR-READBACK-RELEASE_THRESHOLD
)",
                              names);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[2].label, "second");
  EXPECT_EQ(lines[3].expect.second, lines[2].call.allocation);
  EXPECT_EQ(lines[4].expect.label, "second");
  EXPECT_EQ(lines[5].expect.low, 1024u);
  EXPECT_EQ(lines[5].expect.high, ~std::uint64_t{0});
  EXPECT_EQ(lines[6].expect.attribute, Attribute::used_mem_high);
  EXPECT_EQ(lines[7].expect.clause, "ATTR-READBACK-RELEASE_THRESHOLD");
}

TEST(Reader, TheEndIsRepeatedAndSoIsAnError) {
  NameTable names;
  Reader good(source_from_text("streampool-history 1\ndevice_sync\n"), names);
  Line line;
  EXPECT_TRUE(good.next(line).value());
  EXPECT_FALSE(good.next(line).value());
  EXPECT_FALSE(good.next(line).value());
  EXPECT_EQ(good.next().value(), std::nullopt);
  Reader bad(source_from_text("streampool-history 1\nnothing\n"), names);
  const auto first = bad.next(line);
  ASSERT_FALSE(first);
  EXPECT_EQ(bad.next(line).error(), first.error());
}

TEST(Reader, ReadsStreamsAndReportsFilesThatCannotBeRead) {
  NameTable names;
  std::istringstream stream("streampool-history 1\ndevice_sync\ndevice_sync d0");
  Reader reader(source_from_stream(stream), names);
  EXPECT_TRUE(reader.next().value());
  EXPECT_TRUE(reader.next().value());
  EXPECT_FALSE(reader.next().value());
  EXPECT_EQ(open_history("/nonexistent/file.pool", names).error().message,
            "expected a file that can be read, found No such file or directory");
  EXPECT_EQ(read_file("/", names).error().message, "expected a file that can be read, found Is a directory");
}

}  // namespace
}  // namespace streampool::history

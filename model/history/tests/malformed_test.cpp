#include <gtest/gtest.h>

#include <string>

#include "model/history/reader.hpp"
#include "model/history/signature.hpp"

namespace streampool::history {
namespace {

struct Bad {
  const char* line;  // behind the common lines below
  std::uint64_t column;
  const char* message;
};

constexpr std::string_view common = R"(streampool-history 1
stream_create s nonblocking
event_create e
gate_create g
pool_create p
@m malloc a 1MiB p s
[t9] call open malloc waiting 1 p s
)";
constexpr std::uint64_t bad_line = 8;

const Bad bad_lines[] = {
    {"nothing", 1, "expected a call, 'call', 'return', 'profile', 'device' or 'expect', found 'nothing'"},
    {"@x", 3, "expected a call, 'call', 'return', 'profile', 'device' or 'expect', found the end of the line"},
    {"  malloc", 9, "expected an allocation, found the end of the line"},
    {"malloc b 2MiB p", 16, "expected a stream, found the end of the line"},
    {"malloc b 2MiB p # s", 17, "expected a stream, found the end of the line"},
    {"malloc b 2MiB p s s", 19, "expected '->' or the end of the line, found 's'"},
    {"malloc b 2MiB p s ->", 21, "expected a status, found the end of the line"},
    {"malloc b 2MiB p s -> fine", 22, "expected a status, found 'fine'"},
    {"malloc b 2MiB p s -> ok 4096", 25, "expected an address 0x..., 'null' or a result item, found '4096'"},
    {"malloc b 2MiB p s -> ok 0x", 25, "expected an address 0x..., 'null' or a result item, found '0x'"},
    {"malloc b 2MiB p s -> ok 0x1 0x2", 29, "expected each item of a result once, found '0x2', which is one too many"},
    {"malloc b 2MiB p s -> ok 0x10000000000000000", 25,
     "expected an address 0x..., 'null' or a result item, found '0x10000000000000000'"},
    {"malloc b 2MiB p s -> ok handle=1", 25, "expected an item that malloc may answer, found 'handle=1'"},
    {"malloc b 2MiB p s -> ok native=-1", 32, "expected a number, found '-1'"},
    {"malloc b 2MiB p s -> ok out=5", 29, "expected 'null', 'unchanged' or an address 0x..., found '5'"},
    {"malloc b 2MiB p s -> ok blocked=p", 33, "expected a gate, found 'p', which is a pool"},
    {"malloc b 2MiB p s -> ok colour=red", 25, "expected a result item, found 'colour=red'"},
    {"malloc a 2MiB p s", 8, "expected a new name, found 'a', which is an allocation already"},
    {"malloc p 2MiB p s", 8, "expected a new name, found 'p', which is a pool already"},
    {"malloc waiting 2MiB p s", 8, "expected a new name, found 'waiting', which an open call defines"},
    {"malloc null 2MiB p s", 8, "expected a new name, found 'null', which is reserved"},
    {"malloc 2b 2MiB p s", 8, "expected a new name for an allocation, found '2b'"},
    {"malloc b 2MiBs p s", 10, "expected a size, found '2MiBs'"},
    {"malloc b 2 MiB p s", 12, "expected a pool or 'current', found 'MiB', which is not defined"},
    {"malloc b 17179869184GiB p s", 10, "expected a size, found '17179869184GiB'"},
    {"malloc b 18446744073709551616 p s", 10, "expected a size, found '18446744073709551616'"},
    {"malloc b -1 p s", 10, "expected a size, found '-1'"},
    {"malloc b 1 s s", 12, "expected a pool or 'current', found 's', which is a stream"},
    {"malloc b 1 p p", 14, "expected a stream, found 'p', which is a pool"},
    {"malloc b 1 p t", 14, "expected a stream, found 't', which is not defined"},
    {"free waiting s", 6,
     "expected an allocation, 'null' or an address '@0x...', found 'waiting', whose call has not returned"},
    {"free a+x s", 8, "expected an offset in bytes, found 'x'"},
    {"free a+ s", 8, "expected an offset in bytes, found the end of the line"},
    {"free @zz s", 7, "expected a hex address, found 'zz'"},
    {"stream_destroy legacy", 16, "expected a stream that was created, found 'legacy', which is not defined"},
    {"stream_create t", 16, "expected 'blocking' or 'nonblocking', found the end of the line"},
    {"stream_create t blocking d1", 26, "expected a device, found 'd1', which no device line declares"},
    {"stream_create t blocking d00", 26, "expected a device, found 'd00'"},
    {"stream_wait_event e s", 19, "expected a stream, found 'e', which is an event"},
    {"gate_hold s e", 13, "expected a gate, found 'e', which is an event"},
    {"pool_create q max_size=1 max_size=2", 26, "expected each key once, found 'max_size=2', which was given before"},
    {"pool_create q size=1", 15, "expected 'max_size=', 'device=', '->' or the end of the line, found 'size=1'"},
    {"pool_create q max_size", 15, "expected 'max_size=', 'device=', '->' or the end of the line, found 'max_size'"},
    {"pool_set p colour 1", 12, "expected an attribute or 'attr:' and a number, found 'colour'"},
    {"pool_set p attr:x 1", 17, "expected an attribute number, found 'x'"},
    {"pool_set p release_threshold raw:0", 34, "expected an even number of hex digits, found '0'"},
    {"pool_set p release_threshold soon", 30, "expected a number, 'max', 'null' or 'raw:' and hex bytes, found 'soon'"},
    {"pool_get p used_mem_high width=", 32, "expected a number, found the end of the line"},
    {"pool_get p used_mem_high -> ok raw:000000000000000000", 32,
     "expected a number, 'max', 'raw:' and at most 8 bytes, or a result item, found 'raw:000000000000000000'"},
    {"stream_sync s -> ok 5", 21, "expected an item that stream_sync may answer, found '5'"},
    {"fill s a 256", 10, "expected a byte (0 to 255), found '256'"},
    {"fill s a 1 2 3", 14, "expected '->' or the end of the line, found '3'"},
    {"fail unmap 1", 6, "expected 'reserve', 'map' or 'submit', found 'unmap'"},
    {"limit 5", 7, "expected a device, found '5'"},
    {"profile strict", 1, "expected no 'profile' behind the first call, found 'profile'"},
    {"device d1", 1, "expected no 'device' behind the first call, found 'device'"},
    {"[t9] device_sync", 6, "expected the return of call 'open' of this thread, found 'device_sync'"},
    {"[t9] call two device_sync", 6, "expected the return of call 'open' of this thread, found 'call'"},
    {"call open device_sync", 6, "expected the id of a call, found 'open', which is open already"},
    {"call two", 9, "expected a call, found the end of the line"},
    {"call two device_sync -> ok", 22, "expected the end of the line, found '->'"},
    {"return two -> ok", 8, "expected the id of an open call, found 'two', which is not open"},
    {"[t8] return open -> ok 0x1", 13,
     "expected the id of a call of this thread, found 'open', which thread 't9' called"},
    {"return open", 12, "expected '->', found the end of the line"},
    {"return open -> ok 1", 19, "expected an address 0x..., 'null' or a result item, found '1'"},
    {"@m device_sync", 2, "expected a new label, found 'm', which an earlier line has"},
    {"@ device_sync", 2, "expected a label, found the end of the line"},
    {"[t 1] device_sync", 4, "expected ']', found '1]'"},
    {"[] device_sync", 2, "expected a thread, found ']'"},
    {"[t1", 4, "expected ']', found the end of the line"},
    {"expect nothing", 8, "expected 'overlap', 'status', 'attribute', 'violation' or 'program_fault', found 'nothing'"},
    {"expect overlap(a,b) forbidden", 18, "expected an allocation, found 'b', which is not defined"},
    {"expect overlap(a,p) forbidden", 18, "expected an allocation, found 'p', which is a pool"},
    {"expect overlap(a,a) maybe", 21, "expected 'forbidden', 'allowed' or 'required', found 'maybe'"},
    {"expect overlap(a,a forbidden", 20, "expected ')', found 'forbidden'"},
    {"expect status n ok", 15, "expected the label of an earlier call, found 'n', which is none"},
    {"expect status m fine", 17, "expected a status, found 'fine'"},
    {"expect attribute(p,used_mem_high) in 5", 38, "expected a range SIZE..SIZE, found '5'"},
    {"expect attribute(p,used_mem_high) in 5..", 41, "expected a size, found the end of the line"},
    {"expect attribute(p,used_mem_high) 1..5", 35, "expected 'in', found '1..5'"},
    {"expect violation 7", 18, "expected a clause, found '7'"},
    {"device_sync\x01", 1,
     "expected a call, 'call', 'return', 'profile', 'device' or 'expect', found 'device_sync\\x01'"},
    {"device_sync # \xC3", 15, "expected UTF-8, found '\\xc3'"},
    {"device_sync # \xED\xA0\x80", 15, "expected UTF-8, found '\\xed'"},
    {"device_sync # \xC0\xAF", 15, "expected UTF-8, found '\\xc0'"},
    {"device_sync # \xF4\x90\x80\x80", 15, "expected UTF-8, found '\\xf4'"},
    {"device_sync\r", 1, nullptr},  // a carriage return before the line end is part of it
};

TEST(Malformed, EachLineIsRefusedAtItsPlaceWithItsReason) {
  for (const Bad& bad : bad_lines) {
    NameTable names;
    const std::string text = std::string(common) + bad.line + "\ndevice_sync\n";
    const auto lines = read_text(text, names);
    if (bad.message == nullptr) {
      EXPECT_TRUE(lines) << bad.line;
      continue;
    }
    ASSERT_FALSE(lines) << bad.line;
    EXPECT_EQ(lines.error(), (Error{bad_line, bad.column, bad.message})) << bad.line << "\n" << to_text(lines.error());
  }
}

struct BadFile {
  const char* text;
  Error error;
};

TEST(Malformed, TheHeaderAndThePreamble) {
  const BadFile files[] = {
      {"", {1, 1, "expected 'streampool-history 1', found the end of the file"}},
      {"\n", {1, 1, "expected 'streampool-history 1', found the end of the line"}},
      {"streampool-history 2\n", {1, 1, "expected 'streampool-history 1', found 'streampool-history 2'"}},
      {"# early\nstreampool-history 1\n", {1, 1, "expected 'streampool-history 1', found the end of the line"}},
      {"\xEF\xBB\xBFstreampool-history 1\n",
       {1, 1, "expected 'streampool-history 1', found '\\xef\\xbb\\xbfstreampool-history 1'"}},
      {"streampool-history 1\nprofile a\nprofile b\n", {3, 1, "expected one 'profile' line, found 'profile'"}},
      {"streampool-history 1\nprofile 9\n", {2, 9, "expected a profile name, found '9'"}},
      {"streampool-history 1\nprofile a b\n", {2, 11, "expected the end of the line, found 'b'"}},
      {"streampool-history 1\ndevice d1\ndevice d1 memory=1\n",
       {3, 8, "expected a new device, found 'd1', which an earlier line describes"}},
      {"streampool-history 1\ndevice 1\n", {2, 8, "expected a device, found '1'"}},
      {"streampool-history 1\ndevice d4294967296\n", {2, 8, "expected a device, found 'd4294967296'"}},
      {"streampool-history 1\ndevice d1 memory=x\n", {2, 18, "expected a size, found 'x'"}},
      {"streampool-history 1\ndevice d1 colour=x\n",
       {2, 11, "expected 'memory=', 'granularity=', 'alignment=', 'taken=' or the end of the line, found 'colour=x'"}},
      {"streampool-history 1\r\rdevice_sync\n",
       {1, 1, "expected 'streampool-history 1', found 'streampool-history 1\\x0d\\x0ddevice_sync'"}},
  };
  for (const BadFile& file : files) {
    NameTable names;
    const auto lines = read_text(file.text, names);
    ASSERT_FALSE(lines) << file.text;
    EXPECT_EQ(lines.error(), file.error) << file.text << "\n" << to_text(lines.error());
  }
}

}  // namespace
}  // namespace streampool::history

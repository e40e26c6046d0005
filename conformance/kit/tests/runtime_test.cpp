#include "conformance/kit/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/kit/groups.hpp"
#include "conformance/kit/tests/fake_table.hpp"

namespace streampool::kit {
namespace {

using testing::HasSubstr;

std::string refusal(const streampool_runtime& table) {
  const auto runtime = Runtime::from_table(&table, "it");
  return runtime ? "" : runtime.error().message;
}

TEST(RuntimeTable, Accepted) { EXPECT_EQ(refusal(fake::table()), ""); }

TEST(RuntimeTable, SizeVersionAndPromisesAreChecked) {
  streampool_runtime small = fake::table();
  small.size = 8;
  EXPECT_THAT(refusal(small), HasSubstr("8 bytes"));
  streampool_runtime other = fake::table();
  other.abi_version = 9;
  EXPECT_THAT(refusal(other), HasSubstr("ABI version 9"));
  streampool_runtime hollow = fake::table();
  hollow.pool_trim = nullptr;
  hollow.capabilities |= STREAMPOOL_CAP_GATE;
  EXPECT_THAT(refusal(hollow), HasSubstr("'pool' is promised but null: pool_trim."));
  EXPECT_THAT(refusal(hollow), HasSubstr("gate_create, gate_hold, gate_open, gate_destroy"));
  streampool_runtime closed = fake::table();
  closed.close = nullptr;
  EXPECT_THAT(refusal(closed), HasSubstr("every runtime must have are null: close"));
  EXPECT_FALSE(Runtime::from_table(nullptr, "it").has_value());
}

TEST(RuntimeTable, EntriesBeyondItsOwnSizeAreMissing) {
  streampool_runtime old = fake::table();
  old.size = offsetof(streampool_runtime, malloc_from_pool);
  EXPECT_THAT(refusal(old), HasSubstr("malloc_from_pool, free_async"));
  old.capabilities = STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_POOL;
  EXPECT_EQ(refusal(old), "");
}

TEST(RuntimeTable, MissingGroupsAnswerNotSupported) {
  const streampool_runtime table = fake::table();
  auto runtime = Runtime::from_table(&table, "it");
  ASSERT_TRUE(runtime->open({}).has_value());
  EXPECT_EQ(runtime->call(STREAMPOOL_CAP_GATE, &streampool_runtime::gate_open, streampool_gate{1}),
            STREAMPOOL_NOT_SUPPORTED);
  EXPECT_EQ(runtime->description().name, "fake");
  EXPECT_EQ(runtime->description().version.size(), 64U);
  EXPECT_EQ(runtime->last_error().code, -7);
}

TEST(RuntimeLoad, NoLibraryAndNoRuntime) {
  EXPECT_THAT(Runtime::load("./missing.so").error().message, HasSubstr("missing.so"));
  EXPECT_THAT(Runtime::load("libm.so.6").error().message, HasSubstr("does not export"));
}

TEST(Groups, EveryOperationAndEntryHasOne) {
  history::Call call;
  for (std::size_t op = 0; op < history::op_count; ++op) {
    call.op = static_cast<history::Op>(op);
    EXPECT_NE(groups_needed(call), 0U) << op;
  }
  call.op = history::Op::stream_sync;
  call.stream = history::Name::legacy;
  EXPECT_EQ(groups_needed(call), STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS);
  std::size_t entries = context_group().entries.size();
  for (const Group& group : groups()) entries += group.entries.size();
  // The header: size, version and capabilities.
  EXPECT_EQ(entries * sizeof(void (*)()), sizeof(streampool_runtime) - 16);
}

}  // namespace
}  // namespace streampool::kit

#include "model/history/signature.hpp"

#include <gtest/gtest.h>

namespace streampool::history {
namespace {

TEST(Signature, EveryOperationIsFoundByItsName) {
  for (const Signature& each : signatures()) {
    EXPECT_EQ(find_signature(each.name), &each) << each.name;
    EXPECT_EQ(to_text(each.op), each.name);
  }
  EXPECT_EQ(find_signature("mallocx"), nullptr);
  EXPECT_EQ(find_signature(""), nullptr);
}

// The reader takes keyed parameters behind the positional ones, and definition() looks at the first parameter only.
TEST(Signature, KeysStandBehindPositionsAndNewNamesStandFirst) {
  for (const Signature& each : signatures()) {
    bool keyed = false;
    for (std::size_t i = 0; i < each.parameters().size(); ++i) {
      const Parameter& parameter = each.parameters()[i];
      EXPECT_TRUE(!keyed || !parameter.key.empty()) << each.name;
      keyed = keyed || !parameter.key.empty();
      EXPECT_TRUE(parameter.use != Use::defines || i == 0) << each.name;
      EXPECT_EQ(parameter.use == Use::plain, !name_kind(parameter.field).has_value()) << each.name;
    }
  }
}

TEST(Signature, ADefinitionNamesTheNewName) {
  Call call;
  call.op = Op::malloc;
  call.allocation = static_cast<Name>(7);
  EXPECT_EQ(definition(call).name, static_cast<Name>(7));
  EXPECT_EQ(definition(call).kind, NameKind::allocation);
  call.op = Op::launch;
  EXPECT_EQ(definition(call).name, Name::none);
}

TEST(NameTable, KeepsTextsThroughGrowthAndCopies) {
  NameTable table;
  EXPECT_EQ(table.intern("legacy"), Name::legacy);
  EXPECT_EQ(table.intern("per_thread"), Name::per_thread);
  const Name first = table.intern("first");
  const std::string_view text = table.text(first);
  for (int i = 0; i < 100000; ++i) table.intern("name" + std::to_string(i));
  EXPECT_EQ(text.data(), table.text(first).data());
  NameTable copy = table;
  EXPECT_EQ(copy.intern("only in the copy"), static_cast<Name>(table.size()));
  const Name in_table = table.intern("only in the table");
  EXPECT_EQ(table.text(in_table), "only in the table");
  EXPECT_EQ(copy.text(static_cast<Name>(copy.size() - 1)), "only in the copy");
  EXPECT_EQ(copy.find("name99999"), table.find("name99999"));
  EXPECT_EQ(table.find("only in the copy"), std::nullopt);
  copy = table;
  EXPECT_EQ(copy.find("only in the table"), in_table);
}

}  // namespace
}  // namespace streampool::history

#include "hook/refusals.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

TEST(Refusals, AreCountedWhereThereIsAFolder) {
  const testing::TemporaryDirectory directory;
  const auto nowhere = directory.path() / "none";
  RefusalCount(nowhere, Refusal::kNoJson).add();
  EXPECT_FALSE(std::filesystem::exists(nowhere));
  EXPECT_TRUE(list_refusals(nowhere).empty());

  for (int i = 0; i < 3; ++i) RefusalCount(directory.path(), Refusal::kUnknownEvent).add();
  RefusalCount(directory.path(), Refusal::kNoSession).add();
  const auto refused = list_refusals(directory.path());
  ASSERT_EQ(refused.size(), 2);
  EXPECT_EQ(refused[0].name, "no_session");
  EXPECT_EQ(refused[0].count, 1);
  EXPECT_GT(refused[0].last_at_ms, 1'700'000'000'000);
  EXPECT_EQ(refused[1].name, "unknown_event");
  EXPECT_EQ(refused[1].count, 3);
}

}  // namespace
}  // namespace codexmem::hook

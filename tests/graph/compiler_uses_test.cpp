#include "graph/core/compiler_uses.h"

#include <gtest/gtest.h>

#include "base/compress.h"

namespace codexmem::graph {
namespace {

CompilerUses some_uses() {
  CompilerUses uses;
  uses.tool = "tester 1";
  uses.targets = {{-3, "Shop.open", 1}, {0, "run", 0}, {1'000'000, "x", 7}};
  uses.uses = {{4, 0}, {4, 1}, {90, 0xFFFFFFFFU}, {100'000, 2}};
  uses.defined = {0, 17, 400};
  return uses;
}

TEST(CompilerUses, AreReadAsTheyWereWritten) {
  const auto read = decode_compiler_uses(encode_compiler_uses(some_uses())).value();
  EXPECT_EQ(read.tool, "tester 1");
  ASSERT_EQ(read.targets.size(), 3U);
  EXPECT_EQ(read.targets[0].file_step, -3);
  EXPECT_EQ(read.targets[2].qualified_name, "x");
  EXPECT_EQ(read.targets[2].number, 7U);
  EXPECT_EQ(read.at(4).size(), 2U);
  EXPECT_EQ(read.at(90).front().target, 0xFFFFFFFFU);
  EXPECT_TRUE(read.at(5).empty());
  EXPECT_TRUE(read.knows(17));
  EXPECT_FALSE(read.knows(18));
}

TEST(CompilerUses, DamagedBytesAreAnError) {
  EXPECT_FALSE(decode_compiler_uses("").ok());
  EXPECT_FALSE(decode_compiler_uses("nonsense").ok());
  const std::string plain = decompress(encode_compiler_uses(some_uses()), 10'000).value();
  for (std::size_t size = 0; size < plain.size(); ++size) {
    EXPECT_FALSE(decode_compiler_uses(compress(plain.substr(0, size))).ok()) << size;
  }
  for (std::size_t at = 0; at < plain.size(); ++at) {
    std::string changed = plain;
    changed[at] = static_cast<char>(changed[at] ^ 0x80);
    const auto read = decode_compiler_uses(compress(changed));
    if (!read.ok()) continue;
    for (const auto& use : read->uses) {
      EXPECT_TRUE(use.target == 0xFFFFFFFFU || use.target < read->targets.size());
    }
  }
}

}  // namespace
}  // namespace codexmem::graph

// Words of modifiers as bits.
#include "store/code/modifier_set.h"

#include <gtest/gtest.h>

#include <string_view>

namespace codexmem::store {
namespace {

TEST(ModifierSet, KnowsWholeWords) {
  const ModifierSet set(R"(["export","static","private"])");
  EXPECT_TRUE(set.has(Modifier::kStatic));
  EXPECT_TRUE(set.has(Modifier::kPrivate));
  EXPECT_FALSE(set.has(Modifier::kConst));
  EXPECT_FALSE(ModifierSet(R"(["statically"])").has(Modifier::kStatic));
  EXPECT_FALSE(ModifierSet("[]").has(Modifier::kStatic));
}

TEST(ModifierSet, KnowsDecoratorsAndAttributes) {
  const ModifierSet python(R"(["@pytest.fixture"])");
  EXPECT_TRUE(python.has(Modifier::kDecorated));
  EXPECT_TRUE(python.has(Modifier::kFixture));
  const ModifierSet rust(R"(["#[derive]","pub"])");
  EXPECT_TRUE(rust.has(Modifier::kAttributed));
  EXPECT_TRUE(rust.has(Modifier::kDerived));
  const ModifierSet test(R"(["#[test]"])");
  EXPECT_FALSE(test.has(Modifier::kDerived));
}

TEST(ModifierSet, IsNotMisledByQuotesAndDamage) {
  const auto is_static = [](std::string_view words) {
    return ModifierSet(words).has(Modifier::kStatic);
  };
  constexpr std::string_view kWord = R"(["@get \" static "])", kBefore = R"(["@a\"b","static"])";
  EXPECT_FALSE(is_static(kWord));
  EXPECT_TRUE(is_static(kBefore));
  EXPECT_FALSE(is_static("[\"static"));
  EXPECT_FALSE(is_static("[\"static\\"));
  EXPECT_FALSE(is_static(""));
}

}  // namespace
}  // namespace codexmem::store

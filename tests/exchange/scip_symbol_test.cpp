#include "exchange/scip_symbol.h"

#include <gtest/gtest.h>

namespace codexmem::exchange {
namespace {

TEST(ScipSymbol, NamesAreEscaped) {
  EXPECT_EQ(scip_file_symbol("my shop", "src/a-b/`x`.ts"),
            "codexmem . my  shop . src/a-b/```x``.ts`/");
  EXPECT_EQ(scip_file_symbol("", "a"), "codexmem . . . a/");
  EXPECT_EQ(scip_outside_symbol("@scope/pkg", "thing"), "codexmem . @scope/pkg . thing.");
  EXPECT_EQ(scip_outside_symbol("node:fs", "*"), "codexmem . node:fs . `node:fs`/");
  EXPECT_EQ(scip_outside_symbol("a", "größe"), "codexmem . a . `größe`.");
}

TEST(ScipSymbol, KindsFallBackToTheTypesOfTheContract) {
  store::SymbolRow row;
  row.kind = "trait";
  EXPECT_EQ(scip_kind(row), 53);
  row.kind = "something new";
  row.type = SymbolType::kMethod;
  EXPECT_EQ(scip_kind(row), 26);
}

TEST(ScipSymbol, LanguagesHaveTheNamesOfScip) {
  EXPECT_EQ(scip_language("cpp"), "CPP");
  EXPECT_EQ(scip_language("new"), "new");
}

}  // namespace
}  // namespace codexmem::exchange

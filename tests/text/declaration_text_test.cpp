#include "text/declaration_text.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(SignatureText, IsOneLineWithoutWhatOpensTheBody) {
  EXPECT_EQ(signature_text("def f(a,\n      b=1):"), "def f(a, b=1)");
  EXPECT_EQ(signature_text("export class A extends B {"), "export class A extends B");
  EXPECT_EQ(signature_text("const f = (a) => "), "const f = (a)");
  EXPECT_EQ(signature_text("let x ="), "let x");
  EXPECT_EQ(signature_text(""), "");
  EXPECT_EQ(signature_text("{=:"), "");
  EXPECT_EQ(signature_text(std::string(5000, 'a')).size(), 400U);
}

TEST(DocstringText, LosesItsMarkersAndSharedIndentation) {
  const struct {
    const char* source;
    const char* want;
  } cases[] = {
      {"/** Adds. */", "Adds."},
      {"/**\n   * Adds.\n   *\n   *   - one\n   */", "Adds.\n\n  - one"},
      {"/** not closed\n * at all", "not closed\nat all"},
      {"/***/", ""},
      {"\"\"\"Adds.\"\"\"", "Adds."},
      {"r'''Adds.\n\n    More.\n      Deeper.\n    '''", "Adds.\n\nMore.\n  Deeper."},
      {"'Adds.'", "Adds."},
      {"\"\"", ""},
      {"", ""},
      {"// a line", "a line"},
      {"// Adds.\n//\n//   - one\n// -----", "Adds.\n\n  - one"},
      {"/// Adds.\n    //! More.", "Adds.\nMore."},
      {"/* Adds.\n * More. */", "Adds.\nMore."},
      {"/* Adds */\n// and more", "Adds\nand more"},
      {"/** Adds */\n// and more", "Adds\nand more"},
      {"# Adds.\n#  more", "Adds.\n more"},
      {"-- Adds.\n--- @param a one\n-------", "Adds.\n@param a one"},
      {"--[[\n  Adds.\n]]", "Adds."},
      {"-- | Adds.\n--   Two.", "Adds.\n  Two."},
      {"{-| Adds.\n  Two.\n-}", "Adds.\nTwo."},
      {"(** Adds. *)", "Adds."},
      {"#' Adds.\n#' @export", "Adds.\n@export"},
  };
  for (const auto& one : cases) EXPECT_EQ(docstring_text(one.source), one.want) << one.source;
  EXPECT_EQ(docstring_text("\"\"\"" + std::string(5000, 'a') + "\"\"\"").size(), 2000U);
}

}  // namespace
}  // namespace codexmem

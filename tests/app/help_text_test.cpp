#include "app/help/help_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace codexmem::app {
namespace {

TEST(TwoColumns, LongTextsGoOnBelowAndLongNamesStandAlone) {
  const std::vector<HelpRow> rows = {
      {"-a", "Short"},
      {"--option TEXT", std::string(9, 'x') + " " + std::string(50, 'y') + " end"},
      {"--a-name-that-is-too-long-for-it", "Below"},
  };
  EXPECT_EQ(two_columns(rows),
            "  -a             Short\n"
            "  --option TEXT  xxxxxxxxx yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n"
            "                 end\n"
            "  --a-name-that-is-too-long-for-it\n"
            "                 Below\n");
}

TEST(Fitted, ParagraphsAreFilledAndExamplesStay) {
  const std::string words(38, 'a');
  EXPECT_EQ(fitted("One\ntwo " + words + " " + words + "\n\nExamples:\n  run it    with care\n"),
            "One two " + words + "\n" + words + "\n\nExamples:\n  run it    with care\n");
}

TEST(Fitted, TheNoteOfALongExampleGoesBelow) {
  const std::string command = "  codexmem " + std::string(50, 'x');
  EXPECT_EQ(fitted(command + "   which is said of it"), command + "\n      which is said of it\n");
}

TEST(Fitted, ACommandThatIsTooLongGoesOnAsShellsTakeIt) {
  EXPECT_EQ(fitted("  codexmem save one --title two --type three   said\n", 24),
            "  codexmem save one \\\n    --title two \\\n    --type three\n      said\n");
  EXPECT_EQ(fitted("  codexmem save one two three four\n", 24),
            "  codexmem save one two three four\n");
}

}  // namespace
}  // namespace codexmem::app

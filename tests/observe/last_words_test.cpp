#include "observe/work/last_words.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::observe {
namespace {

struct WordCase {
  std::string_view name, message, notes, next_steps;
};

const WordCase kWordCases[] = {
    {"nothing", "", "", ""},
    {"nothing is next", "It works now.", "It works now.", ""},
    {"a label in the last sentence", "All pass. Next: rounding should be half-up, ask the owner.",
     "All pass.", "rounding should be half-up, ask the owner."},
    {"a step", "I added it. Next step: write tests for shop/tax.py.", "I added it.",
     "write tests for shop/tax.py."},
    {"next and a comma", "Done.\nNext, wire it up.", "Done.", "wire it up."},
    {"remaining", "Done. Remaining: the docs; the release.", "Done.", "the docs; the release."},
    {"TODO", "Done. TODO write docs", "Done.", "write docs"},
    {"still to do", "Done.\n\nStill to do: the migration.", "Done.", "the migration."},
    {"next at the end", "It parses. I will add the tests next.", "It parses.",
     "I will add the tests next."},
    {"advice", "It parses. You should restart the server. Then look.", "It parses.",
     "You should restart the server. Then look."},
    {"not yet", "It rounds now. I wrote shop/tax.py with with_vat(); it has no tests yet.",
     "It rounds now.", "I wrote shop/tax.py with with_vat(); it has no tests yet."},
    {"a heading and its list", "Mended.\n\n## Next steps\n\n1. push\n2. tag\n\nBye.", "Mended.",
     "1. push\n2. tag"},
    {"a label and its list", "Mended.\n\n**Next steps:**\n- push failed\n- keep it\n\nThat is all.",
     "Mended.", "- push failed\n- keep it"},
    {"the next step in a sentence", "Mended. The next step is to tag it.", "Mended.",
     "The next step is to tag it."},
    {"a question", "Mended. Shall I push it?", "Mended.", "Shall I push it?"},
    {"a name that begins like one", "Next.js is at 15 now. Nextcloud too.",
     "Next.js is at 15 now. Nextcloud too.", ""},
    {"a word of the text", "The remaining files are fine.", "The remaining files are fine.", ""},
};

TEST(ReadLastWords, DistinguishesNotesAndNextSteps) {
  for (const WordCase& given : kWordCases) {
    SCOPED_TRACE(given.name);
    const LastWords words = read_last_words(given.message);
    EXPECT_EQ(words.notes, given.notes);
    EXPECT_EQ(words.next_steps, given.next_steps);
  }
}

TEST(ReadLastWords, IsBounded) {
  std::string text;
  while (text.size() < 60'000) text += "Next: do this and that. ";
  const LastWords words = read_last_words(text);
  EXPECT_LE(words.next_steps.size(), kMaxNextStepsBytes);
  EXPECT_LE(words.notes.size(), kMaxNotesBytes);
}

}  // namespace
}  // namespace codexmem::observe

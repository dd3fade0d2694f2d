#include "memory/documents/document_sections.h"

#include <gtest/gtest.h>

namespace codexmem::memory {
namespace {

// Title, anchor, key and text of each section, as lines.
std::string shown(std::string_view text) {
  std::string lines;
  for (const DocumentSection& section : split_markdown(text, "doc.md")) {
    lines += section.title + "|" + section.anchor + "|" + section.key + "|" + section.text + "\n";
  }
  return lines;
}

TEST(SplitMarkdown, CutsAtHeadings) {
  struct Case {
    const char* name;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"empty", "", ""},
      {"no heading", "just text\n", "doc.md|||just text\n"},
      {"levels", "before\n# A\ntext a\n## B!\ntext b\n### C\n## D ##\ntext d\n# E\n",
       "doc.md|||before\nA|a|A|text a\nA > B!|b|A > B!|text b\nA > D|d|A > D|text d\n"},
      {"setext", "Title\n=====\none\n\nSub title\n---\ntwo\n\n---\nthree\n",
       "Title|title|Title|one\nTitle > Sub title|sub-title|Title > Sub title|two\n\n---\nthree\n"},
      {"setext of two lines", "One\ntwo\n===\ntext\n", "One two|one-two|One two|text\n"},
      {"a break under a list", "- item\n---\ntext\n", "doc.md|||- item\n---\ntext\n"},
      {"a break under a quotation", "> quote\n---\ntext\n", "doc.md|||> quote\n---\ntext\n"},
      {"fence", "# A\n```sh\n# no heading\n```\n~~~~\n# no\n~~~\n# no\n~~~~\n# B\nb\n",
       "A|a|A|```sh\n# no heading\n```\n~~~~\n# no\n~~~\n# no\n~~~~\nB|b|B|b\n"},
      {"an open fence", "# A\n```\n# no\n", "A|a|A|```\n# no\n"},
      {"indented code", "# A\n    # no\n", "A|a|A|# no\n"},
      {"comment", "# A\n<!--\n# no\n-->\nx\n<!-- one line -->\n# B\nb\n",
       "A|a|A|<!--\n# no\n-->\nx\n<!-- one line -->\nB|b|B|b\n"},
      {"front matter", "---\ntitle: x\n# no\n---\n# A\na\n", "A|a|A|a\n"},
      {"toml front matter", "+++\ntitle = 'x'\n+++\n# A\na\n", "A|a|A|a\n"},
      {"no front matter", "---\ntext\n# A\na\n", "doc.md|||---\ntext\nA|a|A|a\n"},
      {"not a heading", "#hash\n####### seven\n", "doc.md|||#hash\n####### seven\n"},
      {"windows and a mark", "\xEF\xBB\xBF# A\r\na\r\n# B\rb", "A|a|A|a\nB|b|B|b\n"},
      {"attributes", "# A {#own}\na\n", "A|a|A|a\n"},
      {"the same again", "# A\n## Notes\n1\n# B\n## Notes\n2\n# A\n## Notes\n3\n",
       "A > Notes|notes|A > Notes|1\nB > Notes|notes-1|B > Notes|2\n"
       "A > Notes|notes-2|A > Notes #2|3\n"},
      {"other scripts", "# Caf\u00e9 \u8a18\u61b6\nx\n",
       "Caf\u00e9 \u8a18\u61b6|caf\u00e9-\u8a18\u61b6|Caf\u00e9 \u8a18\u61b6|x\n"},
      {"under a deeper one", "### C\nc\n# A\na\n", "C|c|C|c\nA|a|A|a\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(shown(c.text), c.want) << c.name;
}

TEST(SplitMarkdown, CutsALongSectionBetweenParagraphs) {
  std::string text = "# A\n";
  for (int i = 0; i < 100; ++i) text += std::string(700, 'x') + " " + std::to_string(i) + "\n\n";
  const auto sections = split_markdown(text, "doc.md");
  ASSERT_EQ(sections.size(), 5U);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    EXPECT_EQ(sections[i].title, "A (" + std::to_string(i + 1) + "/5)");
    EXPECT_EQ(sections[i].key, i == 0 ? "A" : "A part " + std::to_string(i + 1));
    EXPECT_LE(sections[i].text.size(), kMaxSectionBytes);
    EXPECT_TRUE(sections[i].text.starts_with("xxx"));
    EXPECT_TRUE(sections[i].is_cut);
    bytes += sections[i].text.size() + 2;
  }
  EXPECT_EQ(bytes, text.size() - 4);
  // Without any place to cut at.
  EXPECT_EQ(split_text(std::string(40'000, 'y'), "doc.txt").size(), 3U);
}

TEST(SplitMarkdown, IsLinear) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "line\n";
  text += "===\n";
  for (int i = 0; i < 50'000; ++i) text += "# A\nb\n";
  EXPECT_GT(split_markdown(text, "doc.md").size(), 40'000U);
}

}  // namespace
}  // namespace codexmem::memory

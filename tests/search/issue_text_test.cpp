#include "search/locate/issue_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem::search {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

std::vector<std::string> texts(const IssueText& issue, IssuePart part) {
  std::vector<std::string> all;
  for (const IssueSegment& segment : issue.segments) {
    if (segment.part == part) all.emplace_back(segment.text);
  }
  return all;
}

std::vector<std::string> names(const IssueText& issue) {
  std::vector<std::string> all;
  for (const IssueName& name : issue.names) all.push_back(name.name);
  return all;
}

TEST(IssueText, TellsTitleSentencesAndCodeApart) {
  const IssueText issue = read_issue_text(
      "# The total is wrong\n"
      "<!-- Please fill in\nthis template -->\n"
      "## Steps to reproduce\n"
      "- [x] I searched\n"
      "Python 3.7.1\n"
      "An invoice of two lines adds only one.\n"
      "```python\n"
      "total = add(lines)\n"
      "```\n");
  EXPECT_THAT(texts(issue, IssuePart::kTitle), ElementsAre("The total is wrong"));
  EXPECT_THAT(texts(issue, IssuePart::kSentence),
              ElementsAre("An invoice of two lines adds only one."));
  EXPECT_THAT(texts(issue, IssuePart::kCode), ElementsAre("total = add(lines)"));
  EXPECT_EQ(issue.summary, "The total is wrong. An invoice of two lines adds only one.");
}

TEST(IssueText, ATraceIsNoTitle) {
  const IssueText issue = read_issue_text(
      "Traceback (most recent call last):\n"
      "  File \"cart.py\", line 3, in add\n"
      "    total += price\n"
      "TypeError: unsupported operand\n");
  EXPECT_TRUE(issue.is_trace());
  EXPECT_EQ(issue.title(), "");
  EXPECT_THAT(texts(issue, IssuePart::kError), ElementsAre("TypeError: unsupported operand"));
  EXPECT_FALSE(read_issue_text("Adding fails\n\ncart.py:3: in add\n").is_trace());
  EXPECT_FALSE(read_issue_text("TypeError: unsupported operand\n").is_trace());
}

// A frame as each of these prints it.
TEST(IssueText, ReadsTheFramesOfManyLanguages) {
  const struct {
    const char* line;
    const char* path;
    std::uint32_t number;
    const char* function;
  } cases[] = {
      {"  File \"/usr/lib/shop/cart.py\", line 12, in add_item", "/usr/lib/shop/cart.py", 12,
       "add_item"},
      {"shop/cart.py:12: in add_item", "shop/cart.py", 12, "add_item"},
      {"    at com.shop.Cart.addItem(Cart.java:12)", "Cart.java", 12, "addItem"},
      {"    at Cart.addItem (/srv/shop/cart.js:12:7)", "/srv/shop/cart.js", 12, "addItem"},
      {"    at /srv/shop/cart.js:12:7", "/srv/shop/cart.js", 12, ""},
      {"   at Shop.Cart.AddItem(Item item) in C:\\shop\\Cart.cs:line 12", "C:/shop/Cart.cs", 12,
       "AddItem"},
      {"shop/cart.rb:12:in `add_item'", "shop/cart.rb", 12, "add_item"},
      {"shop/cart.rb:12:in 'Cart#add_item'", "shop/cart.rb", 12, "add_item"},
      {"#0 /srv/shop/Cart.php(12): Shop\\Cart->addItem()", "/srv/shop/Cart.php", 12, "addItem"},
      {"#1  0x00005555 in add_item (cart=0x0) at shop/cart.c:12", "shop/cart.c", 12, "add_item"},
      {"\t/srv/shop/cart.go:12 +0x1d", "/srv/shop/cart.go", 12, ""},
      {"             at src/cart.rs:12:5", "src/cart.rs", 12, ""},
      {"src/cart.cpp:12:7: error: no member named 'x'", "src/cart.cpp", 12, ""},
      {"https://git.example.com/shop/blob/main/shop/cart.py#L12", "git.example.com", 0, ""},
  };
  for (const auto& one : cases) {
    const IssueText issue = read_issue_text(std::string("It fails\n") + one.line + "\n");
    if (one.number == 0) {
      ASSERT_EQ(issue.frames.size(), 1U) << one.line;
      EXPECT_THAT(issue.frames[0].path, ::testing::EndsWith("shop/cart.py")) << one.line;
      continue;
    }
    ASSERT_EQ(issue.frames.size(), 1U) << one.line;
    EXPECT_EQ(issue.frames[0].path, one.path) << one.line;
    EXPECT_EQ(issue.frames[0].line, one.number) << one.line;
    EXPECT_EQ(issue.frames[0].function, one.function) << one.line;
  }
}

TEST(IssueText, TheDeepestCallComesLastInPythonAndFirstElsewhere) {
  const IssueText python = read_issue_text(
      "It fails\n"
      "Traceback (most recent call last):\n"
      "  File \"a.py\", line 1, in outer\n"
      "    inner()\n"
      "  File \"b.py\", line 2, in inner\n"
      "    raise ValueError(\"no such item\")\n"
      "ValueError: no such item\n");
  ASSERT_EQ(python.frames.size(), 2U);
  EXPECT_EQ(python.frames[0].depth, 1U);
  EXPECT_EQ(python.frames[1].depth, 0U);
  EXPECT_THAT(python.verbatim, Contains("no such item"));
  EXPECT_THAT(texts(python, IssuePart::kError), ElementsAre("ValueError: no such item"));
  const IssueText java =
      read_issue_text("It fails\n\tat shop.B.inner(B.java:2)\n\tat shop.A.outer(A.java:1)\n");
  ASSERT_EQ(java.frames.size(), 2U);
  EXPECT_EQ(java.frames[0].depth, 0U);
  EXPECT_EQ(java.frames[1].depth, 1U);
}

TEST(IssueText, QuotedTextsOptionsAndJoinedNamesAreVerbatim) {
  const IssueText issue = read_issue_text(
      "It doesn't work with --msg-template, isn't it?\n"
      "The `cart is full` and \"not so\" of shop.cart and addItem, _hidden, item-3 and 1.2.3, "
      "`a`.\n"
      "```\nadd_item('tea')  # 'open\n```\n");
  EXPECT_THAT(issue.verbatim, ElementsAre("--msg-template", "cart is full", "not so", "shop.cart",
                                          "addItem", "_hidden", "add_item"));
}

TEST(IssueText, NamesAreThoseThatLookLikeCode) {
  const IssueText issue = read_issue_text(
      "Cart.add_item loses the item\n"
      "Calling total() after `discount` fails; see https://example.com/never_mind and words.\n");
  EXPECT_THAT(names(issue), ElementsAre("add_item", "Cart", "total", "discount"));
  EXPECT_EQ(issue.names[0].holder, "Cart");
  EXPECT_EQ(issue.names[0].part, IssuePart::kTitle);
  EXPECT_THAT(names(issue), Not(Contains("words")));
}

TEST(IssueText, AnyTextIsRead) {
  for (const char* text : {"", "\n\n", "```", "<!--", "<!-- a -->", "at (", "a.b:1", ":1", "\"",
                           "File \"", "#L", "C:\\", "x.py:99999999999999"}) {
    read_issue_text(text);
    std::string many;
    while (many.size() < kMaxIssueBytes) many += text + std::string(" ");
    EXPECT_LE(read_issue_text(many).frames.size(), kMaxIssueFrames);
  }
}

}  // namespace
}  // namespace codexmem::search

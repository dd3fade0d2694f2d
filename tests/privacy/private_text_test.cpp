#include "privacy/private_text.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace codexmem::privacy {
namespace {

struct Case {
  std::string name, input, want;
};

TEST(StripPrivate, Cases) {
  const std::vector<Case> cases = {
      {"nothing", "plain a < b and c > d", "plain a < b and c > d"},
      {"empty", "", ""},
      {"one", "a <private>secret</private> b", "a  b"},
      {"each name",
       "1<private>x</private>2<claude-mem-context>x</claude-mem-context>3"
       "<codexmem-context>x</codexmem-context>4<system-reminder>x</system-reminder>5"
       "<system_instruction>x</system_instruction>6"
       "<system-instruction>x</system-instruction>7"
       "<persisted-output>x</persisted-output>8<task-notification>x</task-notification>9"
       "<local-command-stdout>x</local-command-stdout>0"
       "<local-command-caveat>x</local-command-caveat>.",
       "1234567890."},
      {"either case", "a<PRIVATE>x</Private>b", "ab"},
      {"lines", "a\n<private>\nx\ny\n</private>\nb", "a\n\nb"},
      {"attributes", "a<private reason=\"a > b\" n='>' x=1>x</private>b", "ab"},
      {"apostrophe outside of a value", "a<private don't>x</private>b's", "ab's"},
      {"white space in tags", "a<private \n >x</private \t>b", "ab"},
      {"nested", "a<private>x<private>y</private>z</private>b", "ab"},
      {"nested names", "a<private>x<system-reminder>y</system-reminder>z</private>b", "ab"},
      {"overlapping", "a<private>x<system-reminder>y</private>z</system-reminder>b", "ab"},
      {"unclosed", "a<private>x y z", "a"},
      {"unclosed within", "a<private>x<system-reminder>y</private>z", "a"},
      {"tag without end", "a<private x y", "a"},
      {"tag at the end", "a<private", "a"},
      {"quote without end", "a<private x=\"y>z</private>b", "a"},
      {"stray closing", "a</private>b</system-reminder>c", "abc"},
      {"closing without end", "a<private>x</private", "a"},
      {"closing before a tag", "a<private>x</private<b>c", "a<b>c"},
      {"closed in itself", "a<private/>b<private />c", "abc"},
      {"other names", "a<privateer>x</privateer><private-thing>y",
       "a<privateer>x</privateer><private-thing>y"},
      {"no tag", "a < private>x", "a < private>x"},
      {"two", "<private>x</private>a<private>y</private>", "a"},
  };
  for (const Case& one : cases) EXPECT_EQ(strip_private(one.input), one.want) << one.name;
}

TEST(StripPrivate, BracketsMayBeEscaped) {
  const std::pair<std::string, std::string> brackets[] = {
      {"&lt;", "&gt;"},         {"&LT;", "&GT;"},          {"&#60;", "&#62;"},
      {"&#0060;", "&#0062;"},   {"&#x3c;", "&#x3e;"},      {"&#X003C;", "&#X003E;"},
      {"&amp;lt;", "&amp;gt;"}, {"&amp;amp;#60;", "&gt;"}, {"\\x3c", "\\x3E"},
      {"\\\\x3C", "\\\\x3e"},   {"\\u003c", "\\u003E"},
  };
  for (const auto& [open, close] : brackets) {
    const std::string element = open + "private" + close + "secret" + open + "/private" + close;
    EXPECT_EQ(strip_private("a & " + element + " b"), "a &  b") << open;
    EXPECT_EQ(strip_private("a " + open + "Private" + close + "secret"), "a ") << open;
  }
  for (const std::string text :
       {"a &#61;private&#62;x", "a &lt private>x", "a &ampprivate", "a &#60", "a &#x", "a &#",
        "a &", "a &amp;", "a &amp;private", "&#39;private&#39;", "\\x3dprivate", "\\x3"}) {
    EXPECT_EQ(strip_private(text), text);
  }
}

TEST(StripPrivate, LinearOnTagsAlone) {
  for (const std::string unit : {"<private>",
                                 "<private",
                                 "</private>",
                                 "</private",
                                 "<private ",
                                 "<private x=\"",
                                 "<private><system-reminder>",
                                 "<",
                                 "<private/>",
                                 "\\",
                                 "<\\",
                                 "<private \\",
                                 "\\u003cprivate",
                                 "&lt;",
                                 "&amp;",
                                 "&",
                                 "&#",
                                 "&#0",
                                 "0",
                                 "amp;",
                                 "&amp;lt;private",
                                 "\\x3c",
                                 "</private \\"}) {
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    EXPECT_LE(strip_private(text).size(), text.size()) << unit;
    const std::string json = '"' + text + '"';
    EXPECT_LE(strip_private_json(json).size(), json.size()) << unit;
  }
}

TEST(StripPrivate, WhatTakingOutPutsTogetherIsTakenOutToo) {
  EXPECT_EQ(strip_private("a <pri<private>x</private>vate>secret</private> b"), "a ");
  EXPECT_EQ(strip_private("a <pri<private>x</private>vate>secret"), "a ");
  EXPECT_EQ(strip_private("a <p<p<private/>rivate/>rivate>secret"), "a ");
  EXPECT_EQ(strip_private_json(R"(["<pri<private>x</private>vate>y","z"])"), R"(["",""])");
  std::string nested = "<private/>";
  for (int i = 0; i < 16; ++i) nested = "<pri" + nested + "vate/>";
  const std::string left = strip_private("a " + nested + " secret");
  EXPECT_EQ(left.find("secret"), std::string::npos);
  EXPECT_EQ(strip_private(left), left);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "<pri<private/>vate>";
  EXPECT_EQ(strip_private("a " + many), "a ");
}

// The rule in its plainest form: one position after the other, with every look-up repeated.
std::string strip_plainly_once(const std::string& text) {
  const std::array<std::string, 10> names = {"private",
                                             "claude-mem-context",
                                             "codexmem-context",
                                             "system-reminder",
                                             "system_instruction",
                                             "system-instruction",
                                             "persisted-output",
                                             "task-notification",
                                             "local-command-stdout",
                                             "local-command-caveat"};
  std::array<int, 10> open{};
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    bool is_tag = false;
    for (std::size_t n = 0; n < names.size() && !is_tag; ++n) {
      for (const bool closes : {false, true}) {
        const std::string start = (closes ? "</" : "<") + names[n];
        if (text.compare(at, start.size(), start) != 0) continue;
        const std::size_t behind = at + start.size();
        if (behind < text.size() && (std::isalnum(static_cast<unsigned char>(text[behind])) ||
                                     std::string("-_.:").find(text[behind]) != std::string::npos)) {
          continue;
        }
        is_tag = true;
        std::size_t end = behind;
        if (closes) {
          while (end < text.size() && text[end] != '>' && text[end] != '<') ++end;
          if (end < text.size() && text[end] == '>') ++end;
          if (open[n] > 0) --open[n];
        } else {
          char quote = 0;
          bool after_equals = false;
          while (end < text.size() && (quote != 0 || text[end] != '>')) {
            const char c = text[end++];
            if (quote != 0) {
              if (c == quote) quote = 0;
            } else if (after_equals && (c == '"' || c == '\'')) {
              quote = c;
              after_equals = false;
            } else if (c != ' ') {
              after_equals = c == '=';
            }
          }
          if (end == text.size()) return out;
          if (text[end - 1] != '/') ++open[n];
          ++end;
        }
        at = end;
        break;
      }
    }
    if (is_tag) continue;
    bool is_open = false;
    for (const int count : open) is_open = is_open || count > 0;
    if (!is_open) out += text[at];
    ++at;
  }
  return out;
}

std::string strip_plainly(std::string text) {
  for (std::string before; before != text;) {
    before = text;
    text = strip_plainly_once(before);
  }
  return text;
}

TEST(StripPrivate, EqualsThePlainRuleOnRandomTexts) {
  const std::vector<std::string> parts = {"<private>",
                                          "</private>",
                                          "<private",
                                          "<private a=\"",
                                          "\"",
                                          "'",
                                          "=",
                                          ">",
                                          "<",
                                          "/",
                                          " ",
                                          "a",
                                          "b",
                                          "<system-reminder>",
                                          "</system-reminder>",
                                          "<persisted-output x='1'>",
                                          "</persisted-output",
                                          "<private/>",
                                          "-",
                                          "private",
                                          "</"};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::size_t count = random() % 12;
    for (std::size_t i = 0; i < count; ++i) text += parts[random() % parts.size()];
    ASSERT_EQ(strip_private(text), strip_plainly(text)) << text;
    const std::string once = strip_private(text);
    EXPECT_LE(once.size(), text.size());
    ASSERT_EQ(strip_private(once), once) << text;
  }
}

TEST(StripPrivateJson, StringsAndKeys) {
  EXPECT_EQ(
      strip_private_json(R"({"a": "x <private>y</private>z", "n": 1.50, "<private>k": [true]})"),
      R"({"a": "x z", "n": 1.50, "": [true]})");
}

TEST(StripPrivateJson, IsReadAsOneText) {
  const Case cases[] = {
      {"lines of an array", R"(["a <private>x", "y", "z</private> b", "c"])",
       R"(["a ", "", " b", "c"])"},
      {"lines of a patch", R"({"lines":[" 1","+<private>","+x","+</private>","-y"],"n":7})",
       R"({"lines":[" 1","+","","","-y"],"n":7})"},
      {"blocks of a message",
       R"([{"type":"text","text":"a<private>x"},{"type":"text","text":"y</private>b","n":1}])",
       R"([{"type":"text","text":"a"},{"type":"","text":"b","n":1}])"},
      {"one after the other", R"({"a":"<private>x</private>","b":"y"})", R"({"a":"","b":"y"})"},
      {"to the end of the value", R"({"a":["<private>x",1,true,-2.5e+3],"b":"y","a":{"k":"z"}})",
       R"({"a":["",null,true,null],"":"","a":{"":""}})"},
      {"nested", R"(["<private>x","<private>y</private>z","</private>b"])", R"(["","","b"])"},
      {"closed where a string ends", R"(["<private>x</private>",1,"a<private>y",2,"</private>",3])",
       R"(["",1,"a",null,"",3])"},
      {"a tag in two strings", R"(["a<pri","vate>x</priv","ate>b"])", R"(["a","","b"])"},
      {"attributes in two strings", R"(["+<private","+why='x'>","+y</private>b"])",
       R"(["+","","b"])"},
      {"JSON as text",
       R"({"out":"{\"a\":[\"\\u003cprivate\\u003ex\",\"y\\u003c/private\\u003eb\"]}"})",
       R"({"out":"{\"a\":[\"b\"]}"})"},
      {"HTML", R"(["a &lt;private&gt;x","y&lt;/private&gt; b"])", R"(["a "," b"])"},
      {"other tags", R"(["<p>","<privateer>", 1])", R"(["<p>","<privateer>", 1])"},
      {"a stray closing tag", R"(["a</private>", 1])", R"(["a", 1])"},
  };
  for (const Case& one : cases) {
    const std::string once = strip_private_json(one.input);
    EXPECT_EQ(once, one.want) << one.name;
    EXPECT_EQ(strip_private_json(once), once) << one.name;
  }
}

TEST(StripPrivateList, AnElementGoesOnInTheNextText) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(strip_private(Texts{"a <private>x", "y", "z</private> b", "c"}),
            (Texts{"a ", "", " b", "c"}));
  EXPECT_EQ(strip_private(Texts{"a", "<private>", "", "x"}), (Texts{"a", "", "", ""}));
  EXPECT_EQ(strip_private(Texts{}), Texts{});
}

// However a text with tags is cut into strings, the remaining text is the same as for the whole
// text.
TEST(StripPrivateJson, CutsMakeNoDifference) {
  const std::vector<std::string> parts = {"<private>", "</private>", "<pri", "vate>", "a",   "b",
                                          " ",         "<private ",  ">",    "</",    "&lt;"};
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::string> texts(1 + random() % 5);
    std::string whole, list;
    for (std::string& text : texts) {
      for (std::size_t i = random() % 4; i > 0; --i) text += parts[random() % parts.size()];
      whole += text;
      list += (list.empty() ? "\"" : ",\"") + text + '"';
    }
    std::string left;
    for (const std::string& text : strip_private(texts)) left += text;
    ASSERT_EQ(left, strip_private(whole)) << list;
    std::string of_json = strip_private_json('[' + list + ']');
    std::erase_if(of_json, [](char c) { return c == '"' || c == ',' || c == '[' || c == ']'; });
    ASSERT_EQ(of_json, left) << list;
  }
}

TEST(StripPrivateJson, EscapedTags) {
  EXPECT_EQ(strip_private_json("{\"a\":\"\\u003cprivate\\u003ex\\u003c/private\\u003ey\\n\"}"),
            "{\"a\":\"y\\n\"}");
  EXPECT_EQ(strip_private_json(R"({"a":"<private>x<\/private>y"})"), R"({"a":"y"})");
}

TEST(StripPrivateJson, InvalidJsonIsStrippedAsText) {
  EXPECT_EQ(strip_private_json("{a: <private>x</private>}"), "{a: }");
}

TEST(StripPrivateJson, DeepNestingIsNoTrouble) {
  const std::string deep = std::string(200000, '[') + "\"<private>x\"" + std::string(200000, ']');
  EXPECT_EQ(strip_private_json(deep), std::string(200000, '[') + "\"\"" + std::string(200000, ']'));
}

}  // namespace
}  // namespace codexmem::privacy

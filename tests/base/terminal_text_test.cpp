#include "base/terminal_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace codexmem {
namespace {

constexpr const char* kMark = "\xEF\xBF\xBD";

TEST(TerminalText, WhatSteersOrReordersIsReplaced) {
  for (const std::string text :
       {"\x1b",       "\x07",       "\x7f",   "\r",     "\v",     "\u009b", "\u0080",
        "\u009f",     "\u061c",     "\u200b", "\u200e", "\u200f", "\u2028", "\u2029",
        "\u202a",     "\u202e",     "\u2060", "\u2066", "\u2069", "\ufeff", "\ufffb",
        "\U000e0001", "\U000e0041", "\x9b",   "\xff"}) {
    EXPECT_EQ(terminal_text("a" + text + "b"), std::string("a") + kMark + "b") << text;
    EXPECT_EQ(terminal_line("a" + text + "b"), std::string("a") + kMark + "b") << text;
  }
  EXPECT_EQ(terminal_text(std::string("a\0b", 3)), std::string("a") + kMark + "b");
}

TEST(TerminalText, WhatPeopleWriteStays) {
  for (const std::string text : {"plain", "tab\tand blank", "Überraschung", "日本語", "👩\u200d💻",
                                 "می\u200cخواهم", "e\u0301", "🇩🇪", ""}) {
    EXPECT_EQ(terminal_text(text), text);
    EXPECT_EQ(terminal_line(text), text);
    EXPECT_EQ(terminal_json(text), text);
  }
}

TEST(TerminalText, LineBreaksStayInTextsAlone) {
  EXPECT_EQ(terminal_text("a\nb\r\nc"), "a\nb\nc");
  EXPECT_EQ(terminal_line("a\nb"), std::string("a") + kMark + "b");
  EXPECT_EQ(terminal_line("a\r\nb"), std::string("a") + kMark + kMark + "b");
}

TEST(TerminalText, JsonKeepsItsValue) {
  const nlohmann::json value = {{"\u009b31m", "\x7f\u202e\U000e0041\u2028"}, {"plain", "é\n\x1b"}};
  const std::string safe = terminal_json(value.dump());
  EXPECT_EQ(nlohmann::json::parse(safe), value);
  EXPECT_EQ(terminal_text(safe), safe);
  EXPECT_NE(safe.find("\\u009b31m"), std::string::npos);
  EXPECT_NE(safe.find("\\udb40\\udc41"), std::string::npos);
  EXPECT_NE(safe.find("é"), std::string::npos);
}

}  // namespace
}  // namespace codexmem

#include "lsp/documents.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::lsp {
namespace {

Result<void> change(Documents& documents, const std::string& json, Encoding encoding) {
  return documents.change("file:///a", *JsonValue::parse(json), 2, encoding);
}

std::string edit(int line, int from, int to_line, int to, const std::string& text) {
  const auto place = [](int at, int character) {
    return R"({"line":)" + std::to_string(at) + R"(,"character":)" + std::to_string(character) +
           "}";
  };
  return R"({"range":{"start":)" + place(line, from) + R"(,"end":)" + place(to_line, to) +
         R"(},"text":)" + json_quote(text) + "}";
}

TEST(Documents, ChangesAreCarriedOutInOrder) {
  Documents documents;
  documents.open("file:///a", {.path = "a", .text = "one\n\xF0\x9F\x98\x80 two\n"});
  const std::string changes = "[" + edit(1, 2, 1, 2, "!") + "," + edit(0, 0, 1, 0, "") + "," +
                              edit(0, 2, 0, 3, "?\n") + "]";
  ASSERT_TRUE(change(documents, changes, Encoding::kUtf16).ok());
  EXPECT_EQ(documents.find("file:///a")->text, "\xF0\x9F\x98\x80?\n two\n");
  EXPECT_EQ(documents.find("file:///a")->version, 2);
  ASSERT_TRUE(change(documents, R"([{"text":"whole"}])", Encoding::kUtf16).ok());
  EXPECT_EQ(documents.find("file:///a")->text, "whole");
  EXPECT_EQ(*documents.uri_of("a"), "file:///a");
  documents.close("file:///a");
  EXPECT_EQ(documents.find("file:///a"), nullptr);
}

TEST(Documents, WhatIsNoChangeIsRefused) {
  Documents documents;
  EXPECT_FALSE(change(documents, R"([{"text":"x"}])", Encoding::kUtf8).ok());  // not open
  documents.open("file:///a", {.path = "a", .text = "text"});
  for (const std::string& json :
       {std::string("[1]"), std::string(R"([{"range":{},"text":""}])"),
        "[" + edit(0, 3, 0, 1, "x") + "]", std::string(R"([{"text":1}])")}) {
    EXPECT_FALSE(change(documents, json, Encoding::kUtf8).ok()) << json;
  }
  EXPECT_EQ(documents.find("file:///a")->text, "text");
}

}  // namespace
}  // namespace codexmem::lsp

#include "parse/facts/whole_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/facts_print.h"
#include "parse/facts/fingerprint.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name, text;
  const Language* language = nullptr;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& entry :
       fs::recursive_directory_iterator(CODEXMEM_SOURCE_DIR "/testdata/languages")) {
    const fs::path& path = entry.path();
    if (!path.filename().string().starts_with("input.")) continue;
    std::string text = read_file(path).value();
    const Language* language = detect_language(path.filename().string(), text);
    if (language == nullptr || !language->has_grammar) continue;
    cases.push_back({path.string(), std::move(text), language});
  }
  EXPECT_GT(cases.size(), 100U);
  return cases;
}

// What a store keeps of a qualified name and of empty ranges.
FileFacts stored(FileFacts facts) {
  for (Symbol& symbol : facts.symbols) {
    if (symbol.signature.empty()) symbol.signature = {};
    if (symbol.docstring.empty()) symbol.docstring = {};
  }
  return facts;
}

TEST(WholeFacts, AllThatAFileSaysComesBack) {
  Extractor extractor;
  for (const Case& each : all_cases()) {
    const FileFacts facts = extractor.extract(*each.language, each.text).value();
    if (facts.truncated) continue;
    const std::string bytes = encode_whole_facts(facts);
    const auto decoded = decode_whole_facts(bytes, each.text);
    ASSERT_TRUE(decoded.ok()) << each.name;
    EXPECT_EQ(print_facts(*decoded, each.text), print_facts(stored(facts), each.text)) << each.name;
    EXPECT_EQ(encode_facts(*decoded).value(), encode_facts(facts).value()) << each.name;
    EXPECT_EQ(encode_whole_facts(*decoded), bytes) << each.name;
  }
}

TEST(WholeFacts, OfAnEmptyFileAreRead) {
  Extractor extractor;
  for (const Language& language : languages()) {
    if (!language.has_grammar) continue;
    const FileFacts facts = extractor.extract(language, "").value();
    EXPECT_TRUE(decode_whole_facts(encode_whole_facts(facts), "").ok()) << language.name;
  }
}

TEST(WholeFacts, OfAComponentLieAtItsCharacters) {
  Extractor extractor;
  for (const char* name : {"a.svelte", "a.vue"}) {
    for (const char* text :
         {"\u00e9\u00e9\n<script>\nlet a = 1\n</script>\n", "<p>\u4e2d\u6587</p>",
          "\U0001f600<script>let a</script>\u00e9", "\u00e9"}) {
      const FileFacts facts = extractor.extract(*detect_language(name, text), text).value();
      EXPECT_TRUE(decode_whole_facts(encode_whole_facts(facts), text).ok()) << name << text;
    }
  }
}

TEST(WholeFacts, OfAShorterTextAreRefused) {
  Extractor extractor;
  const Language& python = *find_language("python");
  const std::string text = "import os\n\n\ndef area(width):\n    return os.path.join(width)\n";
  const std::string bytes = encode_whole_facts(extractor.extract(python, text).value());
  ASSERT_TRUE(decode_whole_facts(bytes, text).ok());
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(decode_whole_facts(bytes, std::string_view(text).substr(0, size)).ok()) << size;
  }
}

TEST(WholeFacts, InTheMiddleOfACharacterAreRefused) {
  Extractor extractor;
  const Language& python = *find_language("python");
  const std::string plain = "def aabb():\n    pass\n";
  std::string other = plain;
  const std::string bytes = encode_whole_facts(extractor.extract(python, plain).value());
  other.replace(2, 2, "\xc3\xa9");  // the last of "def" and the space
  other.replace(7, 2, "\xc3\xa9");
  EXPECT_TRUE(decode_whole_facts(bytes, plain).ok());
  other = plain;
  other.replace(3, 2, "\xc3\xa9");  // the name begins in the middle of it
  EXPECT_FALSE(decode_whole_facts(bytes, other).ok());
}

TEST(WholeFacts, NamesWithANulAreRefused) {
  Extractor extractor;
  const std::string text = "def area():\n    pass\n";
  FileFacts facts = extractor.extract(*find_language("python"), text).value();
  ASSERT_EQ(facts.names, std::vector<std::string>{"area"});
  ASSERT_TRUE(decode_whole_facts(encode_whole_facts(facts), text).ok());
  facts.names[0] = facts.symbols[0].name = facts.symbols[0].qualified_name =
      std::string("ar\0a", 4);
  EXPECT_FALSE(decode_whole_facts(encode_whole_facts(facts), text).ok());
}

TEST(WholeFacts, WhatAnybodyWritesIsRefusedOrLiesInTheText) {
  Extractor extractor;
  std::mt19937 random(7);
  std::size_t accepted = 0;
  for (const Case& each : all_cases()) {
    const FileFacts facts = extractor.extract(*each.language, each.text).value();
    if (facts.truncated) continue;
    const std::string bytes = encode_whole_facts(facts);
    for (int round = 0; round < 20; ++round) {
      std::string damaged = bytes;
      for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      const auto decoded = decode_whole_facts(damaged, each.text);
      if (!decoded.ok()) continue;
      ++accepted;
      for (const Symbol& symbol : decoded->symbols) {
        ASSERT_LE(symbol.range.begin, symbol.range.end);
        ASSERT_LE(symbol.range.end, each.text.size());
        ASSERT_LE(symbol.docstring.end, each.text.size());
      }
      std::uint32_t end = 0;
      for (const Chunk& chunk : decoded->chunks) {
        ASSERT_GE(chunk.range.begin, end);
        end = chunk.range.end;
      }
      ASSERT_LE(end, each.text.size());
    }
    EXPECT_FALSE(decode_whole_facts(bytes.substr(0, bytes.size() - 1), each.text).ok());
    EXPECT_FALSE(decode_whole_facts(bytes + '\0', each.text).ok());
  }
  EXPECT_GT(accepted, 0U);  // only a parse can detect false facts within bounds
}

TEST(FactsFingerprint, IsOfEachLanguageWithAGrammar) {
  std::vector<std::string> all;
  for (const Language& language : languages()) {
    const std::string fingerprint = facts_fingerprint(language);
    EXPECT_EQ(fingerprint.empty(), !language.has_grammar) << language.name;
    if (!fingerprint.empty()) all.push_back(fingerprint);
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
}  // namespace codexmem::parse

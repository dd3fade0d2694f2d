// Files as they look while one types: a file that ends at some token, or lacks tokens in the middle
// of a line. Whatever the parser makes of them, the facts that are written are facts that a store
// and a pack read.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/whole_facts.h"
#include "parse/rules/languages.h"
#include "parse/walk/extract.h"

namespace codexmem::parse {
namespace {

namespace fs = std::filesystem;

constexpr int kPrefixes = 12, kCuts = 12;  // of each file: two seconds in all
constexpr std::size_t kMaxCutTokens = 40;

// Where the tokens of a line end, roughly: words are whole, all other characters alone.
std::vector<std::size_t> token_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at - 1] == ' ' || (is_identifier_char(text[at - 1]) && is_identifier_char(text[at])))
      continue;
    ends.push_back(at);
  }
  return ends;
}

class HalfTyped : public ::testing::Test {
 protected:
  void expect_read(const Language& language, const std::string& text, const std::string& name) {
    const FileFacts facts = extractor_.extract(language, text).value();
    const auto packed = encode_facts(facts);
    ASSERT_TRUE(packed.ok()) << name << ": " << packed.error().message() << "\n" << text;
    const auto read = decode_facts(*packed);
    ASSERT_TRUE(read.ok()) << name << "\n" << text;
    EXPECT_EQ(encode_facts(*read).value(), *packed) << name << "\n" << text;
    EXPECT_TRUE(decode_whole_facts(encode_whole_facts(facts), text).ok()) << name << "\n" << text;
  }

  Extractor extractor_;
};

// A member written outside its class began before it, as the parser saw them (issue 47).
TEST_F(HalfTyped, AMemberMayBeginBeforeItsClass) {
  const Language& cpp = *find_language("cpp");
  for (const char* text : {"template\nclass Shop{}template<>T Shop<>::o",
                           "template\nclass Shop final{ \n}\n\ntemplate <tN>\nShop<T>::op() "}) {
    expect_read(cpp, text, "issue 47");
  }
}

// A file of one byte has words that it does not hold: the modifiers of its component.
TEST_F(HalfTyped, AComponentMayBeOneByte) {
  expect_read(*find_language("svelte"), "<", "one byte");
  expect_read(*find_language("vue"), "<", "one byte");
}

TEST_F(HalfTyped, FactsThatAreWrittenAreRead) {
  std::mt19937 random(47);
  for (const auto& entry :
       fs::recursive_directory_iterator(CODEXMEM_SOURCE_DIR "/testdata/languages")) {
    const std::string name = entry.path().string();
    if (!entry.path().filename().string().starts_with("input.")) continue;
    const std::string text = read_file(name).value();
    const Language* const language = detect_language(name, text);
    if (language == nullptr || !language->has_grammar || !is_valid_utf8(text)) continue;
    const std::vector<std::size_t> ends = token_ends(text);
    if (ends.size() < 2) continue;
    for (int i = 0; i < kPrefixes; ++i) {
      expect_read(*language, text.substr(0, ends[random() % ends.size()]), name);
    }
    for (int i = 0; i < kCuts; ++i) {
      const std::size_t first = random() % (ends.size() - 1);
      const std::size_t last = std::min(first + 1 + random() % kMaxCutTokens, ends.size() - 1);
      const std::size_t line = std::min(text.find('\n', ends[first]), ends[last]);
      expect_read(*language, text.substr(0, ends[first]) + text.substr(line), name);
    }
  }
}

}  // namespace
}  // namespace codexmem::parse

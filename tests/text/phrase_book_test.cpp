#include "text/phrase_book.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"

namespace codexmem {
namespace {

// Text of a few thousand words, with line ends of both kinds and other scripts.
std::string sample_text(std::size_t size) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) {
    std::string word;
    for (std::size_t n = 2 + below(9); n > 0; --n) word += static_cast<char>('a' + below(26));
    words.push_back(word);
  }
  const char* const between[] = {
      " ", "\n", "\r\n", "(", ", ", " = ", "; // \xF0\x9F\x98\x80 Größe "};
  std::string text;
  while (text.size() < size) {
    text += words[below(1 + below(words.size()))];
    text += between[below(std::size(between))];
  }
  return text;
}

const PhraseBook& book() {
  static const PhraseBook made = PhraseBook::learn(sample_text(2 << 20), 4096);
  return made;
}

TEST(PhraseBook, TakesATextThereAndBack) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  const std::string texts[] = {"x",
                               sample_text(5000),
                               sample_text(1 << 20),
                               bytes,
                               std::string(1 << 20, 'x'),
                               std::string(1024, '\n'),
                               std::string(1025, ' '),
                               "\r\n\r\n\t\xF0\x9F\x98\x80\xEF\xBF\xBD"};
  for (const std::string& text : texts) {
    const auto coded = book().encode(text);
    ASSERT_TRUE(coded.has_value());
    EXPECT_EQ(book().decode(*coded, text.size()), text);
  }
  EXPECT_FALSE(book().encode("").has_value());
}

// Source text, of which this program is made; random words have nothing that repeats but words.
TEST(PhraseBook, HalvesSourceAtLeast) {
  std::string text;
  for (const char* const folder : {"src/graph", "src/store", "src/index"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(CODEXMEM_SOURCE_DIR) / folder)) {
      if (file.path().extension() == ".cpp") text += read_file(file.path()).value();
    }
  }
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  EXPECT_LT(PhraseBook::learn(text, 16384).encode(text)->size(), text.size() / 2);
}

std::string packed(const std::vector<std::string>& phrases) {
  std::string all;
  for (const std::string& phrase : phrases) all += static_cast<char>(phrase.size()) + phrase;
  return all;
}

TEST(PhraseBook, IsTheSameForTheSameSampleAndFromItsPhrases) {
  const PhraseBook again = PhraseBook::learn(sample_text(2 << 20), 4096);
  EXPECT_EQ(again.name(), book().name());
  std::vector<std::string> phrases;
  for (std::size_t code = 0; code < book().size(); ++code) {
    phrases.emplace_back(book().phrase(code));
  }
  const auto read = PhraseBook::from(packed(phrases));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->name(), book().name());
  const std::string text = sample_text(20000);
  EXPECT_EQ(read->encode(text), book().encode(text));
}

TEST(PhraseBook, RefusesInvalidBooks) {
  std::vector<std::string> phrases;
  for (int byte = 0; byte < 256; ++byte) phrases.emplace_back(1, static_cast<char>(byte));
  EXPECT_TRUE(PhraseBook::from(packed(phrases)).has_value());
  auto other = phrases;
  other.emplace_back("");
  EXPECT_FALSE(PhraseBook::from(packed(other)).has_value());
  other.back() = std::string(17, 'x');
  EXPECT_FALSE(PhraseBook::from(packed(other)).has_value());
  other = phrases;
  std::swap(other[1], other[2]);
  EXPECT_FALSE(PhraseBook::from(packed(other)).has_value());
  other = phrases;
  other.pop_back();
  EXPECT_FALSE(PhraseBook::from(packed(other)).has_value());
  EXPECT_FALSE(PhraseBook::from(packed(phrases) + '\x05' + "cut").has_value());
  other.resize(70000, "xy");
  EXPECT_FALSE(PhraseBook::from(packed(other)).has_value());
  // Fewer phrases than a block may have codes.
  EXPECT_FALSE(PhraseBook::from(packed(phrases))->encode("x").has_value());
}

TEST(PhraseBook, DamagedCodesGiveNothing) {
  const std::string text = sample_text(10000);
  const std::string coded = *book().encode(text);
  EXPECT_FALSE(book().decode(coded, text.size() + 1).has_value());
  EXPECT_FALSE(book().decode(coded, text.size() - 1).has_value());
  EXPECT_FALSE(book().decode(coded, std::size_t{1} << 62).has_value());
  EXPECT_FALSE(book().decode("", text.size()).has_value());
  EXPECT_FALSE(book().decode(coded.substr(0, coded.size() - 1), text.size()).has_value());
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = coded;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto read = book().decode(damaged, text.size());
    if (read) {
      EXPECT_EQ(read->size(), text.size());
    }
  }
}

}  // namespace
}  // namespace codexmem

// Tested by privacy/policy_test.cpp.
#include "privacy/secret_words.h"

#include <cstddef>

#include "base/result.h"

// src/privacy/secret_words.txt, see codexmem_embed_file() in src/privacy/CMakeLists.txt.
extern "C" {
extern const char codexmem_secret_words[];
extern const char codexmem_secret_words_end[];
}

namespace codexmem::privacy {
namespace {

constexpr struct {
  std::string_view name;
  WordList SecretWords::*list;
} kWordLists[] = {
    {"references", &SecretWords::references},
    {"strong-placeholders", &SecretWords::strong_placeholders},
    {"whole-placeholders", &SecretWords::whole_placeholders},
    {"weak-placeholders", &SecretWords::weak_placeholders},
    {"technical", &SecretWords::technical},
    {"examples", &SecretWords::examples},
    {"example-uuids", &SecretWords::example_uuids},
    {"public-keys", &SecretWords::public_keys},
    {"hashes", &SecretWords::hashes},
    {"sentence", &SecretWords::sentence},
    {"after-keyword", &SecretWords::after_keyword},
    {"before-keyword", &SecretWords::before_keyword},
    {"keyword-tails", &SecretWords::keyword_tails},
};

SecretWords read_secret_words() {
  const std::string_view data(
      codexmem_secret_words,
      static_cast<std::size_t>(codexmem_secret_words_end - codexmem_secret_words));
  SecretWords words;
  WordList* list = nullptr;
  for_each_data_line(data, [&](std::string_view line, bool is_indented) {
    if (is_indented) {
      CODEXMEM_CHECK(list != nullptr);
      for_each_listed_word(line, [&](std::string_view word) { list->add(word); });
      return;
    }
    list = nullptr;
    for (const auto& known : kWordLists) {
      if (line.substr(line.find(' ') + 1) == known.name) list = &(words.*known.list);
    }
  });
  return words;
}

}  // namespace

bool WordList::has(std::string_view text) const {
  return std::ranges::find(words_, text) != words_.end();
}

bool WordList::has_part_of(std::string_view text) const {
  return std::ranges::any_of(
      words_, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool WordList::has_beginning_of(std::string_view text) const {
  return std::ranges::any_of(words_, [&](std::string_view word) { return text.starts_with(word); });
}

const SecretWords& secret_words() {
  static const SecretWords& words = *new SecretWords(read_secret_words());
  return words;
}

}  // namespace codexmem::privacy

// Tested by privacy/policy_test.cpp, class by class.
#include "privacy/secret_rules.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>

#include "base/result.h"
#include "base/text.h"
#include "privacy/secret_words.h"

// src/privacy/secret_rules.txt, see codexmem_embed_file() in src/privacy/CMakeLists.txt.
extern "C" {
extern const char codexmem_secret_rules[];
extern const char codexmem_secret_rules_end[];
}

namespace codexmem::privacy {
namespace {

constexpr std::pair<std::string_view, Anchor> kAnchors[] = {
    {"token", Anchor::kToken}, {"text", Anchor::kText},       {"run", Anchor::kRun},
    {"name", Anchor::kName},   {"setting", Anchor::kSetting}, {"flag", Anchor::kFlag},
    {"label", Anchor::kLabel}};
constexpr std::pair<std::string_view, ValueTest> kTests[] = {
    {"format", ValueTest::kFormat},
    {"literal", ValueTest::kLiteral},
    {"password", ValueTest::kPassword},
    {"random", ValueTest::kRandom},
    {"prose", ValueTest::kProse},
    {"signs", ValueTest::kSigns},
    {"spaced", ValueTest::kSpaced},
    {"basic", ValueTest::kBasic},
    {"user-password", ValueTest::kUserPass},
    {"key-block", ValueTest::kKeyBlock},
    {"anything", ValueTest::kAnything}};

template <typename Table>
auto get_named(const Table& table, std::string_view name) {
  const auto found =
      std::ranges::find_if(table, [&](const auto& row) { return row.first == name; });
  CODEXMEM_CHECK(found != std::end(table));
  return found->second;
}

// A mistake in the file is one in the program.
class RuleReader {
 public:
  std::vector<SecretRule> read(std::string_view data) {
    for_each_data_line(data, [&](std::string_view line, bool is_indented) {
      if (is_indented) {
        read_indented(line);
      } else {
        read_heading(line);
      }
    });
    return std::move(rules_);
  }

 private:
  void read_heading(std::string_view line) {
    const std::string_view key = line.substr(0, line.find(' '));
    line.remove_prefix(key.size() + 1);
    words_ = nullptr;
    if (key == "words") {
      words_ = &lists_[line];
    } else if (key == "define") {
      const std::string_view name = line.substr(0, line.find(' '));
      patterns_[name] = expanded(line.substr(name.size() + 1));
    } else {
      CODEXMEM_CHECK(key == "rule");
      const std::size_t colon = line.find(": ");
      const auto fields = split(line.substr(0, colon), ' ');
      CODEXMEM_CHECK(fields.size() >= 3);
      SecretRule rule{.id = fields[0], .what = line.substr(colon + 2)};
      rule.anchor = get_named(kAnchors, fields[1]);
      rule.test = get_named(kTests, fields[2]);
      if (fields.size() > 3) {
        std::from_chars(fields[3].data(), fields[3].data() + fields[3].size(), rule.min_entropy);
      }
      rules_.push_back(std::move(rule));
    }
  }

  void read_indented(std::string_view line) {
    if (words_ != nullptr) {
      for_each_listed_word(line, [&](std::string_view word) { words_->push_back(word); });
      return;
    }
    const std::string_view key = line.substr(0, line.find(' '));
    line.remove_prefix(key.size() + 1);
    if (key == "pattern") {
      rules_.back().pattern = expanded(line);
      return;
    }
    CODEXMEM_CHECK(key == "keywords");
    std::vector<std::string_view>& keywords = rules_.back().keywords;
    for_each_listed_word(line, [&](std::string_view word) {
      if (!word.starts_with("${")) {
        keywords.push_back(word);
        return;
      }
      const auto& list = lists_.at(word.substr(2, word.size() - 3));
      keywords.insert(keywords.end(), list.begin(), list.end());
    });
  }

  // `pattern` with the value of each ${NAME}.
  std::string expanded(std::string_view pattern) const {
    std::string out;
    for (;;) {
      const std::size_t at = pattern.find("${");
      out += pattern.substr(0, at);
      if (at == std::string_view::npos) return out;
      const std::size_t end = pattern.find('}', at);
      const auto known = patterns_.find(pattern.substr(at + 2, end - at - 2));
      CODEXMEM_CHECK(known != patterns_.end());
      out += known->second;
      pattern.remove_prefix(end + 1);
    }
  }

  std::vector<SecretRule> rules_;
  std::map<std::string_view, std::string> patterns_;
  std::map<std::string_view, std::vector<std::string_view>> lists_;
  std::vector<std::string_view>* words_ = nullptr;  // the list that is being read
};

}  // namespace

std::span<const SecretRule> secret_rules() {
  static const std::vector<SecretRule>& rules = *new std::vector<SecretRule>(RuleReader().read(
      {codexmem_secret_rules,
       static_cast<std::size_t>(codexmem_secret_rules_end - codexmem_secret_rules)}));
  return rules;
}

}  // namespace codexmem::privacy

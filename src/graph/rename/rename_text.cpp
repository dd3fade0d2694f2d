// Strings are not facts, so their words are found in the text. The text around a word shows its
// purpose: quotes on both sides, and before them a bracket or the call of a function that reaches
// by text; a colon behind; dots and a known name before it. That is enough, since a wrong guess
// only costs a person a look.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/rules/languages.h"
#include "parse/text/quoted_text.h"
#include "text/trigrams.h"

namespace codexmem::graph {
namespace {

// The identifier that ends before `end`; empty without one.
std::string_view word_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

class MentionSearch {
 public:
  MentionSearch(const FileModel& file, std::string_view text,
                const std::vector<std::string_view>& parents)
      : file_(file), text_(text), parents_(parents) {}

  // (Call it with ascending offsets.)
  MentionKind kind_at(std::size_t begin, std::size_t end) {
    const auto offset = static_cast<std::uint32_t>(begin);
    if (std::ranges::any_of(file_.facts.unparsed,
                            [&](const ByteRange& range) { return range.contains(offset); }) &&
        !is_comment_at(begin)) {
      return MentionKind::kUnparsed;
    }
    if (is_formatted(begin, end)) return MentionKind::kFormat;
    if (begin == 0 || end >= text_.size() || !is_quote(text_[end])) return MentionKind::kWord;
    if (text_[begin - 1] == '.')
      return is_path(begin, end) ? MentionKind::kPath : MentionKind::kWord;
    if (text_[begin - 1] != text_[end]) return MentionKind::kWord;
    const LanguageTraits& traits = file_.semantics.traits();
    if (text_[end] == '`' && !traits.texts.keys_are_members) return MentionKind::kWord;  // in prose
    const std::string_view before = trim(line_before(begin - 1));
    if (is_comment(before)) return MentionKind::kWord;
    if (is_in_text(before, text_[end])) return MentionKind::kWord;
    const std::string_view after = trim(text_.substr(end + 1, 16));
    if (before.ends_with('[') && after.starts_with(']') && before.size() > 1) {
      const char held = before[before.size() - 2];
      if (is_identifier_char(held) || held == ')' || held == ']') return MentionKind::kReached;
    }
    if (is_reached(before)) return MentionKind::kReached;
    if (traits.texts.keys_are_members && after.starts_with(':') &&
        (before.empty() || before.ends_with('{') || before.ends_with(','))) {
      return MentionKind::kKey;
    }
    return MentionKind::kText;
  }

 private:
  // True in a comment, by the marks of the language alone: for parts that were not understood.
  bool is_comment_at(std::size_t offset) {
    const parse::Language* language = parse::find_language(file_.language);
    if (language == nullptr || !language->has_grammar) return false;
    if (!quoted_) quoted_.emplace(*language, text_);
    return quoted_->comment_holds(offset);
  }

  // True where quotes of another sign are open: '{"a": 1}'.
  static bool is_in_text(std::string_view before, char quote) {
    return std::ranges::any_of(std::string_view("\"'`"), [&](char sign) {
      return sign != quote && std::ranges::count(before, sign) % 2 == 1;
    });
  }

  // True if the line that begins so is one of a comment.
  bool is_comment(std::string_view line) const {
    const parse::Language* language = parse::find_language(file_.language);
    if (language == nullptr || language->block_comment.empty()) return line.starts_with('#');
    return line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ");
  }

  // The text of the line before `end`.
  std::string_view line_before(std::size_t end) const {
    const std::size_t line = text_.substr(0, end).rfind('\n');
    return text_.substr(line + 1, end - (line + 1));  // (npos + 1 is 0)
  }

  // "{a}", "{a:>5}", "{:>a$}" of Rust.
  bool is_formatted(std::size_t begin, std::size_t end) const {
    if (!file_.semantics.traits().texts.format_names || end >= text_.size()) return false;
    const std::string_view before = line_before(begin);
    const std::size_t open = before.rfind('{');
    if (open == std::string_view::npos || is_comment(trim(before))) return false;
    const std::size_t last_other = before.find_last_not_of('{', open);
    if ((open - last_other) % 2 == 0) return false;  // {{ is a brace (npos + 1 is 0)
    const std::string_view between = before.substr(open + 1);
    if (between.empty()) return text_[end] == '}' || text_[end] == ':';
    return text_[end] == '$' && between.find(':') != std::string_view::npos &&
           between.find('}') == std::string_view::npos;
  }

  // "pkg.module.name" as a whole text: the part before the last dot names the container.
  bool is_path(std::size_t begin, std::size_t end) const {
    std::size_t first = begin;
    while (first > 0 && (is_identifier_char(text_[first - 1]) || text_[first - 1] == '.')) --first;
    return first > 0 && text_[first - 1] == text_[end] && text_[end] != '`' &&
           std::ranges::find(parents_, word_before(text_, begin - 1)) != parents_.end();
  }

  // In the arguments of a call of a function that reaches a member by a text.
  bool is_reached(std::string_view before) const {
    const auto reaching = file_.semantics.traits().texts.reach;
    for (std::size_t open = before.rfind('('); open != std::string_view::npos && open > 0;
         open = before.rfind('(', open - 1)) {
      const std::string_view callee = word_before(before, open);
      if (std::ranges::find(reaching, callee) != reaching.end()) return true;
      if (before.find(')', open) == std::string_view::npos) return false;  // of another call
    }
    return false;
  }

  const FileModel& file_;
  std::string_view text_;
  const std::vector<std::string_view>& parents_;
  std::optional<parse::QuotedText> quoted_;
};

}  // namespace

bool is_built_with(std::string_view path, std::string_view unread, std::string_view language) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"assembly", "c"},         {"assembly", "cpp"},     {"objectivec", "c"},
      {"objectivec", "cpp"},     {"swift", "c"},          {"cython", "python"},
      {"cython", "c"},           {"cython", "cpp"},       {"groovy", "java"},
      {"groovy", "kotlin"},      {"clojure", "java"},     {"fsharp", "csharp"},
      {"visualbasic", "csharp"}, {"astro", "typescript"}, {"astro", "tsx"},
      {"erlang", "elixir"},
  };
  if (path.ends_with(".gradle")) return false;  // a build's own words
  return std::ranges::find(kPairs, std::pair(unread, language)) != std::end(kPairs);
}

bool is_text_occurrence(const FileModel& file, std::string_view text, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  return at.receiver_kind == parse::ReceiverKind::kKey && at.offset > 0 &&
         at.offset <= text.size() && is_quote(text[at.offset - 1]);
}

Mention mention_at(const FileModel& file, std::string_view text, std::uint32_t offset,
                   std::size_t size, const std::vector<std::string_view>& parents) {
  return {MentionSearch(file, text, parents).kind_at(offset, offset + size), offset};
}

std::vector<Mention> find_mentions(const FileModel& file, std::string_view text,
                                   std::string_view name,
                                   const std::vector<std::string_view>& parents) {
  std::vector<Mention> found;
  MentionSearch search(file, text, parents);
  const bool has_formats = file.semantics.traits().texts.format_names;  // {a:>b$}
  const auto is_part = [&](char c) { return is_identifier_char(c) && !(has_formats && c == '$'); };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_part(text[at - 1])) || (end < text.size() && is_part(text[end]))) continue;
    const std::uint32_t index = file.occurrence_at(static_cast<std::uint32_t>(at));
    if (index != parse::kNoIndex && !is_text_occurrence(file, text, index)) continue;
    found.push_back({search.kind_at(at, end), static_cast<std::uint32_t>(at)});
  }
  return found;
}

Result<std::vector<store::FileId>> files_with_text(Resolver& resolver, store::CodeReader& reader,
                                                   std::string_view letters, Family family,
                                                   bool of_all) {
  CODEXMEM_ASSIGN(std::vector<store::FileId> files, reader.list_files_with_identifier(letters));
  const std::vector<std::uint32_t> trigrams = trigrams_of(letters);
  if (trigrams.empty()) return files;
  CODEXMEM_TRY(reader.visit_trigrams([&](store::FileId id, std::string_view filter) {
    const store::FileRow* row = resolver.files().find(id);
    if (row == nullptr || !(of_all || share_names(family_of(row->language), family))) return;
    const bool may_have_it =
        filter.empty() || std::ranges::all_of(trigrams, [&](std::uint32_t trigram) {
          return may_hold(filter, trigram);
        });
    if (may_have_it) files.push_back(id);
  }));
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace codexmem::graph

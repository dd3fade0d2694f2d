// From the name to what it may be made of: each template of the repository is laid over the words
// of the name, and the words that stand for a parameter are looked up as an identifier, written as
// `name` (snake), `Name` (camel) or `NAME`. A place counts if it is an argument of a macro that the
// template's file defines. What macros pass to other files' macros is not followed.
//
// Tested by graph/rust_test.cpp.
#include "graph/rust/rust_pastes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/preprocess/pastes.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxFiles = 64;
constexpr std::size_t kMaxTemplateBytes = 200;
constexpr std::size_t kMaxPieces = 6, kMaxWords = 8;
constexpr std::size_t kMaxCallBytes = 2000;  // between a macro's name and an argument

// A part of a template: a text, or a parameter that is written in a case ("camel"; "": as it is).
struct PastePiece {
  std::string text;
  bool is_parameter = false;
  bool may_be_absent = false;  // $( ... )*
  std::string letter_case;
};

// "TasksOpen", "tasks_open" and "TASKS_OPEN" are the words tasks and open.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_hump = i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]);
    if (name[i] == '_') {
      begins = true;
      continue;
    }
    if (begins || is_hump) words.emplace_back();
    begins = false;
    words.back() += to_lower(name[i]);
  }
  return words;
}

void raise(char& c) {
  if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
}

std::string joined_words(std::span<const std::string> words, std::string_view letter_case) {
  std::string text;
  for (const std::string& word : words) {
    if (letter_case != "camel" && !text.empty()) text += '_';
    text += word;
    if (letter_case == "camel") raise(text[text.size() - word.size()]);
  }
  if (letter_case == "upper") std::ranges::for_each(text, &raise);
  return text;
}

// What is between `[<` and `>]`; nothing if it cannot be read.
std::optional<std::vector<PastePiece>> pieces_of(std::string_view text) {
  std::vector<PastePiece> pieces;
  int groups = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text.substr(at).starts_with("$(")) {
      ++groups;
      at += 2;
    } else if (text[at] == ')' && groups > 0) {
      --groups;
      at = std::min(text.find_first_not_of("?*+", at + 1), text.size());
    } else {
      const bool is_parameter = text[at] == '$';
      if (is_parameter) ++at;
      std::size_t end = at;
      while (end < text.size() && is_word_char(text[end])) ++end;
      if (end == at || pieces.size() == kMaxPieces) return std::nullopt;
      PastePiece piece{std::string(text.substr(at, end - at)), is_parameter, groups > 0, {}};
      while (end < text.size() && text[end] == ':') {
        at = end + 1;
        for (end = at; end < text.size() && is_word_char(text[end]);) ++end;
        piece.letter_case = text.substr(at, end - at);
      }
      pieces.push_back(std::move(piece));
      at = end;
    }
  }
  return pieces;
}

class RustPasteSearch {
 public:
  RustPasteSearch(Resolver& resolver, parse::Family family, const std::string& name)
      : resolver_(resolver), family_(family), name_(name), words_(words_of(name)) {}

  std::vector<UnwrittenUse> run() {
    std::vector<store::FileId> files =
        resolver_.files_naming(family_, std::string(parse::kRustPaste));
    if (files.size() > kMaxFiles) files.resize(kMaxFiles);
    if (words_.size() > kMaxWords) return {};
    for (const store::FileId id : files) {
      const FileModel* const file = resolver_.model(id);
      const auto text = file == nullptr ? std::nullopt : resolver_.text_of(id);
      if (text) read(*file, *text);
    }
    return std::move(found_);
  }

 private:
  void read(const FileModel& file, std::string_view text) {
    std::set<std::string, std::less<>> given;  // identifiers that parameters may stand for
    for (std::size_t at = text.find(parse::kRustPaste); at != text.npos;
         at = text.find(parse::kRustPaste, at + 1)) {
      const std::size_t begin = at + parse::kRustPaste.size();
      const std::size_t end = text.find(">]", begin);
      if (end == text.npos || end - begin > kMaxTemplateBytes) continue;
      const auto pieces = pieces_of(text.substr(begin, end - begin));
      if (pieces) lay(*pieces, words_, {}, given);
    }
    if (given.empty()) return;
    std::set<std::string, std::less<>> macros;
    for (const parse::Symbol& symbol : file.facts.symbols) {
      if (is_callable(symbol)) macros.insert(symbol.name);
    }
    for (const std::string& each : given) find_places(each, macros);
  }

  // Lays the pieces over the words; `chosen` are the identifiers of the parameters so far.
  void lay(std::span<const PastePiece> pieces, std::span<const std::string> words,
           std::vector<std::string> chosen, std::set<std::string, std::less<>>& given) const {
    if (pieces.empty()) {
      if (words.empty()) given.insert(chosen.begin(), chosen.end());
      return;
    }
    const PastePiece& piece = pieces.front();
    const auto rest = pieces.subspan(1);
    if (piece.may_be_absent) lay(rest, words, chosen, given);
    if (!piece.is_parameter) {
      const std::vector<std::string> own = words_of(piece.text);
      if (own.size() <= words.size() && std::ranges::equal(own, words.first(own.size()))) {
        lay(rest, words.subspan(own.size()), chosen, given);
      }
      return;
    }
    for (std::size_t count = 1; count <= words.size(); ++count) {
      const auto part = words.first(count);
      if (name_.find(joined_words(part, piece.letter_case)) == std::string::npos) continue;
      // (The same name is found as it is written.)
      for (const std::string_view letter_case : {"snake", "camel", "upper"}) {
        std::string written = joined_words(part, letter_case);
        if (written == name_ || resolver_.files_naming(family_, written).empty()) continue;
        auto more = chosen;
        more.push_back(std::move(written));
        lay(rest, words.subspan(count), std::move(more), given);
      }
    }
  }

  // The places where `word` is an argument of one of `macros`.
  void find_places(const std::string& word, const std::set<std::string, std::less<>>& macros) {
    std::vector<store::FileId> files = resolver_.files_naming(family_, word);
    if (files.size() > kMaxFiles) files.resize(kMaxFiles);
    for (const store::FileId id : files) {
      const FileModel* const file = resolver_.model(id);
      const auto name = file == nullptr ? std::nullopt : file->find_name(word);
      const bool calls = name && std::ranges::any_of(macros, [&](const std::string& macro) {
                           return file->find_name(macro).has_value();
                         });
      const auto text = calls ? resolver_.text_of(id) : std::nullopt;
      if (!text) continue;
      for (const std::uint32_t index : file->occurrences_of(*name)) {
        const parse::Occurrence& at = file->facts.occurrences[index];
        if (at.role != parse::Role::kDefinition && is_argument(*text, at.offset, macros)) {
          found_.push_back({file, index});
        }
      }
    }
  }

  // True behind `name!(` without its end.
  static bool is_argument(std::string_view text, std::size_t offset,
                          const std::set<std::string, std::less<>>& macros) {
    const std::size_t least = offset - std::min(offset, kMaxCallBytes);
    int depth = 0;
    for (std::size_t at = offset; at-- > least;) {
      const char c = text[at];
      if (c == ')' || c == ']' || c == '}') ++depth;
      if (c == ';' && depth == 0) return false;
      if (c != '(' && c != '[' && c != '{') continue;
      if (--depth >= 0) continue;
      depth = 0;
      std::string_view before = text.substr(0, at);
      while (!before.empty() && is_space(before.back())) before.remove_suffix(1);
      if (!before.ends_with('!')) continue;
      before.remove_suffix(1);
      std::size_t begin = before.size();
      while (begin > 0 && is_word_char(before[begin - 1])) --begin;
      if (macros.contains(before.substr(begin))) return true;
    }
    return false;
  }

  Resolver& resolver_;
  const parse::Family family_;
  const std::string& name_;
  const std::vector<std::string> words_;
  std::vector<UnwrittenUse> found_;
};

}  // namespace

std::vector<UnwrittenUse> rust_uses_by_paste(Resolver& resolver, parse::Family family,
                                             const std::string& name) {
  return RustPasteSearch(resolver, family, name).run();
}

}  // namespace codexmem::graph

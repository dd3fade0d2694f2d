// From the name to the macros: the parts that a file pastes are among its identifiers
// (parse/preprocess/pastes.h), so each beginning and end of the name is looked up. From a macro to
// its uses: the arguments replace its parameters. In code the result is the name or another one; in
// the body of another macro it is a part of that macro's result, which is followed in turn.
//
// Tested by graph/c_pastes_test.cpp.
#include "graph/c/c_pastes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "graph/c/c_files.h"
#include "parse/preprocess/pastes.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxMakers = 256;  // followed for one name
constexpr std::size_t kMaxFiles = 64;    // of one macro, that do not contain the word
constexpr std::size_t kMaxPieces = 8;
constexpr std::string_view kGaps = " \t\r\n\\";

// A part of a pasted name: a text, or the argument for parameter `parameter`.
struct Piece {
  std::string text;
  std::uint32_t parameter = kNoIndex;
};

struct PasteMemory : Resolver::Memory {
  std::map<std::string, std::vector<UnwrittenUse>> uses;  // by name
};

// A macro that makes names.
struct Maker {
  const FileModel* file = nullptr;
  parse::WrittenMacro macro;
  std::vector<Piece> pieces;
};

Piece piece_of(const parse::WrittenMacro* macro, std::string_view word) {
  if (macro == nullptr) return {std::string(word), kNoIndex};
  const auto at = std::ranges::find(macro->parameters, word);
  if (at == macro->parameters.end()) return {std::string(word), kNoIndex};
  return {{}, static_cast<std::uint32_t>(at - macro->parameters.begin())};
}

// The arguments of the call whose `(` is the next character of `text` behind `at`.
std::vector<std::string_view> arguments_behind(std::string_view text, std::size_t at) {
  std::vector<std::string_view> found;
  at = text.find_first_not_of(kGaps, at);
  if (at == std::string_view::npos || text[at] != '(') return found;
  std::size_t begin = ++at;
  for (int depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ';' || c == '{') return {};
    if (depth == 0 && (c == ',' || c == ')')) {
      std::string_view argument = text.substr(begin, at - begin);
      argument.remove_prefix(std::min(argument.find_first_not_of(kGaps), argument.size()));
      found.push_back(argument.substr(0, argument.find_last_not_of(kGaps) + 1));
      if (c == ')') return found;
      begin = at + 1;
    }
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
  return {};
}

bool is_word(std::string_view text) { return std::ranges::all_of(text, &is_word_char); }

class PasteSearch {
 public:
  PasteSearch(Resolver& resolver, std::string_view name) : resolver_(resolver), name_(name) {}

  std::vector<UnwrittenUse> run() {
    if (files_naming(std::string(parse::kPastes)).empty()) return {};
    for (std::size_t i = 1; i < name_.size(); ++i) {
      add_makers(parse::paste_after(name_.substr(0, i)));
      add_makers(parse::paste_before(name_.substr(i)));
    }
    add_makers(std::string(parse::kPasteOfParameters));
    for (std::size_t i = 0; i < makers_.size(); ++i) follow(Maker(makers_[i]));
    return std::move(found_);
  }

 private:
  std::vector<store::FileId> files_naming(const std::string& name) {
    std::vector<store::FileId> files;
    for (const char* language : {"c", "cpp"}) {
      for (const store::FileId id : resolver_.files_naming(family_of(language), name)) {
        files.push_back(id);
      }
    }
    return files;
  }

  std::string_view text_of(const FileModel& file) {
    const auto [at, is_new] = texts_.try_emplace(&file);
    if (is_new) at->second = resolver_.text_of(file.id).value_or(std::string());
    return at->second;
  }

  // The pastes of files with the identifier `key`.
  void add_makers(const std::string& key) {
    for (const store::FileId id : files_naming(key)) {
      const FileModel* file = resolver_.model(id);
      const auto name = file == nullptr ? std::nullopt : file->find_name(key);
      if (!name) continue;
      for (const std::uint32_t index : file->occurrences_of(*name)) {
        const std::uint32_t sign = file->facts.occurrences[index].offset - 1;
        const std::string_view text = text_of(*file);
        if (sign >= text.size()) continue;
        const auto macro = parse::macro_around(text, sign);
        if (!macro) continue;
        for (const parse::Paste& paste : parse::pastes_in(macro->body)) {
          // (The occurrence of kPastes is at the sign.)
          if (macro->body.data() + paste.sign != text.data() + sign) continue;
          Maker maker{file, *macro, {}};
          for (const std::string_view word : paste.words) {
            maker.pieces.push_back(piece_of(&*macro, word));
          }
          add_maker(std::move(maker));
        }
      }
    }
  }

  void add_maker(Maker maker) {
    const bool is_known = std::ranges::any_of(makers_, [&](const Maker& known) {
      return known.macro.name.data() == maker.macro.name.data() &&
             std::ranges::equal(known.pieces, maker.pieces, [](const Piece& a, const Piece& b) {
               return a.text == b.text && a.parameter == b.parameter;
             });
    });
    if (is_known || makers_.size() == kMaxMakers || maker.pieces.size() > kMaxPieces) return;
    std::vector<std::string_view> given(maker.macro.parameters.size());
    if (may_make(maker.pieces, name_, given)) makers_.push_back(std::move(maker));
  }

  // True if `pieces` may make `name`; `given` are the parameters that are known by now.
  static bool may_make(std::span<const Piece> pieces, std::string_view name,
                       std::vector<std::string_view>& given) {
    if (pieces.empty()) return name.empty();
    const Piece& first = pieces.front();
    const auto rest = pieces.subspan(1);
    if (first.parameter == kNoIndex) {
      return name.starts_with(first.text) && may_make(rest, name.substr(first.text.size()), given);
    }
    std::string_view& own = given[first.parameter];
    if (!own.empty()) {
      return name.starts_with(own) && may_make(rest, name.substr(own.size()), given);
    }
    for (std::size_t size = name.size(); size > 0; --size) {
      own = name.substr(0, size);
      if (may_make(rest, name.substr(size), given)) return true;
    }
    own = {};
    return false;
  }

  // The word that a macro with one parameter in its name must be given; else "".
  std::string word_of(const Maker& maker) const {
    std::vector<std::string_view> given(maker.macro.parameters.size());
    if (!may_make(maker.pieces, name_, given)) return {};
    const auto is_provided = [](std::string_view text) { return !text.empty(); };
    if (std::ranges::count_if(given, is_provided) != 1) return {};
    return std::string(*std::ranges::find_if(given, is_provided));
  }

  void follow(const Maker& maker) {
    const std::string macro(maker.macro.name);
    std::vector<store::FileId> files = files_naming(macro);
    if (files.size() > kMaxFiles) {
      const std::string word = word_of(maker);
      std::vector<store::FileId> with_word;
      if (!word.empty()) with_word = files_naming(word);
      std::erase_if(files, [&](store::FileId id) {
        return id != maker.file->id && std::ranges::find(with_word, id) == with_word.end();
      });
    }
    for (const store::FileId id : files) {
      const FileModel* file = resolver_.model(id);
      const auto name = file == nullptr ? std::nullopt : file->find_name(macro);
      if (!name) continue;
      for (const std::uint32_t index : file->occurrences_of(*name)) use(maker, *file, index);
    }
  }

  // A place that names a macro.
  void use(const Maker& maker, const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.role == parse::Role::kDefinition) return;
    const std::string_view text = text_of(file);
    const auto arguments = arguments_behind(text, at.offset + file.name(at.name).size());
    if (arguments.empty() || !may_mean(maker, file, index)) return;
    const auto around = parse::macro_around(text, at.offset);
    if (around && around->name.data() == text.data() + at.offset) return;  // its definition
    std::vector<Piece> pieces;
    std::string_view longest;
    bool is_open = false;
    for (const Piece& piece : maker.pieces) {
      if (piece.parameter == kNoIndex) {
        pieces.push_back(piece);
        continue;
      }
      if (piece.parameter >= arguments.size()) return;
      const std::string_view given = arguments[piece.parameter];
      if (!is_word(given)) return;
      pieces.push_back(piece_of(around ? &*around : nullptr, given));
      is_open = is_open || pieces.back().parameter != kNoIndex;
      if (given.size() >= longest.size() && !is_digit(given.front())) longest = given;
    }
    if (is_open) return add_maker({&file, *around, std::move(pieces)});
    std::vector<std::string_view> none;
    if (!may_make(pieces, name_, none)) return;
    const std::uint32_t word =
        longest.empty()
            ? kNoIndex
            : file.occurrence_at(static_cast<std::uint32_t>(longest.data() - text.data()));
    const UnwrittenUse place{&file, word == kNoIndex ? index : word};
    if (std::ranges::find(found_, place) == found_.end()) found_.push_back(place);
  }

  // True if a name means the macro, or is a parameter that a macro is passed for: #define LIST(CMD)
  // CMD(add) CMD(sub). (A name behind a dot counts, too.)
  bool may_mean(const Maker& maker, const FileModel& file, std::uint32_t index) {
    if (file.facts.occurrences[index].receiver_kind != parse::ReceiverKind::kNone) return true;
    const auto name_begin =
        static_cast<std::uint32_t>(maker.macro.name.data() - text_of(*maker.file).data());
    return std::ranges::any_of(Entities(resolver_.resolve(file, index)), [&](const Entity& entity) {
      return entity.kind == EntityKind::kUnknown || entity.kind == EntityKind::kLocal ||
             (entity.kind == EntityKind::kSymbol && entity.file == maker.file &&
              symbol_of(entity).name_range.begin == name_begin);
    });
  }

  Resolver& resolver_;
  const std::string_view name_;
  std::vector<Maker> makers_;
  std::vector<UnwrittenUse> found_;
  std::unordered_map<const FileModel*, std::string> texts_;
};

}  // namespace

const std::vector<UnwrittenUse>& uses_by_paste(Resolver& resolver, const std::string& name) {
  const auto [at, is_new] = resolver.memory<PasteMemory>().uses.try_emplace(name);
  if (is_new) at->second = PasteSearch(resolver, name).run();
  return at->second;
}

}  // namespace codexmem::graph

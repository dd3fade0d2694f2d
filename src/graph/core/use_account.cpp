// The full-text index counts words as they are written. When it counts no more than the search has
// found in a file, the file holds no other place, and its text is not read: true of most files. In
// the other files the words are found in the text. A word that is not an identifier in the facts is
// text where the language's marks say so, unread where the grammar understood nothing, and else a
// possible use: code that the facts do not describe.
//
// Tested by graph/use_account_test.cpp, and on real repositories by bench/account.py.
#include "graph/core/use_account.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "parse/rules/languages.h"
#include "parse/text/code_tokens.h"
#include "parse/text/quoted_text.h"
#include "text/letters.h"
#include "text/trigrams.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// True for a label at `offset`, which no symbol has as its name: `Loop:` on a line of its own,
// `break Loop`.
bool is_label(std::string_view text, std::size_t offset, std::size_t size) {
  const std::size_t line = text.rfind('\n', offset) + 1;  // 0 without one
  const std::string_view before = trim(text.substr(line, offset - line));
  if (before.empty()) {
    const std::string_view after = text.substr(offset + size);
    const std::string_view rest = trim(after.substr(0, after.find('\n')));
    return rest == ":" || (rest.starts_with(':') && trim(rest.substr(1)).starts_with('/'));
  }
  const std::string_view word = before.substr(before.find_last_of(" \t;{}()") + 1);
  return is_one_of(word, {"goto", "break", "continue"});
}

// True for a word at `offset` in the path of a package, of a header or, but for its last part, of
// an import: it names a folder, a file or a module.
bool is_in_module_path(std::string_view text, std::size_t offset, std::size_t size) {
  constexpr std::string_view kPathSigns = "._\\:/-<\"@";
  const std::size_t line = text.rfind('\n', offset) + 1;  // 0 without one
  std::string_view head = trim(text.substr(line, offset - line));
  const bool is_directive = head.starts_with('#');
  if (is_directive) head = trim(head.substr(1));
  const std::size_t end = head.find_first_of(" \t<\"");
  if (end == std::string_view::npos) return false;
  const std::string_view word = head.substr(0, end);
  const std::string_view path = trim(head.substr(end));
  const auto is_of_path = [&](char c) {
    return is_word_char(c) || kPathSigns.find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(path, is_of_path)) return false;
  if (is_directive) return is_one_of(word, {"include", "import"});
  if (is_one_of(word, {"package", "namespace"})) return true;
  const char next = offset + size < text.size() ? text[offset + size] : '\n';
  return is_one_of(word, {"import", "use", "using", "from"}) &&
         std::string_view(".\\:/").find(next) != std::string_view::npos;
}

Drawer drawer_of(const Usage& usage) {
  switch (usage.confidence) {
    case Confidence::kResolved:
      return Drawer::kCertain;
    case Confidence::kLikely:
      return Drawer::kLikely;
    case Confidence::kPossible:
      return Drawer::kPossible;
    case Confidence::kName:
      break;
  }
  return Drawer::kText;  // a mention in documentation
}

bool is_word_before(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  std::size_t begin = at - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
  if (begin == at - 1) return is_word_char(text[begin]);
  return letter_kind(read_character(text, begin).code) != LetterKind::kSeparator;
}

bool is_word_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  if (static_cast<unsigned char>(text[at]) < 0x80) return is_word_char(text[at]);
  return letter_kind(read_character(text, at).code) != LetterKind::kSeparator;
}

// The offsets of `word` as a whole word in `text`.
std::vector<std::uint32_t> words_in(std::string_view text, std::string_view word) {
  std::vector<std::uint32_t> found;
  for (std::size_t at = text.find(word); at != std::string_view::npos;) {
    const bool is_word = !is_word_before(text, at) && !is_word_at(text, at + word.size());
    if (is_word) found.push_back(static_cast<std::uint32_t>(at));
    at = text.find(word, at + (is_word ? word.size() : 1));
  }
  return found;
}

// The occurrence that covers byte `offset`; kNoIndex without one.
std::uint32_t occurrence_around(const FileModel& file, std::uint32_t offset) {
  const auto& all = file.facts.occurrences;
  auto at = std::ranges::upper_bound(all, offset, {}, &parse::Occurrence::offset);
  do {
    if (at == all.begin()) return kNoIndex;
    --at;
  } while (at->by_syntax);
  if (offset >= at->offset + file.name(at->name).size()) return kNoIndex;
  return static_cast<std::uint32_t>(at - all.begin());
}

// True if `at` is written as a name of `names`. A symbol that syntax uses has no written name,
// except for signs: a + b.
bool is_written(const FileModel& file, const parse::Occurrence& at,
                const std::set<std::string_view>& names) {
  const std::string& name = file.name(at.name);
  return names.contains(name) && (!at.by_syntax || std::ranges::none_of(name, &is_word_char));
}

class Account {
 public:
  Account(Resolver& resolver, store::CodeReader& reader, const std::vector<UsageTarget>& targets,
          QuotedNames& quoted_names)
      : resolver_(resolver), reader_(reader), targets_(targets), quoted_names_(quoted_names) {}

  Result<AccountedUses> make(const UsageSearch& search, const std::vector<Usage>& usages) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const UsageTarget& target = targets_[i];
      const parse::Symbol& symbol = target.file->facts.symbols[target.symbol];
      names.insert(symbol.name);
      are_modules_ = are_modules_ || is_one_of(symbol.kind, {"namespace", "package", "module"});
      if (symbol.name_range.empty()) continue;
      add({target.file->id, symbol.name_range.begin, kNoIndex, static_cast<std::uint32_t>(i),
           Drawer::kDefinition});
      families_.insert(target.file->family);
    }
    for (const Usage& usage : usages) {
      const parse::Occurrence& at = usage.file->facts.occurrences[usage.occurrence];
      const Hit hit{usage.file->id,   at.offset,
                    usage.occurrence, static_cast<std::uint32_t>(usage.target),
                    drawer_of(usage), usage.doubt};
      if (is_written(*usage.file, at, names)) {
        add(hit);
      } else {
        renamed_.push_back(hit);
      }
    }
    for (const PassedOver& each : search.passed_over()) {
      const parse::Occurrence& at = each.file->facts.occurrences[each.occurrence];
      if (!is_written(*each.file, at, names)) continue;
      add({each.file->id, at.offset, each.occurrence, 0,
           each.is_mention ? Drawer::kText : Drawer::kOther});
    }
    is_one_name_ = names.size() == 1;
    for (const std::string_view name : names) CODEXMEM_TRY(read_texts(std::string(name)));
    return finish();
  }

 private:
  // For each place the first hit added counts.
  void add(const Hit& hit) { places_[hit.file].try_emplace(hit.offset, hit); }

  Result<void> read_texts(const std::string& name) {
    CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols_named(name));
    uses_.account.others += rows.size();
    CODEXMEM_ASSIGN(const auto holders, reader_.list_files_with_identifier(name));
    CODEXMEM_ASSIGN(auto files, reader_.list_files_with_word(name));
    std::erase_if(files, [&](const store::WordFile& file) {
      const auto known = places_.find(file.id);
      return known != places_.end() && known->second.size() == file.most;
    });
    CODEXMEM_TRY(drop_without_letters(name, files));
    for (const store::WordFile& file : files) {
      CODEXMEM_TRY(go_on());
      const bool has_identifier = std::ranges::binary_search(holders, file.id);
      CODEXMEM_TRY(read_text(file.id, name, has_identifier));
    }
    return {};
  }

  // Of many files that have the word in some spelling, those whose filters of trigrams admit this
  // one: a look at all filters costs as much as reading some texts.
  Result<void> drop_without_letters(const std::string& name, std::vector<store::WordFile>& files) {
    constexpr std::size_t kMany = 40;
    const std::vector<std::uint32_t> trigrams = trigrams_of(name);
    if (files.size() < kMany || trigrams.empty()) return {};
    std::unordered_set<store::FileId> without;
    CODEXMEM_TRY(reader_.visit_trigrams([&](store::FileId id, std::string_view filter) {
      const bool may_have_it =
          filter.empty() || std::ranges::all_of(trigrams, [&](std::uint32_t trigram) {
            return may_hold(filter, trigram);
          });
      if (!may_have_it) without.insert(id);
    }));
    std::erase_if(files, [&](const store::WordFile& file) { return without.contains(file.id); });
    return {};
  }

  Result<void> read_text(store::FileId id, const std::string& name, bool has_identifier) {
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(id));
    const store::FileRow* row = resolver_.files().find(id);
    if (!content || row == nullptr) return {};
    const auto words = words_in(*content, name);
    if (is_one_name_) settle_known(id, words);
    if (words.empty()) return {};
    const parse::Language* language = parse::find_language(row->language);
    std::optional<parse::QuotedText> quoted;
    if (language != nullptr && language->has_grammar) quoted.emplace(*language, *content);
    const FileModel* file = nullptr;
    bool is_used = is_used_in(id);
    for (const std::uint32_t offset : words) {
      if (const auto known = places_.find(id);
          known != places_.end() && known->second.contains(offset)) {
        continue;
      }
      Hit hit{id, offset};
      if (!quoted) {
        const bool is_code =
            language != nullptr && !language->is_prose && !language->is_configuration;
        hit.drawer = is_code ? Drawer::kUnread : Drawer::kText;
        hit.doubt = is_code ? Doubt::kNoGrammar : Doubt::kNone;
      } else {
        const bool is_foreign = std::ranges::none_of(families_, [&](Family family) {
          return share_names(family_of(row->language), family);
        });
        // Identifiers of files in another language mean nothing here.
        if (file == nullptr && (!is_foreign || has_identifier)) file = resolver_.model(id);
        sort_word(hit, file, is_foreign, *language, name, *content, *quoted);
        if (hit.drawer == Drawer::kText && file != nullptr && !is_foreign) {
          hit.drawer = quoted_names_.drawer_of(*file, *content, offset, name, is_used);
          is_used = is_used || hit.drawer == Drawer::kLikely;
          if (hit.drawer == Drawer::kPossible) hit.doubt = Doubt::kQuoted;
        }
        if (file != nullptr && file->is_covered()) settle_as_compiled(hit, *file);
      }
      add(hit);
    }
    return {};
  }

  bool is_used_in(store::FileId id) const {
    const auto known = places_.find(id);
    return known != places_.end() && std::ranges::any_of(known->second, [](const auto& place) {
             return place.second.drawer <= Drawer::kLikely;
           });
  }

  // The facts may place a name at a sign before it ('name', ~name), or at another spelling of it.
  void settle_known(store::FileId id, const std::vector<std::uint32_t>& words) {
    const auto known = places_.find(id);
    if (known == places_.end()) return;
    const auto is_word = [&](std::uint32_t offset) {
      return std::ranges::binary_search(words, offset);
    };
    std::vector<Hit> others;
    std::erase_if(known->second, [&](const auto& place) {
      const bool is_here = is_word(place.first);
      if (!is_here) others.push_back(place.second);
      return !is_here;
    });
    for (Hit& hit : others) {
      if (is_word(hit.offset + 1)) {
        ++hit.offset;
        add(hit);
      } else if (hit.drawer != Drawer::kDefinition && hit.drawer <= Drawer::kPossible) {
        renamed_.push_back(hit);
      }
    }
  }

  void sort_word(Hit& hit, const FileModel* file, bool is_foreign, const parse::Language& language,
                 std::string_view name, std::string_view text, parse::QuotedText& quoted) const {
    if (file != nullptr) hit.occurrence = occurrence_around(*file, hit.offset);
    if (hit.occurrence != kNoIndex) {
      hit.drawer = Drawer::kOther;
    } else if (quoted.holds(hit.offset)) {
      hit.drawer = Drawer::kText;
    } else if (is_foreign) {
      hit.drawer = Drawer::kOther;
    } else if (file == nullptr || file->facts.truncated ||
               std::ranges::any_of(file->facts.unparsed, [&](const ByteRange& range) {
                 return range.contains(hit.offset);
               })) {
      hit.drawer = Drawer::kUnread;
      hit.doubt = Doubt::kUnparsed;
    } else if (parse::is_keyword(language, name) || is_label(text, hit.offset, name.size()) ||
               (!are_modules_ && is_in_module_path(text, hit.offset, name.size()))) {
      hit.drawer = Drawer::kOther;
    } else {
      hit.drawer = Drawer::kPossible;
      hit.doubt = Doubt::kNoFacts;
    }
  }

  // A word that is not among the facts, in a file that a compiler's index describes.
  void settle_as_compiled(Hit& hit, const FileModel& file) {
    auto meant = resolver_.said_by_compiler(file, hit.offset);
    if (!meant && hit.offset > 0) {  // with its quote
      meant = resolver_.said_by_compiler(file, hit.offset - 1);
    }
    for (std::uint32_t i = 0; meant && i < targets_.size(); ++i) {
      const Entity target{EntityKind::kSymbol, targets_[i].file, targets_[i].symbol};
      if (std::ranges::find(*meant, target) == meant->end()) continue;
      hit.drawer = Drawer::kCertain;
      hit.target = i;
      hit.doubt = Doubt::kNone;
      return;
    }
    const bool is_unread_code = hit.drawer == Drawer::kUnread || hit.doubt == Doubt::kNoFacts;
    if (meant ? hit.drawer == Drawer::kText : !is_unread_code) return;
    hit.drawer = Drawer::kOther;
    hit.doubt = Doubt::kNone;
  }

  Result<AccountedUses> finish() {
    UseAccount& account = uses_.account;
    for (const auto& [id, places] : places_) {
      for (const auto& [offset, hit] : places) {
        ++account.places[static_cast<std::size_t>(hit.drawer)];
        if (hit.drawer != Drawer::kDefinition) uses_.hits.push_back(hit);
      }
    }
    account.others -= std::min(account.others, targets_.size());
    account.renamed = renamed_.size();
    account.renamed_possible =
        static_cast<std::size_t>(std::ranges::count(renamed_, Drawer::kPossible, &Hit::drawer));
    uses_.hits.insert(uses_.hits.end(), renamed_.begin(), renamed_.end());
    CODEXMEM_TRY(sort_by_path());
    return std::move(uses_);
  }

  Result<void> sort_by_path() {
    std::map<std::string_view, std::vector<store::FileId>> by_path;
    for (const Hit& hit : uses_.hits) {
      if (order_.try_emplace(hit.file).second) {
        const store::FileRow* row = resolver_.files().find(hit.file);
        by_path[row == nullptr ? std::string_view() : row->path].push_back(hit.file);
      }
    }
    CODEXMEM_TRY(resolver_.status());
    std::uint32_t next = 0;
    for (const auto& [path, files] : by_path) {
      for (const store::FileId file : files) order_[file] = next++;
    }
    struct Keyed {
      int group;  // certain and likely uses are read together
      std::uint32_t order;
      Hit hit;
    };
    std::vector<Keyed> keyed;
    keyed.reserve(uses_.hits.size());
    for (const Hit& hit : uses_.hits) {
      const int group = hit.drawer <= Drawer::kLikely ? 0 : hit.drawer == Drawer::kPossible ? 1 : 2;
      keyed.push_back({group, order_.find(hit.file)->second, hit});
    }
    std::ranges::sort(keyed, {}, [](const Keyed& each) {
      return std::tuple(each.group, each.order, each.hit.offset);
    });
    std::ranges::transform(keyed, uses_.hits.begin(), &Keyed::hit);
    return {};
  }

  Resolver& resolver_;
  store::CodeReader& reader_;
  const std::vector<UsageTarget>& targets_;
  QuotedNames& quoted_names_;
  std::set<Family> families_;
  bool is_one_name_ = true, are_modules_ = false;
  std::unordered_map<store::FileId, std::map<std::uint32_t, Hit>> places_;  // by offset
  std::vector<Hit> renamed_;
  std::unordered_map<store::FileId, std::uint32_t> order_;
  AccountedUses uses_;
};

}  // namespace

Result<AccountedUses> account_for(Resolver& resolver, store::CodeReader& reader,
                                  const UsageSearch& search, const std::vector<Usage>& usages,
                                  QuotedNames& quoted_names) {
  return Account(resolver, reader, search.targets(), quoted_names).make(search, usages);
}

}  // namespace codexmem::graph

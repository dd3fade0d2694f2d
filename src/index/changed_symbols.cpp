// Tested by index/changed_symbols_test.cpp.
#include "index/changed_symbols.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/file.h"
#include "index/decode.h"
#include "parse/code_tokens.h"
#include "parse/extract.h"
#include "parse/languages.h"
#include "text/line_index.h"
#include "text/text_hash.h"

namespace codexmem::index {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

// Of a larger change the first files are read: each takes some ten milliseconds.
constexpr std::size_t kMostFiles = 500;

// Code of fewer tokens is too often the same by chance to be taken for code that has moved.
constexpr std::size_t kFewTokens = 8;

bool is_scope(SymbolType type) {
  return type != SymbolType::kVariable && type != SymbolType::kProperty;
}

// The tokens of a definition that stand in none inside of it, but for its name.
struct Print {
  std::uint64_t signature = 0, body = 0;
  std::size_t tokens = 0;

  bool operator==(const Print&) const = default;
};

std::uint64_t mix(std::uint64_t sum, std::string_view token) {
  return (sum ^ hash_text(token)) * 0x9E3779B97F4A7C15U;
}

// One state of a file.
struct State {
  std::string text;
  parse::FileFacts facts;
  std::vector<Print> prints;  // by symbol
  std::uint64_t top_level = 0;
};

// The text of every token, where it belongs. Of what a function assigns to a member, or declares,
// both the member and the function are altered.
void add_prints(State& state, const std::vector<ByteRange>& tokens) {
  const std::vector<parse::Symbol>& symbols = state.facts.symbols;
  state.prints.resize(symbols.size());
  std::vector<std::size_t> by_begin(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) by_begin[i] = i;
  std::ranges::stable_sort(by_begin, [&](std::size_t a, std::size_t b) {
    return std::tuple(symbols[a].range.begin, symbols[b].range.end) <
           std::tuple(symbols[b].range.begin, symbols[a].range.end);
  });
  auto is_import = [&, next = std::size_t{0}](ByteRange token) mutable {
    const auto& imports = state.facts.imports;
    while (next < imports.size() && imports[next].range.end <= token.begin) ++next;
    return next < imports.size() && imports[next].range.contains(token.begin);
  };
  std::vector<std::size_t> open;  // symbols around the token, the outermost first
  std::size_t next = 0;
  for (const ByteRange token : tokens) {
    while (next < by_begin.size() && symbols[by_begin[next]].range.begin <= token.begin) {
      open.push_back(by_begin[next++]);
    }
    std::erase_if(open, [&](std::size_t i) { return symbols[i].range.end <= token.begin; });
    const std::string_view text = std::string_view(state.text).substr(token.begin, token.size());
    const bool import = is_import(token);
    if (open.empty()) {
      if (!import) state.top_level = mix(state.top_level, text);
      continue;
    }
    for (std::size_t i = open.size(); i-- > 0;) {
      const parse::Symbol& symbol = symbols[open[i]];
      Print& print = state.prints[open[i]];
      if (!symbol.name_range.contains(token.begin)) {
        const bool in_signature = is_scope(symbol.type) && symbol.signature.contains(token.begin) &&
                                  !symbol.body.contains(token.begin);
        std::uint64_t& sum = in_signature ? print.signature : print.body;
        sum = mix(sum, text);
        ++print.tokens;
      }
      if (is_scope(symbol.type)) break;
    }
  }
}

using Occurrence = std::pair<std::string, std::size_t>;  // qualified name, which of that name

std::vector<Occurrence> occurrences_of(const std::vector<parse::Symbol>& symbols) {
  std::map<std::string, std::size_t> counts;
  std::vector<Occurrence> found;
  for (const parse::Symbol& symbol : symbols) {
    found.emplace_back(symbol.qualified_name, counts[symbol.qualified_name]++);
  }
  return found;
}

// What stands in one state alone.
struct Loose {
  ChangedSymbol symbol;
  std::string container;
  Print print;
  bool is_taken = false;
};

class Comparison {
 public:
  Comparison(const std::filesystem::path& root, const GitChanges& changes,
             const std::stop_token& stop)
      : root_(root), changes_(changes), stop_(stop) {}

  Result<ChangedCode> run() {
    std::size_t compared = 0;
    for (const GitChange& change : changes_.changes()) {
      if (compared++ < kMostFiles) {
        CODEXMEM_TRY(compare(change));
        continue;
      }
      found_.files.push_back(change.path);
      found_.unread.emplace_back(change.path, "too many files have changed");
    }
    pair_loose();
    for (std::vector<Loose>* const loose : {&removed_, &added_}) {
      for (Loose& one : *loose) {
        if (!one.is_taken) found_.symbols.push_back(std::move(one.symbol));
      }
    }
    take_words();
    std::ranges::sort(found_.symbols, [](const ChangedSymbol& a, const ChangedSymbol& b) {
      return std::tie(a.path, a.line, a.name) < std::tie(b.path, b.line, b.name);
    });
    return std::move(found_);
  }

 private:
  Result<void> compare(const GitChange& change) {
    found_.files.push_back(change.path);
    if (has_binary_extension(change.path)) return {};
    std::optional<std::string> before, after;
    if (change.existed) {
      CODEXMEM_ASSIGN(before, changes_.read_before(change.path));
    }
    if (change.exists && changes_.is_staged()) {
      CODEXMEM_ASSIGN(after, changes_.read_staged(change.path));
    } else if (change.exists) {
      auto bytes = read_file(root_ / change.path, kMostBytes);
      if (!bytes.ok()) {
        found_.unread.emplace_back(change.path, bytes.error().message());
        return {};
      }
      after = *std::move(bytes);
    }
    std::string why;
    CODEXMEM_ASSIGN(const auto old_state, read(change.path, std::move(before), why));
    CODEXMEM_ASSIGN(const auto new_state, read(change.path, std::move(after), why));
    if (!why.empty()) {
      found_.unread.emplace_back(change.path, why);
      return {};
    }
    count_words(old_state, -1);
    count_words(new_state, 1);
    const std::size_t before_count = found_.symbols.size() + removed_.size() + added_.size();
    match(change.path, old_state, new_state);
    const bool is_top =
        (old_state ? old_state->top_level : 0) != (new_state ? new_state->top_level : 0);
    if (is_top) found_.top_level.push_back(change.path);
    const bool is_same = found_.symbols.size() + removed_.size() + added_.size() == before_count;
    if (old_state && new_state && is_same && !is_top &&
        import_paths(*old_state) == import_paths(*new_state)) {
      found_.text_only.push_back(change.path);
    }
    return {};
  }

  // Counts the identifiers of one state; `sign` is -1 for the state before.
  void count_words(const std::optional<State>& state, int sign) {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    constexpr std::size_t kShortest = 4;
    if (!state) return;
    const std::string_view text = state->text;
    for (std::size_t at = text.find_first_of(kLetters); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_not_of(kLetters, at), text.size());
      if (end - at >= kShortest && (text[at] < '0' || text[at] > '9')) {
        WordCount& count = words_[std::string(text.substr(at, end - at))];
        count.all += 1;
        count.difference += sign;
      }
      at = text.find_first_of(kLetters, end);
    }
  }

  void take_words() {
    constexpr std::size_t kMostWords = 40;
    std::vector<std::pair<double, std::string>> ranked;  // least telling last
    for (const auto& [word, count] : words_) {
      if (count.difference == 0) continue;
      ranked.emplace_back(-std::abs(count.difference) / static_cast<double>(count.all), word);
    }
    std::ranges::sort(ranked);
    for (auto& [rank, word] : ranked) {
      if (found_.words.size() == kMostWords) break;
      found_.words.push_back(std::move(word));
    }
  }

  static std::vector<std::string> import_paths(const State& state) {
    std::vector<std::string> paths;
    for (const parse::Import& import : state.facts.imports) {
      paths.push_back(import.path);
      for (const parse::ImportedName& name : import.names) {
        paths.push_back(state.facts.names[name.imported]);
      }
    }
    return paths;
  }

  // Nothing for a state in which there is no file, or for `why`.
  Result<std::optional<State>> read(const std::string& path, std::optional<std::string> bytes,
                                    std::string& why) {
    if (!bytes) return std::optional<State>();
    if (bytes->size() > kMostBytes) {
      why = "larger than 1 MB";
      return std::optional<State>();
    }
    auto decoded = decode_text(*std::move(bytes));
    if (!decoded) {
      why = "not text";
      return std::optional<State>();
    }
    State state{.text = std::move(decoded->text), .facts = {}, .prints = {}};
    const parse::Language* const language = parse::detect_language(path, state.text);
    if (language == nullptr || !language->has_grammar) {
      why = language == nullptr ? "of no language that is known"
                                : fmt::format("{}: no definitions are read", language->name);
      return std::optional<State>();
    }
    CODEXMEM_ASSIGN(state.facts, extractor_.extract(*language, state.text, {}, stop_));
    CODEXMEM_ASSIGN(const auto tokens, parse::code_tokens(*language, state.text, stop_));
    if (!tokens || state.facts.truncated) {
      why = "takes too long to parse";
      return std::optional<State>();
    }
    add_prints(state, *tokens);
    return std::optional(std::move(state));
  }

  static ChangedSymbol told(const std::string& path, const State& state, std::size_t at,
                            SymbolChange change) {
    const parse::Symbol& symbol = state.facts.symbols[at];
    return {.change = change,
            .path = path,
            .name = symbol.qualified_name,
            .type = symbol.type,
            .kind = symbol.kind,
            .line = LineIndex(state.text).line_of(symbol.name_range.begin),
            .is_exported = symbol.exported};
  }

  void match(const std::string& path, const std::optional<State>& before,
             const std::optional<State>& after) {
    static const std::vector<parse::Symbol> kNone;
    const auto& old_symbols = before ? before->facts.symbols : kNone;
    const auto& new_symbols = after ? after->facts.symbols : kNone;
    const auto old_names = occurrences_of(old_symbols), new_names = occurrences_of(new_symbols);
    std::map<Occurrence, std::size_t> known;
    for (std::size_t i = 0; i < new_names.size(); ++i) known.emplace(new_names[i], i);
    std::vector<bool> is_old_loose(old_symbols.size()), is_new_loose(new_symbols.size(), true);
    for (std::size_t i = 0; i < old_symbols.size(); ++i) {
      const auto found = known.find(old_names[i]);
      is_old_loose[i] = found == known.end();
      if (found == known.end()) continue;
      is_new_loose[found->second] = false;
      const Print &then = before->prints[i], &now = after->prints[found->second];
      if (then == now) continue;
      const bool signature = then.signature != now.signature;
      found_.symbols.push_back(told(path, *after, found->second,
                                    signature ? SymbolChange::kSignature : SymbolChange::kBody));
      found_.symbols.back().is_exported |= old_symbols[i].exported;
    }
    if (before) add_loose(path, *before, is_old_loose, SymbolChange::kRemoved, removed_);
    if (after) add_loose(path, *after, is_new_loose, SymbolChange::kAdded, added_);
  }

  static void add_loose(const std::string& path, const State& state,
                        const std::vector<bool>& is_loose, SymbolChange change,
                        std::vector<Loose>& list) {
    const auto& symbols = state.facts.symbols;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t parent = symbols[i].parent;
      if (!is_loose[i] || (parent != parse::kNoIndex && is_loose[parent])) continue;
      list.push_back({told(path, state, i, change),
                      parent == parse::kNoIndex ? "" : symbols[parent].qualified_name,
                      whole_print(state, i)});
    }
  }

  // With what stands inside of it.
  static Print whole_print(const State& state, std::size_t at) {
    Print whole = state.prints[at];
    const ByteRange range = state.facts.symbols[at].range;
    for (std::size_t i = at + 1; i < state.prints.size(); ++i) {
      const parse::Symbol& inner = state.facts.symbols[i];
      if (!range.contains(inner.range)) continue;
      whole.body = mix(whole.body, inner.name);
      whole.body = mix(whole.body, std::to_string(state.prints[i].signature));
      whole.body = mix(whole.body, std::to_string(state.prints[i].body));
      whole.tokens += state.prints[i].tokens;
    }
    return whole;
  }

  // Finds what has only another name or another place.
  void pair_loose() {
    std::multimap<std::uint64_t, Loose*> by_body;
    for (Loose& fresh : added_) by_body.emplace(fresh.print.body, &fresh);
    for (Loose& old : removed_) {
      if (old.print.tokens < kFewTokens) continue;
      Loose* best = nullptr;
      const auto [first, last] = by_body.equal_range(old.print.body);
      for (auto at = first; at != last; ++at) {
        Loose& fresh = *at->second;
        if (fresh.is_taken || fresh.print != old.print || fresh.symbol.type != old.symbol.type) {
          continue;
        }
        const auto worth = [&](const Loose& one) {
          return std::pair(one.symbol.name == old.symbol.name, one.symbol.path == old.symbol.path);
        };
        if (best == nullptr || worth(fresh) > worth(*best)) best = &fresh;
      }
      if (best != nullptr) pair(old, *best);
    }
    // In one place one for one of a kind: it has another name and other code.
    using Place = std::tuple<std::string, std::string, std::string>;
    std::map<Place, std::pair<std::vector<Loose*>, std::vector<Loose*>>> places;
    for (Loose& one : removed_) {
      if (!one.is_taken)
        places[{one.symbol.path, one.container, one.symbol.kind}].first.push_back(&one);
    }
    for (Loose& one : added_) {
      if (!one.is_taken)
        places[{one.symbol.path, one.container, one.symbol.kind}].second.push_back(&one);
    }
    for (auto& [place, both] : places) {
      auto& [gone, come] = both;
      if (gone.size() != 1 || come.size() != 1) continue;
      if (gone.front()->print.signature == come.front()->print.signature &&
          gone.front()->print.tokens >= kFewTokens) {
        pair(*gone.front(), *come.front());
      }
    }
  }

  void pair(Loose& old, Loose& fresh) {
    old.is_taken = fresh.is_taken = true;
    ChangedSymbol symbol = fresh.symbol;
    const bool is_moved = old.symbol.path != symbol.path;
    symbol.change = is_moved ? SymbolChange::kMoved : SymbolChange::kRenamed;
    if (is_moved) symbol.old_path = old.symbol.path;
    symbol.old_name = old.symbol.name;
    symbol.is_exported |= old.symbol.is_exported;
    found_.symbols.push_back(std::move(symbol));
  }

  const std::filesystem::path& root_;
  const GitChanges& changes_;
  const std::stop_token& stop_;
  parse::Extractor extractor_;
  ChangedCode found_;
  std::vector<Loose> removed_, added_;
  struct WordCount {
    int all = 0, difference = 0;
  };
  std::map<std::string, WordCount> words_;
};

}  // namespace

std::string_view symbol_change_name(SymbolChange change) {
  switch (change) {
    case SymbolChange::kAdded:
      return "added";
    case SymbolChange::kRemoved:
      return "removed";
    case SymbolChange::kRenamed:
      return "renamed";
    case SymbolChange::kMoved:
      return "moved";
    case SymbolChange::kSignature:
      return "signature";
    case SymbolChange::kBody:
      break;
  }
  return "body";
}

Result<ChangedCode> find_changed_symbols(const std::filesystem::path& root,
                                         const GitChanges& changes, const std::stop_token& stop) {
  return Comparison(root, changes, stop).run();
}

}  // namespace codexmem::index

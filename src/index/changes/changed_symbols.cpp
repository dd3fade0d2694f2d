// Tested by index/changed_symbols_test.cpp.
#include "index/changes/changed_symbols.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "index/discovery/decode.h"
#include "parse/text/code_tokens.h"
#include "parse/walk/extract.h"
#include "parse/rules/languages.h"
#include "text/line_index.h"
#include "text/text_hash.h"

namespace codexmem::index {
namespace {

constexpr std::uint64_t kMaxChangedBytes = std::uint64_t{1} << 20;
constexpr const char* kTooLarge = "larger than 1 MB, or no file";

// Limit for large changes; files are read in order until it is reached. A megabyte takes a second.
constexpr std::size_t kMaxBytesOfAll = std::size_t{16} << 20;
constexpr std::chrono::seconds kMaxTime{10};

// Shorter code is too often the same by chance to be taken for moved code.
constexpr std::size_t kFewTokens = 8;
// The same for signatures: f() and g() are two functions.
constexpr std::size_t kFewSignatureTokens = 6;
// Maximum number of definitions with the same code that are checked for a match.
constexpr std::size_t kMaxAlike = 16;

bool is_scope(SymbolType type) {
  return type != SymbolType::kVariable && type != SymbolType::kProperty;
}

// The tokens of a definition, except its name and the definitions inside it.
struct Print {
  std::uint64_t signature = 0, body = 0;
  std::size_t tokens = 0, signature_tokens = 0;

  bool operator==(const Print&) const = default;
};

std::uint64_t mix(std::uint64_t sum, std::string_view token) {
  return (sum ^ hash_text(token)) * 0x9E3779B97F4A7C15U;
}

// One state (before or after) of a file.
struct State {
  std::string text;
  parse::FileFacts facts;
  std::vector<Print> prints;  // by symbol
  std::uint64_t top_level = 0;
};

// Assigns every token to its definition. An assignment or declaration of a member in a function
// alters both the member and the function.
void add_prints(State& state, const std::vector<parse::CodeToken>& tokens) {
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
  std::vector<std::size_t> open;  // symbols around the token, outermost first
  std::size_t next = 0;
  for (const parse::CodeToken& one : tokens) {
    const ByteRange token = one.range;
    while (next < by_begin.size() && symbols[by_begin[next]].range.begin <= token.begin) {
      open.push_back(by_begin[next++]);
    }
    std::erase_if(open, [&](std::size_t i) { return symbols[i].range.end <= token.begin; });
    const std::string_view text = std::string_view(state.text).substr(token.begin, token.size());
    const bool import = is_import(token);
    const auto mix_token = [&](std::uint64_t sum) { return mix(sum ^ one.depth, text); };
    if (open.empty()) {
      if (!import) state.top_level = mix_token(state.top_level);
      continue;
    }
    for (std::size_t i = open.size(); i-- > 0;) {
      const parse::Symbol& symbol = symbols[open[i]];
      Print& print = state.prints[open[i]];
      if (!symbol.name_range.contains(token.begin)) {
        const bool in_signature = is_scope(symbol.type) && symbol.signature.contains(token.begin) &&
                                  !symbol.body.contains(token.begin);
        std::uint64_t& sum = in_signature ? print.signature : print.body;
        sum = mix_token(sum);
        ++print.tokens;
        print.signature_tokens += in_signature ? 1U : 0U;
      }
      if (is_scope(symbol.type)) break;
    }
  }
}

// A definition that exists in only one state.
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
    const auto deadline = std::chrono::steady_clock::now() + kMaxTime;
    for (const GitChange& change : changes_.changes()) {
      if (bytes_ < kMaxBytesOfAll && std::chrono::steady_clock::now() < deadline) {
        CODEXMEM_TRY(compare(change));
        continue;
      }
      found_.files.push_back(change.path);
      found_.unread.emplace_back(change.path, "there is too much to read all of it");
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
    const bool is_of_git = !changes_.is_of_work_tree();
    for (const bool is_before : {true, false}) {
      if (is_before ? !change.existed : !change.exists || !is_of_git) continue;
      auto bytes = is_before ? changes_.read_before(change.path) : changes_.read_after(change.path);
      if (!bytes.ok()) {  // a partial clone
        found_.unread.emplace_back(change.path, "git does not have it here");
        return {};
      }
      (is_before ? before : after) = *std::move(bytes);
    }
    if (change.exists && !is_of_git) {
      auto bytes = read_file(root_ / change.path, kMaxChangedBytes);
      if (!bytes.ok()) {
        const bool is_large = bytes.error().code() == ErrorCode::kUnsupported;
        found_.unread.emplace_back(change.path, is_large ? kTooLarge : "cannot be read");
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
    constexpr std::size_t kMaxWords = 40;
    std::vector<std::pair<double, std::string>> ranked;  // rarest change first
    for (const auto& [word, count] : words_) {
      if (count.difference == 0) continue;
      if (count.difference > 0) found_.gained.insert(word);
      ranked.emplace_back(-std::abs(count.difference) / static_cast<double>(count.all), word);
    }
    std::ranges::sort(ranked);
    for (auto& [rank, word] : ranked) {
      if (found_.words.size() == kMaxWords) break;
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

  // The state of a file; nothing if it does not exist, or for the reason in `why`.
  Result<std::optional<State>> read(const std::string& path, std::optional<std::string> bytes,
                                    std::string& why) {
    if (!bytes) return std::optional<State>();
    if (bytes->size() > kMaxChangedBytes) {
      why = kTooLarge;
      return std::optional<State>();
    }
    auto decoded = decode_text(*std::move(bytes));
    if (!decoded) {
      why = "not text";
      return std::optional<State>();
    }
    State state{.text = std::move(decoded->text), .facts = {}, .prints = {}};
    bytes_ += state.text.size();
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

  static ChangedSymbol make_change(const std::string& path, const State& state,
                                   const LineIndex& lines, std::size_t at, SymbolChange change) {
    const parse::Symbol& symbol = state.facts.symbols[at];
    return {.change = change,
            .path = path,
            .name = symbol.qualified_name,
            .type = symbol.type,
            .kind = symbol.kind,
            .line = lines.line_of(symbol.name_range.begin),
            .is_exported = symbol.exported};
  }

  void match(const std::string& path, const std::optional<State>& before,
             const std::optional<State>& after) {
    static const State kNothing;
    const State &old_state = before ? *before : kNothing, &new_state = after ? *after : kNothing;
    const auto &old_symbols = old_state.facts.symbols, &new_symbols = new_state.facts.symbols;
    const LineIndex new_lines(new_state.text);
    std::vector<bool> is_old_loose(old_symbols.size(), true),
        is_new_loose(new_symbols.size(), true);
    const auto pair_up = [&](std::size_t old, std::size_t fresh) {
      is_old_loose[old] = is_new_loose[fresh] = false;
      const Print &then = old_state.prints[old], &now = new_state.prints[fresh];
      if (then == now) return;
      const bool signature = then.signature != now.signature;
      found_.symbols.push_back(
          make_change(path, new_state, new_lines, fresh,
                      signature ? SymbolChange::kSignature : SymbolChange::kBody));
      found_.symbols.back().is_exported |= old_symbols[old].exported;
    };
    std::map<std::string_view, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> names;
    for (std::size_t i = 0; i < old_symbols.size(); ++i) {
      names[old_symbols[i].qualified_name].first.push_back(i);
    }
    for (std::size_t i = 0; i < new_symbols.size(); ++i) {
      names[new_symbols[i].qualified_name].second.push_back(i);
    }
    for (const auto& [name, both] : names) {
      // Among several with one name, match equal ones first, then those with equal signatures, then
      // by order.
      for (int pass = both.first.size() + both.second.size() > 2 ? 0 : 2; pass < 3; ++pass) {
        std::multimap<std::uint64_t, std::size_t> fresh_by_key;
        const auto key_of = [&](const Print& print) {
          return pass == 2   ? std::uint64_t{0}
                 : pass == 1 ? print.signature
                             : print.signature ^ (print.body * 3);
        };
        for (const std::size_t fresh : both.second) {
          if (is_new_loose[fresh]) fresh_by_key.emplace(key_of(new_state.prints[fresh]), fresh);
        }
        for (const std::size_t old : both.first) {
          if (!is_old_loose[old]) continue;
          const auto found = fresh_by_key.find(key_of(old_state.prints[old]));
          if (found == fresh_by_key.end()) continue;
          pair_up(old, found->second);
          fresh_by_key.erase(found);
        }
      }
    }
    const LineIndex old_lines(old_state.text);
    add_loose(path, old_state, old_lines, is_old_loose, SymbolChange::kRemoved, removed_);
    add_loose(path, new_state, new_lines, is_new_loose, SymbolChange::kAdded, added_);
  }

  static void add_loose(const std::string& path, const State& state, const LineIndex& lines,
                        const std::vector<bool>& is_loose, SymbolChange change,
                        std::vector<Loose>& list) {
    const auto& symbols = state.facts.symbols;
    const std::vector<Print> whole = whole_prints(state);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t parent = symbols[i].parent;
      if (!is_loose[i] || (parent != parse::kNoIndex && is_loose[parent])) continue;
      list.push_back({make_change(path, state, lines, i, change),
                      parent == parse::kNoIndex ? "" : symbols[parent].qualified_name, whole[i]});
    }
  }

  // Each definition including the definitions inside it.
  static std::vector<Print> whole_prints(const State& state) {
    std::vector<Print> whole = state.prints;
    for (std::size_t i = whole.size(); i-- > 0;) {
      const parse::Symbol& inner = state.facts.symbols[i];
      if (inner.parent >= i) continue;  // also kNoIndex; parents come first
      Print& outer = whole[inner.parent];
      outer.body = mix(outer.body ^ whole[i].signature ^ (whole[i].body * 3), inner.name);
      outer.tokens += whole[i].tokens;
    }
    return whole;
  }

  // Finds definitions that only have a new name or place.
  void pair_loose() {
    std::map<std::pair<std::uint64_t, std::string>, Loose*> by_name;
    std::multimap<std::uint64_t, Loose*> by_body;
    for (Loose& fresh : added_) {
      by_name.try_emplace({fresh.print.body, fresh.symbol.name}, &fresh);
      by_body.emplace(fresh.print.body, &fresh);
    }
    for (Loose& old : removed_) {
      const auto fits = [&](const Loose& fresh) {
        return !fresh.is_taken && fresh.print == old.print && fresh.symbol.type == old.symbol.type;
      };
      const auto same_name = by_name.find({old.print.body, old.symbol.name});
      Loose* best =
          same_name != by_name.end() && fits(*same_name->second) ? same_name->second : nullptr;
      auto [at, last] = by_body.equal_range(old.print.body);
      if (old.print.tokens < kFewTokens) at = last;
      for (std::size_t seen = 0; best == nullptr && at != last && seen < kMaxAlike; ++seen) {
        if (fits(*at->second)) best = at->second;
        at = at->second->is_taken || best != nullptr ? by_body.erase(at) : std::next(at);
      }
      if (best != nullptr) pair(old, *best);
    }
    // One removed and one added of a kind in the same place: renamed and changed.
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
      if (is_scope(gone.front()->symbol.type) &&
          gone.front()->print.signature == come.front()->print.signature &&
          gone.front()->print.signature_tokens >= kFewSignatureTokens) {
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
  std::size_t bytes_ = 0;  // bytes read, of both states
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

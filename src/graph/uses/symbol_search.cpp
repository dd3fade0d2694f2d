// Exact names come from an index of the store; only without an exact match are all distinct names
// scanned, each scored by its best match with the query. Near names (edit distance) are never
// results, since they are other symbols. A scan of 100,000 names takes about ten milliseconds.
// Tested by graph/symbol_search_test.cpp.
#include "graph/uses/symbol_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "config/path_kind.h"
#include "base/ascii.h"
#include "base/text.h"
#include "graph/uses/neighbours.h"
#include "graph/core/code_text.h"
#include "graph/core/project_tree.h"
#include "graph/stored/qualified_name.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxNearNames = 5;
constexpr double kIgnoreCaseScore = 0.95;  // as NameQuery gives

// A bit for each letter, digit class and other sign of `name`: names whose bits differ in more than
// twice n places are more than n edits apart.
std::uint32_t letters_of(std::string_view name) {
  std::uint32_t letters = 0;
  for (const char c : name) {
    const char small = to_lower(c);
    const unsigned bit = small >= 'a' && small <= 'z'   ? static_cast<unsigned>(small - 'a')
                         : small >= '0' && small <= '9' ? 26U
                                                        : 27U;
    letters |= 1U << bit;
  }
  return letters;
}

// Rows with the file that each is in.
class Files {
 public:
  explicit Files(store::CodeReader& reader) : reader_(reader) {}

  Result<const store::FileRow*> get(store::FileId id) {
    const auto known = rows_.find(id);
    if (known != rows_.end()) return &known->second;
    CODEXMEM_ASSIGN(auto row, reader_.find_file(id));
    if (!row) return static_cast<const store::FileRow*>(nullptr);
    return &rows_.emplace(id, std::move(*row)).first->second;
  }

 private:
  store::CodeReader& reader_;
  std::unordered_map<store::FileId, store::FileRow> rows_;
};

bool is_configuration_language(std::string_view name) {
  const parse::Language* const language = parse::find_language(name);
  return language != nullptr && language->is_configuration;
}

// Python's `X: TypeAlias = ...` is a type and a variable.
bool is_of_type(const store::SymbolRow& row, SymbolType wanted) {
  return row.type == wanted ||
         (wanted == SymbolType::kVariable && row.type == SymbolType::kType && row.kind == "alias");
}

struct SymbolSearch {
  store::CodeReader& reader;
  const SymbolQuery& query;
  QualifiedName wanted;
  std::optional<store::FileId> file;
  Files files;
  std::vector<SymbolMatch> found;
  std::size_t more_names = 0;                // near ones whose symbols were not read
  std::vector<SymbolType> other_types = {};  // of symbols that only the type excludes
  bool is_within = false;                    // take QualifiedName::matches_within()
  bool takes_keys = true;                    // of configuration

  Result<void> add(std::vector<store::SymbolRow> rows, NameMatch match, double score) {
    for (store::SymbolRow& row : rows) {
      const bool is_wanted = !query.type || is_of_type(row, *query.type);
      if (!is_wanted && match != NameMatch::kExact) continue;
      const store::FileId id = store::file_of(row.id);
      if (file && id != *file) continue;
      CODEXMEM_ASSIGN(const store::FileRow* owner, files.get(id));
      if (owner == nullptr || (!takes_keys && is_configuration_language(owner->language))) continue;
      const Family family = family_of(owner->language);
      if (!(is_within ? wanted.matches_within(row.container, owner->path, family)
                      : wanted.matches(row.container, owner->path, family))) {
        continue;
      }
      if (!is_wanted) {
        if (std::find(other_types.begin(), other_types.end(), row.type) == other_types.end()) {
          other_types.push_back(row.type);
        }
        continue;
      }
      found.push_back({std::move(row), owner->path, owner->language, score, match});
    }
    return {};
  }

  // Leaves the overloads whose parameters have the types asked for.
  Result<void> choose_overloads() {
    for (SymbolMatch& match : found) {
      if (!semantics_of(family_of(match.language)).traits().overloads_are_distinct) return {};
      CODEXMEM_TRY(reader.read_texts({&match.symbol, 1}));
    }
    std::erase_if(found, [&](const SymbolMatch& match) {
      const std::string_view written = match.symbol.signature;
      const std::size_t name = written.find(match.symbol.name + "(");
      if (name == std::string_view::npos) return true;
      const std::size_t begin = name + match.symbol.name.size() + 1;
      std::size_t end = begin;
      for (int depth = 1; end < written.size(); ++end) {
        if (written[end] == '(') ++depth;
        if (written[end] == ')' && --depth == 0) break;
      }
      return parameter_types(written.substr(begin, end - begin)) != wanted.parameters;
    });
    return {};
  }

  Result<void> add_fuzzy() {
    const NameQuery fuzzy(wanted.name);
    struct Scored {
      std::string name;
      NameMatch match;
      double score;
    };
    std::vector<Scored> scored;
    CODEXMEM_TRY(reader.visit_symbol_names([&](std::string_view name) {
      if (const auto match = fuzzy.match(name)) {
        scored.push_back({std::string(name), match->first, match->second});
      }
    }));
    std::ranges::sort(scored, [](const Scored& a, const Scored& b) {
      return std::tie(b.score, a.name) < std::tie(a.score, b.name);
    });
    const auto doubled =
        std::unique(scored.begin(), scored.end(),
                    [](const Scored& a, const Scored& b) { return a.name == b.name; });
    scored.erase(doubled, scored.end());
    // The definitions of names that answer equally well are put in order together, so that a larger
    // limit adds to what a smaller one gives and changes nothing of it.
    for (std::size_t i = 0; i < scored.size(); ++i) {
      const bool is_worse = i > 0 && scored[i].score < scored[i - 1].score;
      const bool is_enough = found.size() >= std::min(query.limit, query.near_limit);
      if (is_enough && is_worse && !file && !query.type) {
        more_names = scored.size() - i;
        break;
      }
      CODEXMEM_ASSIGN(auto rows, reader.list_symbols_named(scored[i].name));
      CODEXMEM_TRY(add(std::move(rows), scored[i].match, scored[i].score));
    }
    return {};
  }
};

void sort_matches(std::vector<SymbolMatch>& matches) {
  const auto key = [](const SymbolMatch& match) {
    // Prototypes come after definitions, keys of configuration last.
    return std::make_tuple(is_configuration_language(match.language), -match.score,
                           is_prototype(match.symbol), !match.symbol.exported,
                           is_secondary_path(match.path), std::string_view(match.path),
                           match.symbol.name_start.line);
  };
  std::stable_sort(matches.begin(), matches.end(),
                   [&](const SymbolMatch& a, const SymbolMatch& b) { return key(a) < key(b); });
}

Result<std::vector<std::string>> suggest(store::CodeReader& reader, const std::string& name,
                                         const std::vector<SymbolMatch>& found) {
  std::unordered_set<std::string_view> shown;
  for (const SymbolMatch& match : found) shown.insert(match.symbol.name);
  std::vector<std::pair<std::size_t, std::string>> near;
  if (!found.empty()) {
    CODEXMEM_ASSIGN(auto rows, reader.list_symbols_named_ignoring_case(name));
    for (store::SymbolRow& row : rows) {
      if (!shown.contains(row.name)) near.emplace_back(0, std::move(row.name));
    }
  } else {
    const std::string wanted = to_lower_ascii(name);
    const std::size_t bound = std::max<std::size_t>(1, name.size() / 3);
    const std::uint32_t letters = letters_of(name);
    CODEXMEM_TRY(reader.visit_symbol_names([&](std::string_view candidate) {
      const std::size_t shorter = std::min(candidate.size(), wanted.size());
      if (candidate.size() + wanted.size() - 2 * shorter > bound ||
          static_cast<std::size_t>(std::popcount(letters ^ letters_of(candidate))) > 2 * bound) {
        return;
      }
      const std::size_t distance = edit_distance(wanted, to_lower_ascii(candidate));
      // Of short names one letter makes another word: a constant is near another constant only.
      const bool is_other_kind = bound == 1 && is_upper_name(name) != is_upper_name(candidate);
      if (distance <= (is_other_kind ? 0 : bound)) near.emplace_back(distance, candidate);
    }));
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> suggestions;
  for (auto& [distance, candidate] : near) {
    if (suggestions.size() == kMaxNearNames) break;
    if (suggestions.empty() || suggestions.back() != candidate) {
      suggestions.push_back(std::move(candidate));
    }
  }
  return suggestions;
}

}  // namespace

Error several_definitions(std::string_view name, std::vector<std::string> wholes) {
  constexpr std::size_t kMaxNamed = 5;
  const std::size_t all = wholes.size();
  wholes.resize(std::min(all, kMaxNamed));
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} definitions are called \"{}\": name one, as {}{}", all, name,
                           join(wholes, ", "), all > wholes.size() ? ", ..." : "")};
}

Result<std::optional<std::string>> find_nearest_path(store::CodeReader& reader,
                                                     std::string_view path) {
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  const std::string_view name = file_name(path);
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const store::FileRow& file : files) {
    if (file_name(file.path) != name) continue;
    const std::size_t distance = edit_distance(path, file.path);
    if (!best || distance < best_distance) {
      best = file.path;
      best_distance = distance;
    }
  }
  if (best) return best;
  std::vector<std::string> paths, names;
  for (const store::FileRow& file : files) {
    // Edits cost the product of the lengths: those that cannot be near are not compared.
    const std::size_t shorter = std::min(file.path.size(), path.size());
    if (file.path.size() + path.size() - 2 * shorter <= path.size() / 3) paths.push_back(file.path);
    names.emplace_back(file_name(file.path));
  }
  if (auto near = nearest(path, paths); near) return near;
  // Elsewhere: a name that is nearly the same, or differs only in its extension.
  const auto stem = [](std::string_view file) { return file.substr(0, file.find('.', 1)); };
  const auto near = nearest(name, names);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (near ? names[i] == *near : stem(names[i]) == stem(name))
      return std::optional(files[i].path);
  }
  return std::optional<std::string>();
}

namespace {

// The note of why `path` is not indexed: its own, or of a folder above it.
Result<std::optional<store::SkippedFile>> find_skipped(store::CodeReader& reader,
                                                       std::string_view path) {
  CODEXMEM_ASSIGN(auto skipped, reader.find_skipped(path));
  for (std::size_t slash = path.rfind('/'); !skipped && slash != std::string_view::npos;
       slash = slash == 0 ? std::string_view::npos : path.rfind('/', slash - 1)) {
    CODEXMEM_ASSIGN(skipped, reader.find_skipped(path.substr(0, slash + 1)));
  }
  return skipped;
}

}  // namespace

Result<store::FileRow> get_indexed_file(store::CodeReader& reader, std::string_view path) {
  CODEXMEM_ASSIGN(auto file, reader.find_file(path));
  if (file) return std::move(*file);
  CODEXMEM_ASSIGN(const auto skipped, find_skipped(reader, path));
  if (skipped) {
    std::string reason = std::string(path) + " is not indexed: " + skipped->reason;
    if (!skipped->detail.empty()) reason += " (" + skipped->detail + ")";
    return Error{ErrorCode::kNotFound, std::move(reason)};
  }
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  const std::string folder = std::string(path) + "/";
  if (std::ranges::any_of(files, [&](const auto& row) { return row.path.starts_with(folder); })) {
    return Error{ErrorCode::kInvalidArgument,
                 "'" + std::string(path) + "' is a folder; name one of its files"};
  }
  CODEXMEM_ASSIGN(const auto near, find_nearest_path(reader, path));
  std::string message = "no indexed file is called '" + std::string(path) + "'";
  if (near) message += "; the nearest is '" + *near + "'";
  return Error{ErrorCode::kNotFound, std::move(message)};
}

Result<SymbolAnswer> find_symbols(store::CodeReader& reader, const SymbolQuery& query) {
  SymbolSearch search{
      reader, query, parse_qualified_name(query.symbol), std::nullopt, Files(reader), {}, {}};
  if (search.wanted.name.empty()) {
    return Error{ErrorCode::kInvalidArgument, "find_symbols: the symbol's name is empty"};
  }
  if (query.limit == 0) return Error{ErrorCode::kInvalidArgument, "find_symbols: limit is 0"};
  if (query.file_path) {
    CODEXMEM_ASSIGN(const store::FileRow file, get_indexed_file(reader, *query.file_path));
    search.file = file.id;
  }
  for (search.is_within = false;; search.is_within = true) {
    CODEXMEM_ASSIGN(auto exact, reader.list_symbols_named(search.wanted.name));
    CODEXMEM_TRY(search.add(std::move(exact), NameMatch::kExact, 1.0));
    if (search.is_within || !search.found.empty() || !search.other_types.empty() ||
        search.wanted.qualifiers.empty()) {
      break;
    }
  }
  search.is_within = false;
  if (!search.wanted.parameters.empty()) CODEXMEM_TRY(search.choose_overloads());
  if (search.found.empty() && search.other_types.empty() && !search.wanted.is_plain()) {
    // A name that holds a separator itself: a quoted member, a module of that name.
    const std::string whole(trim(query.symbol));
    CODEXMEM_ASSIGN(auto rows, reader.list_symbols_named(whole));
    if (!rows.empty()) {
      search.wanted = QualifiedName{whole, {}, {}, {}};
      CODEXMEM_TRY(search.add(std::move(rows), NameMatch::kExact, 1.0));
    }
  }
  // (A name that exists has no stand-in: it is of another type.)
  if (!search.found.empty() && search.wanted.is_plain() &&
      std::ranges::all_of(search.found, [](const SymbolMatch& match) {
        return is_configuration_language(match.language);
      })) {
    // A name in code that differs only in case is more likely wanted than a configuration key.
    search.takes_keys = false;
    CODEXMEM_ASSIGN(auto rows, reader.list_symbols_named_ignoring_case(search.wanted.name));
    CODEXMEM_TRY(search.add(std::move(rows), NameMatch::kIgnoreCase, kIgnoreCaseScore));
  }
  // Keys of configuration are near names only where code has none.
  for (const bool takes_keys : {false, true}) {
    search.takes_keys = takes_keys;
    if (search.found.empty() && search.other_types.empty()) CODEXMEM_TRY(search.add_fuzzy());
  }

  SymbolAnswer answer;
  sort_matches(search.found);
  answer.total = search.found.size() + search.more_names;
  if (search.found.empty()) answer.other_types = std::move(search.other_types);
  if (search.found.size() > query.limit) {
    search.found.erase(search.found.begin() + static_cast<std::ptrdiff_t>(query.limit),
                       search.found.end());
  }
  CODEXMEM_ASSIGN(answer.suggestions, suggest(reader, search.wanted.name, search.found));
  answer.results = std::move(search.found);
  return answer;
}

std::string build_condition(std::string_view language, std::string_view path,
                            std::string_view text) {
  return semantics_of(family_of(language)).build_condition(path, text);
}

Result<std::vector<SymbolMatch>> find_inherited(FactsCache& cache, store::CodeReader& reader,
                                                const SymbolQuery& query) {
  constexpr std::size_t kMaxClasses = 20, kMaxSupertypes = 100;  // looked at
  std::vector<SymbolMatch> found;
  const QualifiedName wanted = parse_qualified_name(query.symbol);
  if (wanted.qualifiers.empty() || query.file_path) return found;
  SymbolQuery owner{.symbol = join(wanted.qualifiers, "."), .limit = kMaxClasses};
  if (!wanted.path.empty()) owner.symbol = wanted.path + "::" + owner.symbol;
  CODEXMEM_ASSIGN(const SymbolAnswer owners, find_symbols(reader, owner));
  CODEXMEM_ASSIGN(const auto members, reader.list_symbols_named(wanted.name));
  std::unordered_set<store::SymbolId> taken;
  const Surroundings around(cache, reader);
  for (const SymbolMatch& start : owners.results) {
    if (start.match != NameMatch::kExact ||
        (start.symbol.type != SymbolType::kClass && start.symbol.type != SymbolType::kInterface)) {
      continue;
    }
    std::unordered_set<store::SymbolId> seen = {start.symbol.id};
    std::vector<store::SymbolId> level = {start.symbol.id};
    for (bool has_member = false; !level.empty() && !has_member && seen.size() < kMaxSupertypes;) {
      std::vector<store::SymbolId> next;
      for (const store::SymbolId type : level) {
        CODEXMEM_ASSIGN(const auto supertypes, list_supertypes(around, type, kMaxSupertypes));
        for (const Neighbour& supertype : supertypes) {
          if (!seen.insert(supertype.symbol.id).second) continue;
          next.push_back(supertype.symbol.id);
          for (const store::SymbolRow& member : members) {
            if (store::file_of(member.id) != store::file_of(supertype.symbol.id) ||
                member.container != supertype.symbol.qualified_name() ||
                (query.type && !is_of_type(member, *query.type))) {
              continue;
            }
            has_member = true;
            if (!taken.insert(member.id).second) continue;
            CODEXMEM_ASSIGN(const auto file, reader.find_file(store::file_of(member.id)));
            if (!file) continue;
            found.push_back({member, file->path, file->language, 0.98, NameMatch::kInherited});
          }
        }
      }
      level = std::move(next);
    }
  }
  sort_matches(found);
  return found;
}

}  // namespace codexmem::graph

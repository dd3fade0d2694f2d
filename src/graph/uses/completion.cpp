// Every name is checked: 100,000 names take about ten milliseconds, and an index of our own would
// have to be kept up to date. With millions of names, the store's index by name finds those that
// begin with the typed text. Tested by graph/completion_test.cpp.
#include "graph/uses/completion.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "config/path_kind.h"
#include "base/text.h"
#include "graph/uses/name_match.h"
#include "graph/core/project_tree.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {

struct Completer::Names {
  std::filesystem::path root;
  std::uint64_t epoch = 0;
  std::int64_t generation = 0;
  std::vector<std::string> paths;
  std::optional<std::vector<std::string>> symbols;  // none: too many to be kept
};

namespace {

constexpr std::size_t kMinPart = 3;  // letters inside of a name

// Best first: the smaller of each.
struct CompletionCandidate {
  double rank = 0;
  bool is_aside = false;   // a test, a private name
  std::size_t extent = 0;  // depth of a path, length of a name
  std::string_view text;

  auto key() const { return std::tie(rank, is_aside, extent, text); }
};

Completions best_of(std::vector<CompletionCandidate> found, std::size_t limit,
                    std::string_view before = {}) {
  Completions answer;
  answer.total = found.size();
  const auto kept = found.begin() + static_cast<std::ptrdiff_t>(std::min(limit, found.size()));
  std::partial_sort(
      found.begin(), kept, found.end(),
      [](const CompletionCandidate& a, const CompletionCandidate& b) { return a.key() < b.key(); });
  for (auto each = found.begin(); each != kept; ++each) {
    answer.values.push_back(std::string(before) + std::string(each->text));
  }
  return answer;
}

// 0 is best; nothing: no match.
std::optional<double> rank_path(std::string_view path, const std::string& lower,
                                const NameQuery& query) {
  if (starts_with_ignoring_case(path, lower)) return path.size() == lower.size() ? 0 : 1;
  const std::string_view name = file_name(path);
  if (starts_with_ignoring_case(name, lower)) return 2;
  if (contains_ignoring_case(path, lower)) {
    return contains_ignoring_case(path, "/" + lower) ? 3 : 4;
  }
  const std::string_view stem = name.substr(0, name.rfind('.'));
  if (const auto match = query.match(stem)) return 6 - match->second;
  return std::nullopt;
}

// True if `name` begins with `lower`, ASCII case and underscores aside.
bool begins_with_letters(std::string_view name, std::string_view lower) {
  std::size_t matched = 0;
  for (std::size_t at = 0; at < name.size() && matched < lower.size(); ++at) {
    if (to_lower(name[at]) == lower[matched]) {
      ++matched;
    } else if (name[at] != '_') {
      return false;
    }
  }
  return matched == lower.size();
}

// True if a word of `name` other than the first begins with `lower`: batchlink in httpBatchLink and
// http_batch_link.
bool has_words(std::string_view name, std::string_view lower) {
  for (std::size_t at = 1; at + lower.size() <= name.size(); ++at) {
    const bool begins = !is_alnum(name[at - 1]) || (is_upper(name[at]) && !is_upper(name[at - 1]));
    if (begins && begins_with_letters(name.substr(at), lower)) return true;
  }
  return false;
}

std::optional<double> rank_name(std::string_view name, const std::string& lower,
                                const NameQuery& query) {
  if (lower.size() < 2 && starts_with_ignoring_case(name, lower)) return 0;
  if (const auto match = query.match(name)) return 1 - match->second;
  if (lower.size() >= kMinPart && has_words(name, lower)) return 1;
  return std::nullopt;
}

constexpr double kOtherCase = 0.02;
constexpr std::size_t kMaxAtOnce = 10'000;  // names that are not kept

std::vector<CompletionCandidate> rank_names(const std::vector<std::string>& names,
                                            std::string_view typed) {
  const std::string lower = to_lower_ascii(typed);
  const NameQuery query(typed);
  std::vector<CompletionCandidate> found;
  for (const std::string& name : names) {
    const auto rank = rank_name(name, lower, query);
    if (!rank) continue;
    // Unlikely to be wanted: private names, and names of one letter while little is typed.
    const bool is_aside = name.starts_with('_') || (typed.size() < 2 && name.size() < 3);
    const double other_case = name.starts_with(typed) ? 0 : kOtherCase;
    found.push_back({*rank + other_case, is_aside, name.size(), name});
  }
  return found;
}

// Where the last part of a qualified name begins: after the last ".", "#" or "::".
std::size_t last_part(std::string_view typed) {
  const std::size_t dot = typed.find_last_of(".#");
  const std::size_t colons = typed.rfind("::");
  return std::max(dot == std::string_view::npos ? 0 : dot + 1,
                  colons == std::string_view::npos ? 0 : colons + 2);
}

// Names of the symbols defined in the file or the type `owner`.
Result<std::vector<std::string>> list_members(store::CodeReader& reader, const std::string& owner) {
  constexpr std::size_t kMaxOwners = 20;
  std::vector<std::string> names;
  CODEXMEM_ASSIGN(const auto file, reader.find_file(owner));
  if (file) {
    CODEXMEM_ASSIGN(const auto rows, reader.list_symbols(file->id));
    for (const auto& row : rows) names.push_back(row.qualified_name());
  } else {
    CODEXMEM_ASSIGN(const auto owners,
                    find_symbols(reader, {.symbol = owner, .limit = kMaxOwners}));
    for (const SymbolMatch& match : owners.results) {
      if (match.match != NameMatch::kExact) continue;
      CODEXMEM_ASSIGN(const auto rows, reader.list_symbols(store::file_of(match.symbol.id)));
      for (const auto& row : rows) {
        if (row.container == match.symbol.qualified_name()) names.push_back(row.name);
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Completer::Completer(std::int64_t most_symbols) : most_symbols_(most_symbols) {}
Completer::~Completer() = default;

Result<std::shared_ptr<const Completer::Names>> Completer::names(store::Workspace& workspace,
                                                                 store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  const std::uint64_t epoch = workspace.epoch();
  {
    const std::lock_guard lock(mutex_);
    if (names_ != nullptr && names_->generation == generation && names_->epoch == epoch &&
        names_->root == workspace.root()) {
      return names_;
    }
  }
  auto fresh = std::make_shared<Names>();
  fresh->root = workspace.root();
  fresh->epoch = epoch;
  fresh->generation = generation;
  CODEXMEM_ASSIGN(auto files, reader.list_files());
  for (store::FileRow& file : files) fresh->paths.push_back(std::move(file.path));
  CODEXMEM_ASSIGN(const store::StoreCounts counts, reader.counts());
  if (counts.symbols <= most_symbols_) {
    CODEXMEM_ASSIGN(fresh->symbols, reader.list_symbol_names());
  }
  const std::lock_guard lock(mutex_);
  names_ = fresh;
  return std::shared_ptr<const Names>(std::move(fresh));
}

Result<Completions> Completer::paths(store::Workspace& workspace, std::string_view typed,
                                     std::size_t limit) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto all, names(workspace, *reader));
  const std::string lower = to_lower_ascii(typed);
  const NameQuery query(typed);
  std::vector<CompletionCandidate> found;
  for (const std::string& path : all->paths) {
    const auto rank = rank_path(path, lower, query);
    if (!rank) continue;
    const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    found.push_back({*rank, is_secondary_path(path), depth, path});
  }
  return best_of(std::move(found), limit);
}

Result<Completions> Completer::symbols(store::Workspace& workspace, std::string_view typed,
                                       std::size_t limit) {
  if (typed.find('/') != std::string_view::npos && typed.find("::") == std::string_view::npos) {
    CODEXMEM_ASSIGN(Completions files, paths(workspace, typed, limit));
    for (std::string& path : files.values) path += "::";
    return files;
  }
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  if (const std::size_t at = last_part(typed); at > 0) {
    const std::string_view before = typed.substr(0, at);
    const std::string owner(before.substr(0, before.find_last_not_of(".#:") + 1));
    if (!owner.empty()) {
      CODEXMEM_ASSIGN(const auto members, list_members(*reader, owner));
      return best_of(rank_names(members, typed.substr(at)), limit, before);
    }
  }
  CODEXMEM_ASSIGN(const auto all, names(workspace, *reader));
  if (all->symbols) return best_of(rank_names(*all->symbols, typed), limit);
  CODEXMEM_ASSIGN(const auto some, reader->list_symbol_names(typed, kMaxAtOnce));
  return best_of(rank_names(some, typed), limit);
}

}  // namespace codexmem::graph

// All definitions are assumed unused; definitions that used code names are removed from the list
// until nothing changes. A use inside of a definition that is still assumed unused does not count,
// so code that only unused code uses, even in cycles, is unused.
//
// Uses are matched by name, for speed: resolving every use of every definition would take minutes.
// A name is looked up in the scopes of its file only, which separates locals and definitions of
// that file from others; when that does not decide, all definitions of the name count as used. So
// unused code that shares its name with used code is missed, and the list can be trusted.
//
// One pass over the texts that hold a rare name, a look at the facts and one at the rest of the
// text: names in strings, templates and configuration are reasons to doubt.
//
// Tested by git/unused_test.py; precision is measured in bench/unused.md.
#include "graph/unused/unused_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/symbol_type.h"
#include "graph/unused/unused_candidates.h"
#include "graph/unused/unused_doubts.h"
#include "graph/unused/unused_names.h"
#include "store/code/united_reader.h"
#include "text/counted.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxUsers = 3, kMaxReasons = 5;

// Removes definitions that used code names, and definitions that those name in turn.
void drop_used(UnusedCandidates& candidates) {
  struct Use {
    const NamedAlike* named;
    const NameHit* hit;
  };
  // By each of the definitions around it.
  std::unordered_map<std::uint32_t, std::vector<Use>> uses;
  for (const auto& [name, named] : candidates.names) {
    for (const NameHit& hit : named.hits) {
      if (hit.kind != NameHitKind::kUse) continue;
      for (std::uint32_t at = hit.inside; at != kNoIndex; at = candidates.all[at].outer) {
        uses[at].push_back({&named, &hit});
      }
    }
  }
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < candidates.all.size(); ++i) {
    if (candidates.all[i].is_used) left.push_back(i);
  }
  while (!left.empty()) {
    const auto held = uses.find(left.back());
    left.pop_back();
    if (held == uses.end()) continue;
    for (const Use& use : held->second) {
      if (candidates.unused_around(*use.hit) != kNoIndex) continue;
      for (const std::uint32_t each : use.named->definitions) {
        if (candidates.all[each].is_used) continue;
        if (use.hit->meant != kNoIndex && use.hit->meant != each) continue;
        if (!candidates.may_mean(use.hit->file, each)) continue;
        candidates.all[each].is_used = true;
        left.push_back(each);
      }
    }
  }
}

// A part of another unused definition is not listed.
bool is_listed(const UnusedCandidates& candidates, const UnusedCandidate& candidate) {
  if (candidate.is_used) return false;
  for (std::uint32_t at = candidate.outer; at != kNoIndex; at = candidates.all[at].outer) {
    if (!candidates.all[at].is_used) return false;
  }
  return true;
}

std::string why_certain(const UnusedCandidate& candidate) {
  const UseAccount& account = *candidate.account;
  const std::size_t apart = account[Drawer::kOther] + account[Drawer::kText];
  return fmt::format(
      "private, {} names it{}, and nothing with its name is unread",
      candidate.users.empty() ? "nothing" : "only unused code",
      apart == 0 ? ""
                 : fmt::format(" ({} of its name mean something else)", counted(apart, "place")));
}

UnusedSymbol unused_symbol(const UnusedCandidates& candidates, const UnusedCandidate& candidate) {
  UnusedSymbol symbol;
  symbol.symbol = candidate.row;
  symbol.path = candidates.row_of(candidate.file).path;
  symbol.lines = candidate.row.end.line - candidate.row.start.line + 1;
  symbol.certainty = candidate.certainty;
  symbol.account = candidate.account;
  if (symbol.certainty == UnusedCertainty::kCertain && symbol.account) {
    symbol.why = why_certain(candidate);
  }
  auto doubts = candidate.doubts;
  for (const std::uint32_t user : candidate.users) {
    const UnusedCandidate& each = candidates.all[user];
    if (symbol.users.size() < kMaxUsers) symbol.users.push_back(each.row.qualified_name());
    if (each.certainty == candidate.certainty && each.certainty != UnusedCertainty::kCertain) {
      doubts.emplace_back(each.certainty, fmt::format("{}, which uses it, is {} to be unused",
                                                      each.row.qualified_name(),
                                                      unused_certainty_name(each.certainty)));
    }
  }
  std::ranges::stable_sort(doubts, {}, [](const auto& one) { return one.first; });
  doubts.resize(std::min(doubts.size(), kMaxReasons));
  for (auto& [certainty, reason] : doubts) symbol.reasons.push_back(std::move(reason));
  return symbol;
}

// The prototypes of functions of the same repository that are listed are not.
void drop_prototypes(std::vector<UnusedSymbol>& symbols) {
  const auto key_of = [](const UnusedSymbol& each) {
    const auto split = store::split_united_path(each.path);
    return std::pair(std::string(split ? split->name : ""), each.symbol.qualified_name());
  };
  std::set<std::pair<std::string, std::string>> defined;
  for (const UnusedSymbol& each : symbols) {
    if (!is_prototype(each.symbol)) defined.insert(key_of(each));
  }
  std::erase_if(symbols, [&](const UnusedSymbol& each) {
    return is_prototype(each.symbol) && defined.contains(key_of(each));
  });
}

// How many places in unused code use `named`.
std::size_t count_unused_users(const UnusedCandidates& candidates, const NamedAlike& named) {
  return static_cast<std::size_t>(std::ranges::count_if(named.hits, [&](const NameHit& hit) {
    return hit.kind == NameHitKind::kUse && candidates.unused_around(hit) != kNoIndex;
  }));
}

// What seems certain is only likely where a place of the name may be a use, was not read, or is a
// use that its scope hid.
Result<void> account_for_certain(UnusedCandidates& candidates, FactsCache& cache,
                                 store::CodeReader& reader, const std::stop_token& stop) {
  for (UnusedCandidate& each : candidates.all) {
    if (each.certainty != UnusedCertainty::kCertain || !is_listed(candidates, each)) continue;
    CODEXMEM_ASSIGN(each.account, account_uses(cache, reader, {each.row.id}, stop));
    std::size_t explained = 0;
    for (const NamedAlike* named : each.names) explained += count_unused_users(candidates, *named);
    // (Methods written apart from their type name it, and do not use it.)
    const std::size_t uses = is_type(each.row.type) ? 0 : (*each.account)[Drawer::kCertain];
    const std::size_t open = each.account->open() + (uses > explained ? uses - explained : 0);
    if (open == 0) continue;
    each.certainty = UnusedCertainty::kLikely;
    each.doubts.emplace_back(each.certainty,
                             fmt::format("{} with its name may mean it", counted(open, "place")));
  }
  doubt_by_users(candidates);
  return {};
}

}  // namespace

std::string_view unused_certainty_name(UnusedCertainty certainty) {
  constexpr std::array<std::string_view, 3> kNames = {"possible", "likely", "certain"};
  return kNames[static_cast<std::size_t>(certainty)];
}

bool is_surer(const UnusedSymbol& a, const UnusedSymbol& b) {
  return std::tie(b.certainty, b.lines, a.path, a.symbol.start) <
         std::tie(a.certainty, a.lines, b.path, b.symbol.start);
}

Result<UnusedCode> find_unused_code(FactsCache& cache, store::CodeReader& reader,
                                    std::chrono::steady_clock::time_point deadline,
                                    const std::stop_token& stop) {
  CODEXMEM_ASSIGN(UnusedCandidates candidates, UnusedCandidates::list(cache, reader));
  UnusedCode found;
  found.definitions = candidates.all.size();
  CODEXMEM_ASSIGN(found.files_not_read, read_names(candidates, cache, reader, deadline, stop));
  drop_used(candidates);
  CODEXMEM_TRY(find_doubts(candidates, cache, reader, stop));
  CODEXMEM_TRY(account_for_certain(candidates, cache, reader, stop));
  for (const UnusedCandidate& each : candidates.all) {
    if (is_listed(candidates, each)) found.symbols.push_back(unused_symbol(candidates, each));
  }
  drop_prototypes(found.symbols);
  std::ranges::sort(found.symbols, is_surer);
  return found;
}

}  // namespace codexmem::graph

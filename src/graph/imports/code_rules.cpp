// A thing is tried as a glob of paths, as a package from outside and, in rules about uses, as a
// symbol; so a rule need not say which it means. For the files of a change only their own imports
// are read, and uses of a symbol are looked for only if one of these files contains its name: a
// hundred rules that a change does not affect cost some milliseconds.
//
// Tested by graph/code_rules_test.cpp and git/rules_test.py.
#include "graph/imports/code_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/uses/references.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kForms =
    "a rule is \"forbid import PLACES -> THINGS\", \"only PLACES may use THINGS\", \"symbol NAME "
    "must exist\" or \"no new uses of NAMES\"";

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string_view item : split(text, ',')) {
    if (!trim(item).empty()) items.emplace_back(trim(item));
  }
  return items;
}

// The text between the prefix `before` and the suffix `after`; nothing when `text` does not have
// both.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  if (text.size() <= before.size() + after.size() || !text.starts_with(before) ||
      !text.ends_with(after)) {
    return std::nullopt;
  }
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

// True if the module `name` is `thing` or is part of it: "lodash/fp" of lodash, "os.path" of os.
bool is_of_package(std::string_view name, std::string_view thing) {
  return name.starts_with(thing) &&
         (name.size() == thing.size() ||
          std::string_view("/.:@").find(name[thing.size()]) != std::string_view::npos);
}

// The last name of a qualified one.
std::string_view simple_name(std::string_view symbol) {
  return symbol.substr(symbol.find_last_of(".:") + 1);
}

void sort_breaches(RuleState& state, std::size_t limit) {
  const auto key = [](const RuleBreach& each) {
    return std::tuple(std::string_view(each.path), each.position.line, each.position.column,
                      std::string_view(each.name));
  };
  std::ranges::sort(state.breaches, {}, key);
  const auto same = [&](const RuleBreach& a, const RuleBreach& b) { return key(a) == key(b); };
  state.breaches.erase(std::unique(state.breaches.begin(), state.breaches.end(), same),
                       state.breaches.end());
  state.total = state.breaches.size();
  state.breaches.resize(std::min(limit, state.total));
}

}  // namespace

Result<CodeRule> CodeRule::parse(std::string_view text) {
  CodeRule rule;
  rule.text = fold_whitespace(text);
  const std::string_view all = rule.text;
  std::vector<std::string> places;
  if (const auto import = between(all, "forbid import ", "")) {
    const std::size_t arrow = import->find("->");
    rule.kind = Kind::kForbidImport;
    if (arrow != std::string_view::npos) {
      places = list_of(import->substr(0, arrow));
      rule.things = list_of(import->substr(arrow + 2));
    }
  } else if (const auto only = between(all, "only ", "")) {
    const std::size_t use = only->find(" may use ");
    rule.kind = Kind::kOnlyMayUse;
    if (use != std::string_view::npos) {
      places = list_of(only->substr(0, use));
      rule.things = list_of(only->substr(use + std::string_view(" may use ").size()));
    }
  } else if (const auto name = between(all, "symbol ", " must exist")) {
    rule.kind = Kind::kMustExist;
    rule.things = {std::string(trim(*name))};
  } else if (const auto names = between(all, "no new uses of ", "")) {
    rule.kind = Kind::kNoNewUses;
    rule.things = list_of(*names);
  }
  const bool has_places = rule.kind == Kind::kForbidImport || rule.kind == Kind::kOnlyMayUse;
  if (rule.things.empty() || places.empty() == has_places) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}; got \"{}\"", kForms, utf8_prefix(all, 80))};
  }
  if (has_places) {
    CODEXMEM_ASSIGN(rule.places, PathGlobs::make(places));
    CODEXMEM_TRY(PathGlobs::make(rule.things));
  }
  return rule;
}

RuleCheck::RuleCheck(FactsCache& cache, store::CodeReader& reader,
                     const std::set<std::string>* files, std::stop_token stop)
    : cache_(cache), reader_(reader), files_(files), stop_(std::move(stop)), texts_(reader) {}

Result<RuleState> RuleCheck::run(const CodeRule& rule, std::size_t limit) {
  const StopScope scope(stop_);
  RuleState state;
  CODEXMEM_TRY(load());
  switch (rule.kind) {
    case CodeRule::Kind::kForbidImport:
      CODEXMEM_TRY(find_imports(rule, state));
      break;
    case CodeRule::Kind::kOnlyMayUse:
      CODEXMEM_TRY(find_imports(rule, state));
      CODEXMEM_TRY(find_uses(rule, state));
      break;
    case CodeRule::Kind::kMustExist:
      CODEXMEM_TRY(find_missing(rule, state));
      break;
    case CodeRule::Kind::kNoNewUses:
      if (files_ != nullptr) CODEXMEM_TRY(find_uses(rule, state));
      break;
  }
  if (files_ == nullptr) CODEXMEM_TRY(find_unknown(rule, state));
  sort_breaches(state, limit);
  for (RuleBreach& breach : state.breaches) {
    if (!breach.context.empty() || breach.path.empty()) continue;
    const auto row = std::ranges::find(rows_, breach.path, &store::FileRow::path);
    CODEXMEM_ASSIGN(const SourceTexts::Text* text, texts_.get(row->id));
    breach.context = quoted_line(*text, breach.position.line);
    const std::string_view line = text->lines.line_text(breach.position.line);
    breach.position.column =
        static_cast<std::uint32_t>(std::min(line.find_first_not_of(" \t"), line.size())) + 1;
  }
  return state;
}

Result<void> RuleCheck::load() {
  if (is_loaded_) return {};
  is_loaded_ = true;
  std::vector<store::DependencyRow> edges;
  if (files_ == nullptr) {
    CODEXMEM_ASSIGN(rows_, reader_.list_files());
    CODEXMEM_ASSIGN(edges, reader_.list_all_dependencies());
  } else {
    for (const std::string& path : *files_) {
      CODEXMEM_ASSIGN(auto row, reader_.find_file(path));
      if (!row) continue;
      CODEXMEM_ASSIGN(auto own, reader_.list_dependencies(row->id));
      rows_.push_back(*std::move(row));
      std::ranges::move(own, std::back_inserter(edges));
    }
  }
  std::unordered_map<store::FileId, std::string> targets;
  std::unordered_map<store::FileId, const store::FileRow*> sources;
  for (const store::FileRow& row : rows_) sources.emplace(row.id, &row);
  for (store::DependencyRow& edge : edges) {
    const auto source = sources.find(edge.source);
    if (source == sources.end() || edge.import_type == store::kDocumentedImport) continue;
    Import import{.source = source->second,
                  .target = {},
                  .package = edge.is_external ? std::move(edge.package) : "",
                  .written = std::move(edge.import_path),
                  .line = std::max(1U, edge.line)};
    if (edge.target) {
      const auto known = sources.find(*edge.target);
      if (known != sources.end()) {
        import.target = known->second->path;
      } else {
        auto& path = targets[*edge.target];
        if (path.empty()) {
          CODEXMEM_ASSIGN(const auto row, reader_.find_file(*edge.target));
          if (row) path = row->path;
        }
        import.target = path;
      }
    }
    imports_.push_back(std::move(import));
  }
  return {};
}

Result<void> RuleCheck::find_imports(const CodeRule& rule, RuleState& state) {
  const bool is_inside = rule.kind == CodeRule::Kind::kForbidImport;
  CODEXMEM_ASSIGN(const PathGlobs things, PathGlobs::make(rule.things));
  for (const Import& import : imports_) {
    const bool is_meant = import.target.empty()
                              ? std::ranges::any_of(rule.things,
                                                    [&](const std::string& thing) {
                                                      return is_of_package(import.package, thing) ||
                                                             is_of_package(import.written, thing);
                                                    })
                              : things.keeps(import.target);
    if (!is_meant || rule.places.keeps(import.source->path) != is_inside) continue;
    // Files of the protected part may use each other.
    if (!is_inside && things.keeps(import.source->path)) continue;
    state.breaches.push_back(
        {import.source->path, {import.line, 1}, import.written, /*context=*/""});
  }
  return {};
}

Result<void> RuleCheck::find_uses(const CodeRule& rule, RuleState& state) {
  for (const std::string& thing : rule.things) {
    if (thing.find_first_of("*?[!") != std::string::npos || thing.ends_with('/')) continue;
    CODEXMEM_ASSIGN(const bool is_mentioned_here, is_mentioned(simple_name(thing)));
    if (!is_mentioned_here) continue;
    CODEXMEM_ASSIGN(const auto found, find_symbols(reader_, {.symbol = thing}));
    if (found.results.empty() || found.results.front().match != NameMatch::kExact) continue;
    CODEXMEM_ASSIGN(
        const ReferenceAnswer uses,
        find_references(
            cache_, reader_,
            {.symbol = thing, .include_definitions = false, .min_confidence = Confidence::kLikely},
            stop_));
    std::set<std::string_view> own;
    for (const ReferenceDefinition& each : uses.definitions) own.insert(each.path);
    for (const ReferenceItem& item : uses.items) {
      if (files_ != nullptr && !files_->contains(item.path)) continue;
      const bool is_free =
          rule.kind == CodeRule::Kind::kOnlyMayUse &&
          (rule.places.keeps(item.path) || own.contains(std::string_view(item.path)));
      if (is_free || item.kind == UsageKind::kDoc) continue;
      state.breaches.push_back({item.path, item.position, thing, item.context});
    }
  }
  return {};
}

Result<void> RuleCheck::find_missing(const CodeRule& rule, RuleState& state) {
  for (const std::string& name : rule.things) {
    CODEXMEM_ASSIGN(const auto found, find_symbols(reader_, {.symbol = name, .limit = 1}));
    if (found.results.empty() || found.results.front().match != NameMatch::kExact) {
      state.breaches.push_back({"", {}, name, ""});
    }
  }
  return {};
}

Result<void> RuleCheck::find_unknown(const CodeRule& rule, RuleState& state) {
  if (rule.kind == CodeRule::Kind::kMustExist) return {};
  const bool may_be_symbol = rule.kind != CodeRule::Kind::kForbidImport;
  for (const std::string& thing : rule.things) {
    const bool is_imported = std::ranges::any_of(imports_, [&](const Import& import) {
      return is_of_package(import.package, thing) || is_of_package(import.written, thing);
    });
    if (is_imported) continue;
    CODEXMEM_ASSIGN(const PathGlobs globs, PathGlobs::make({thing}));
    if (std::ranges::any_of(rows_, [&](const auto& row) { return globs.keeps(row.path); })) {
      continue;
    }
    if (may_be_symbol) {
      CODEXMEM_ASSIGN(const auto found, find_symbols(reader_, {.symbol = thing, .limit = 1}));
      if (!found.results.empty() && found.results.front().match == NameMatch::kExact) continue;
    }
    state.unknown.push_back(thing);
  }
  return {};
}

// True if one of the checked files may use `name`.
Result<bool> RuleCheck::is_mentioned(std::string_view name) {
  if (files_ == nullptr) return true;
  for (const store::FileRow& row : rows_) {
    CODEXMEM_ASSIGN(const SourceTexts::Text* text, texts_.get(row.id));
    if (text->content.find(name) != std::string::npos) return true;
  }
  return false;
}

}  // namespace codexmem::graph

// Tested by git/rules_test.py.
#include "ask/decision_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ask/fresh.h"
#include "base/text.h"
#include "memory/decisions/decisions.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::string_view kMark = "check:";
constexpr std::size_t kMaxRuleDecisions = 1000;
constexpr std::size_t kMaxPlaces = 3;

Result<std::vector<RuleVerdict>> judge(const Context& context, store::CodeReader& reader,
                                       const std::vector<DecisionRule>& rules,
                                       const std::set<std::string>* files) {
  graph::RuleCheck check(context.code().facts, reader, files, context.stop);
  std::vector<RuleVerdict> verdicts;
  for (const DecisionRule& rule : rules) {
    CODEXMEM_ASSIGN(graph::RuleState state, check.run(rule.rule, kMaxPlaces));
    verdicts.push_back({rule, std::move(state)});
  }
  return verdicts;
}

}  // namespace

std::vector<index::GivenRule> DecisionRules::given() const {
  std::vector<index::GivenRule> given;
  for (const DecisionRule& each : rules) {
    given.push_back({each.rule, fmt::format("decision \"{}\"", each.title)});
  }
  return given;
}

Result<void> add_rules(const std::vector<std::string>& rules,
                       std::vector<std::string>& consequences) {
  for (const std::string& consequence : consequences) {
    if (consequence.starts_with(kMark)) {
      CODEXMEM_TRY(graph::CodeRule::parse(std::string_view(consequence).substr(kMark.size())));
    }
  }
  for (const std::string& rule : rules) {
    CODEXMEM_ASSIGN(const graph::CodeRule parsed, graph::CodeRule::parse(rule));
    consequences.push_back(fmt::format("{} {}", kMark, parsed.text));
  }
  return {};
}

DecisionRules rules_of(const memory::Decision& decision) {
  DecisionRules found;
  for (const std::string& consequence : decision.consequences) {
    if (!consequence.starts_with(kMark)) continue;
    auto rule = graph::CodeRule::parse(std::string_view(consequence).substr(kMark.size()));
    if (rule.ok()) {
      found.rules.push_back({*std::move(rule), decision.id, decision.title});
    } else {
      found.unreadable.push_back(
          fmt::format("decision \"{}\": {}", decision.title, rule.error().message()));
    }
  }
  return found;
}

Result<DecisionRules> list_decision_rules(memory::LazyMemory& lazy) {
  DecisionRules all;
  CODEXMEM_ASSIGN(memory::Memory* const memory, lazy.find());
  if (memory == nullptr) return all;
  memory->seen_now();
  memory::DecisionFilter filter;
  filter.projects = {memory->project()};
  filter.statuses = {memory::DecisionStatus::kActive};
  filter.limit = kMaxRuleDecisions;
  CODEXMEM_ASSIGN(const auto decisions, memory->decisions().list(std::move(filter)));
  for (const memory::Decision& decision : decisions) {
    DecisionRules own = rules_of(decision);
    std::ranges::move(own.rules, std::back_inserter(all.rules));
    std::ranges::move(own.unreadable, std::back_inserter(all.unreadable));
  }
  return all;
}

Result<std::vector<RuleVerdict>> judge_rules(const Context& context,
                                             const std::vector<DecisionRule>& rules) {
  if (rules.empty() || !context.has_code()) return std::vector<RuleVerdict>();
  return answer_fresh<std::vector<RuleVerdict>>(
      context, {},
      [&](store::CodeReader& reader) { return judge(context, reader, rules, nullptr); },
      [](const std::vector<RuleVerdict>& made, std::set<std::string>& paths) {
        for (const RuleVerdict& verdict : made) {
          for (const graph::RuleBreach& each : verdict.state.breaches) {
            if (!each.path.empty()) paths.insert(each.path);
          }
        }
      });
}

Result<std::vector<RuleVerdict>> find_rules_on(const Context& context, store::CodeReader& reader,
                                               memory::LazyMemory& memory,
                                               const std::string& path) {
  CODEXMEM_ASSIGN(const DecisionRules all, list_decision_rules(memory));
  const std::set<std::string> files = {path};
  CODEXMEM_ASSIGN(auto verdicts, judge(context, reader, all.rules, &files));
  std::erase_if(verdicts, [&](const RuleVerdict& each) {
    const graph::CodeRule& rule = each.of.rule;
    const bool is_about =
        rule.kind == graph::CodeRule::Kind::kForbidImport && rule.places.keeps(path);
    const bool is_missing = rule.kind == graph::CodeRule::Kind::kMustExist;
    return !is_about && (each.state.total == 0 || is_missing);
  });
  return verdicts;
}

std::string verdict_json(const RuleVerdict& verdict, bool in_decision) {
  const graph::RuleState& state = verdict.state;
  const std::string& decision = verdict.of.decision_id;
  const auto write_place = [](const graph::RuleBreach& each) {
    return each.path.empty() ? json_object("missing", each.name)
                             : json_object("path", each.path, "line", each.position.line);
  };
  return json_object(
      "rule", verdict.of.rule.text, "decision",
      in_decision ? std::nullopt : std::optional(decision), "holds", state.total == 0, "places",
      some(json_list(state.breaches, write_place)), "total",
      state.total > state.breaches.size() ? std::optional(state.total) : std::nullopt, "unknown",
      some(state.unknown));
}

std::string verdict_text(const RuleVerdict& verdict) {
  const graph::RuleState& state = verdict.state;
  std::vector<std::string> parts;
  for (const graph::RuleBreach& each : state.breaches) {
    parts.push_back(each.path.empty() ? each.name + " is missing"
                                      : fmt::format("{}:{}", each.path, each.position.line));
  }
  if (state.total > state.breaches.size()) {
    parts.push_back(fmt::format("{} more", state.total - state.breaches.size()));
  }
  if (!state.unknown.empty()) parts.push_back("nothing is called " + join(state.unknown, ", "));
  if (parts.empty()) return "";
  return fmt::format("{} {}: {}", state.total > 0 ? "broken:" : "rule:", verdict.of.rule.text,
                     join(parts, ", "));
}

}  // namespace codexmem::ask

// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/search_decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ask/code/code_answer.h"
#include "ask/memory/record.h"
#include "base/text.h"
#include "memory/times.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxDecisionOffset = 1'000;

// Gives `results` what was decided in full, as long as all of them have `max_bytes`: those that are
// active first. The first one is cut where it does not fit.
Result<void> put_reasons(memory::Memory& memory, std::size_t max_bytes,
                         std::vector<Json>& results) {
  std::size_t bytes = 32;
  for (const Json& result : results) bytes += dump_json(result).size() + 1;
  bool is_first = true;
  for (const bool active : {true, false}) {
    for (Json& result : results) {
      if ((result["status"] == "active") != active) continue;
      CODEXMEM_ASSIGN(const memory::Decision decision,
                      memory.decisions().get(result["id"].get<std::string>()));
      const std::size_t before = dump_json(result).size();
      const std::size_t room = max_bytes - std::min(max_bytes, bytes - before);
      Json whole = result;
      whole["rationale"] = decision.rationale;
      whole["consequences"] = decision.consequences;
      std::string text = dump_json(whole);
      if (text.size() > room) {
        if (!is_first || room < 2 * before) continue;
        whole.erase("preview");
        text = cut_record(dump_json(whole), 0, room - result["preview"].dump().size() - 16);
        whole = Json::parse(text, nullptr, /*allow_exceptions=*/false);
        whole.erase("next_body_offset");
        whole["preview"] = result["preview"];
      }
      is_first = false;
      result = std::move(whole);
      bytes += dump_json(result).size() - before;
    }
  }
  return {};
}

Json decision_hit_json(const FoundDecision& found) {
  const memory::DecisionHit& hit = found.hit;
  Json result = {{"id", hit.id},         {"score", hit.score},
                 {"status", hit.status}, {"preview", hit.preview},
                 {"kind", hit.kind},     {"title", hit.title},
                 {"target", hit.target}, {"project", hit.project},
                 {"source", hit.source}, {"created_at", memory::iso_time(hit.created_at_ms)}};
  if (found.shared) result["shared"] = Json::parse(shared_json(*found.shared));
  if (!found.hit.branch.empty()) result["branch"] = found.hit.branch;
  if (!found.code_state.empty()) result["code_state"] = found.code_state;
  for (const RuleVerdict& verdict : found.rules) {
    result["checks"].push_back(Json::parse(verdict_json(verdict, /*in_decision=*/true)));
  }
  return result;
}

// Whether the code of the current project keeps the rules of its active decisions among `hits`.
// Trouble with the code is no reason to keep decisions back: `trouble` gets it.
Result<std::vector<RuleVerdict>> judge_rules_of(const MemoryCall& call,
                                                const std::vector<memory::DecisionHit>& hits,
                                                std::string& trouble) {
  std::vector<DecisionRule> rules;
  for (const memory::DecisionHit& hit : hits) {
    if (!call.code.judge || hit.status != "active" || hit.project != call.memory.project())
      continue;
    CODEXMEM_ASSIGN(const memory::Decision decision, call.memory.decisions().get(hit.id));
    std::ranges::move(rules_of(decision).rules, std::back_inserter(rules));
  }
  if (rules.empty()) return std::vector<RuleVerdict>();
  auto verdicts = call.code.judge(rules);
  if (verdicts.ok() || verdicts.error().code() == ErrorCode::kCancelled) return verdicts;
  add_sentence(trouble, "Rules were not checked: " + verdicts.error().message() + ".");
  return std::vector<RuleVerdict>();
}

// Agents save decisions as memories too, of that type: the best, so that no second call is needed.
// Empty if none matches.
Result<std::string> look_in_memories(const MemoryCall& call, const memory::DecisionSearch& search) {
  memory::RecallRequest request;
  request.query = search.query;
  request.projects = search.projects;
  request.current_project = call.memory.project();
  request.kinds = {memory::DocumentKind::kEntry};
  request.types = {"decision"};
  request.limit = 1;
  CODEXMEM_ASSIGN(const auto found, call.memory.recall().search(request, call.stop));
  if (found.hits.empty()) return std::string();
  CODEXMEM_ASSIGN(const auto record, read_record(call, found.hits.front().key));
  if (!record) return std::string();
  const memory::Entry best = as_entry(*record);
  std::string marks;
  if (best.succession.superseded_by) marks += ", superseded";
  if (!record->branch.empty()) marks += ", on branch " + record->branch;
  const std::string text = shorten(best.body, kQuotedTextBytes);
  return fmt::format(
      "Memory #{} of type decision{}{}: {}\n{}\n(Saved as a memory; no recorded "
      "decision matches{}.)",
      static_cast<std::int64_t>(best.id), marks,
      text.size() < best.body.size() ? ", cut" : ", in full", shorten(best.title, 80), text,
      found.total == 1
          ? std::string()
          : fmt::format("; search with type \"decision\" has {} more memories", found.total - 1));
}

// What an answer says before its results.
JsonText before_results(const SearchDecisionsAnswer& answer) {
  const std::string& message = answer.message.empty() ? answer.elsewhere : answer.message;
  return json_object("status", "success", "message", json_or_null(message), "degraded",
                     some(!answer.message.empty()));
}

}  // namespace

Result<void> SearchDecisionsParams::complete(const memory::Memory& memory, const ToolArguments&) {
  is_hidden = !search.projects.empty() && !memory.shows(search.projects[0]);
  if (memory.is_isolated()) search.projects = {memory.project()};
  return {};
}

Result<SearchDecisionsAnswer> run(const MemoryCall& call, SearchDecisionsParams params) {
  CODEXMEM_ASSIGN(memory::DecisionAnswer found,
                  call.memory.decisions().search(call.caller, params.search, call.stop));
  if (params.is_hidden) {
    found.hits.clear();
    found.beyond = 0;
  }
  SearchDecisionsAnswer answer;
  if (found.hits.empty() && !params.is_hidden) {
    CODEXMEM_ASSIGN(answer.elsewhere, look_in_memories(call, params.search));
  }
  if (!found.degraded.empty()) answer.message = "semantic search unavailable: " + found.degraded;
  std::vector<memory::DocumentKey> documents;
  for (const memory::DecisionHit& hit : found.hits) {
    documents.push_back(memory::document_key(hit.key));
  }
  const CitedStates cited = look_up_code(call, documents);
  const SharedMarks marks = find_shared_marks(call, documents);
  CODEXMEM_ASSIGN(const auto verdicts, judge_rules_of(call, found.hits, answer.message));
  constexpr std::size_t kRestBytes = 60;  // results, omitted, nextOffset
  const std::size_t rest_bytes = before_results(answer).text.size() + kRestBytes;
  std::size_t bytes = rest_bytes;
  std::vector<Json> jsons;
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    FoundDecision result{
        found.hits[i], code_state_of(cited, documents[i]), mark_of(marks, documents[i]), {}, {}};
    std::ranges::copy_if(verdicts, std::back_inserter(result.rules), [&](const RuleVerdict& each) {
      return each.of.decision_id == result.hit.id;
    });
    Json json = decision_hit_json(result);
    bytes += dump_json(json).size() + 1;
    if (bytes > params.max_bytes && !jsons.empty()) break;
    answer.results.push_back(std::move(result));
    jsons.push_back(std::move(json));
  }
  CODEXMEM_TRY(
      put_reasons(call.memory, params.max_bytes - std::min(params.max_bytes, rest_bytes), jsons));
  for (std::size_t i = 0; i < jsons.size(); ++i) answer.results[i].json = dump_json(jsons[i]);
  const std::size_t shown = answer.results.size();
  const std::size_t omitted = found.hits.size() - shown + found.beyond;
  if (omitted > 0) answer.rest = {omitted, params.search.offset + shown};
  return answer;
}

Written SearchDecisionsAnswer::to_json() const {
  std::vector<std::string> items;
  for (const FoundDecision& result : results) items.push_back(result.json);
  return object_json(json_joined(
      before_results(*this), json_object("results", json_list(items, std::identity()), "omitted",
                                         some(rest.omitted), "nextOffset", rest.next())));
}

constexpr Param kSearchDecisionsParams[] = {
    {.name = "query",
     .also = kQueryNames,
     .description = "Words",
     .required = true,
     .least = 1,
     .option = "WORDS",
     .help = "What to look for",
     .takes = Takes::kWords,
     .into = into_by<read_filled, &SearchDecisionsParams::search, &memory::DecisionSearch::query>},
    {.name = "limit",
     .also = kLimitNames,
     .type = ParamType::kInteger,
     .description = "Results",
     .least = 1,
     .most = 20,
     .default_json = "5",
     .option = "-l,--limit",
     .help = "Maximum results (5, up to 20)",
     .into = into<&SearchDecisionsParams::search, &memory::DecisionSearch::limit>},
    {.name = "mode",
     .description = "Default: one per target",
     .choices = "strict,balanced,audit",
     .default_json = "\"balanced\"",
     .option = "-m,--mode",
     .help = "strict: active ones; balanced: one per target; audit: all",
     .into = into_named<memory::parse_mode, &SearchDecisionsParams::search,
                        &memory::DecisionSearch::mode>},
    {.name = "project",
     .listed = false,
     .option = "-p,--project",
     .help = "Only of this project",
     .into = into_by<read_one, &SearchDecisionsParams::search, &memory::DecisionSearch::projects>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxDecisionOffset},
     .listed = false,
     .into = into<&SearchDecisionsParams::search, &memory::DecisionSearch::offset>},
    max_tokens_param(into_by<read_bytes, &SearchDecisionsParams::max_bytes>, "2048"),
};

constinit const Question kSearchDecisions = {
    .name = "search_decisions",
    .title = "Search decisions",
    .description = "Design decisions: what was decided and why, what still holds.",
    .groups = "memory,decisions",
    .params = kSearchDecisionsParams,
    .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"degraded":{"type":"boolean"},
"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"score":{"type":"number"},"status":{"type":"string"},"preview":{"type":"string"},"kind":{"type":"string"},"title":{"type":"string"},"target":{"type":"string"},"project":{"type":"string"},"source":{"type":"string"},"created_at":{"type":"string"},"code_state":{"type":"string"},"checks":{"type":"array","items":{"type":"object"}},"rationale":{"type":"string"},"consequences":{"type":"array","items":{"type":"string"}},"truncated":{"type":"boolean"},"body_length":{"type":"integer"}}}},"details":{"type":"object"}},"required":["status"]})json",
    .checks_arguments = true,
    .fail = decision_failure,
    .run = run_memory_question<SearchDecisionsParams>};

}  // namespace codexmem::ask

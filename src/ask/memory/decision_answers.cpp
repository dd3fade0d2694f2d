// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/decision_answers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/arguments.h"
#include "ask/memory/entry_answers.h"
#include "ask/memory/record_cut.h"
#include "memory/decisions.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kDefaultLimit = 5;
constexpr std::size_t kMaxLimit = 20;
constexpr std::size_t kMaxOffset = 1'000;
constexpr std::size_t kMinTokens = 200;

memory::DecisionHook citing_decision(const Call& call) {
  return [&call](const memory::NewDecision& decision) -> Result<memory::DocumentWriter> {
    memory::Mentions mentions;
    mentions.text = decision.title + "\n" + decision.rationale;
    mentions.files = decision.cited_files;
    mentions.symbols = decision.cited_symbols;
    return cited_writer(call, mentions);
  };
}

// Lengths are checked by those who know them, after the role.
Result<memory::NewDecision> read_decision(const memory::Memory& memory,
                                          const ToolArguments& given) {
  memory::NewDecision decision;
  CODEXMEM_ASSIGN(decision.title, given.text("title"));
  CODEXMEM_ASSIGN(decision.target, given.text("target"));
  CODEXMEM_ASSIGN(decision.rationale, given.text("rationale"));
  CODEXMEM_ASSIGN(decision.consequences, given.text_list("consequences"));
  CODEXMEM_ASSIGN(decision.cited_files, given.texts("files"));
  CODEXMEM_ASSIGN(decision.cited_symbols, given.texts("symbols"));
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  CODEXMEM_ASSIGN(decision.project, project_to_write(memory, project));
  return decision;
}

Answer success(std::string_view message, const std::string& id) {
  return object_answer(
      dump_json(Json{{"status", "success"}, {"message", message}, {"decision_id", id}}));
}

Result<Answer> record(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(memory::NewDecision decision, read_decision(call.memory, given));
  CODEXMEM_ASSIGN(
      const std::string id,
      call.memory.decisions().record(call.caller, std::move(decision), citing_decision(call)));
  call.memory.note_change();
  return success("Decision recorded", id);
}

Result<Answer> supersede(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(memory::NewDecision decision, read_decision(call.memory, given));
  CODEXMEM_ASSIGN(const auto old_ids, given.text_list("old_decision_ids"));
  CODEXMEM_ASSIGN(const std::string id,
                  call.memory.decisions().supersede(call.caller, std::move(decision), old_ids,
                                                    citing_decision(call)));
  call.memory.note_change();
  return success("Decision superseded", id);
}

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

Result<Answer> search(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  memory::DecisionSearch asked;
  CODEXMEM_ASSIGN(asked.query, given.required_text("query"));
  CODEXMEM_ASSIGN(asked.limit, given.whole("limit", kDefaultLimit, 1, kMaxLimit));
  CODEXMEM_ASSIGN(const std::string mode, given.choice("mode", "strict,balanced,audit"));
  if (!mode.empty()) asked.mode = *memory::parse_mode(mode);
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  if (!trim(project).empty()) asked.projects = {std::string(trim(project))};
  const bool is_hidden = !asked.projects.empty() && !call.memory.shows(asked.projects[0]);
  if (call.memory.is_isolated()) asked.projects = {call.memory.project()};
  CODEXMEM_ASSIGN(asked.offset, given.clamped("offset", 0, 0, kMaxOffset));
  CODEXMEM_ASSIGN(const std::size_t tokens, given.whole("max_tokens", kShortBytes / kBytesPerToken,
                                                        kMinTokens, kLongBytes / kBytesPerToken));
  CODEXMEM_ASSIGN(memory::DecisionAnswer found,
                  call.memory.decisions().search(call.caller, asked, call.stop));
  if (is_hidden) {
    found.hits.clear();
    found.beyond = 0;
  }
  std::vector<memory::DocumentKey> documents;
  for (const memory::DecisionHit& hit : found.hits)
    documents.push_back(memory::document_key(hit.key));
  const CitedStates cited = look_up_code(call, documents);
  Json json;
  json["status"] = "success";
  json["message"] = nullptr;
  if (!found.degraded.empty()) {
    json["message"] = "semantic search unavailable: " + found.degraded;
    json["degraded"] = true;
  }
  constexpr std::size_t kRestBytes = 60;  // results, omitted, nextOffset
  const std::size_t max_bytes = tokens * kBytesPerToken;
  const std::size_t beside = dump_json(json).size() + kRestBytes;
  std::size_t bytes = beside;
  std::vector<Json> results;
  for (const memory::DecisionHit& hit : found.hits) {
    Json result = {{"id", hit.id},         {"score", hit.score},
                   {"status", hit.status}, {"preview", hit.preview},
                   {"kind", hit.kind},     {"title", hit.title},
                   {"target", hit.target}, {"project", hit.project},
                   {"source", hit.source}, {"created_at", memory::iso_time(hit.created_at_ms)}};
    if (const auto states = cited.find(memory::document_key(hit.key)); states != cited.end()) {
      if (const auto state = memory::code_state_of(states->second)) {
        result["code_state"] = memory::code_state_name(*state);
      }
    }
    bytes += dump_json(result).size() + 1;
    if (bytes > max_bytes && !results.empty()) break;
    results.push_back(std::move(result));
  }
  CODEXMEM_TRY(put_reasons(call.memory, max_bytes - std::min(max_bytes, beside), results));
  const std::size_t told = results.size();
  json["results"] = std::move(results);
  if (const std::size_t omitted = found.hits.size() - told + found.beyond; omitted > 0) {
    json["omitted"] = omitted;
    json["nextOffset"] = asked.offset + told;
  }
  return object_answer(dump_json(json));
}

Result<Answer> accept(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(const std::string id, given.required_text("proposal_id"));
  if (call.memory.is_isolated()) {
    const auto proposal = call.memory.decisions().get(id);
    if (proposal.ok() && !call.memory.shows(proposal->project)) {
      return Error{ErrorCode::kNotFound, "Decision ID not found"};
    }
  }
  CODEXMEM_ASSIGN(const memory::Acceptance accepted,
                  call.memory.decisions().accept(call.caller, id, citing_decision(call)));
  call.memory.note_change();
  return success("Accepted", accepted.decision_id);
}

Result<Answer> propose(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  memory::NewProposal proposal;
  CODEXMEM_ASSIGN(proposal.decision, read_decision(call.memory, given));
  CODEXMEM_ASSIGN(proposal.replaces, given.text_list("replaces"));
  CODEXMEM_ASSIGN(
      const std::string id,
      call.memory.decisions().propose(call.caller, std::move(proposal), citing_decision(call)));
  call.memory.note_change();
  return success("Proposed", id);
}

template <typename Function>
Answer answered(const Function& function, const Call& call, std::string_view arguments) {
  Result<Answer> answer = function(call, arguments);
  return answer.ok() ? *std::move(answer) : decision_failure(answer.error());
}

}  // namespace

Answer answer_record_decision(const Call& call, std::string_view arguments) {
  return answered(record, call, arguments);
}
Answer answer_supersede_decision(const Call& call, std::string_view arguments) {
  return answered(supersede, call, arguments);
}
Answer answer_search_decisions(const Call& call, std::string_view arguments) {
  return answered(search, call, arguments);
}
Answer answer_accept_proposal(const Call& call, std::string_view arguments) {
  return answered(accept, call, arguments);
}
Answer answer_propose_decision(const Call& call, std::string_view arguments) {
  return answered(propose, call, arguments);
}

}  // namespace codexmem::ask

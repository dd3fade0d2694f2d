// Tested by observe/processor_test.cpp.
#include "observe/work/batch.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "text/parse_json.h"
#include "base/text.h"
#include "memory/entries/citations.h"
#include "memory/entries/entries.h"
#include "memory/entries/sessions.h"
#include "privacy/gate.h"
#include "store/database.h"
#include "store/user/sessions.h"
#include "store/user/user_store.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxPrompts = 10;
constexpr std::size_t kMaxObservations = 100;
constexpr std::size_t kMaxEarlier = 60;  // observations of the session
// Of what a provider says; an entry may be larger.
constexpr std::size_t kMaxNarrativeBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxItemBytes = 4'000;
constexpr std::size_t kMaxItems = 200;

std::string json_of(const Json& object, const char* name) {
  const Json* value = find_member(object, name);
  return value == nullptr ? "null" : dump_json(*value);
}

Json payload_of(const Message& message) {
  return Json::parse(message.payload, nullptr, /*allow_exceptions=*/false);
}

std::string kept(std::string_view text, std::size_t limit) {
  return std::string(utf8_prefix(privacy::captured(text), limit));
}

std::vector<std::string> kept(const std::vector<std::string>& list) {
  std::vector<std::string> items;
  for (const std::string& text : list) {
    if (items.size() == kMaxItems) break;
    if (std::string item = kept(text, kMaxItemBytes); !item.empty()) {
      items.push_back(std::move(item));
    }
  }
  while (!items.empty() && !memory::check_list("items", items).ok()) items.pop_back();
  return items;
}

// The message of an observation: the first that it names.
const Message& message_of(const Claim& claim, const Observation& observation) {
  for (const Message& message : claim.messages) {
    if (std::ranges::find(observation.message_ids, static_cast<std::int64_t>(message.id)) !=
        observation.message_ids.end()) {
      return message;
    }
  }
  return claim.messages.front();
}

// Has an observation cite the files that it names, and what its text says of their code. Trouble
// with an index is no reason to lose it: then nothing is cited.
memory::EntryHook citing(const CiteInFolder& cite, const std::string& folder, std::int64_t now_ms,
                         const std::stop_token& stop) {
  if (!cite || folder.empty()) return {};
  return [&cite, folder, now_ms,
          stop](const memory::NewEntry& entry) -> Result<memory::DocumentWriter> {
    memory::Mentions mentions;
    mentions.text = entry.title + "\n" + entry.text;
    mentions.files = entry.files_modified;
    mentions.files.insert(mentions.files.end(), entry.files_read.begin(), entry.files_read.end());
    auto cited = cite(folder, mentions, stop);
    if (!cited.ok() || cited->empty()) return memory::DocumentWriter();
    return memory::DocumentWriter([citations = *std::move(cited), now_ms](
                                      store::Database& database, memory::DocumentKey document) {
      return memory::put_citations(database, document, citations, now_ms);
    });
  };
}

}  // namespace

Result<ObserveRequest> observe_request(store::UserStore& store, const Claim& claim) {
  ObserveRequest request;
  request.project = claim.project;
  for (const Message& message : claim.messages) {
    const Json payload = payload_of(message);
    request.events.push_back({.message_id = static_cast<std::int64_t>(message.id),
                              .tool_name = text_member(payload, "tool_name"),
                              .input = json_of(payload, "tool_input"),
                              .response = json_of(payload, "tool_response"),
                              .cwd = text_member(payload, "cwd"),
                              .at_ms = message.happened_at_ms});
  }
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(request.prompt,
                  store::read_prompt_text(*reader, claim.session, claim.prompt_number));
  CODEXMEM_ASSIGN(request.earlier,
                  store::list_earlier(*reader, claim.session, claim.prompt_number, kMaxEarlier));
  std::ranges::reverse(request.earlier);
  return request;
}

Result<SummarizeRequest> summarize_request(store::UserStore& store, const Claim& claim) {
  SummarizeRequest request;
  request.project = claim.project;
  request.last_assistant_message =
      text_member(payload_of(claim.messages.front()), "last_assistant_message");
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  CODEXMEM_ASSIGN(request.prompts, store::list_prompts_since_summary(
                                       *reader, claim.session, claim.prompt_number, kMaxPrompts));
  std::ranges::reverse(request.prompts);

  CODEXMEM_ASSIGN(const auto observed,
                  store::list_observed_since_summary(*reader, claim.session, kMaxObservations));
  for (const memory::EntryId id : observed) {
    CODEXMEM_ASSIGN(auto entry, memory::find_entry(*reader, id));
    if (!entry) continue;
    const Json metadata = Json::parse(entry->metadata, nullptr, /*allow_exceptions=*/false);
    request.observations.push_back({.type = std::move(entry->type),
                                    .title = std::move(entry->title),
                                    .subtitle = std::move(entry->subtitle),
                                    .narrative = std::move(entry->body),
                                    .facts = std::move(entry->facts),
                                    .concepts = std::move(entry->concepts),
                                    .files_read = std::move(entry->files_read),
                                    .files_modified = std::move(entry->files_modified),
                                    .outcome = text_member(metadata, "outcome"),
                                    .target = text_member(metadata, "target"),
                                    .is_routine = json_of(metadata, "routine") == "true",
                                    .message_ids = {}});
  }
  std::ranges::reverse(request.observations);
  return request;
}

Result<PreparedObservations> prepare_observations(memory::Memory& memory, const CiteInFolder& cite,
                                                  const Claim& claim,
                                                  std::vector<Observation> observations,
                                                  std::int64_t tokens, std::stop_token stop) {
  PreparedObservations prepared;
  const auto count = static_cast<std::int64_t>(observations.size());
  std::int64_t left = count;
  for (Observation& observation : observations) {
    const Message& message = message_of(claim, observation);
    memory::NewEntry entry;
    // What does not divide evenly is the first one's.
    const std::int64_t share = tokens / count + (left == count ? tokens % count : 0);
    --left;
    entry.project = claim.project;
    entry.session = claim.content_session_id;
    entry.type = memory::check_type(observation.type).ok() ? observation.type : "discovery";
    entry.title = kept(observation.title, memory::kMaxTitleBytes);
    entry.subtitle = kept(observation.subtitle, memory::kMaxTitleBytes);
    entry.text = kept(observation.narrative, kMaxNarrativeBytes);
    entry.facts = kept(observation.facts);
    entry.concepts = kept(observation.concepts);
    entry.files_read = kept(observation.files_read);
    entry.files_modified = kept(observation.files_modified);
    if (entry.text.empty()) entry.text = fmt::format("{}", fmt::join(entry.facts, "\n"));
    if (entry.text.empty()) entry.text = entry.title;
    if (entry.text.empty()) continue;
    entry.source = "observer";
    const Json payload = payload_of(message);
    entry.source_ref = kept(text_member(payload, "source_ref"), memory::kMaxNameBytes);
    if (entry.source_ref.empty()) {
      entry.source_ref = fmt::format("message:{}", static_cast<std::int64_t>(message.id));
    }
    Json metadata = Json::object();
    if (!observation.outcome.empty()) metadata["outcome"] = kept(observation.outcome, 100);
    if (!observation.target.empty()) metadata["target"] = kept(observation.target, kMaxItemBytes);
    if (observation.is_routine) metadata["routine"] = true;
    entry.metadata = dump_json(metadata);
    entry.created_at_ms = message.happened_at_ms;
    if (claim.prompt_number > 0) entry.prompt_number = claim.prompt_number;
    entry.discovery_tokens = share;
    const memory::EntryHook hook =
        citing(cite, text_member(payload, "cwd"), memory.clock()(), stop);
    auto ready = memory.entries().prepare(std::move(entry), hook);
    if (ready.ok()) {
      ready->place = memory::read_place(json_of(payload, "place"));
      prepared.entries.push_back(*std::move(ready));
      continue;
    }
    const ErrorCode code = ready.error().code();
    if (code != ErrorCode::kInvalidArgument && code != ErrorCode::kBlocked) return ready.error();
    prepared.refused.push_back({message.id, ready.error().message()});
  }
  return prepared;
}

Result<std::optional<memory::PreparedSummary>> prepare_summary(memory::Memory& memory,
                                                               const Claim& claim,
                                                               SessionSummary summary,
                                                               std::int64_t tokens) {
  memory::Summary row;
  row.project = claim.project;
  row.session = claim.content_session_id;
  row.request = kept(summary.request, kMaxNarrativeBytes);
  row.investigated = kept(summary.investigated, kMaxNarrativeBytes);
  row.learned = kept(summary.learned, kMaxNarrativeBytes);
  row.completed = kept(summary.completed, kMaxNarrativeBytes);
  row.next_steps = kept(summary.next_steps, kMaxNarrativeBytes);
  row.notes = kept(summary.notes, kMaxNarrativeBytes);
  row.files_read = kept(summary.files_read);
  row.files_edited = kept(summary.files_edited);
  if (row.request.empty() && row.investigated.empty() && row.learned.empty() &&
      row.completed.empty() && row.next_steps.empty() && row.notes.empty()) {
    return std::optional<memory::PreparedSummary>();
  }
  if (claim.prompt_number > 0) row.prompt_number = claim.prompt_number;
  row.discovery_tokens = tokens;
  row.created_at_ms = claim.messages.front().happened_at_ms;
  CODEXMEM_ASSIGN(memory::PreparedSummary prepared,
                  memory.sessions().prepare_summary(std::move(row)));
  prepared.place = memory::read_place(json_of(payload_of(claim.messages.front()), "place"));
  return std::optional<memory::PreparedSummary>(std::move(prepared));
}

}  // namespace codexmem::observe

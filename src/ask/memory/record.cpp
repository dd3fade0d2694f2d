// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/record.h"

#include <utility>

#include "text/json.h"
#include "text/json_object.h"
#include "base/text.h"
#include "memory/entries/entries.h"
#include "memory/entries/sessions.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

JsonText number_or_null(const std::optional<std::int64_t>& number) {
  return {number ? std::to_string(*number) : "null"};
}

// A list as a text that holds its JSON.
std::string array_text(const std::vector<std::string>& list) { return json_value(list); }

JsonText metadata_of(const memory::Entry& entry) {
  const Json metadata = Json::parse(entry.metadata.empty() ? "{}" : entry.metadata, nullptr, false);
  return {metadata.is_object() ? dump_json(metadata) : "{}"};
}

// What replaces an entry, who shares it, and what has become of the code that it cites: the last
// members of its JSON. `id` writes the id of another entry.
template <typename IdOf>
JsonText relations_json(const memory::Succession& succession, const Record& record,
                        const IdOf& id) {
  using Id = decltype(id(memory::EntryId{}));
  std::vector<Id> older;
  for (const memory::EntryId each : succession.supersedes) older.push_back(id(each));
  const auto state = memory::code_state_of(record.cited);
  const auto write_cited = [](const memory::CitationState& each) {
    const memory::Citation& citation = each.citation;
    const auto now = moved_to(each);
    return json_object(
        "path", citation.path, "symbol", some(citation.symbol), "state",
        memory::code_state_name(each.state), "now",
        now ? std::optional(json_object("path", now->path, "symbol", some(now->symbol)))
            : std::nullopt);
  };
  return json_object(
      "superseded_by",
      succession.superseded_by ? std::optional(id(*succession.superseded_by)) : std::nullopt,
      "supersedes", some(older), "shared",
      record.shared ? std::optional(JsonText{shared_json(*record.shared)}) : std::nullopt, "branch",
      some(record.branch), "code_state",
      state ? std::optional(memory::code_state_name(*state)) : std::nullopt, "code",
      state ? std::optional(json_list(record.cited, write_cited)) : std::nullopt);
}

constexpr std::pair<const char*, std::string memory::Summary::*> kSummaryParts[] = {
    {"Request", &memory::Summary::request},       {"Investigated", &memory::Summary::investigated},
    {"Learned", &memory::Summary::learned},       {"Completed", &memory::Summary::completed},
    {"Next steps", &memory::Summary::next_steps}, {"Notes", &memory::Summary::notes},
};

std::string observation_json(const memory::Entry& entry, const Record& record) {
  const auto id_of = [](memory::EntryId id) { return static_cast<std::int64_t>(id); };
  return json_joined(
      json_object("id", id_of(entry.id), "memory_session_id", json_or_null(entry.session),
                  "project", entry.project, "text",
                  entry.source == "manual" ? json_value(entry.body) : JsonText{"null"}, "type",
                  entry.type, "title", entry.title, "subtitle", json_or_null(entry.subtitle),
                  "facts", array_text(entry.facts), "narrative", entry.body, "concepts",
                  array_text(entry.concepts), "files_read", array_text(entry.files_read),
                  "files_modified", array_text(entry.files_modified), "prompt_number",
                  number_or_null(entry.prompt_number), "discovery_tokens", entry.discovery_tokens,
                  "created_at", memory::iso_time(entry.created_at_ms), "created_at_epoch",
                  entry.created_at_ms, "facts_list", entry.facts, "concepts_list", entry.concepts,
                  "files_read_list", entry.files_read, "files_modified_list", entry.files_modified,
                  "source_ref", some(entry.source_ref), "metadata", some(metadata_of(entry))),
      relations_json(entry.succession, record, id_of));
}

std::string session_json(const memory::Summary& summary) {
  return json_object(
      "id", static_cast<std::int64_t>(summary.id), "memory_session_id",
      json_or_null(summary.session), "project", summary.project, "request",
      json_or_null(summary.request), "investigated", json_or_null(summary.investigated), "learned",
      json_or_null(summary.learned), "completed", json_or_null(summary.completed), "next_steps",
      json_or_null(summary.next_steps), "files_read", array_text(summary.files_read),
      "files_edited", array_text(summary.files_edited), "notes", json_or_null(summary.notes),
      "prompt_number", number_or_null(summary.prompt_number), "discovery_tokens",
      summary.discovery_tokens, "created_at", memory::iso_time(summary.created_at_ms),
      "created_at_epoch", summary.created_at_ms, "files_read_list", summary.files_read,
      "files_edited_list", summary.files_edited);
}

std::string prompt_json(const memory::Prompt& prompt) {
  return json_object("id", static_cast<std::int64_t>(prompt.id), "content_session_id",
                     json_or_null(prompt.session), "project", prompt.project, "prompt_number",
                     prompt.prompt_number, "prompt_text", prompt.text, "created_at",
                     memory::iso_time(prompt.created_at_ms), "created_at_epoch",
                     prompt.created_at_ms);
}

// The parts of a summary as one text, each with its name.
std::string summary_body(const memory::Summary& summary) {
  std::string body;
  for (const auto& [name, part] : kSummaryParts) {
    if ((summary.*part).empty()) continue;
    if (!body.empty()) body += "\n\n";
    body += std::string(name) + ": " + summary.*part;
  }
  return body;
}

}  // namespace

std::string summary_title(const memory::Summary& summary) {
  for (const auto& [name, part] : kSummaryParts) {
    if (!(summary.*part).empty()) return fold_whitespace(summary.*part);
  }
  return "Session summary";
}

std::vector<Record> with_code(const MemoryCall& call, std::vector<memory::Entry> entries) {
  std::vector<memory::DocumentKey> documents;
  for (const memory::Entry& entry : entries) documents.push_back(memory::document_key(entry.id));
  CitedStates cited = look_up_code(call, documents);
  const SharedMarks marks = find_shared_marks(call, documents);
  const auto scope = call.memory.branches().scope();
  std::vector<Record> records;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    records.push_back({std::move(entries[i]), std::move(cited[documents[i]]),
                       mark_of(marks, documents[i]), scope->branch_of(documents[i])});
  }
  return records;
}

Result<std::map<memory::DocumentKey, Record>> read_records(
    const MemoryCall& call, std::span<const memory::DocumentKey> keys) {
  memory::Memory& memory = call.memory;
  std::vector<memory::EntryId> entry_ids;
  std::vector<memory::SummaryId> summary_ids;
  std::vector<memory::PromptId> prompt_ids;
  for (const memory::DocumentKey key : keys) {
    switch (memory::kind_of(key)) {
      case memory::DocumentKind::kEntry:
        entry_ids.push_back(memory::EntryId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kSummary:
        summary_ids.push_back(memory::SummaryId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kPrompt:
        prompt_ids.push_back(memory::PromptId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kDecision:
        break;
    }
  }
  const auto scope = memory.branches().scope();
  std::map<memory::DocumentKey, Record> records;
  const auto is_hidden = [&](const auto& each) { return !memory.shows(each.project); };
  if (!entry_ids.empty()) {
    CODEXMEM_ASSIGN(auto entries, memory.entries().get(entry_ids));
    std::erase_if(entries, is_hidden);
    for (Record& record : with_code(call, std::move(entries))) {
      records.emplace(key_of(record), std::move(record));
    }
  }
  if (!summary_ids.empty()) {
    CODEXMEM_ASSIGN(auto summaries, memory.sessions().get_summaries(summary_ids));
    std::erase_if(summaries, is_hidden);
    for (memory::Summary& summary : summaries) {
      const auto key = memory::document_key(summary.id);
      records.emplace(key, Record{.what = std::move(summary), .branch = scope->branch_of(key)});
    }
  }
  if (!prompt_ids.empty()) {
    CODEXMEM_ASSIGN(auto prompts, memory.sessions().get_prompts(prompt_ids));
    std::erase_if(prompts, is_hidden);
    for (memory::Prompt& prompt : prompts) {
      if (prompt.is_private) continue;
      const auto key = memory::document_key(prompt.id);
      records.emplace(key, Record{.what = std::move(prompt), .branch = scope->branch_of(key)});
    }
  }
  return records;
}

Result<std::optional<Record>> read_record(const MemoryCall& call, const memory::DocumentKey& key) {
  CODEXMEM_ASSIGN(auto records, read_records(call, {&key, 1}));
  const auto record = records.find(key);
  if (record == records.end()) return std::optional<Record>();
  return std::optional(std::move(record->second));
}

std::optional<MovedCode> moved_to(const memory::CitationState& cited) {
  const memory::Citation& citation = cited.citation;
  const bool has_moved = (!cited.path.empty() && cited.path != citation.path) ||
                         (!cited.symbol.empty() && cited.symbol != citation.symbol);
  if (!has_moved) return std::nullopt;
  MovedCode now{cited.path.empty() ? citation.path : cited.path, {}};
  if (!citation.symbol.empty()) now.symbol = cited.symbol.empty() ? citation.symbol : cited.symbol;
  return now;
}

memory::DocumentKey key_of(const Record& record) {
  return std::visit([](const auto& what) { return memory::document_key(what.id); }, record.what);
}

memory::Entry as_entry(const Record& record) {
  memory::Entry entry;
  if (const auto* const whole = std::get_if<memory::Entry>(&record.what)) return *whole;
  if (const auto* const summary = std::get_if<memory::Summary>(&record.what)) {
    entry.id = memory::EntryId{static_cast<std::int64_t>(summary->id)};
    entry.project = summary->project;
    entry.session = summary->session;
    entry.type = "session";
    entry.title = summary_title(*summary);
    entry.body = summary_body(*summary);
    entry.files_read = summary->files_read;
    entry.files_modified = summary->files_edited;
    entry.created_at_ms = summary->created_at_ms;
  } else if (const auto* const prompt = std::get_if<memory::Prompt>(&record.what)) {
    entry.id = memory::EntryId{static_cast<std::int64_t>(prompt->id)};
    entry.project = prompt->project;
    entry.session = prompt->session;
    entry.type = "prompt";
    entry.title = fold_whitespace(prompt->text);
    entry.body = prompt->text;
    entry.created_at_ms = prompt->created_at_ms;
  }
  return entry;
}

std::string record_json(const Record& record) {
  if (const auto* const entry = std::get_if<memory::Entry>(&record.what)) {
    return observation_json(*entry, record);
  }
  const auto* const summary = std::get_if<memory::Summary>(&record.what);
  return summary != nullptr ? session_json(*summary)
                            : prompt_json(std::get<memory::Prompt>(record.what));
}

std::string entry_json(const Record& record) {
  const memory::Entry entry = as_entry(record);
  return json_joined(
      json_object("id", id_text(key_of(record)), "title", entry.title, "body", entry.body,
                  "entry_type", entry.type, "project", entry.project, "session_id",
                  json_or_null(entry.session), "source_ref", json_or_null(entry.source_ref),
                  "metadata", metadata_of(entry), "created_at",
                  memory::iso_time(entry.created_at_ms), "subtitle", some(entry.subtitle), "facts",
                  some(entry.facts), "concepts", some(entry.concepts), "files_read",
                  some(entry.files_read), "files_modified", some(entry.files_modified)),
      relations_json(entry.succession, record,
                     [](memory::EntryId id) { return id_text(memory::document_key(id)); }));
}

}  // namespace codexmem::ask

// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/record.h"

#include <utility>

#include "text/json.h"
#include "base/text.h"
#include "memory/entries.h"
#include "memory/sessions.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json number_or_null(const std::optional<std::int64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

void put_time(Json& row, std::int64_t ms) {
  row["created_at"] = memory::iso_time(ms);
  row["created_at_epoch"] = ms;
}

std::string array_text(const std::vector<std::string>& list) { return dump_json(Json(list)); }

void put_if_any(Json& row, const char* name, const std::vector<std::string>& list) {
  if (!list.empty()) row[name] = list;
}

Json metadata_of(const memory::Entry& entry) {
  Json metadata = Json::parse(entry.metadata.empty() ? "{}" : entry.metadata, nullptr, false);
  return metadata.is_object() ? metadata : Json::object();
}

// Ids in the form that `id(EntryId)` gives them.
template <typename IdOf>
void put_succession(Json& row, const memory::Succession& succession, const IdOf& id) {
  if (succession.superseded_by) row["superseded_by"] = id(*succession.superseded_by);
  for (const memory::EntryId older : succession.supersedes) row["supersedes"].push_back(id(older));
}

// What has become of the code that a record cites.
void put_code(Json& row, std::span<const memory::CitationState> cited) {
  const auto state = memory::code_state_of(cited);
  if (!state) return;
  row["code_state"] = memory::code_state_name(*state);
  Json& code = row["code"] = Json::array();
  for (const memory::CitationState& each : cited) {
    const memory::Citation& citation = each.citation;
    Json item = {{"path", citation.path}};
    if (!citation.symbol.empty()) item["symbol"] = citation.symbol;
    item["state"] = memory::code_state_name(each.state);
    if (const auto now = moved_to(each)) {
      item["now"]["path"] = now->path;
      if (!now->symbol.empty()) item["now"]["symbol"] = now->symbol;
    }
    code.push_back(std::move(item));
  }
}

constexpr std::pair<const char*, std::string memory::Summary::*> kSummaryParts[] = {
    {"Request", &memory::Summary::request},       {"Investigated", &memory::Summary::investigated},
    {"Learned", &memory::Summary::learned},       {"Completed", &memory::Summary::completed},
    {"Next steps", &memory::Summary::next_steps}, {"Notes", &memory::Summary::notes},
};

void put_shared(Json& row, const std::optional<SharedMark>& shared) {
  if (shared) row["shared"] = Json::parse(shared_json(*shared));
}

std::string observation_json(const memory::Entry& entry, const Record& record) {
  Json row = {
      {"id", static_cast<std::int64_t>(entry.id)},
      {"memory_session_id", text_or_null(entry.session)},
      {"project", entry.project},
      {"text", entry.source == "manual" ? Json(entry.body) : Json(nullptr)},
      {"type", entry.type},
      {"title", entry.title},
      {"subtitle", text_or_null(entry.subtitle)},
      {"facts", array_text(entry.facts)},
      {"narrative", entry.body},
      {"concepts", array_text(entry.concepts)},
      {"files_read", array_text(entry.files_read)},
      {"files_modified", array_text(entry.files_modified)},
      {"prompt_number", number_or_null(entry.prompt_number)},
      {"discovery_tokens", entry.discovery_tokens},
  };
  put_time(row, entry.created_at_ms);
  row["facts_list"] = entry.facts;
  row["concepts_list"] = entry.concepts;
  row["files_read_list"] = entry.files_read;
  row["files_modified_list"] = entry.files_modified;
  if (!entry.source_ref.empty()) row["source_ref"] = entry.source_ref;
  if (Json metadata = metadata_of(entry); !metadata.empty()) row["metadata"] = std::move(metadata);
  put_succession(row, entry.succession,
                 [](memory::EntryId id) { return static_cast<std::int64_t>(id); });
  put_shared(row, record.shared);
  put_code(row, record.cited);
  return dump_json(row);
}

std::string session_json(const memory::Summary& summary) {
  Json row = {
      {"id", static_cast<std::int64_t>(summary.id)},
      {"memory_session_id", text_or_null(summary.session)},
      {"project", summary.project},
      {"request", text_or_null(summary.request)},
      {"investigated", text_or_null(summary.investigated)},
      {"learned", text_or_null(summary.learned)},
      {"completed", text_or_null(summary.completed)},
      {"next_steps", text_or_null(summary.next_steps)},
      {"files_read", array_text(summary.files_read)},
      {"files_edited", array_text(summary.files_edited)},
      {"notes", text_or_null(summary.notes)},
      {"prompt_number", number_or_null(summary.prompt_number)},
      {"discovery_tokens", summary.discovery_tokens},
  };
  put_time(row, summary.created_at_ms);
  row["files_read_list"] = summary.files_read;
  row["files_edited_list"] = summary.files_edited;
  return dump_json(row);
}

std::string prompt_json(const memory::Prompt& prompt) {
  Json row = {
      {"id", static_cast<std::int64_t>(prompt.id)},
      {"content_session_id", text_or_null(prompt.session)},
      {"project", prompt.project},
      {"prompt_number", prompt.prompt_number},
      {"prompt_text", prompt.text},
  };
  put_time(row, prompt.created_at_ms);
  return dump_json(row);
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
  std::vector<Record> records;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    records.push_back(
        {std::move(entries[i]), std::move(cited[documents[i]]), mark_of(marks, documents[i])});
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
      records.emplace(memory::document_key(summary.id), Record{std::move(summary)});
    }
  }
  if (!prompt_ids.empty()) {
    CODEXMEM_ASSIGN(auto prompts, memory.sessions().get_prompts(prompt_ids));
    std::erase_if(prompts, is_hidden);
    for (memory::Prompt& prompt : prompts) {
      if (prompt.is_private) continue;
      records.emplace(memory::document_key(prompt.id), Record{std::move(prompt)});
    }
  }
  return records;
}

std::optional<CodePlace> moved_to(const memory::CitationState& cited) {
  const memory::Citation& citation = cited.citation;
  const bool has_moved = (!cited.path.empty() && cited.path != citation.path) ||
                         (!cited.symbol.empty() && cited.symbol != citation.symbol);
  if (!has_moved) return std::nullopt;
  CodePlace now{cited.path.empty() ? citation.path : cited.path, {}};
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
  Json item = {{"id", id_text(key_of(record))},
               {"title", entry.title},
               {"body", entry.body},
               {"entry_type", entry.type},
               {"project", entry.project},
               {"session_id", text_or_null(entry.session)},
               {"source_ref", text_or_null(entry.source_ref)},
               {"metadata", metadata_of(entry)},
               {"created_at", memory::iso_time(entry.created_at_ms)}};
  if (!entry.subtitle.empty()) item["subtitle"] = entry.subtitle;
  put_if_any(item, "facts", entry.facts);
  put_if_any(item, "concepts", entry.concepts);
  put_if_any(item, "files_read", entry.files_read);
  put_if_any(item, "files_modified", entry.files_modified);
  put_succession(item, entry.succession,
                 [](memory::EntryId id) { return id_text(memory::document_key(id)); });
  put_shared(item, record.shared);
  put_code(item, record.cited);
  return dump_json(item);
}

}  // namespace codexmem::ask

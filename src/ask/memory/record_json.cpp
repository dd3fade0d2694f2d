// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/record_json.h"

#include <utility>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/arguments.h"
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
    const bool has_moved = (!each.path.empty() && each.path != citation.path) ||
                           (!each.symbol.empty() && each.symbol != citation.symbol);
    if (has_moved) {
      Json& now = item["now"];
      now["path"] = each.path.empty() ? citation.path : each.path;
      if (!citation.symbol.empty()) {
        now["symbol"] = each.symbol.empty() ? citation.symbol : each.symbol;
      }
    }
    code.push_back(std::move(item));
  }
}

constexpr std::pair<const char*, std::string memory::Summary::*> kSummaryParts[] = {
    {"Request", &memory::Summary::request},       {"Investigated", &memory::Summary::investigated},
    {"Learned", &memory::Summary::learned},       {"Completed", &memory::Summary::completed},
    {"Next steps", &memory::Summary::next_steps}, {"Notes", &memory::Summary::notes},
};

// A record of another kind in the shape of an entry.
Json detail(memory::DocumentKey key, std::string title, std::string body, std::string_view type,
            const std::string& project, const std::string& session, std::int64_t ms) {
  return Json{
      {"id", id_text(key)},    {"title", std::move(title)},  {"body", std::move(body)},
      {"entry_type", type},    {"project", project},         {"session_id", text_or_null(session)},
      {"source_ref", nullptr}, {"metadata", Json::object()}, {"created_at", memory::iso_time(ms)}};
}

}  // namespace

std::string observation_json(const memory::Entry& entry,
                             std::span<const memory::CitationState> cited) {
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
  put_code(row, cited);
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

std::string entry_detail_json(const memory::Entry& entry,
                              std::span<const memory::CitationState> cited) {
  Json item = detail(memory::document_key(entry.id), entry.title, entry.body, entry.type,
                     entry.project, entry.session, entry.created_at_ms);
  item["source_ref"] = text_or_null(entry.source_ref);
  item["metadata"] = metadata_of(entry);
  if (!entry.subtitle.empty()) item["subtitle"] = entry.subtitle;
  put_if_any(item, "facts", entry.facts);
  put_if_any(item, "concepts", entry.concepts);
  put_if_any(item, "files_read", entry.files_read);
  put_if_any(item, "files_modified", entry.files_modified);
  put_succession(item, entry.succession,
                 [](memory::EntryId id) { return id_text(memory::document_key(id)); });
  put_code(item, cited);
  return dump_json(item);
}

std::string entry_detail_json(const memory::Summary& summary) {
  Json item =
      detail(memory::document_key(summary.id), summary_title(summary), summary_body(summary),
             "session", summary.project, summary.session, summary.created_at_ms);
  put_if_any(item, "files_read", summary.files_read);
  put_if_any(item, "files_modified", summary.files_edited);
  return dump_json(item);
}

std::string entry_detail_json(const memory::Prompt& prompt) {
  return dump_json(detail(memory::document_key(prompt.id), fold_whitespace(prompt.text),
                          prompt.text, "prompt", prompt.project, prompt.session,
                          prompt.created_at_ms));
}

std::string summary_title(const memory::Summary& summary) {
  for (const auto& [name, part] : kSummaryParts) {
    if (!(summary.*part).empty()) return fold_whitespace(summary.*part);
  }
  return "Session summary";
}

std::string summary_body(const memory::Summary& summary) {
  std::string body;
  for (const auto& [name, part] : kSummaryParts) {
    if ((summary.*part).empty()) continue;
    if (!body.empty()) body += "\n\n";
    body += std::string(name) + ": " + summary.*part;
  }
  return body;
}

}  // namespace codexmem::ask

// store/user/records.h - what the user's store holds, as values.
//
// Lists are lists here and JSON arrays in the store; times are milliseconds UTC. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/fields.h"

namespace codexmem::store {

enum class EntryId : std::int64_t {};
enum class SummaryId : std::int64_t {};
enum class PromptId : std::int64_t {};
enum class DecisionKey : std::int64_t {};
enum class SessionId : std::int64_t {};
enum class ProjectId : std::int64_t {};

/// What can be found. stored: never renumber.
enum class DocumentKind : std::uint8_t { kEntry = 0, kSummary = 1, kPrompt = 2, kDecision = 3 };

/// A document of any kind: (id << 2) + kind, the id of its vector and its full-text row.
enum class DocumentKey : std::int64_t {};

constexpr DocumentKey document_key(DocumentKind kind, std::int64_t id) {
  return static_cast<DocumentKey>(id * 4 + static_cast<std::int64_t>(kind));
}
constexpr DocumentKey document_key(EntryId id) {
  return document_key(DocumentKind::kEntry, static_cast<std::int64_t>(id));
}
constexpr DocumentKey document_key(SummaryId id) {
  return document_key(DocumentKind::kSummary, static_cast<std::int64_t>(id));
}
constexpr DocumentKey document_key(PromptId id) {
  return document_key(DocumentKind::kPrompt, static_cast<std::int64_t>(id));
}
constexpr DocumentKey document_key(DecisionKey key) {
  return document_key(DocumentKind::kDecision, static_cast<std::int64_t>(key));
}
constexpr DocumentKind kind_of(DocumentKey key) {
  return static_cast<DocumentKind>(static_cast<std::int64_t>(key) & 3);
}
constexpr std::int64_t id_of(DocumentKey key) { return static_cast<std::int64_t>(key) >> 2; }

/// What took an entry's place, and whose place it took: the next of each, not the ends of a chain.
struct Succession {
  std::optional<EntryId> superseded_by;
  std::vector<EntryId> supersedes;  // by id
};

/// One entry: a memory that was saved, an observation, a section of an ingested document.
struct Entry {
  EntryId id{};
  std::string project;
  std::string session;  // content_session_id; empty: none
  std::string type;     // "discovery", "bugfix", ...
  std::string title;
  std::string subtitle;  // empty: none
  std::string body;
  std::vector<std::string> facts, concepts, files_read, files_modified;
  std::optional<std::int64_t> prompt_number;
  std::int64_t discovery_tokens = 0;
  std::string source;      // manual, ingest, observer, import, shared
  std::string source_ref;  // empty: none
  std::string metadata;    // the text of a JSON object
  Succession succession;
  std::int64_t created_at_ms = 0;
};
/// The fields of an Entry, or of a NewEntry (store/user/entries.h), of which `body` is the text.
void visit_entry_fields(auto& entry, auto& body, auto&& visit) {
  visit("entry_type", entry.type)("title", entry.title)("body", body);
  visit("subtitle", entry.subtitle, kOrNull)("facts", entry.facts)("concepts", entry.concepts);
  visit("files_read", entry.files_read)("files_modified", entry.files_modified);
  visit("prompt_number", entry.prompt_number)("discovery_tokens", entry.discovery_tokens);
  visit("source", entry.source)("source_ref", entry.source_ref, kOrNull);
  visit("created_at_ms", entry.created_at_ms);
}
void visit_fields(FieldsOf<Entry> auto& entry, auto&& visit) {
  visit_entry_fields(entry, entry.body, visit);
}

/// The summary of a session's part.
struct Summary {
  SummaryId id{};
  std::string project, session;
  std::string request, investigated, learned, completed, next_steps, notes;  // empty: none
  std::vector<std::string> files_read, files_edited;
  std::optional<std::int64_t> prompt_number;
  std::int64_t discovery_tokens = 0;
  std::int64_t created_at_ms = 0;
};
/// The texts of a summary, its request first.
void visit_texts(FieldsOf<Summary> auto& summary, auto&& visit) {
  visit("request", summary.request, kOrNull)("investigated", summary.investigated, kOrNull);
  visit("learned", summary.learned, kOrNull)("completed", summary.completed, kOrNull);
  visit("next_steps", summary.next_steps, kOrNull)("notes", summary.notes, kOrNull);
}
void visit_fields(FieldsOf<Summary> auto& summary, auto&& visit) {
  visit_texts(summary, visit);
  visit("files_read", summary.files_read)("files_edited", summary.files_edited);
  visit("prompt_number", summary.prompt_number)("discovery_tokens", summary.discovery_tokens);
  visit("created_at_ms", summary.created_at_ms);
}

/// What a user asked for in a session.
struct Prompt {
  PromptId id{};
  std::string project = {}, session = {};
  std::int64_t prompt_number = 0;
  std::string text;  // empty when it was private
  bool is_private = false;
  std::int64_t created_at_ms = 0;
};
void visit_fields(FieldsOf<Prompt> auto& prompt, auto&& visit) {
  visit("prompt_number", prompt.prompt_number)("prompt_text", prompt.text);
  visit("is_private", prompt.is_private)("created_at_ms", prompt.created_at_ms);
}

}  // namespace codexmem::store

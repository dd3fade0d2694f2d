#include "ask/memory/whole_records.h"

#include "base/text.h"
#include "ask/memory/record_json.h"
#include "memory/entries.h"
#include "memory/sessions.h"

namespace codexmem::ask {

CitedStates look_up_code(const Call& call, std::span<const memory::DocumentKey> documents) {
  if (!call.code.look_up || documents.empty()) return {};
  auto states = call.code.look_up(documents);
  return states.ok() ? *std::move(states) : CitedStates();
}

Result<std::string> project_to_write(const memory::Memory& memory, std::string_view given) {
  std::string project = fold_whitespace(given);
  if (project.empty()) return memory.project();
  if (memory.shows(project)) return project;
  return Error{ErrorCode::kInvalidArgument,
               "project must be the current one while CODEXMEM_SCOPE=project"};
}

Result<std::map<memory::DocumentKey, std::string>> read_records(
    const Call& call, std::span<const memory::DocumentKey> keys, bool as_details) {
  memory::Memory& memory = call.memory;
  std::vector<memory::EntryId> entries;
  std::vector<memory::SummaryId> summaries;
  std::vector<memory::PromptId> prompts;
  for (const memory::DocumentKey key : keys) {
    switch (memory::kind_of(key)) {
      case memory::DocumentKind::kEntry:
        entries.push_back(memory::EntryId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kSummary:
        summaries.push_back(memory::SummaryId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kPrompt:
        prompts.push_back(memory::PromptId{memory::id_of(key)});
        break;
      case memory::DocumentKind::kDecision:
        break;
    }
  }
  const auto is_shown = [&](const std::string& project) { return memory.shows(project); };
  std::map<memory::DocumentKey, std::string> records;
  if (!entries.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.entries().get(entries));
    std::vector<memory::DocumentKey> documents;
    for (const memory::Entry& entry : found) documents.push_back(memory::document_key(entry.id));
    const CitedStates cited = look_up_code(call, documents);
    for (const memory::Entry& entry : found) {
      if (!is_shown(entry.project)) continue;
      const memory::DocumentKey key = memory::document_key(entry.id);
      const auto states = cited.find(key);
      const std::span<const memory::CitationState> code =
          states == cited.end() ? std::span<const memory::CitationState>() : states->second;
      records[key] = as_details ? entry_detail_json(entry, code) : observation_json(entry, code);
    }
  }
  if (!summaries.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.sessions().get_summaries(summaries));
    for (const memory::Summary& summary : found) {
      if (!is_shown(summary.project)) continue;
      records[memory::document_key(summary.id)] =
          as_details ? entry_detail_json(summary) : session_json(summary);
    }
  }
  if (!prompts.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.sessions().get_prompts(prompts));
    for (const memory::Prompt& prompt : found) {
      if (prompt.is_private || !is_shown(prompt.project)) continue;
      records[memory::document_key(prompt.id)] =
          as_details ? entry_detail_json(prompt) : prompt_json(prompt);
    }
  }
  return records;
}

}  // namespace codexmem::ask

#include "memory/answers/whole_records.h"

#include "base/text.h"
#include "memory/answers/record_json.h"
#include "memory/entries.h"
#include "memory/sessions.h"

namespace codexmem::memory {

CitedStates look_up_code(const Call& call, std::span<const DocumentKey> documents) {
  if (!call.code.look_up || documents.empty()) return {};
  auto states = call.code.look_up(documents);
  return states.ok() ? *std::move(states) : CitedStates();
}

Result<std::string> project_to_write(const Memory& memory, std::string_view given) {
  std::string project = fold_whitespace(given);
  if (project.empty()) return memory.project();
  if (memory.shows(project)) return project;
  return Error{ErrorCode::kInvalidArgument,
               "project must be the current one while CODEXMEM_SCOPE=project"};
}

Result<std::map<DocumentKey, std::string>> read_records(const Call& call,
                                                        std::span<const DocumentKey> keys,
                                                        bool as_details) {
  Memory& memory = call.memory;
  std::vector<EntryId> entries;
  std::vector<SummaryId> summaries;
  std::vector<PromptId> prompts;
  for (const DocumentKey key : keys) {
    switch (kind_of(key)) {
      case DocumentKind::kEntry:
        entries.push_back(EntryId{id_of(key)});
        break;
      case DocumentKind::kSummary:
        summaries.push_back(SummaryId{id_of(key)});
        break;
      case DocumentKind::kPrompt:
        prompts.push_back(PromptId{id_of(key)});
        break;
      case DocumentKind::kDecision:
        break;
    }
  }
  const auto is_shown = [&](const std::string& project) { return memory.shows(project); };
  std::map<DocumentKey, std::string> records;
  if (!entries.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.entries().get(entries));
    std::vector<DocumentKey> documents;
    for (const Entry& entry : found) documents.push_back(document_key(entry.id));
    const CitedStates cited = look_up_code(call, documents);
    for (const Entry& entry : found) {
      if (!is_shown(entry.project)) continue;
      const DocumentKey key = document_key(entry.id);
      const auto states = cited.find(key);
      const std::span<const CitationState> code =
          states == cited.end() ? std::span<const CitationState>() : states->second;
      records[key] = as_details ? entry_detail_json(entry, code) : observation_json(entry, code);
    }
  }
  if (!summaries.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.sessions().get_summaries(summaries));
    for (const Summary& summary : found) {
      if (!is_shown(summary.project)) continue;
      records[document_key(summary.id)] =
          as_details ? entry_detail_json(summary) : session_json(summary);
    }
  }
  if (!prompts.empty()) {
    CODEXMEM_ASSIGN(const auto found, memory.sessions().get_prompts(prompts));
    for (const Prompt& prompt : found) {
      if (prompt.is_private || !is_shown(prompt.project)) continue;
      records[document_key(prompt.id)] =
          as_details ? entry_detail_json(prompt) : prompt_json(prompt);
    }
  }
  return records;
}

}  // namespace codexmem::memory

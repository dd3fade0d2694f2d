// Tested by ask/page_test.cpp.
#include "ask/page/page_call.h"

#include <map>
#include <utility>

#include "ask/cited_code.h"
#include "ask/code/code_answer.h"
#include "ask/code/get_context.h"
#include "base/log.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "memory/entries/entry_edit.h"
#include "memory/times.h"
#include "privacy/gate.h"
#include "search/path_facts.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kRecordBytes = 4000;

bool is_stale(const memory::CodeNote& note) {
  return note.cited.state == memory::CodeState::kChanged ||
         note.cited.state == memory::CodeState::kGone;
}

JsonText record_json(const memory::CodeNote& note, const memory::Entry& entry) {
  return json_object("id", entry.id, "kind", entry.source == "observer" ? "observation" : "entry",
                     "type", entry.type, "title", note_title(note), "text",
                     utf8_prefix(entry.body, kRecordBytes), "project", entry.project, "createdAt",
                     memory::iso_time(entry.created_at_ms), "pinned", memory::is_pinned(entry),
                     "stale", is_stale(note));
}

JsonText decision_json(const memory::CodeNote& note, std::string_view target) {
  return json_object("id", note.id, "target", target, "title", note_title(note), "status",
                     note.status, "project", note.project, "createdAt",
                     memory::iso_time(note.created_at_ms), "stale", is_stale(note));
}

Result<PageNotes> read_notes(const PageCall& call, store::CodeReader& reader,
                             memory::NoteQuestion question) {
  question.scope = call.memory.seen_now();
  memory::CodeNotes found;
  {
    CODEXMEM_ASSIGN(store::UserReader user, call.memory.store().reader());
    IndexedCode code(call.code.workspace, reader);
    CODEXMEM_ASSIGN(found, memory::find_notes(*user, code, question));
  }
  PageNotes notes;
  notes.omitted = found.omitted;
  std::vector<memory::EntryId> ids;
  for (const memory::CodeNote& note : found.notes) {
    if (memory::kind_of(note.document) != memory::DocumentKind::kEntry) continue;
    ids.push_back(static_cast<memory::EntryId>(memory::id_of(note.document)));
  }
  CODEXMEM_ASSIGN(const auto entries, call.memory.entries().get(ids));
  std::map<memory::EntryId, const memory::Entry*> by_id;
  for (const memory::Entry& entry : entries) by_id[entry.id] = &entry;
  for (const memory::CodeNote& note : found.notes) {
    if (memory::kind_of(note.document) == memory::DocumentKind::kEntry) {
      const auto entry = by_id.find(static_cast<memory::EntryId>(memory::id_of(note.document)));
      if (entry != by_id.end()) notes.records.push_back(record_json(note, *entry->second));
      continue;
    }
    const auto decision = call.memory.decisions().get(note.id);
    if (decision.ok()) notes.decisions.push_back(decision_json(note, decision->target));
  }
  return notes;
}

}  // namespace

PageNotes find_page_notes(const PageCall& call, store::CodeReader& reader, const std::string& path,
                          const std::string& symbol, std::size_t limit) {
  auto notes =
      read_notes(call, reader,
                 {.path = path, .symbol = symbol, .project = call.shown_project(), .limit = limit});
  if (notes.ok()) return *std::move(notes);
  log_warn("the page without memories: {}", notes.error().message());
  PageNotes none;
  none.missing = notes.error().message();
  return none;
}

std::string_view file_sort(const store::FileRow& file) {
  if ((file.flags & store::kFileGenerated) != 0 || legacy_folder(file.path) == "generated") {
    return "generated";
  }
  if (search::is_data_language(file.language)) return "data";
  return is_changelog(file.path) ? "changelog" : "";
}

Result<std::string> page_folder(const store::Workspace& workspace, std::string_view given) {
  while (given.ends_with('/') && given.size() > 1) given.remove_suffix(1);
  if (given.empty() || given == ".") return std::string();
  return repository_path(workspace, "path", given);
}

}  // namespace codexmem::ask

// Tested by memory/entry_edit_test.cpp.
#include "memory/entries/entry_edit.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "memory/entries/citations.h"
#include "memory/entries/forget.h"
#include "store/user/branches.h"
#include "store/user/entries.h"
#include "store/user/ingestion.h"
#include "text/json.h"

namespace codexmem::memory {
namespace {

Error no_entry(EntryId id) {
  return {ErrorCode::kNotFound,
          fmt::format("there is no entry #{}", static_cast<std::int64_t>(id))};
}

Result<Entry> get_entry(store::Database& database, EntryId id) {
  CODEXMEM_ASSIGN(auto entry, find_entry(database, id));
  if (!entry) return no_entry(id);
  return *std::move(entry);
}

Result<void> check_current(const Entry& entry) {
  if (!entry.succession.superseded_by) return {};
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("entry #{} was superseded: edit #{}", static_cast<std::int64_t>(entry.id),
                  static_cast<std::int64_t>(*entry.succession.superseded_by))};
}

NewEntry edited(const Entry& entry, const EntryEdit& edit) {
  NewEntry changed;
  changed.project = entry.project;
  changed.session = entry.session;
  changed.type = entry.type;
  changed.title = edit.title.value_or(entry.title);
  // A title that was made from the text is made again.
  if (!edit.title && entry.title == default_title(entry.body)) changed.title.clear();
  changed.text = edit.text.value_or(entry.body);
  changed.subtitle = entry.subtitle;
  changed.facts = entry.facts;
  changed.concepts = edit.concepts.value_or(entry.concepts);
  changed.files_read = entry.files_read;
  changed.files_modified = entry.files_modified;
  changed.source_ref = entry.source_ref;
  changed.metadata = entry.metadata;
  changed.prompt_number = entry.prompt_number;
  return changed;
}

// The edited text is seen where the old one was; one that was there before, where either was.
Result<void> put_stages(store::Database& database, DocumentKey old, DocumentKey edited,
                        bool was_there) {
  CODEXMEM_ASSIGN(const auto stages, store::list_stages_of(database, old));
  CODEXMEM_ASSIGN(const auto own, store::list_stages_of(database, edited));
  if (was_there && (stages.empty() || own.empty())) {
    return store::unstage_document(database, edited);
  }
  for (const store::BranchStage& stage : stages) {
    CODEXMEM_TRY(store::stage_document(database, edited, stage));
  }
  return {};
}

bool is_different(const Entry& entry, const EntryEdit& edit) {
  return edit.title.value_or(entry.title) != entry.title ||
         edit.text.value_or(entry.body) != entry.body ||
         edit.concepts.value_or(entry.concepts) != entry.concepts;
}

}  // namespace

bool is_pinned(const Entry& entry) {
  const Json metadata = Json::parse(entry.metadata, nullptr, /*allow_exceptions=*/false);
  return metadata.is_object() && metadata.value("pinned", Json()) == Json(true);
}

Result<SavedEntry> edit_entry(store::UserStore& store, const Entries& entries,
                              const EntryEdit& edit, const Clock& clock) {
  Entry before;
  std::map<DocumentKey, std::vector<Citation>> cited;
  const DocumentKey key = document_key(edit.id);
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
    CODEXMEM_ASSIGN(before, get_entry(*reader, edit.id));
    CODEXMEM_ASSIGN(cited, list_citations(*reader, {&key, 1}));
  }
  CODEXMEM_TRY(check_current(before));
  if (!is_different(before, edit)) {
    return SavedEntry{before.id,    before.project,       before.type,
                      before.title, before.created_at_ms, true};
  }
  // The model and the rules for secrets take time: before the store is locked.
  CODEXMEM_ASSIGN(PreparedEntry prepared, entries.prepare(edited(before, edit)));
  prepared.place.reset();  // it is seen where the old text was
  prepared.is_imported = true;
  prepared.also_write = [&](store::Database& database, DocumentKey document) {
    return put_citations(database, document, cited[key], clock());
  };
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  CODEXMEM_ASSIGN(const Entry now, get_entry(*writer, edit.id));
  CODEXMEM_TRY(check_current(now));
  CODEXMEM_ASSIGN(SavedEntry saved, entries.insert(*writer, prepared));
  if (saved.id == edit.id) {
    // Only tags differ, which do not make it another entry.
    return Error{ErrorCode::kInvalidArgument,
                 "tags can only be changed together with the title or the text"};
  }
  if (saved.is_duplicate) {  // the text was there before: it takes over what this one has
    const DocumentKey again = document_key(saved.id);
    CODEXMEM_TRY(put_citations(*writer, again, cited[key], clock()));
    if (is_pinned(now)) CODEXMEM_TRY(store::put_metadata(*writer, saved.id, "pinned", "true"));
  }
  CODEXMEM_TRY(put_stages(*writer, key, document_key(saved.id), saved.is_duplicate));
  CODEXMEM_TRY(store::supersede_entry(*writer, saved.id, edit.id, clock()));
  CODEXMEM_TRY(writer.commit());
  return saved;
}

Result<void> pin_entry(store::UserStore& store, EntryId id, bool pinned) {
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  CODEXMEM_TRY(get_entry(*writer, id));
  CODEXMEM_TRY(pinned ? store::put_metadata(*writer, id, "pinned", "true")
                      : store::remove_metadata(*writer, id, "pinned"));
  return writer.commit();
}

Result<std::vector<EntryId>> forget_entry(store::UserStore& store, EntryId id, const Clock& clock) {
  std::vector<EntryId> ids = {id};
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
    CODEXMEM_TRY(get_entry(*reader, id));
    for (std::size_t at = 0; at < ids.size(); ++at) {
      CODEXMEM_ASSIGN(const Succession succession, find_succession(*reader, ids[at]));
      for (const EntryId older : succession.supersedes) {
        if (std::ranges::find(ids, older) == ids.end()) ids.push_back(older);
      }
    }
  }
  std::vector<DocumentKey> keys;
  for (const EntryId each : ids) keys.push_back(document_key(each));
  CODEXMEM_ASSIGN(const ForgetPlan plan, plan_forget(store, keys, clock));
  CODEXMEM_TRY(execute_forget(store, plan));
  return ids;
}

}  // namespace codexmem::memory

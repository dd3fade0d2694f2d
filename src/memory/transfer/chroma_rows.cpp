// Tested by tests/memory/chroma_mirror_test.cpp.
#include "memory/transfer/chroma_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "embed/vector_codes.h"
#include "memory/entries/entries.h"
#include "memory/recall/recall.h"
#include "memory/entries/sessions.h"
#include "store/user/chroma_queue.h"
#include "store/user/documents.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxValueBytes = 1'000;  // of a text in a row's metadata
constexpr std::size_t kMaxDocumentBytes = 16'000;

// By kind. The contract's names; stored in Chroma: never rename.
constexpr std::string_view kTypes[] = {"observation", "session_summary", "user_prompt"};
constexpr std::string_view kPrefixes[] = {"obs", "summary", "prompt"};

}  // namespace

std::string chroma_type(DocumentKind kind) {
  return std::string(kTypes[static_cast<std::size_t>(kind)]);
}

Result<std::optional<ChromaDocument>> read_chroma_document(store::Database& database,
                                                           DocumentKey key,
                                                           std::string_view model) {
  ChromaDocument document;
  document.key = key;
  const auto kind = static_cast<std::size_t>(kind_of(key));
  const std::string prefix = fmt::format("{}_{}", kPrefixes[kind], id_of(key));
  CODEXMEM_ASSIGN(const auto state, store::read_document_state(database));
  CODEXMEM_ASSIGN(const std::string codes, store::get_vector_codes(database, key, model));
  std::vector<float> own;  // the document's vector, when there is one
  if (!codes.empty()) {
    CODEXMEM_ASSIGN(own, embed::decode_vectors(codes, codes.size()));
  }
  embed::ChromaMetadata common = {
      {"sqlite_id", id_of(key)}, {"doc_type", std::string(kTypes[kind])}, {"store", state.store}};
  const auto put = [&](const char* name, std::string_view value) {
    common[name] = std::string(utf8_prefix(value, kMaxValueBytes));
  };
  const auto describe = [&](const auto& record, std::string_view type, std::string_view title) {
    document.project = record.project;
    common["created_at_epoch"] = record.created_at_ms;
    // Filters compare them whole.
    common["project"] = record.project;
    common["memory_session_id"] = record.session;
    put("type", type);
    put("title", title);
  };
  // `source` is what the row's vector is made of; empty: it is the document's own.
  const auto add = [&](std::string id, const std::string& field, std::string_view text,
                       std::string source) {
    if (trim(text).empty()) return;
    embed::ChromaRow row;
    row.id = std::move(id);
    row.document = utf8_prefix(text, kMaxDocumentBytes);
    row.metadata = common;
    row.metadata["field_type"] = field;
    if (source.empty()) row.vector = own;
    document.rows.push_back(std::move(row));
    document.texts.push_back(std::move(source));
  };
  const std::optional<ChromaDocument> nothing;
  switch (kind_of(key)) {
    case DocumentKind::kEntry: {
      CODEXMEM_ASSIGN(const auto entry, find_entry(database, static_cast<EntryId>(id_of(key))));
      if (!entry) return nothing;
      describe(*entry, entry->type, entry->title);
      if (!entry->subtitle.empty()) put("subtitle", entry->subtitle);
      if (!entry->concepts.empty()) put("concepts", join(entry->concepts, ","));
      if (!entry->files_read.empty()) put("files_read", join(entry->files_read, ","));
      if (!entry->files_modified.empty()) put("files_modified", join(entry->files_modified, ","));
      const std::string whole = own.empty() ? entry->title + "\n" + entry->body : std::string();
      add(prefix + "_narrative", "narrative", entry->body, whole);
      if (entry->source == "manual") add(prefix + "_text", "text", entry->body, whole);
      for (std::size_t i = 0; i < entry->facts.size(); ++i) {
        add(fmt::format("{}_fact_{}", prefix, i), "fact", entry->facts[i], entry->facts[i]);
      }
      break;
    }
    case DocumentKind::kSummary: {
      CODEXMEM_ASSIGN(const auto summary,
                      find_summary(database, static_cast<SummaryId>(id_of(key))));
      if (!summary) return nothing;
      describe(*summary, "session", summary->request);
      visit_texts(*summary,
                  store::FieldVisitor([&](std::string_view field, const std::string& text) {
                    add(fmt::format("{}_{}", prefix, field), std::string(field), text, text);
                  }));
      break;
    }
    case DocumentKind::kPrompt: {
      CODEXMEM_ASSIGN(const auto prompt, find_prompt(database, static_cast<PromptId>(id_of(key))));
      if (!prompt || prompt->is_private) return nothing;
      describe(*prompt, "prompt", "");
      add(prefix, "prompt", prompt->text, own.empty() ? prompt->text : std::string());
      break;
    }
    case DocumentKind::kDecision:
      return nothing;
  }
  return std::optional(std::move(document));
}

std::optional<ChromaNear> read_chroma_near(const embed::ChromaRecord& hit) {
  const auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
    const auto at = hit.metadata.find(key);
    if (at == hit.metadata.end()) return std::nullopt;
    const auto* const value = std::get_if<std::int64_t>(&at->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
  };
  const auto type = hit.metadata.find("doc_type");
  const auto id = number("sqlite_id"), created = number("created_at_epoch");
  constexpr std::int64_t kMaxId = std::int64_t{1} << 60;
  if (type == hit.metadata.end() || !id || !created || *id < 1 || *id > kMaxId) return std::nullopt;
  for (const DocumentKind kind : kChromaKinds) {
    const auto* const name = std::get_if<std::string>(&type->second);
    if (name != nullptr && *name == kTypes[static_cast<std::size_t>(kind)]) {
      return ChromaNear{document_key(kind, *id), hit.similarity, *created};
    }
  }
  return std::nullopt;
}

std::vector<embed::ChromaCondition> chroma_conditions(const RecallRequest& request,
                                                      std::span<const DocumentKey> among) {
  std::vector<embed::ChromaCondition> conditions;
  const auto add = [&](const char* key, const auto& values) {
    if (values.empty()) return;
    embed::ChromaCondition condition{.key = key};
    for (const auto& value : values) condition.any_of.emplace_back(value);
    conditions.push_back(std::move(condition));
  };
  add("project", request.projects);
  std::vector<std::string> kinds;
  for (const DocumentKind kind : request.kinds) {
    if (kind != DocumentKind::kDecision) {
      kinds.emplace_back(kTypes[static_cast<std::size_t>(kind)]);
    }
  }
  if (!request.types.empty()) kinds = {std::string(kTypes[0])};
  add("doc_type", kinds);
  add("type", request.types);
  std::vector<std::int64_t> ids;
  for (const DocumentKey key : among) ids.push_back(id_of(key));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  add("sqlite_id", ids);
  if (request.from_ms || request.to_ms) {
    conditions.push_back(
        {.key = "created_at_epoch", .at_least = request.from_ms, .at_most = request.to_ms});
  }
  return conditions;
}

}  // namespace codexmem::memory

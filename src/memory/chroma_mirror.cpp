// Tested by tests/memory/chroma_mirror_test.cpp, and against a real server by
// tests/chroma/chroma_test.py.
#include "memory/chroma_mirror.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "embed/vector_codes.h"
#include "memory/entries.h"
#include "memory/recall.h"
#include "memory/sessions.h"

namespace codexmem::memory {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{1'000};  // of a question, with all collections
constexpr std::size_t kDocuments = 256;                // that are sent together
constexpr std::size_t kLeastRows = 40;                 // that each of many collections tells
constexpr std::size_t kRemoved = 200;                  // that are deleted together
constexpr std::size_t kMaxValueBytes = 1'000;          // of a text in a row's metadata
constexpr std::size_t kMaxDocumentBytes = 16'000;

constexpr DocumentKind kKinds[] = {DocumentKind::kEntry, DocumentKind::kSummary,
                                   DocumentKind::kPrompt};
// By kind. The contract's names; stored in Chroma: never rename.
constexpr std::string_view kTypes[] = {"observation", "session_summary", "user_prompt"};
constexpr std::string_view kPrefixes[] = {"obs", "summary", "prompt"};

#define CODEXMEM_IS_SENT(kind)                                                \
  "EXISTS (SELECT 1 FROM chroma_documents AS d JOIN chroma_collections AS c " \
  "ON c.id = d.collection_id WHERE d.document = (t.id << 2) + " kind " AND c.scope = ?1) "
#define CODEXMEM_UNSENT(table, kind, more)                                               \
  "SELECT t.id FROM " table " AS t WHERE t.id > ?2 AND NOT " CODEXMEM_IS_SENT(kind) more \
      " ORDER BY t.id LIMIT ?3"
#define CODEXMEM_COUNT_UNSENT(table, kind, more) \
  "SELECT count(*) FROM " table " AS t WHERE NOT " CODEXMEM_IS_SENT(kind) more
#define CODEXMEM_ALL(table, kind, more) \
  "SELECT t.id, " CODEXMEM_IS_SENT(     \
      kind) "FROM " table               \
            " AS t WHERE (?2 = '' OR "  \
            "t.project_id = (SELECT id FROM projects WHERE name = ?2)) " more " ORDER BY t.id"
constexpr const char* kUnsentSql[] = {CODEXMEM_UNSENT("entries", "0", ""),
                                      CODEXMEM_UNSENT("summaries", "1", ""),
                                      CODEXMEM_UNSENT("prompts", "2", "AND t.is_private = 0")};
constexpr const char* kCountUnsentSql[] = {
    CODEXMEM_COUNT_UNSENT("entries", "0", ""), CODEXMEM_COUNT_UNSENT("summaries", "1", ""),
    CODEXMEM_COUNT_UNSENT("prompts", "2", "AND t.is_private = 0")};
constexpr const char* kAllSql[] = {CODEXMEM_ALL("entries", "0", ""),
                                   CODEXMEM_ALL("summaries", "1", ""),
                                   CODEXMEM_ALL("prompts", "2", "AND t.is_private = 0")};
constexpr const char* kGreatestSql[] = {
    "SELECT max(id) FROM entries", "SELECT max(id) FROM summaries", "SELECT max(id) FROM prompts"};
constexpr char kCollectionsSql[] =
    "SELECT name, uuid, id FROM chroma_collections WHERE scope = ?1 ORDER BY name";
constexpr char kIsKnownSql[] = "SELECT 1 FROM chroma_collections WHERE uuid = ?1";
constexpr char kPutCollectionSql[] = R"sql(
INSERT INTO chroma_collections (scope, name, uuid) VALUES (?1, ?2, ?3)
ON CONFLICT (scope, name) DO UPDATE SET uuid = excluded.uuid)sql";
constexpr char kForgetSql[] = "DELETE FROM chroma_documents WHERE collection_id = ?1";
constexpr char kForgetOneSql[] =
    "DELETE FROM chroma_documents WHERE document = ?1 AND collection_id = ?2";
constexpr char kPutDocumentSql[] = R"sql(
INSERT OR IGNORE INTO chroma_documents (document, collection_id) VALUES (?1, ?2))sql";
// By the tables' own keys: through document_texts it would read every text for each row.
constexpr char kRemovedSql[] = R"sql(
SELECT d.document FROM chroma_documents AS d WHERE d.collection_id = ?1 AND NOT
  CASE d.document & 3
    WHEN 0 THEN EXISTS (SELECT 1 FROM entries AS e WHERE e.id = d.document >> 2)
    WHEN 1 THEN EXISTS (SELECT 1 FROM summaries AS s WHERE s.id = d.document >> 2)
    ELSE EXISTS (SELECT 1 FROM prompts AS p WHERE p.id = d.document >> 2) END
ORDER BY d.document LIMIT ?2)sql";
constexpr char kRemovalsSql[] = "SELECT value FROM meta WHERE key = 'removals'";
constexpr char kStoreSql[] = "SELECT value FROM meta WHERE key = 'store'";
constexpr char kVectorSql[] = R"sql(
SELECT codes FROM vectors WHERE document = ?1
  AND model_id = (SELECT id FROM embedding_models WHERE name = ?2))sql";

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ",") + item;
  return text;
}

bool is_zero(std::span<const float> vector) {
  return std::all_of(vector.begin(), vector.end(), [](float v) { return v == 0; });
}

// The document of a row; nothing when it is none of ours.
std::optional<ChromaNear> read_near(const embed::ChromaHit& hit) {
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
  for (const DocumentKind kind : kKinds) {
    const auto* const name = std::get_if<std::string>(&type->second);
    if (name != nullptr && *name == kTypes[static_cast<std::size_t>(kind)]) {
      return ChromaNear{document_key(kind, *id), hit.similarity, *created};
    }
  }
  return std::nullopt;
}

std::vector<embed::ChromaCondition> conditions_of(const RecallRequest& request,
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

}  // namespace

// What is sent of one document.
struct ChromaMirror::Outgoing {
  DocumentKey key{};
  std::string collection;
  std::vector<embed::ChromaRow> rows;
  std::vector<std::string> texts;  // of each row: what its vector is made of; empty: it has one
};

ChromaMirror::ChromaMirror(store::UserStore& store, const DocumentVectors& vectors,
                           std::shared_ptr<embed::Chroma> chroma, std::string collection, Wake wake)
    : store_(store),
      vectors_(vectors),
      chroma_(std::move(chroma)),
      collection_(std::move(collection)),
      wake_(std::move(wake)) {}

std::string ChromaMirror::collection_of(std::string_view project) const {
  return collection_.empty() ? embed::chroma_collection_name(project) : collection_;
}

std::string ChromaMirror::scope() const {
  return fmt::format("{} {} {}", chroma_->address(), collection_.empty() ? "cm__*" : collection_,
                     vectors_.embedder()->model_id());
}

Result<ChromaAnswer> ChromaMirror::nearest(store::Database& database, std::span<const float> vector,
                                           std::size_t k, const RecallRequest& request,
                                           std::span<const DocumentKey> among,
                                           std::stop_token stop) {
  ChromaAnswer answer;
  struct Place {
    std::string name, id;
  };
  std::vector<Place> places;
  {
    std::unordered_set<std::string> wanted;
    for (const std::string& project : request.projects) wanted.insert(collection_of(project));
    CODEXMEM_ASSIGN(store::Statement list, database.statement(kCollectionsSql));
    const std::string of = scope();
    list.bind(1, of);
    bool has_any = false;
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) break;
      has_any = true;
      if (wanted.empty() || wanted.contains(std::string(list.text(0)))) {
        places.push_back({std::string(list.text(0)), std::string(list.text(1))});
      }
    }
    if (!has_any) {
      answer.problem = fmt::format("Chroma: {} has no copies of documents yet", chroma_->address());
      return answer;
    }
  }
  const std::string current = collection_of(request.current_project);
  std::stable_partition(places.begin(), places.end(),
                        [&](const Place& place) { return place.name == current; });
  const bool wants_copies =
      request.kinds.empty() ||
      std::any_of(request.kinds.begin(), request.kinds.end(),
                  [](DocumentKind kind) { return kind != DocumentKind::kDecision; });
  answer.was_asked = places.empty() || !wants_copies;
  if (answer.was_asked) return answer;

  const auto conditions = conditions_of(request, among);
  const auto deadline = SteadyClock::now() + kPatience;
  // What a collection tells costs more than the search in it: of many each tells less.
  const std::size_t each = std::clamp(2 * k / places.size(), std::min(k, kLeastRows), k);
  std::unordered_map<std::int64_t, std::size_t> seen;
  std::size_t asked = 0;
  for (const Place& place : places) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) {
      answer.problem = fmt::format("Chroma: {} answered for {} of {} collections in time",
                                   chroma_->address(), asked, places.size());
      break;
    }
    const auto hits = chroma_->query(place.id, vector, each, conditions, left, stop);
    if (!hits.ok()) {
      const ErrorCode code = hits.error().code();
      if (code == ErrorCode::kCancelled) return hits.error();
      answer.problem = hits.error().message();
      if (code == ErrorCode::kNotFound) {
        is_doubtful_ = true;
        wake(Reason::kServer);
      } else if (code != ErrorCode::kInvalidArgument) {
        break;
      }
      continue;
    }
    ++asked;
    answer.was_asked = true;
    for (const embed::ChromaHit& hit : *hits) {
      const auto near = read_near(hit);
      if (!near) continue;
      const auto [at, is_new] =
          seen.try_emplace(static_cast<std::int64_t>(near->key), answer.near.size());
      if (is_new) {
        answer.near.push_back(*near);
      } else if (answer.near[at->second].similarity < near->similarity) {
        answer.near[at->second] = *near;
      }
    }
  }
  // It is back: what could not be sent may go now.
  if (asked > 0 && is_behind_.exchange(false)) wake(Reason::kServer);
  std::sort(answer.near.begin(), answer.near.end(), [](const ChromaNear& a, const ChromaNear& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.key < b.key;
  });
  return answer;
}

Result<void> ChromaMirror::refusal() const {
  if (refused_.empty()) return {};
  return Error{ErrorCode::kInvalidArgument, refused_.begin()->second};
}

// Everything is looked for again: documents that were not sent, and collections.
void ChromaMirror::look_anew() {
  sent_up_to_ = {};
  removals_ = -1;
  ready_.clear();
}

// The collection `name`, made when it is not there, with its number in the store.
Result<ChromaMirror::Collection> ChromaMirror::ensure(const std::string& name,
                                                      const std::stop_token& stop) {
  if (const auto found = ready_.find(name); found != ready_.end()) return found->second;
  const std::string model = vectors_.embedder()->model_id();
  CODEXMEM_ASSIGN(auto there, chroma_->get_or_create(name, model, stop));
  if (there.model != model && !there.has_rows && there.is_cosine) {
    CODEXMEM_TRY(chroma_->claim(there.id, model, stop));
    there.model = model;
  }
  if (there.model != model && !there.model.empty()) {
    // Ours to make anew if it was we who filled it, with another model.
    bool is_ours = false;
    {
      CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
      CODEXMEM_ASSIGN(store::Statement find, reader->statement(kIsKnownSql));
      find.bind(1, there.id);
      CODEXMEM_ASSIGN(is_ours, find.step());
    }
    if (is_ours) {
      CODEXMEM_TRY(chroma_->drop(name, stop));
      CODEXMEM_ASSIGN(there, chroma_->get_or_create(name, model, stop));
    }
  }
  if (there.model != model || !there.is_cosine) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("Chroma: the collection {} of {} {}; name another one in "
                             "CODEXMEM_CHROMA_COLLECTION, or delete it",
                             name, chroma_->address(),
                             there.model.empty() ? "was made by another program"
                             : there.is_cosine   ? "has vectors of another model"
                                                 : "does not compare by cosine")};
  }
  CODEXMEM_ASSIGN(store::UserWriter writer, store_.writer());
  CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
  const std::string of = scope();
  Collection collection{0, there.id};
  std::string known;
  {
    CODEXMEM_ASSIGN(store::Statement list, writer->statement(kCollectionsSql));
    list.bind(1, of);
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) break;
      if (list.text(0) != name) continue;
      known = list.text(1);
      collection.number = list.integer(2);
    }
  }
  if (known != there.id) {
    if (collection.number != 0) {
      CODEXMEM_ASSIGN(store::Statement forget, writer->statement(kForgetSql));
      forget.bind(1, collection.number);
      CODEXMEM_TRY(forget.run());
      starts_over_ = true;
    }
    CODEXMEM_ASSIGN(store::Statement put, writer->statement(kPutCollectionSql));
    put.bind(1, of);
    put.bind(2, name);
    put.bind(3, there.id);
    CODEXMEM_TRY(put.run());
    if (collection.number == 0) collection.number = writer->last_insert_id();
    CODEXMEM_TRY(transaction.commit());
  }
  ready_.emplace(name, collection);
  return collection;
}

// Whether the collections that copies were sent to are still there.
Result<void> ChromaMirror::check_known(const std::stop_token& stop) {
  std::vector<std::string> names;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(store::Statement list, reader->statement(kCollectionsSql));
    const std::string of = scope();
    list.bind(1, of);
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) break;
      names.emplace_back(list.text(0));
    }
  }
  for (const std::string& name : names) {
    if (const auto there = ensure(name, stop); !there.ok()) {
      if (there.error().code() != ErrorCode::kInvalidArgument) return there.error();
      refused_.emplace(name, there.error().message());
    }
  }
  return {};
}

// Copies of documents that the store has no more.
Result<void> ChromaMirror::delete_removed(const std::stop_token& stop) {
  std::int64_t removals = 0;
  std::string store_name;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(const auto number, reader->find_integer(kRemovalsSql));
    removals = number.value_or(0);
    CODEXMEM_ASSIGN(store::Statement name, reader->statement(kStoreSql));
    CODEXMEM_TRY(name.step());
    store_name = name.text(0);
  }
  if (removals == removals_) return {};
  for (const auto& [name, collection] : ready_) {
    for (;;) {
      if (stop.stop_requested()) return {};
      std::vector<DocumentKey> gone;
      {
        CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
        CODEXMEM_ASSIGN(store::Statement list, reader->statement(kRemovedSql));
        list.bind(1, collection.number);
        list.bind(2, static_cast<std::int64_t>(kRemoved));
        for (;;) {
          CODEXMEM_ASSIGN(const bool more, list.step());
          if (!more) break;
          gone.push_back(static_cast<DocumentKey>(list.integer(0)));
        }
      }
      if (gone.empty()) break;
      for (const DocumentKind kind : kKinds) {
        embed::ChromaCondition ids{.key = "sqlite_id"};
        for (const DocumentKey key : gone) {
          if (kind_of(key) == kind) ids.any_of.emplace_back(id_of(key));
        }
        if (ids.any_of.empty()) continue;
        const embed::ChromaCondition conditions[] = {
            {.key = "store", .any_of = {store_name}},
            {.key = "doc_type", .any_of = {std::string(kTypes[static_cast<std::size_t>(kind)])}},
            std::move(ids)};
        CODEXMEM_TRY(chroma_->remove(collection.id, conditions, stop));
      }
      CODEXMEM_ASSIGN(store::UserWriter writer, store_.writer());
      CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
      CODEXMEM_ASSIGN(store::Statement forget, writer->statement(kForgetOneSql));
      for (const DocumentKey key : gone) {
        forget.bind(1, key);
        forget.bind(2, collection.number);
        CODEXMEM_TRY(forget.run());
      }
      CODEXMEM_TRY(transaction.commit());
    }
  }
  removals_ = removals;
  return {};
}

// Without rows when it is gone, or says nothing.
Result<ChromaMirror::Outgoing> ChromaMirror::read_outgoing(store::Database& database,
                                                           DocumentKey key) const {
  Outgoing document;
  document.key = key;
  const auto kind = static_cast<std::size_t>(kind_of(key));
  const std::string prefix = fmt::format("{}_{}", kPrefixes[kind], id_of(key));
  std::string store_name;
  {
    CODEXMEM_ASSIGN(store::Statement name, database.statement(kStoreSql));
    CODEXMEM_TRY(name.step());
    store_name = name.text(0);
  }
  std::vector<float> own;  // the document's vector, when there is one
  {
    CODEXMEM_ASSIGN(store::Statement read, database.statement(kVectorSql));
    read.bind(1, key);
    read.bind(2, vectors_.embedder()->model_id());
    CODEXMEM_ASSIGN(const bool found, read.step());
    if (found && !read.blob(0).empty()) {
      CODEXMEM_ASSIGN(own, embed::decode_vectors(read.blob(0), read.blob(0).size()));
    }
  }
  embed::ChromaMetadata common = {
      {"sqlite_id", id_of(key)}, {"doc_type", std::string(kTypes[kind])}, {"store", store_name}};
  const auto put = [&](const char* name, std::string_view value) {
    common[name] = std::string(utf8_prefix(value, kMaxValueBytes));
  };
  const auto describe = [&](const auto& record, std::string_view type, std::string_view title) {
    document.collection = collection_of(record.project);
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
  switch (kind_of(key)) {
    case DocumentKind::kEntry: {
      CODEXMEM_ASSIGN(const auto entry, find_entry(database, static_cast<EntryId>(id_of(key))));
      if (!entry) break;
      describe(*entry, entry->type, entry->title);
      if (!entry->subtitle.empty()) put("subtitle", entry->subtitle);
      if (!entry->concepts.empty()) put("concepts", joined(entry->concepts));
      if (!entry->files_read.empty()) put("files_read", joined(entry->files_read));
      if (!entry->files_modified.empty()) put("files_modified", joined(entry->files_modified));
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
      if (!summary) break;
      describe(*summary, "session", summary->request);
      const std::pair<const char*, const std::string*> fields[] = {
          {"request", &summary->request},       {"investigated", &summary->investigated},
          {"learned", &summary->learned},       {"completed", &summary->completed},
          {"next_steps", &summary->next_steps}, {"notes", &summary->notes}};
      for (const auto& [field, text] : fields) {
        add(fmt::format("{}_{}", prefix, field), field, *text, *text);
      }
      break;
    }
    case DocumentKind::kPrompt: {
      CODEXMEM_ASSIGN(const auto prompt, find_prompt(database, static_cast<PromptId>(id_of(key))));
      if (!prompt || prompt->is_private) break;
      describe(*prompt, "prompt", "");
      add(prefix, "prompt", prompt->text, own.empty() ? prompt->text : std::string());
      break;
    }
    case DocumentKind::kDecision:
      break;
  }
  return document;
}

// Gives each row its vector; those that say nothing to the model go.
Result<void> ChromaMirror::add_vectors(std::vector<Outgoing>* documents,
                                       const std::stop_token& stop) const {
  std::vector<std::string_view> texts;
  for (const Outgoing& document : *documents) {
    for (const std::string& text : document.texts) {
      if (!text.empty()) texts.push_back(text);
    }
  }
  std::vector<float> made;
  std::size_t dimension = 0;
  if (!texts.empty()) {
    CODEXMEM_ASSIGN(made, vectors_.embedder()->embed_documents(texts, stop));
    dimension = vectors_.embedder()->dimension();
    if (made.size() != texts.size() * dimension) {
      return Error{ErrorCode::kUnsupported, "the model gave another number of vectors"};
    }
  }
  auto next = made.begin();
  for (Outgoing& document : *documents) {
    for (std::size_t i = 0; i < document.rows.size(); ++i) {
      if (document.texts[i].empty()) continue;
      document.rows[i].vector.assign(next, next + static_cast<std::ptrdiff_t>(dimension));
      next += static_cast<std::ptrdiff_t>(dimension);
    }
    std::erase_if(document.rows, [](const embed::ChromaRow& row) { return is_zero(row.vector); });
  }
  return {};
}

// Sends documents and notes that they were. A collection that is refused keeps its documents
// waiting, and the others go.
Result<void> ChromaMirror::send(std::span<const DocumentKey> keys, SentDocuments* sent,
                                const std::stop_token& stop) {
  std::vector<Outgoing> documents;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(*reader));
    for (const DocumentKey key : keys) {
      CODEXMEM_ASSIGN(Outgoing document, read_outgoing(*reader, key));
      if (!document.collection.empty()) documents.push_back(std::move(document));
    }
  }
  for (const Outgoing& document : documents) {
    if (refused_.contains(document.collection)) continue;
    const auto there = ensure(document.collection, stop);
    if (there.ok()) continue;
    if (there.error().code() != ErrorCode::kInvalidArgument) return there.error();
    refused_.emplace(document.collection, there.error().message());
  }
  std::erase_if(documents,
                [&](const Outgoing& document) { return refused_.contains(document.collection); });
  CODEXMEM_TRY(add_vectors(&documents, stop));
  std::map<std::string, std::vector<const Outgoing*>> by_collection;
  for (const Outgoing& document : documents) {
    by_collection[document.collection].push_back(&document);
  }
  for (const auto& [name, group] : by_collection) {
    std::vector<embed::ChromaRow> rows;
    for (const Outgoing* document : group) {
      rows.insert(rows.end(), document->rows.begin(), document->rows.end());
    }
    std::optional<Collection> collection;
    Result<void> done;
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto there = ensure(name, stop);
      done = there.ok() ? chroma_->upsert(there->id, rows, stop) : Result<void>(there.error());
      if (there.ok()) collection = *there;
      if (done.ok() || done.error().code() != ErrorCode::kNotFound) break;
      ready_.erase(name);  // it was deleted under our hands: made anew, once
    }
    if (!done.ok()) {
      if (done.error().code() != ErrorCode::kInvalidArgument) return done;
      refused_.emplace(name, done.error().message());
      continue;
    }
    CODEXMEM_ASSIGN(store::UserWriter writer, store_.writer());
    CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
    CODEXMEM_ASSIGN(store::Statement put, writer->statement(kPutDocumentSql));
    for (const Outgoing* document : group) {
      put.bind(1, document->key);
      put.bind(2, collection->number);
      CODEXMEM_TRY(put.run());
    }
    CODEXMEM_TRY(transaction.commit());
    for (const Outgoing* document : group) {
      if (!document->rows.empty()) ++sent->count[static_cast<std::size_t>(kind_of(document->key))];
    }
  }
  return {};
}

Result<void> ChromaMirror::send_new(const std::stop_token& stop) {
  const std::string of = scope();
  SentDocuments ignored;
  for (const DocumentKind kind : kKinds) {
    const auto at = static_cast<std::size_t>(kind);
    for (;;) {
      if (stop.stop_requested()) return {};
      std::vector<DocumentKey> keys;
      {
        CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
        CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(*reader));
        CODEXMEM_ASSIGN(const auto greatest, reader->find_integer(kGreatestSql[at]));
        if (greatest.value_or(0) <= sent_up_to_[at]) break;
        CODEXMEM_ASSIGN(store::Statement list, reader->statement(kUnsentSql[at]));
        list.bind(1, of);
        list.bind(2, sent_up_to_[at]);
        list.bind(3, static_cast<std::int64_t>(kDocuments));
        for (;;) {
          CODEXMEM_ASSIGN(const bool more, list.step());
          if (!more) break;
          keys.push_back(document_key(kind, list.integer(0)));
        }
        if (keys.empty()) {
          sent_up_to_[at] = *greatest;
          break;
        }
      }
      CODEXMEM_TRY(send(keys, &ignored, stop));
      sent_up_to_[at] = id_of(keys.back());
    }
  }
  return {};
}

Result<void> ChromaMirror::follow(std::stop_token stop) {
  const std::lock_guard lock(working_);
  if (vectors_.embedder() == nullptr) return {};
  if (std::exchange(epoch_, store_.epoch()) != store_.epoch()) is_doubtful_ = true;
  const bool looks = is_doubtful_.exchange(false);
  const auto run = [&]() -> Result<void> {
    refused_.clear();
    if (looks) {
      look_anew();
      CODEXMEM_TRY(check_known(stop));
    }
    CODEXMEM_TRY(delete_removed(stop));
    do {
      if (std::exchange(starts_over_, false)) sent_up_to_ = {};
      CODEXMEM_TRY(send_new(stop));
    } while (starts_over_ && !stop.stop_requested());
    return refusal();
  };
  auto done = run();
  // After a failure nothing is taken for granted: it may come back empty.
  if (!done.ok()) is_doubtful_ = true;
  is_behind_ = !done.ok();
  return done;
}

Result<void> ChromaMirror::send_again(std::string_view project, std::size_t limit,
                                      SentDocuments* sent, std::stop_token stop) {
  const std::lock_guard lock(working_);
  if (vectors_.embedder() == nullptr) return {};
  struct Listed {
    bool is_sent = false;
    DocumentKey key{};
  };
  refused_.clear();
  ready_.clear();
  CODEXMEM_TRY(check_known(stop));
  std::vector<Listed> listed;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(*reader));
    const std::string of = scope();
    for (const DocumentKind kind : kKinds) {
      CODEXMEM_ASSIGN(store::Statement list,
                      reader->statement(kAllSql[static_cast<std::size_t>(kind)]));
      list.bind(1, of);
      list.bind(2, project);
      for (;;) {
        CODEXMEM_ASSIGN(const bool more, list.step());
        if (!more) break;
        listed.push_back({list.integer(1) != 0, document_key(kind, list.integer(0))});
      }
    }
  }
  std::stable_partition(listed.begin(), listed.end(),
                        [](const Listed& one) { return !one.is_sent; });
  if (listed.size() > limit) listed.resize(limit);
  for (std::size_t begin = 0; begin < listed.size(); begin += kDocuments) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the backfill was cancelled"};
    std::vector<DocumentKey> keys;
    for (std::size_t i = begin; i < std::min(listed.size(), begin + kDocuments); ++i) {
      keys.push_back(listed[i].key);
    }
    CODEXMEM_TRY(send(keys, sent, stop));
  }
  return refusal();
}

Result<ChromaStatus> ChromaMirror::status(std::stop_token stop) {
  ChromaStatus status;
  const auto beat = chroma_->heartbeat(stop);
  status.is_reachable = beat.ok();
  if (!beat.ok()) status.problem = beat.error().message();
  if (vectors_.embedder() == nullptr) return status;
  const std::string of = scope();
  std::vector<std::pair<std::string, std::string>> places;  // name and id
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(*reader));
    CODEXMEM_ASSIGN(store::Statement list, reader->statement(kCollectionsSql));
    list.bind(1, of);
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) break;
      places.emplace_back(list.text(0), list.text(1));
    }
    for (const DocumentKind kind : kKinds) {
      CODEXMEM_ASSIGN(store::Statement count,
                      reader->statement(kCountUnsentSql[static_cast<std::size_t>(kind)]));
      count.bind(1, of);
      CODEXMEM_TRY(count.step());
      status.pending += static_cast<std::size_t>(count.integer(0));
    }
  }
  const auto deadline = SteadyClock::now() + kPatience;
  for (const auto& [name, id] : places) {
    if (!status.is_reachable || SteadyClock::now() >= deadline) break;
    if (const auto rows = chroma_->count(id, stop); rows.ok()) {
      status.rows += *rows;
      status.collections.emplace_back(name, *rows);
    } else if (status.problem.empty()) {
      status.problem = rows.error().message();
    }
  }
  if (const std::unique_lock lock(working_, std::try_to_lock);
      lock.owns_lock() && status.problem.empty() && !refused_.empty()) {
    status.problem = refused_.begin()->second;
  }
  return status;
}

}  // namespace codexmem::memory

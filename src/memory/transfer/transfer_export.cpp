// Read in one transaction, in an order in which a record comes before the records that refer to it.
//
// Tested by tests/memory/transfer_test.cpp.
#include <fmt/core.h>

#include "memory/entries/citations.h"
#include "memory/decisions/decision_records.h"
#include "memory/entries/sessions.h"
#include "memory/times.h"
#include "memory/transfer/transfer.h"
#include "privacy/gate.h"
#include "store/user/branches.h"
#include "store/user/transfer.h"
#include "text/json.h"
#include "text/json_text.h"

namespace codexmem::memory {
namespace {

void put_text(Json& record, const char* key, std::string_view text) {
  if (!text.empty()) record[key] = std::string(text);
}

void put_list(Json& record, const char* key, const std::vector<std::string>& list) {
  if (!list.empty()) record[key] = list;
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

// Writes the fields of a row (store/fields.h) into a record: numbers always, empty texts and lists
// not at all. A line names two columns of an entry in another way.
class FieldWriter {
 public:
  explicit FieldWriter(Json& record) : record_(record) {}
  template <typename Value>
  FieldWriter& operator()(std::string_view name, const Value& value, store::FieldKind kind = {}) {
    const char* const key = name == "entry_type" ? "type" : name == "body" ? "text" : name.data();
    if constexpr (std::is_same_v<Value, std::string>) {
      put_text(record_, key, kind == store::kBlobOrNull ? hex(value) : value);
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      put_list(record_, key, value);
    } else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>) {
      if (value) record_[key] = *value;
    } else {
      record_[key] = value;
    }
    return *this;
  }

 private:
  Json& record_;
};

class Export {
 public:
  Export(store::Database& database, const LineSink& sink, const std::string& project,
         const std::stop_token& stop)
      : database_(database), sink_(sink), project_(project), stop_(stop) {}

  Result<void> run(std::int64_t now_ms) {
    Json header{{"codexmem_memory", kTransferFormat}, {"exported_at", iso_time(now_ms)}};
    put_text(header, "project", project_);
    CODEXMEM_TRY(sink_(dump_json(header)));
    const auto session = [this](const store::SessionRecord& session) -> Result<void> {
      ++report_.sessions;
      return write(session_line(session));
    };
    CODEXMEM_TRY(store::visit_sessions(database_, project_, session));
    const auto prompt = [this](std::int64_t id) -> Result<void> {
      ++report_.prompts;
      CODEXMEM_ASSIGN(const auto found, find_prompt(database_, static_cast<PromptId>(id)));
      Json record = prompt_line(*found);
      CODEXMEM_TRY(add_branches(document_key(found->id), record));
      return write(record);
    };
    CODEXMEM_TRY(store::visit_ids(database_, DocumentKind::kPrompt, project_, prompt));
    const auto summary = [this](std::int64_t id) -> Result<void> {
      ++report_.summaries;
      CODEXMEM_ASSIGN(const auto found, find_summary(database_, static_cast<SummaryId>(id)));
      Json record = summary_line(*found);
      CODEXMEM_TRY(add_branches(document_key(found->id), record));
      return write(record);
    };
    CODEXMEM_TRY(store::visit_ids(database_, DocumentKind::kSummary, project_, summary));
    CODEXMEM_ASSIGN(const auto evidence, store::list_evidence(database_));
    const auto entry = [&](EntryId id, bool has_own_title, bool is_linked) -> Result<void> {
      ++report_.entries;
      CODEXMEM_ASSIGN(const auto found, find_entry(database_, id));
      CODEXMEM_ASSIGN(Json record, entry_line(*found, has_own_title));
      if (is_linked || evidence.contains(static_cast<std::int64_t>(id))) record["is_linked"] = true;
      return write(record);
    };
    CODEXMEM_TRY(store::visit_entries(database_, project_, entry));
    const auto link = [this](const store::EntryLink& link) {
      return write({{"kind", "link"},
                    {"from", static_cast<std::int64_t>(link.from)},
                    {"to", static_cast<std::int64_t>(link.to)},
                    {"link", link.kind},
                    {"created_at_ms", link.created_at_ms}});
    };
    CODEXMEM_TRY(store::visit_links(database_, project_, link));
    const auto ingestion = [this](const store::Ingestion& ingestion) {
      return write({{"kind", "ingestion"},
                    {"project", ingestion.project},
                    {"source", ingestion.source},
                    {"section", privacy::redacted(ingestion.section)},
                    {"hash", ingestion.hash},
                    {"entry", static_cast<std::int64_t>(ingestion.entry)},
                    {"outcome", ingestion.outcome},
                    {"at_ms", ingestion.at_ms}});
    };
    CODEXMEM_TRY(store::visit_ingestions(database_, project_, ingestion));
    const auto decision = [this](std::int64_t key) -> Result<void> {
      ++report_.decisions;
      CODEXMEM_ASSIGN(const Json record, decision_line(static_cast<DecisionKey>(key)));
      return write(record);
    };
    CODEXMEM_TRY(store::visit_ids(database_, DocumentKind::kDecision, project_, decision));
    return go_on();
  }

  const ExportReport& report() const { return report_; }

 private:
  Result<void> go_on() const {
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    return {};
  }

  Result<void> write(const Json& record) {
    CODEXMEM_TRY(go_on());
    return sink_(dump_json(record));
  }

  static Json session_line(const store::SessionRecord& session) {
    Json record{{"kind", "session"}, {"session", session.id}, {"project", session.project}};
    visit_fields(session, FieldWriter(record));
    return record;
  }

  static Json prompt_line(const Prompt& prompt) {
    return {{"kind", "prompt"},
            {"session", prompt.session},
            {"number", prompt.prompt_number},
            {"text", prompt.text},
            {"is_private", prompt.is_private},
            {"created_at_ms", prompt.created_at_ms}};
  }

  static Json summary_line(const Summary& summary) {
    Json record{{"kind", "summary"}, {"session", summary.session}};
    visit_fields(summary, FieldWriter(record));
    return record;
  }

  Result<Json> entry_line(Entry entry, bool has_own_title) {
    Json record{{"kind", "entry"},
                {"id", static_cast<std::int64_t>(entry.id)},
                {"project", entry.project},
                {"type", entry.type}};
    put_text(record, "session", entry.session);
    if (!has_own_title) entry.title.clear();
    visit_fields(entry, FieldWriter(record));
    record.erase("created_at_ms");  // is the last one
    record["metadata"] = Json::parse(entry.metadata, nullptr, /*allow_exceptions=*/false);
    record["created_at_ms"] = entry.created_at_ms;
    CODEXMEM_TRY(add_citations(document_key(entry.id), record));
    return record;
  }

  Result<Json> decision_line(DecisionKey key) {
    const DecisionKey keys[] = {key};
    CODEXMEM_ASSIGN(const std::vector<Decision> found, get_decisions(database_, keys));
    if (found.empty()) return invalid_argument("a decision was lost while it was exported");
    const Decision& it = found.front();
    Json record{{"kind", "decision"},
                {"id", it.id},
                {"project", it.project},
                {"title", privacy::redacted(it.title)},
                {"target", privacy::redacted(it.target)},
                {"status", std::string(status_name(it.status))},
                {"rationale", privacy::redacted(it.rationale)}};
    if (!it.consequences.empty()) {
      record["consequences"] = Json::array();
      for (const std::string& text : it.consequences) {
        record["consequences"].push_back(privacy::redacted(text));
      }
    }
    record["source"] = std::string(source_name(it.source));
    if (is_proposal(it.status)) {
      record["confidence"] = it.confidence;
      record["evidence"] = Json::array();
      for (const EntryId id : it.evidence) {
        record["evidence"].push_back(static_cast<std::int64_t>(id));
      }
      put_list(record, "replaces", it.replaces);
      record["first_observed_at_ms"] = it.first_observed_at_ms;
      put_text(record, "converted_to", it.converted_to);
    }
    put_list(record, "supersedes", it.supersedes);
    record["created_at_ms"] = it.created_at_ms;
    CODEXMEM_ASSIGN(const std::vector<StatusChange> history, list_history(database_, key));
    for (const StatusChange& change : history) {
      Json step{{"to", std::string(status_name(change.to))},
                {"role", change.role},
                {"reason", privacy::redacted(change.reason)},
                {"at_ms", change.at_ms}};
      if (change.from) step["from"] = std::string(status_name(*change.from));
      record["history"].push_back(std::move(step));
    }
    CODEXMEM_TRY(add_citations(document_key(key), record));
    return record;
  }

  // What belongs to a branch is imported as such.
  Result<void> add_branches(DocumentKey document, Json& record) {
    CODEXMEM_ASSIGN(const auto stages, store::list_stages_of(database_, document));
    for (const store::BranchStage& stage : stages) {
      Json branch = Json::object();
      visit_fields(stage, FieldWriter(branch));
      record["branches"].push_back(std::move(branch));
    }
    return {};
  }

  Result<void> add_citations(DocumentKey document, Json& record) {
    CODEXMEM_TRY(add_branches(document, record));
    const DocumentKey documents[] = {document};
    CODEXMEM_ASSIGN(const auto all, list_citations(database_, documents));
    for (const auto& [key, citations] : all) {
      for (const Citation& citation : citations) {
        Json cited{{"workspace", citation.workspace}, {"path", citation.path}};
        visit_fields(citation, FieldWriter(cited));
        record["citations"].push_back(std::move(cited));
      }
    }
    return {};
  }

  store::Database& database_;
  const LineSink& sink_;
  const std::string& project_;
  const std::stop_token& stop_;
  ExportReport report_;
};

}  // namespace

Result<ExportReport> export_memory(store::UserStore& store, const LineSink& sink,
                                   const Clock& clock, const std::string& project,
                                   const std::stop_token& stop) {
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  Export run(*reader, sink, project, stop);
  CODEXMEM_TRY(run.run(clock()));
  return run.report();
}

}  // namespace codexmem::memory

// An export is read in one transaction, in an order in which what is referred to comes first. An
// import prepares up to kTransferBatch lines (inspection, vectors) and then writes them in one
// transaction, each line within a savepoint, so that one that is refused takes none of the others
// along.
//
// Tested by memory/transfer_test.cpp.
#include "memory/transfer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>

#include "text/json.h"
#include "text/json_text.h"
#include "base/text.h"
#include "memory/citations.h"
#include "memory/decision_records.h"
#include "memory/decision_text.h"
#include "privacy/gate.h"
#include "text/json_lists.h"
#include "memory/sessions.h"
#include "memory/times.h"

namespace codexmem::memory {
namespace {

// Parameter ?1: a project, or null for all.
constexpr char kListSessionsSql[] = R"sql(
SELECT s.content_session_id, p.name, s.platform, s.status, s.started_at_ms, s.completed_at_ms
FROM sessions AS s JOIN projects AS p ON p.id = s.project_id
WHERE ?1 IS NULL OR p.name = ?1 ORDER BY s.id)sql";
constexpr char kExportPromptsSql[] = R"sql(
SELECT id FROM prompts
WHERE ?1 IS NULL OR project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY id)sql";
constexpr char kExportSummariesSql[] = R"sql(
SELECT id FROM summaries
WHERE ?1 IS NULL OR project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY id)sql";
constexpr char kListEntriesSql[] = R"sql(
SELECT e.id, e.has_own_title, EXISTS (SELECT 1 FROM entry_links WHERE from_id = e.id) OR
  EXISTS (SELECT 1 FROM entry_links WHERE to_id = e.id) OR
  EXISTS (SELECT 1 FROM ingestion_events WHERE entry_id = e.id)
FROM entries AS e
WHERE ?1 IS NULL OR e.project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY e.id)sql";
constexpr char kExportLinksSql[] = R"sql(
SELECT l.from_id, l.to_id, l.kind, l.created_at_ms FROM entry_links AS l
JOIN entries AS e ON e.id = l.from_id
WHERE ?1 IS NULL OR e.project_id = (SELECT id FROM projects WHERE name = ?1)
ORDER BY l.from_id, l.to_id, l.kind)sql";
constexpr char kExportEventsSql[] = R"sql(
SELECT p.name, v.source_path, v.section, v.section_hash, v.entry_id, v.outcome, v.ingested_at_ms
FROM ingestion_events AS v JOIN projects AS p ON p.id = v.project_id
WHERE (?1 IS NULL OR p.name = ?1) AND v.section_hash IS NOT NULL AND v.entry_id IS NOT NULL
ORDER BY v.id)sql";
constexpr char kExportDecisionsSql[] = R"sql(
SELECT key FROM decisions
WHERE ?1 IS NULL OR project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY key)sql";
constexpr char kListEvidenceSql[] = R"sql(
SELECT DISTINCT w.value FROM decisions AS d, json_each(d.evidence) AS w ORDER BY w.value)sql";

constexpr char kImportSessionSql[] = R"sql(
INSERT INTO sessions (content_session_id, project_id, platform, status, started_at_ms,
  completed_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (content_session_id) DO NOTHING RETURNING id)sql";
constexpr char kFindImportedSessionSql[] = R"sql(
SELECT id, project_id FROM sessions WHERE content_session_id = ?1)sql";
constexpr char kImportPromptSql[] = R"sql(
INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (session_id, prompt_number) DO NOTHING RETURNING id)sql";
constexpr char kImportSummarySql[] = R"sql(
INSERT INTO summaries (session_id, project_id, request, investigated, learned, completed,
  next_steps, notes, files_read, files_edited, prompt_number, discovery_tokens, created_at_ms)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
WHERE NOT EXISTS (
  SELECT 1 FROM summaries WHERE session_id = ?1 AND created_at_ms = ?13 AND request IS ?3
    AND investigated IS ?4 AND learned IS ?5 AND completed IS ?6 AND next_steps IS ?7
    AND notes IS ?8)
RETURNING id)sql";
constexpr char kImportLinkSql[] = R"sql(
INSERT INTO entry_links (from_id, to_id, kind, created_at_ms) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO NOTHING RETURNING from_id)sql";
constexpr char kImportEventSql[] = R"sql(
INSERT INTO ingestion_events (project_id, source_path, section, section_hash, entry_id, outcome,
  ingested_at_ms)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE NOT EXISTS (
  SELECT 1 FROM ingestion_events WHERE project_id = ?1 AND source_path = ?2 AND section = ?3
    AND section_hash = ?4 AND ingested_at_ms = ?7)
RETURNING id)sql";
constexpr char kInsertDecisionSql[] = R"sql(
INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, rationale,
  consequences, source, confidence, evidence, replaces, first_observed_at_ms, converted_to,
  created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16))sql";
constexpr char kLinkDecisionSql[] = R"sql(
INSERT INTO decision_links (new_key, old_key) SELECT ?1, key FROM decisions WHERE id = ?2
ON CONFLICT DO NOTHING)sql";
constexpr char kInsertHistorySql[] = R"sql(
INSERT INTO decision_history (decision_key, from_status, to_status, role, reason, at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";

constexpr int kFormat = 1;
constexpr std::size_t kTransferBatch = 1'000;
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
constexpr int kMaxLineDepth = 40;
constexpr std::size_t kExamples = 100;

// ---- out

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

class Export {
 public:
  Export(store::Database& database, const LineSink& sink, const std::string& project,
         const std::stop_token& stop)
      : database_(database), sink_(sink), project_(project), stop_(stop) {}

  Result<void> run(std::int64_t now_ms) {
    Json header{{"codexmem_memory", kFormat}, {"exported_at", iso_time(now_ms)}};
    put_text(header, "project", project_);
    CODEXMEM_TRY(sink_(dump_json(header)));
    CODEXMEM_TRY(each(kListSessionsSql, [&](const store::Statement& row) {
      ++report_.sessions;
      return write(session(row));
    }));
    CODEXMEM_TRY(each(kExportPromptsSql, [&](const store::Statement& row) -> Result<void> {
      ++report_.prompts;
      CODEXMEM_ASSIGN(const auto found, find_prompt(database_, row.id<PromptId>(0)));
      return write(prompt(*found));
    }));
    CODEXMEM_TRY(each(kExportSummariesSql, [&](const store::Statement& row) -> Result<void> {
      ++report_.summaries;
      CODEXMEM_ASSIGN(const auto found, find_summary(database_, row.id<SummaryId>(0)));
      return write(summary(*found));
    }));
    CODEXMEM_TRY(read_evidence());
    CODEXMEM_TRY(each(kListEntriesSql, [&](const store::Statement& row) -> Result<void> {
      ++report_.entries;
      CODEXMEM_ASSIGN(const auto found, find_entry(database_, row.id<EntryId>(0)));
      CODEXMEM_ASSIGN(Json record, entry(*found, row.integer(1) != 0));
      if (row.integer(2) != 0 || evidence_.contains(row.integer(0))) record["is_linked"] = true;
      return write(record);
    }));
    CODEXMEM_TRY(each(kExportLinksSql, [&](const store::Statement& row) {
      return write({{"kind", "link"},
                    {"from", row.integer(0)},
                    {"to", row.integer(1)},
                    {"link", std::string(row.text(2))},
                    {"created_at_ms", row.integer(3)}});
    }));
    CODEXMEM_TRY(each(kExportEventsSql, [&](const store::Statement& row) {
      return write({{"kind", "ingestion"},
                    {"project", std::string(row.text(0))},
                    {"source", std::string(row.text(1))},
                    {"section", privacy::redacted(row.text(2))},
                    {"hash", std::string(row.blob(3))},
                    {"entry", row.integer(4)},
                    {"outcome", std::string(row.text(5))},
                    {"at_ms", row.integer(6)}});
    }));
    return each(kExportDecisionsSql, [&](const store::Statement& row) -> Result<void> {
      ++report_.decisions;
      CODEXMEM_ASSIGN(const Json record, decision(row.id<DecisionKey>(0)));
      return write(record);
    });
  }

  const ExportReport& report() const { return report_; }

 private:
  template <typename Write>
  Result<void> each(std::string_view sql, Write write_row) {
    CODEXMEM_ASSIGN(store::Statement list, database_.statement(sql));
    if (!project_.empty()) list.bind(1, project_);
    for (;;) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) return {};
      CODEXMEM_TRY(write_row(list));
    }
  }

  Result<void> write(const Json& record) { return sink_(dump_json(record)); }

  Result<void> read_evidence() {
    CODEXMEM_ASSIGN(store::Statement list, database_.statement(kListEvidenceSql));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) return {};
      evidence_.insert(list.integer(0));
    }
  }

  static Json session(const store::Statement& row) {
    Json record{{"kind", "session"},
                {"session", std::string(row.text(0))},
                {"project", std::string(row.text(1))}};
    put_text(record, "platform", row.text(2));
    record["status"] = std::string(row.text(3));
    record["started_at_ms"] = row.integer(4);
    if (!row.is_null(5)) record["completed_at_ms"] = row.integer(5);
    return record;
  }

  static Json prompt(const Prompt& prompt) {
    return {{"kind", "prompt"},
            {"session", prompt.session},
            {"number", prompt.prompt_number},
            {"text", prompt.text},
            {"is_private", prompt.is_private},
            {"created_at_ms", prompt.created_at_ms}};
  }

  static Json summary(const Summary& summary) {
    Json record{{"kind", "summary"}, {"session", summary.session}};
    put_text(record, "request", summary.request);
    put_text(record, "investigated", summary.investigated);
    put_text(record, "learned", summary.learned);
    put_text(record, "completed", summary.completed);
    put_text(record, "next_steps", summary.next_steps);
    put_text(record, "notes", summary.notes);
    put_list(record, "files_read", summary.files_read);
    put_list(record, "files_edited", summary.files_edited);
    if (summary.prompt_number) record["prompt_number"] = *summary.prompt_number;
    record["discovery_tokens"] = summary.discovery_tokens;
    record["created_at_ms"] = summary.created_at_ms;
    return record;
  }

  Result<Json> entry(const Entry& entry, bool has_own_title) {
    Json record{{"kind", "entry"},
                {"id", static_cast<std::int64_t>(entry.id)},
                {"project", entry.project},
                {"type", entry.type}};
    put_text(record, "session", entry.session);
    if (has_own_title) record["title"] = entry.title;
    record["text"] = entry.body;
    put_text(record, "subtitle", entry.subtitle);
    put_list(record, "facts", entry.facts);
    put_list(record, "concepts", entry.concepts);
    put_list(record, "files_read", entry.files_read);
    put_list(record, "files_modified", entry.files_modified);
    if (entry.prompt_number) record["prompt_number"] = *entry.prompt_number;
    record["discovery_tokens"] = entry.discovery_tokens;
    record["source"] = entry.source;
    put_text(record, "source_ref", entry.source_ref);
    record["metadata"] = Json::parse(entry.metadata, nullptr, /*allow_exceptions=*/false);
    record["created_at_ms"] = entry.created_at_ms;
    CODEXMEM_TRY(add_citations(document_key(entry.id), record));
    return record;
  }

  Result<Json> decision(DecisionKey key) {
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

  Result<void> add_citations(DocumentKey document, Json& record) {
    const DocumentKey documents[] = {document};
    CODEXMEM_ASSIGN(const auto all, list_citations(database_, documents));
    for (const auto& [key, citations] : all) {
      for (const Citation& citation : citations) {
        Json cited{{"workspace", citation.workspace}, {"path", citation.path}};
        put_text(cited, "symbol", citation.symbol);
        put_text(cited, "symbol_kind", citation.kind);
        put_text(cited, "body_hash", hex(citation.body_hash));
        cited["is_given"] = citation.is_given;
        record["citations"].push_back(std::move(cited));
      }
    }
    return {};
  }

  store::Database& database_;
  const LineSink& sink_;
  const std::string& project_;
  const std::stop_token& stop_;
  std::set<std::int64_t> evidence_;  // ids of entries that decisions refer to
  ExportReport report_;
};

// ---- in

std::string text_of(const Json& record, const char* key) {
  const auto at = record.find(key);
  return at != record.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_of(const Json& record, const char* key) {
  const auto at = record.find(key);
  if (at == record.end() || !at->is_number_integer()) return std::nullopt;
  return at->get<std::int64_t>();
}

bool flag_of(const Json& record, const char* key) {
  const auto at = record.find(key);
  return at != record.end() && at->is_boolean() && at->get<bool>();
}

std::vector<std::string> list_of(const Json& record, const char* key) {
  const auto at = record.find(key);
  return at != record.end() && at->is_array() ? read_json_list(dump_json(*at))
                                              : std::vector<std::string>();
}

Result<std::int64_t> time_of(const Json& record, const char* key) {
  const auto time = number_of(record, key);
  if (time && *time >= 0) return *time;
  return invalid_argument(fmt::format("{} must be milliseconds since 1970", key));
}

std::string packed_digits(std::string_view digits) {
  std::string bytes;
  if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdef") != digits.npos) {
    return bytes;
  }
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  }
  return bytes;
}

// As captured(), of a name that is compared: white space around it is part of it.
std::string captured_name(const std::string& name) {
  const std::string_view inner = trim(name);
  if (inner.empty()) return name;
  const auto before = static_cast<std::size_t>(inner.data() - name.data());
  return name.substr(0, before) + privacy::captured(inner) + name.substr(before + inner.size());
}

std::vector<Citation> citations_of(const Json& record) {
  std::vector<Citation> citations;
  const auto at = record.find("citations");
  if (at == record.end() || !at->is_array()) return citations;
  for (const Json& cited : *at) {
    Citation citation;
    citation.workspace = privacy::captured(text_of(cited, "workspace"));
    citation.path = privacy::captured(text_of(cited, "path"));
    citation.symbol = privacy::captured(text_of(cited, "symbol"));
    citation.kind = privacy::captured(text_of(cited, "symbol_kind"));
    citation.body_hash = packed_digits(text_of(cited, "body_hash"));
    citation.is_given = flag_of(cited, "is_given");
    // A symbol that was given and that nothing defined has no path.
    if (!citation.path.empty() || !citation.symbol.empty()) {
      citations.push_back(std::move(citation));
    }
  }
  return citations;
}

// One object of a line; nothing for a line that is none.
std::optional<Json> parse_line(std::string_view line) {
  if (line.size() > kMaxLineBytes) return std::nullopt;
  if (is_too_deep(line, kMaxLineDepth)) return std::nullopt;
  Json value = Json::parse(repair_json(line), nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

void bind_text(store::Statement& statement, int index, const std::string& text) {
  if (text.empty()) {
    statement.bind_null(index);
  } else {
    statement.bind(index, text);
  }
}

void bind_number(store::Statement& statement, int index, std::optional<std::int64_t> number) {
  if (number) {
    statement.bind(index, *number);
  } else {
    statement.bind_null(index);
  }
}

// Runs an INSERT that returns a row when it has added one. To its end: where it is left before,
// SQLite 3.40 may roll the whole transaction back, and says so nowhere.
Result<bool> add(store::Statement& insert) {
  CODEXMEM_ASSIGN(const bool added, insert.step());
  if (added) CODEXMEM_TRY(insert.step());
  return added;
}

class Import {
 public:
  Import(store::UserStore& store, const Entries& entries, const DocumentVectors& vectors,
         const Clock& clock, bool may_decide)
      : store_(store),
        entries_(entries),
        vectors_(vectors),
        clock_(clock),
        may_decide_(may_decide) {}

  Result<void> run(const LineSource& source, const std::stop_token& stop) {
    CODEXMEM_TRY(read_header(source));
    std::size_t bytes = 0;
    for (std::size_t number = 2;; ++number) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      CODEXMEM_ASSIGN(const std::optional<std::string> line, source());
      if (!line) break;
      if (trim(*line).empty()) continue;
      bytes += line->size();
      auto prepared = prepare(*line);
      if (prepared.ok()) {
        pending_.push_back({number, *std::move(prepared)});
      } else {
        CODEXMEM_TRY(refuse(number, prepared.error()));
      }
      if (pending_.size() == kTransferBatch || bytes > kBatchBytes) {
        CODEXMEM_TRY(write());
        bytes = 0;
      }
    }
    return write();
  }

  const ImportReport& report() const { return report_; }

 private:
  // What is done with a line inside the transaction: true when something was added.
  struct Write {
    std::size_t ImportReport::*counter = nullptr;  // null: not counted
    std::function<Result<bool>(store::Database&)> apply;
  };
  struct Pending {
    std::size_t line;
    Write write;
  };

  static Result<void> read_header(const LineSource& source) {
    CODEXMEM_ASSIGN(const std::optional<std::string> line, source());
    const auto header = line ? parse_line(*line) : std::nullopt;
    const auto format = header ? number_of(*header, "codexmem_memory") : std::nullopt;
    if (!format) {
      return invalid_argument(
          "this is no export: its first line must be {\"codexmem_memory\":1,...}");
    }
    if (*format == kFormat) return {};
    return Error{ErrorCode::kUnsupported,
                 fmt::format("this export is of format {}, this program reads {}: update codexmem",
                             *format, kFormat)};
  }

  // Notes a line that is refused; what is not the line's fault is an error.
  Result<void> refuse(std::size_t line, const Error& error) {
    const ErrorCode code = error.code();
    if (code != ErrorCode::kInvalidArgument && code != ErrorCode::kNotFound &&
        code != ErrorCode::kBlocked) {
      return error;
    }
    ++report_.refused;
    if (report_.examples.size() < kExamples) report_.examples.push_back({line, error.message()});
    return {};
  }

  Result<void> write() {
    if (pending_.empty()) return {};
    CODEXMEM_ASSIGN(store::UserWriter writer, store_.writer());
    CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
    for (const Pending& pending : pending_) {
      CODEXMEM_TRY(writer->execute("SAVEPOINT line"));
      const auto added = pending.write.apply(*writer);
      if (added.ok()) {
        CODEXMEM_TRY(writer->execute("RELEASE line"));
        if (!*added) {
          ++report_.duplicates;
        } else if (pending.write.counter != nullptr) {
          ++(report_.*pending.write.counter);
        }
      } else {
        CODEXMEM_TRY(refuse(pending.line, added.error()));
        CODEXMEM_TRY(writer->execute("ROLLBACK TO line; RELEASE line"));
      }
    }
    pending_.clear();
    return transaction.commit();
  }

  Result<Write> prepare(std::string_view line) {
    const auto record = parse_line(line);
    if (!record) return invalid_argument("the line is no JSON object");
    const std::string kind = text_of(*record, "kind");
    if (kind == "session") return prepare_session(*record);
    if (kind == "prompt") return prepare_prompt(*record);
    if (kind == "summary") return prepare_summary(*record);
    if (kind == "entry") return prepare_entry(*record);
    if (kind == "link") return prepare_link(*record);
    if (kind == "ingestion") return prepare_ingestion(*record);
    if (kind == "decision") return prepare_decision(*record);
    return invalid_argument("the kind of the record is unknown");
  }

  static std::string project_of(const Json& record) {
    std::string project = fold_whitespace(privacy::captured(text_of(record, "project")));
    return project.empty() ? "default" : project;
  }

  Result<Write> prepare_session(const Json& record) {
    const std::string id = privacy::captured(text_of(record, "session"));
    if (id.empty()) return invalid_argument("a session must have an id");
    std::string status = text_of(record, "status");
    if (status.empty()) status = "completed";
    CODEXMEM_ASSIGN(const std::int64_t started, time_of(record, "started_at_ms"));
    return Write{
        &ImportReport::sessions,
        [this, id, status, started, project = project_of(record),
         platform = privacy::captured(text_of(record, "platform")),
         completed =
             number_of(record, "completed_at_ms")](store::Database& database) -> Result<bool> {
          CODEXMEM_ASSIGN(const ProjectId project_id, ensure_project(database, project, clock_()));
          CODEXMEM_ASSIGN(store::Statement insert, database.statement(kImportSessionSql));
          insert.bind(1, id);
          insert.bind(2, project_id);
          bind_text(insert, 3, platform);
          insert.bind(4, status);
          insert.bind(5, started);
          bind_number(insert, 6, completed);
          return add(insert);
        }};
  }

  struct SessionRow {
    SessionId id{};
    ProjectId project{};
  };

  static Result<SessionRow> get_session(store::Database& database, const std::string& id) {
    CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindImportedSessionSql));
    find.bind(1, id);
    CODEXMEM_ASSIGN(const bool found, find.step());
    if (found) return SessionRow{find.id<SessionId>(0), find.id<ProjectId>(1)};
    return Error{ErrorCode::kNotFound, "its session is not known"};
  }

  Result<Write> prepare_prompt(const Json& record) {
    Prompt prompt;
    prompt.session = privacy::captured(text_of(record, "session"));
    prompt.text = privacy::captured(text_of(record, "text"));
    prompt.is_private = prompt.text.empty();
    const auto number = number_of(record, "number");
    if (!number || *number < 1) return invalid_argument("a prompt must have a number from 1");
    prompt.prompt_number = *number;
    CODEXMEM_ASSIGN(prompt.created_at_ms, time_of(record, "created_at_ms"));
    std::string codes = encode({}, prompt.text);
    return Write{
        &ImportReport::prompts,
        [this, prompt, codes = std::move(codes)](store::Database& database) -> Result<bool> {
          CODEXMEM_ASSIGN(const SessionRow session, get_session(database, prompt.session));
          std::int64_t id = 0;
          {
            CODEXMEM_ASSIGN(store::Statement insert, database.statement(kImportPromptSql));
            insert.bind(1, session.id);
            insert.bind(2, session.project);
            insert.bind(3, prompt.prompt_number);
            insert.bind(4, prompt.text);
            insert.bind(5, prompt.is_private);
            insert.bind(6, prompt.created_at_ms);
            CODEXMEM_ASSIGN(const bool added, add(insert));
            if (!added) return false;
            id = database.last_insert_id();
          }
          CODEXMEM_TRY(vectors_.put(database, document_key(static_cast<PromptId>(id)), codes));
          return true;
        }};
  }

  Result<Write> prepare_summary(const Json& record) {
    const std::string session_id = privacy::captured(text_of(record, "session"));
    std::array<std::string, 6> texts;
    constexpr std::array kKeys = {"request",   "investigated", "learned",
                                  "completed", "next_steps",   "notes"};
    std::string body;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = privacy::captured(text_of(record, kKeys[i]));
      if (i > 0) body += texts[i] + "\n";
    }
    if (texts.front().empty() && trim(body).empty()) {
      return invalid_argument("a summary must say something");
    }
    CODEXMEM_ASSIGN(const std::int64_t created, time_of(record, "created_at_ms"));
    std::string codes = encode(texts.front(), body);
    return Write{
        &ImportReport::summaries,
        [this, session_id, texts, created, codes = std::move(codes),
         files_read = write_json_list(privacy::captured(list_of(record, "files_read"))),
         files_edited = write_json_list(privacy::captured(list_of(record, "files_edited"))),
         prompt_number = number_of(record, "prompt_number"),
         tokens = number_of(record, "discovery_tokens").value_or(0)](
            store::Database& database) -> Result<bool> {
          CODEXMEM_ASSIGN(const SessionRow session, get_session(database, session_id));
          std::int64_t id = 0;
          {
            CODEXMEM_ASSIGN(store::Statement insert, database.statement(kImportSummarySql));
            insert.bind(1, session.id);
            insert.bind(2, session.project);
            for (std::size_t i = 0; i < texts.size(); ++i) {
              bind_text(insert, static_cast<int>(i) + 3, texts[i]);
            }
            insert.bind(9, files_read);
            insert.bind(10, files_edited);
            bind_number(insert, 11, prompt_number);
            insert.bind(12, tokens);
            insert.bind(13, created);
            CODEXMEM_ASSIGN(const bool added, add(insert));
            if (!added) return false;
            id = database.last_insert_id();
          }
          CODEXMEM_TRY(vectors_.put(database, document_key(static_cast<SummaryId>(id)), codes));
          return true;
        }};
  }

  Result<Write> prepare_entry(const Json& record) {
    NewEntry entry;
    entry.project = text_of(record, "project");
    entry.session = text_of(record, "session");
    entry.type = text_of(record, "type");
    entry.title = text_of(record, "title");
    entry.text = text_of(record, "text");
    entry.subtitle = text_of(record, "subtitle");
    entry.facts = list_of(record, "facts");
    entry.concepts = list_of(record, "concepts");
    entry.files_read = list_of(record, "files_read");
    entry.files_modified = list_of(record, "files_modified");
    entry.source = text_of(record, "source");
    if (std::string_view("manual ingest observer").find(entry.source) == std::string_view::npos ||
        entry.source.empty()) {
      entry.source = "import";
    }
    entry.source_ref = text_of(record, "source_ref");
    if (const auto at = record.find("metadata"); at != record.end()) {
      entry.metadata = dump_json(*at);
    }
    CODEXMEM_ASSIGN(entry.created_at_ms, time_of(record, "created_at_ms"));
    entry.prompt_number = number_of(record, "prompt_number");
    entry.discovery_tokens = number_of(record, "discovery_tokens").value_or(0);
    CODEXMEM_ASSIGN(PreparedEntry prepared, entries_.prepare(std::move(entry)));
    if (auto citations = citations_of(record); !citations.empty()) {
      prepared.also_write = [citations = std::move(citations), now_ms = clock_()](
                                store::Database& database, DocumentKey document) {
        return put_citations(database, document, citations, now_ms);
      };
    }
    const auto old_id = flag_of(record, "is_linked") ? number_of(record, "id") : std::nullopt;
    return Write{
        &ImportReport::entries,
        [this, old_id, prepared = std::move(prepared)](store::Database& database) -> Result<bool> {
          CODEXMEM_ASSIGN(const SavedEntry saved, entries_.insert(database, prepared));
          if (old_id) new_ids_[*old_id] = saved.id;
          return !saved.is_duplicate;
        }};
  }

  Result<EntryId> new_id(std::int64_t old_id) const {
    const auto at = new_ids_.find(old_id);
    if (at != new_ids_.end()) return at->second;
    return Error{ErrorCode::kNotFound, "an entry that it refers to was not imported"};
  }

  Result<Write> prepare_link(const Json& record) {
    const auto from = number_of(record, "from"), to = number_of(record, "to");
    if (!from || !to) return invalid_argument("a link must have the ids of two entries");
    std::string kind = text_of(record, "link");
    CODEXMEM_TRY(check_type(kind));
    CODEXMEM_ASSIGN(const std::int64_t created, time_of(record, "created_at_ms"));
    return Write{nullptr,
                 [this, from, to, kind = std::move(kind),
                  created](store::Database& database) -> Result<bool> {
                   CODEXMEM_ASSIGN(const EntryId from_id, new_id(*from));
                   CODEXMEM_ASSIGN(const EntryId to_id, new_id(*to));
                   if (from_id == to_id) return false;
                   CODEXMEM_ASSIGN(store::Statement insert, database.statement(kImportLinkSql));
                   insert.bind(1, from_id);
                   insert.bind(2, to_id);
                   insert.bind(3, kind);
                   insert.bind(4, created);
                   return add(insert);
                 }};
  }

  Result<Write> prepare_ingestion(const Json& record) {
    const auto entry = number_of(record, "entry");
    if (!entry) return invalid_argument("an ingestion must have the id of its entry");
    std::string outcome = text_of(record, "outcome");
    CODEXMEM_TRY(check_type(outcome));
    CODEXMEM_ASSIGN(const std::int64_t at_ms, time_of(record, "at_ms"));
    return Write{nullptr,
                 [this, entry, at_ms, outcome = std::move(outcome), project = project_of(record),
                  source = captured_name(text_of(record, "source")),
                  section = captured_name(text_of(record, "section")),
                  hash = privacy::captured(text_of(record, "hash"))](
                     store::Database& database) -> Result<bool> {
                   CODEXMEM_ASSIGN(const EntryId id, new_id(*entry));
                   CODEXMEM_ASSIGN(const ProjectId project_id,
                                   ensure_project(database, project, clock_()));
                   CODEXMEM_ASSIGN(store::Statement insert, database.statement(kImportEventSql));
                   insert.bind(1, project_id);
                   insert.bind(2, source);
                   insert.bind(3, section);
                   insert.bind_blob(4, hash);
                   insert.bind(5, id);
                   insert.bind(6, outcome);
                   insert.bind(7, at_ms);
                   return add(insert);
                 }};
  }

  struct IncomingDecision {
    Decision decision;
    std::vector<StatusChange> history;
    std::vector<std::int64_t> evidence;
    std::vector<Citation> citations;
    std::string codes;
  };

  Result<Write> prepare_decision(const Json& record) {
    if (!may_decide_) {
      return Error{ErrorCode::kBlocked,
                   "Permission Denied: an admin imports decisions; set AGENT_MEMORY_SECRET"};
    }
    IncomingDecision incoming;
    Decision& decision = incoming.decision;
    CODEXMEM_ASSIGN(decision.id, parse_decision_id(text_of(record, "id")));
    const auto status = parse_status(text_of(record, "status"));
    if (!status) return invalid_argument("the decision's status is unknown");
    decision.status = *status;
    decision.project = project_of(record);
    decision.title = privacy::cleaned(text_of(record, "title"));
    decision.target = privacy::cleaned(text_of(record, "target"));
    decision.target_key = target_key(decision.target);
    decision.rationale = privacy::cleaned(text_of(record, "rationale"));
    if (decision.title.empty() || decision.target.empty() || decision.rationale.empty()) {
      return invalid_argument("a decision must have a title, a target and a rationale");
    }
    decision.consequences = privacy::cleaned(list_of(record, "consequences"));
    const std::string source = text_of(record, "source");
    for (const DecisionSource known :
         {DecisionSource::kHuman, DecisionSource::kAgent, DecisionSource::kReflection}) {
      if (source == source_name(known)) decision.source = known;
    }
    CODEXMEM_ASSIGN(decision.created_at_ms, time_of(record, "created_at_ms"));
    decision.supersedes = list_of(record, "supersedes");
    decision.replaces = list_of(record, "replaces");
    for (const auto* ids : {&decision.supersedes, &decision.replaces}) {
      for (const std::string& id : *ids) {
        CODEXMEM_ASSIGN(const std::string other, parse_decision_id(id));
        if (other == decision.id) return invalid_argument("a decision does not supersede itself");
      }
    }
    if (const auto at = record.find("confidence"); at != record.end() && at->is_number()) {
      decision.confidence = std::clamp(at->get<double>(), 0.0, 1.0);
    }
    decision.first_observed_at_ms = number_of(record, "first_observed_at_ms").value_or(0);
    if (!text_of(record, "converted_to").empty()) {
      CODEXMEM_ASSIGN(decision.converted_to, parse_decision_id(text_of(record, "converted_to")));
    }
    if (const auto at = record.find("evidence"); at != record.end() && at->is_array()) {
      for (const Json& id : *at) {
        if (id.is_number_integer()) incoming.evidence.push_back(id.get<std::int64_t>());
      }
    }
    if (const auto at = record.find("history"); at != record.end() && at->is_array()) {
      for (const Json& step : *at) {
        StatusChange change;
        const auto to = parse_status(text_of(step, "to"));
        if (!to) return invalid_argument("a status in the decision's history is unknown");
        change.to = *to;
        change.from = parse_status(text_of(step, "from"));
        change.role = privacy::captured(text_of(step, "role"));
        change.reason = privacy::captured(text_of(step, "reason"));
        CODEXMEM_ASSIGN(change.at_ms, time_of(step, "at_ms"));
        incoming.history.push_back(std::move(change));
      }
    }
    privacy::Inspection inspection;
    inspection.add("id", decision.id);
    inspection.add("replaces", decision.replaces);
    inspection.add("project", decision.project);
    inspection.add("title", decision.title);
    inspection.add("target", decision.target);
    inspection.add("rationale", decision.rationale);
    inspection.add("consequences", decision.consequences);
    CODEXMEM_TRY(inspection.check());
    incoming.citations = citations_of(record);
    incoming.codes = encode(decision.title, decision.rationale);
    return Write{&ImportReport::decisions,
                 [this, incoming = std::move(incoming)](store::Database& database) {
                   return insert_decision(database, incoming);
                 }};
  }

  Result<bool> insert_decision(store::Database& database, const IncomingDecision& incoming) const {
    const Decision& decision = incoming.decision;
    CODEXMEM_ASSIGN(const auto known, find_decision(database, decision.id));
    if (known) return false;
    if (decision.status == DecisionStatus::kActive) {
      CODEXMEM_ASSIGN(const auto active,
                      find_active(database, decision.project, decision.target_key));
      if (active) {
        return invalid_argument(
            fmt::format("its target has an active decision here: {}", active->id));
      }
    }
    std::vector<std::int64_t> evidence;
    for (const std::int64_t old_id : incoming.evidence) {
      if (const auto at = new_ids_.find(old_id); at != new_ids_.end()) {
        evidence.push_back(static_cast<std::int64_t>(at->second));
      }
    }
    CODEXMEM_ASSIGN(const ProjectId project, ensure_project(database, decision.project, clock_()));
    const std::string consequences = write_json_list(decision.consequences);
    const std::string replaces = write_json_list(decision.replaces);
    const std::string evidence_json = dump_json(Json(evidence));
    CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertDecisionSql));
    insert.bind(1, decision.id);
    insert.bind(2, decision_kind(decision.status));
    insert.bind(3, project);
    insert.bind(4, decision.title);
    insert.bind(5, decision.target);
    insert.bind(6, decision.target_key);
    insert.bind(7, status_name(decision.status));
    insert.bind(8, decision.rationale);
    insert.bind(9, consequences);
    insert.bind(10, source_name(decision.source));
    if (is_proposal(decision.status)) {
      insert.bind(11, decision.confidence);
      insert.bind(14, decision.first_observed_at_ms);
    }
    insert.bind(12, evidence_json);
    insert.bind(13, replaces);
    bind_text(insert, 15, decision.converted_to);
    insert.bind(16, decision.created_at_ms);
    CODEXMEM_TRY(insert.run());
    const auto key = static_cast<DecisionKey>(database.last_insert_id());

    for (const std::string& old_id : decision.supersedes) {
      CODEXMEM_ASSIGN(store::Statement link, database.statement(kLinkDecisionSql));
      link.bind(1, key);
      link.bind(2, old_id);
      CODEXMEM_TRY(link.run());
    }
    for (const StatusChange& change : incoming.history) {
      CODEXMEM_ASSIGN(store::Statement note, database.statement(kInsertHistorySql));
      note.bind(1, key);
      if (change.from) {
        note.bind(2, status_name(*change.from));
      } else {
        note.bind_null(2);
      }
      note.bind(3, status_name(change.to));
      note.bind(4, change.role);
      note.bind(5, change.reason);
      note.bind(6, change.at_ms);
      CODEXMEM_TRY(note.run());
    }
    CODEXMEM_TRY(vectors_.put(database, document_key(key), incoming.codes));
    CODEXMEM_TRY(put_citations(database, document_key(key), incoming.citations, clock_()));
    return true;
  }

  // A text without its vector gets one later.
  std::string encode(std::string_view title, std::string_view body) const {
    auto codes = vectors_.encode(title, body);
    return codes.ok() ? *std::move(codes) : std::string();
  }

  store::UserStore& store_;
  const Entries& entries_;
  const DocumentVectors& vectors_;
  const Clock& clock_;
  const bool may_decide_;
  std::vector<Pending> pending_;
  std::unordered_map<std::int64_t, EntryId> new_ids_;  // by the export's id, of linked entries
  ImportReport report_;
};

}  // namespace

Result<ExportReport> export_memory(store::UserStore& store, const LineSink& sink,
                                   const Clock& clock, const std::string& project,
                                   const std::stop_token& stop) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  Export run(*reader, sink, project, stop);
  CODEXMEM_TRY(run.run(clock()));
  return run.report();
}

Result<ImportReport> import_memory(store::UserStore& store, const Entries& entries,
                                   const DocumentVectors& vectors, const LineSource& source,
                                   const Clock& clock, bool may_decide,
                                   const std::stop_token& stop) {
  Import run(store, entries, vectors, clock, may_decide);
  CODEXMEM_TRY(run.run(source, stop));
  return run.report();
}

}  // namespace codexmem::memory

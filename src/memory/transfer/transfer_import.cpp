// An import prepares up to kTransferBatch lines (inspection, vectors) and then writes them in one
// transaction, each line within a savepoint, so that one that is refused takes none of the others
// along.
//
// Tested by tests/memory/transfer_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "memory/entries/citations.h"
#include "memory/decisions/decision_records.h"
#include "memory/decisions/decision_text.h"
#include "memory/entries/sessions.h"
#include "memory/transfer/transfer.h"
#include "memory/times.h"
#include "privacy/gate.h"
#include "store/user/branches.h"
#include "store/user/transfer.h"
#include "text/json.h"
#include "text/json_lists.h"
#include "text/json_text.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kTransferBatch = 1'000;
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
constexpr int kMaxLineDepth = 40;
constexpr std::size_t kExamples = 100;

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

// Reads the fields of a row (store/fields.h) from a record. `captures`: texts pass the gate.
class FieldReader {
 public:
  FieldReader(const Json& record, bool captures) : record_(record), captures_(captures) {}
  template <typename Value>
  FieldReader& operator()(std::string_view name, Value& value, store::FieldKind kind = {}) {
    const char* const key = name == "entry_type" ? "type" : name == "body" ? "text" : name.data();
    if constexpr (std::is_same_v<Value, std::string>) {
      value = text_of(record_, key);
      if (kind == store::kBlobOrNull) {
        value = packed_digits(value);
      } else if (captures_) {
        value = privacy::captured(value);
      }
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      value = list_of(record_, key);
      if (captures_) value = privacy::captured(value);
    } else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>) {
      value = number_of(record_, key);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = flag_of(record_, key);
    } else {
      value = number_of(record_, key).value_or(0);
    }
    return *this;
  }

 private:
  const Json& record_;
  const bool captures_;
};

std::vector<Citation> citations_of(const Json& record) {
  std::vector<Citation> citations;
  const auto at = record.find("citations");
  if (at == record.end() || !at->is_array()) return citations;
  for (const Json& cited : *at) {
    Citation citation;
    visit_fields(citation, FieldReader(cited, /*captures=*/true));
    // A symbol that was given and that nothing defined has no path.
    if (!citation.path.empty() || !citation.symbol.empty()) {
      citations.push_back(std::move(citation));
    }
  }
  return citations;
}

std::vector<BranchStage> branches_of(const Json& record) {
  std::vector<BranchStage> stages;
  const auto at = record.find("branches");
  if (at == record.end() || !at->is_array()) return stages;
  for (const Json& branch : *at) {
    if (!branch.is_object()) continue;
    BranchStage stage;
    visit_fields(stage, FieldReader(branch, /*captures=*/true));
    if (!stage.place.repository.empty()) stages.push_back(std::move(stage));
  }
  return stages;
}

Result<void> put_branches(store::Database& database, DocumentKey key,
                          const std::vector<BranchStage>& stages) {
  for (const BranchStage& stage : stages) {
    CODEXMEM_TRY(store::stage_document(database, key, stage));
  }
  return {};
}

// The object of a line; nothing for another line.
std::optional<Json> parse_line(std::string_view line) {
  if (line.size() > kMaxLineBytes) return std::nullopt;
  if (is_too_deep(line, kMaxLineDepth)) return std::nullopt;
  Json value = Json::parse(repair_json(line), nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) return std::nullopt;
  return value;
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
  // How a line is written inside the transaction: true when something was added.
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
          "this is not an export: its first line must be {\"codexmem_memory\":1,...}");
    }
    if (*format == kTransferFormat) return {};
    return Error{ErrorCode::kUnsupported,
                 fmt::format("this export is of format {}, this program reads {}: update codexmem",
                             *format, kTransferFormat)};
  }

  // Notes a refused line; an error that is not the line's fault is returned.
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
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_.begin());
    for (const Pending& pending : pending_) {
      CODEXMEM_TRY(writer.transaction().mark());
      const auto added = pending.write.apply(*writer);
      if (added.ok()) {
        if (!*added) {
          ++report_.duplicates;
        } else if (pending.write.counter != nullptr) {
          ++(report_.*pending.write.counter);
        }
      } else {
        CODEXMEM_TRY(refuse(pending.line, added.error()));
        CODEXMEM_TRY(writer.transaction().undo_to_mark());
      }
      CODEXMEM_TRY(writer.transaction().release_mark());
    }
    pending_.clear();
    return writer.commit();
  }

  Result<Write> prepare(std::string_view line) {
    const auto record = parse_line(line);
    if (!record) return invalid_argument("the line is not a JSON object");
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
    store::SessionRecord session;
    session.id = privacy::captured(text_of(record, "session"));
    if (session.id.empty()) return invalid_argument("a session must have an id");
    session.project = project_of(record);
    visit_fields(session, FieldReader(record, /*captures=*/true));
    session.status = text_of(record, "status");
    if (session.status.empty()) session.status = "completed";
    CODEXMEM_ASSIGN(session.started_at_ms, time_of(record, "started_at_ms"));
    return Write{&ImportReport::sessions,
                 [this, session](store::Database& database) -> Result<bool> {
                   CODEXMEM_ASSIGN(const ProjectId project,
                                   ensure_project(database, session.project, clock_()));
                   return store::import_session(database, session, project);
                 }};
  }

  static Result<SessionRow> get_session(store::Database& database, const std::string& id) {
    CODEXMEM_ASSIGN(const auto found, find_session(database, id));
    if (found) return *found;
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
    return Write{&ImportReport::prompts,
                 [this, prompt, stages = branches_of(record),
                  codes = encode({}, prompt.text)](store::Database& database) -> Result<bool> {
                   CODEXMEM_ASSIGN(const auto session, get_session(database, prompt.session));
                   CODEXMEM_ASSIGN(const auto id, store::import_prompt(database, session.id,
                                                                       session.project_id, prompt));
                   if (!id) return false;
                   CODEXMEM_TRY(vectors_.put(database, document_key(*id), codes));
                   CODEXMEM_TRY(put_branches(database, document_key(*id), stages));
                   return true;
                 }};
  }

  Result<Write> prepare_summary(const Json& record) {
    Summary summary;
    summary.session = privacy::captured(text_of(record, "session"));
    visit_fields(summary, FieldReader(record, /*captures=*/true));
    std::string body;
    visit_texts(summary, store::FieldVisitor([&](std::string_view, const std::string& text) {
                  if (&text != &summary.request) body += text + "\n";
                }));
    if (summary.request.empty() && trim(body).empty()) {
      return invalid_argument("a summary must say something");
    }
    CODEXMEM_ASSIGN(summary.created_at_ms, time_of(record, "created_at_ms"));
    return Write{
        &ImportReport::summaries,
        [this, summary, stages = branches_of(record),
         codes = encode(summary.request, body)](store::Database& database) -> Result<bool> {
          CODEXMEM_ASSIGN(const auto session, get_session(database, summary.session));
          CODEXMEM_ASSIGN(const auto id,
                          store::import_summary(database, session.id, session.project_id, summary));
          if (!id) return false;
          CODEXMEM_TRY(vectors_.put(database, document_key(*id), codes));
          CODEXMEM_TRY(put_branches(database, document_key(*id), stages));
          return true;
        }};
  }

  Result<Write> prepare_entry(const Json& record) {
    NewEntry entry;
    entry.project = text_of(record, "project");
    entry.session = text_of(record, "session");
    visit_fields(entry, FieldReader(record, /*captures=*/false));
    if (std::string_view("manual ingest observer").find(entry.source) == std::string_view::npos ||
        entry.source.empty()) {
      entry.source = "import";
    }
    if (const auto at = record.find("metadata"); at != record.end()) {
      entry.metadata = dump_json(*at);
    }
    CODEXMEM_ASSIGN(entry.created_at_ms, time_of(record, "created_at_ms"));
    CODEXMEM_ASSIGN(PreparedEntry prepared, entries_.prepare(std::move(entry)));
    prepared.place.reset();
    prepared.is_imported = true;
    if (auto citations = citations_of(record); !citations.empty()) {
      prepared.also_write = [citations = std::move(citations), now_ms = clock_()](
                                store::Database& database, DocumentKey document) {
        return put_citations(database, document, citations, now_ms);
      };
    }
    const auto old_id = flag_of(record, "is_linked") ? number_of(record, "id") : std::nullopt;
    return Write{&ImportReport::entries,
                 [this, old_id, stages = branches_of(record),
                  prepared = std::move(prepared)](store::Database& database) -> Result<bool> {
                   CODEXMEM_ASSIGN(const SavedEntry saved, entries_.insert(database, prepared));
                   if (!saved.is_duplicate) {
                     CODEXMEM_TRY(put_branches(database, document_key(saved.id), stages));
                   }
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
                   return store::import_link(database, {from_id, to_id, kind, created});
                 }};
  }

  Result<Write> prepare_ingestion(const Json& record) {
    const auto entry = number_of(record, "entry");
    if (!entry) return invalid_argument("an ingestion must have the id of its entry");
    store::Ingestion ingestion;
    ingestion.outcome = text_of(record, "outcome");
    CODEXMEM_TRY(check_type(ingestion.outcome));
    CODEXMEM_ASSIGN(ingestion.at_ms, time_of(record, "at_ms"));
    ingestion.project = project_of(record);
    ingestion.source = captured_name(text_of(record, "source"));
    ingestion.section = captured_name(text_of(record, "section"));
    ingestion.hash = privacy::captured(text_of(record, "hash"));
    return Write{nullptr,
                 [this, entry, ingestion = std::move(ingestion)](
                     store::Database& database) mutable -> Result<bool> {
                   CODEXMEM_ASSIGN(ingestion.entry, new_id(*entry));
                   CODEXMEM_ASSIGN(const ProjectId project,
                                   ensure_project(database, ingestion.project, clock_()));
                   return store::import_ingestion(database, project, ingestion);
                 }};
  }

  struct IncomingDecision {
    Decision decision;
    std::vector<StatusChange> history;
    std::vector<std::int64_t> evidence;
    std::vector<Citation> citations;
    std::vector<BranchStage> stages;
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
    incoming.stages = branches_of(record);
    decision.is_staged = !incoming.stages.empty();
    incoming.codes = encode(decision.title, decision.rationale);
    return Write{&ImportReport::decisions,
                 [this, incoming = std::move(incoming)](store::Database& database) mutable {
                   return add_decision(database, incoming);
                 }};
  }

  Result<bool> add_decision(store::Database& database, IncomingDecision& incoming) const {
    Decision& decision = incoming.decision;
    CODEXMEM_ASSIGN(const auto known, find_decision(database, decision.id));
    if (known) return false;
    if (decision.status == DecisionStatus::kActive && !decision.is_staged) {
      CODEXMEM_ASSIGN(const auto active,
                      find_active(database, decision.project, decision.target_key));
      if (active) {
        return invalid_argument(
            fmt::format("its target has an active decision here: {}", active->id));
      }
    }
    for (const std::int64_t old_id : incoming.evidence) {
      const auto at = new_ids_.find(old_id);
      if (at != new_ids_.end()) decision.evidence.push_back(at->second);
    }
    CODEXMEM_ASSIGN(const DecisionKey key,
                    store::import_decision(database, decision, incoming.history, clock_()));
    CODEXMEM_TRY(vectors_.put(database, document_key(key), incoming.codes));
    CODEXMEM_TRY(put_citations(database, document_key(key), incoming.citations, clock_()));
    CODEXMEM_TRY(put_branches(database, document_key(key), incoming.stages));
    return true;
  }

  // A date in the future would count for more than all that is made until then.
  Result<std::int64_t> time_of(const Json& record, const char* key) const {
    const auto time = number_of(record, key);
    if (!time || *time < 0) {
      return invalid_argument(fmt::format("{} must be milliseconds since 1970", key));
    }
    if (!is_ahead(*time, clock_())) return *time;
    return invalid_argument(
        fmt::format("{} is in the future ({}): correct it, or import this line again after that",
                    key, iso_time(*time)));
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

Result<ImportReport> import_memory(store::UserStore& store, const Entries& entries,
                                   const DocumentVectors& vectors, const LineSource& source,
                                   const Clock& clock, bool may_decide,
                                   const std::stop_token& stop) {
  Import run(store, entries, vectors, clock, may_decide);
  CODEXMEM_TRY(run.run(source, stop));
  return run.report();
}

}  // namespace codexmem::memory

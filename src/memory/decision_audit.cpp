#include "memory/decision_audit.h"

#include "text/json.h"
#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr char kAddSql[] = R"sql(
INSERT INTO audit_log (at_ms, role, tool, allowed, arguments, error)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";
constexpr char kForgetCallsSql[] = "DELETE FROM audit_log WHERE id <= ?1";
constexpr char kListCallsSql[] = R"sql(
SELECT id, at_ms, role, tool, allowed, arguments, error FROM audit_log
WHERE ?2 = 0 OR id < ?2 ORDER BY id DESC LIMIT ?1)sql";

constexpr std::int64_t kMaxRows = 100'000;
constexpr std::int64_t kForgetEvery = 1'000;
constexpr std::size_t kMaxShownBytes = 400;
constexpr std::size_t kMaxItems = 50;

// Redacted before it is cut: half a secret is not recognised.
std::string shown_text(std::string_view value) {
  const std::string whole = privacy::redacted(privacy::cleaned(value));
  const std::string_view beginning = utf8_prefix(whole, kMaxShownBytes);
  return beginning.size() == whole.size() ? whole : std::string(beginning) + "...";
}

}  // namespace

void AuditArguments::add(std::string_view name, std::string_view value) {
  fields_.emplace_back(name, dump_json(Json(shown_text(value))));
}

void AuditArguments::add(std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  Json list = Json::array();
  for (const std::string& value : values) {
    if (list.size() == kMaxItems) {
      list.push_back("...");
      break;
    }
    list.push_back(shown_text(value));
  }
  fields_.emplace_back(name, dump_json(list));
}

void AuditArguments::add(std::string_view name, std::int64_t value) {
  fields_.emplace_back(name, std::to_string(value));
}

std::string AuditArguments::json() const {
  std::string json = "{";
  for (const auto& [name, value] : fields_) {
    if (json.size() > 1) json += ',';
    json += '"' + name + "\":" + value;
  }
  return json + '}';
}

Result<void> add_audit(store::Database& database, const AuditRow& row) {
  CODEXMEM_ASSIGN(store::Statement add, database.statement(kAddSql));
  add.bind(1, row.at_ms);
  add.bind(2, row.role);
  add.bind(3, row.tool);
  add.bind(4, row.is_allowed);
  add.bind(5, row.arguments);
  if (row.error.empty()) {
    add.bind_null(6);
  } else {
    add.bind(6, row.error);
  }
  CODEXMEM_TRY(add.run());
  const std::int64_t id = database.last_insert_id();
  if (id <= kMaxRows || id % kForgetEvery != 0) return {};
  CODEXMEM_ASSIGN(store::Statement forget, database.statement(kForgetCallsSql));
  forget.bind(1, id - kMaxRows);
  return forget.run();
}

Result<std::vector<AuditRow>> list_audit(store::Database& database, std::size_t limit,
                                         std::int64_t before_id) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kListCallsSql));
  query.bind(1, static_cast<std::int64_t>(limit));
  query.bind(2, before_id);
  std::vector<AuditRow> rows;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return rows;
    AuditRow row;
    row.id = query.integer(0);
    row.at_ms = query.integer(1);
    row.role = query.text(2);
    row.tool = query.text(3);
    row.is_allowed = query.integer(4) != 0;
    row.arguments = query.text(5);
    row.error = query.text(6);
    rows.push_back(std::move(row));
  }
}

}  // namespace codexmem::memory

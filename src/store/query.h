// store/query.h - one statement with its values, in one call. Internal to store.
//
// Values are bound in the order in which they are given, from ?1 on: numbers, ids, texts, and the
// kinds below. All run on the thread of their connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store::query {

/// A text that is NULL when it is empty.
struct OrNull {
  std::string_view text;
};

struct Blob {
  std::string_view bytes;
};

struct TextOrBlob {
  std::string_view bytes;
  bool is_blob = false;
};

template <typename Value>
void put(Statement& statement, int index, const Value& value) {
  if constexpr (std::is_same_v<Value, OrNull>) {
    value.text.empty() ? statement.bind_null(index) : statement.bind(index, value.text);
  } else if constexpr (std::is_same_v<Value, Blob>) {
    statement.bind_blob(index, value.bytes);
  } else if constexpr (std::is_same_v<Value, TextOrBlob>) {
    value.is_blob ? statement.bind_blob(index, value.bytes) : statement.bind(index, value.bytes);
  } else if constexpr (std::is_same_v<Value, std::nullopt_t>) {
    statement.bind_null(index);
  } else if constexpr (std::is_same_v<Value, std::size_t>) {
    statement.bind(index, static_cast<std::int64_t>(value));
  } else {
    statement.bind(index, value);
  }
}

template <typename Value>
void put(Statement& statement, int index, const std::optional<Value>& value) {
  value ? put(statement, index, *value) : statement.bind_null(index);
}

template <typename... Values>
void put_all(Statement& statement, const Values&... values) {
  int index = 0;
  (put(statement, ++index, values), ...);
}

/// `sql`, ready for its first step. Texts among `values` must live until then.
template <typename... Values>
Result<Statement> prepare(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_ASSIGN(Statement statement, database.statement(sql));
  put_all(statement, values...);
  return statement;
}

/// Runs `statement`, which gives no rows, once with `values`: for many rows in turn.
template <typename... Values>
Result<void> run_once(Statement& statement, const Values&... values) {
  put_all(statement, values...);
  return statement.run();
}

/// Runs `sql` to its end; true when it gave a row. A statement that RETURNs rows must not be left
/// before its end: SQLite 3.40 may roll the whole transaction back then, and says so nowhere.
template <typename... Values>
Result<bool> run(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  CODEXMEM_ASSIGN(const bool found, statement.step());
  for (bool more = found; more;) {
    CODEXMEM_ASSIGN(more, statement.step());
  }
  return found;
}

/// run() of a statement that gives no rows.
template <typename... Values>
Result<void> execute(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_TRY(run(database, sql, values...));
  return {};
}

/// Runs an INSERT; the id of its row.
template <typename Id, typename... Values>
Result<Id> insert(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_TRY(run(database, sql, values...));
  return static_cast<Id>(database.last_insert_id());
}

/// Calls `visit` with each row, until it fails.
template <typename Visit, typename... Values>
Result<void> visit(Database& database, std::string_view sql, const Visit& visit_row,
                   const Values&... values) {
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, statement.step());
    if (!more) return {};
    if constexpr (std::is_void_v<std::invoke_result_t<Visit, const Statement&>>) {
      visit_row(std::as_const(statement));
    } else {
      CODEXMEM_TRY(visit_row(std::as_const(statement)));
    }
  }
}

/// What `read` makes of each row.
template <typename Read, typename... Values>
auto list(Database& database, std::string_view sql, const Read& read, const Values&... values)
    -> Result<std::vector<std::invoke_result_t<Read, const Statement&>>> {
  std::vector<std::invoke_result_t<Read, const Statement&>> rows;
  CODEXMEM_TRY(visit(
      database, sql, [&](const Statement& row) { rows.push_back(read(row)); }, values...));
  return rows;
}

/// What `read` makes of the first row; nothing when there is none.
template <typename Read, typename... Values>
auto find(Database& database, std::string_view sql, const Read& read, const Values&... values)
    -> Result<std::optional<std::invoke_result_t<Read, const Statement&>>> {
  using Row = std::invoke_result_t<Read, const Statement&>;
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  CODEXMEM_ASSIGN(const bool found, statement.step());
  if (!found) return std::optional<Row>();
  return std::optional<Row>(read(std::as_const(statement)));
}

/// Readers of rows with one column.
template <typename Id = std::int64_t>
Id read_id(const Statement& row) {
  return row.id<Id>(0);
}
inline std::string read_text(const Statement& row) { return std::string(row.text(0)); }
inline std::optional<std::int64_t> read_number(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.integer(column));
}

/// The number in the first column of the only row; 0 for NULL, or when there is none.
template <typename... Values>
Result<std::int64_t> count(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_ASSIGN(const auto number, find(database, sql, read_id<>, values...));
  return number.value_or(0);
}

}  // namespace codexmem::store::query

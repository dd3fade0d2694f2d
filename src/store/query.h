// store/query.h - one statement with its values, or with the fields of a row, in one call. Internal
// to store.
//
// Values are bound in the order in which they are given, from ?1 on: numbers, ids, texts, and the
// kinds below; then the fields of a row, if there is one. A type that is stored as a
// text has two functions next to it: `column_text(value)`, and `read_column_text(text, value)`. All
// run on the thread of their connection.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/members.h"
#include "text/json_lists.h"

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

/// Runs `statement` to its end; true when it gave a row. A statement that RETURNs rows must not be
/// left before its end: SQLite 3.40 may roll the whole transaction back then, without an error.
inline Result<bool> run_to_end(Statement& statement) {
  CODEXMEM_ASSIGN(const bool found, statement.step());
  for (bool more = found; more;) {
    CODEXMEM_ASSIGN(more, statement.step());
  }
  return found;
}

/// Runs `sql` to its end; true when it gave a row.
template <typename... Values>
Result<bool> run(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  return run_to_end(statement);
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

/// The values of `read` for each row.
template <typename Read, typename... Values>
auto list(Database& database, std::string_view sql, const Read& read, const Values&... values)
    -> Result<std::vector<std::invoke_result_t<Read, const Statement&>>> {
  std::vector<std::invoke_result_t<Read, const Statement&>> rows;
  CODEXMEM_TRY(visit(
      database, sql, [&](const Statement& row) { rows.push_back(read(row)); }, values...));
  return rows;
}

/// The value of `read` for the first row; nothing without one.
template <typename Read, typename... Values>
auto find(Database& database, std::string_view sql, const Read& read, const Values&... values)
    -> Result<std::optional<std::invoke_result_t<Read, const Statement&>>> {
  using Row = std::invoke_result_t<Read, const Statement&>;
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  CODEXMEM_ASSIGN(const bool found, statement.step());
  if (!found) return std::optional<Row>();
  return std::optional<Row>(read(std::as_const(statement)));
}

template <typename Value>
concept NamedInColumns = requires(const Value& value) {
  column_text(value);
};

/// Reads a column by the type of `value`.
template <typename Value>
void get(const Statement& row, int column, Value& value) {
  if constexpr (NamedInColumns<Value>) {
    read_column_text(row.text(column), value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = row.integer(column) != 0;
  } else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
    value = static_cast<Value>(row.integer(column));
  } else if constexpr (std::is_floating_point_v<Value>) {
    value = row.real(column);
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    value = read_json_list(row.text(column));
  } else {
    value = row.text(column);  // of a BLOB: its bytes
  }
}

template <typename Value>
void get(const Statement& row, int column, std::optional<Value>& value) {
  value.reset();
  if (!row.is_null(column)) get(row, column, value.emplace());
}

/// The value of a column.
template <typename Value>
Value column(const Statement& row, int number) {
  Value value{};
  get(row, number, value);
  return value;
}

/// Reads a row that has a column for each member of `Row`, in their order (store/members.h).
template <typename Row>
Row as(const Statement& statement) {
  Row row{};
  int number = 0;
  for_each_member(row, [&](auto& member) { get(statement, number++, member); });
  return row;
}

/// Readers of a row's only column.
template <typename Id = std::int64_t>
Id read_id(const Statement& row) {
  return column<Id>(row, 0);
}
inline std::string read_text(const Statement& row) { return std::string(row.text(0)); }

class FieldReader {
 public:
  FieldReader(const Statement& row, int first) : row_(row), column_(first) {}
  FieldReader& operator()(std::string_view, auto& value, FieldKind = {}) {
    get(row_, column_++, value);
    return *this;
  }

 private:
  const Statement& row_;
  int column_;
};

/// Reads the columns from `first` on into the fields of `row`.
template <typename Row>
void read_fields(const Statement& statement, int first, Row& row) {
  visit_fields(row, FieldReader(statement, first));
}

/// Reads a row that has columns for the members `kFirst` (ids, what joins add), then those of
/// `Row`.
template <typename Row, auto... kFirst>
Row read_row(const Statement& statement) {
  Row row{};
  int column = 0;
  (get(statement, column++, row.*kFirst), ...);
  read_fields(statement, column, row);
  return row;
}

class FieldNames {
 public:
  explicit FieldNames(std::string_view prefix) : prefix_(prefix) {}
  FieldNames& operator()(std::string_view name, const auto&, FieldKind = {}) {
    if (!list.empty()) list += ", ";
    list.append(prefix_).append(name);
    return *this;
  }
  std::string list;

 private:
  std::string_view prefix_;
};

/// The names of the columns of `Row`, each after `prefix` ("e."), with commas between.
template <typename Row>
std::string columns(std::string_view prefix = {}) {
  FieldNames names(prefix);
  const Row row{};
  visit_fields(row, names);
  return std::move(names.list);
}

/// INSERT of the columns `first` and then `Row`'s. `end` follows the values; one that begins
/// with WHERE says whether there is a row to insert.
template <typename Row>
std::string insert_sql(std::string_view table, std::string_view first = {},
                       std::string_view end = {}) {
  std::string names(first);
  if (!first.empty()) names += ", ";
  names += columns<Row>();
  std::string values = "?1";
  int count = 1;
  for (const char c : names) {
    if (c == ',') values += ", ?" + std::to_string(++count);
  }
  const bool is_select = end.starts_with("WHERE");
  return "INSERT INTO " + std::string(table) + " (" + names + ") " +
         (is_select ? "SELECT " + values : "VALUES (" + values + ")") + " " + std::string(end);
}

/// Binds the fields of a row. Must live until the statement's first step.
class FieldBinder {
 public:
  FieldBinder(Statement& statement, int first) : statement_(statement), index_(first) {}
  template <typename Value>
  FieldBinder& operator()(std::string_view, const Value& value, FieldKind kind = {}) {
    bind(value, kind);
    ++index_;
    return *this;
  }

 private:
  template <typename Value>
  void bind(const std::optional<Value>& value, FieldKind kind) {
    value ? bind(*value, kind) : statement_.bind_null(index_);
  }
  template <typename Value>
  void bind(const Value& value, FieldKind kind) {
    if constexpr (NamedInColumns<Value>) {
      put(statement_, index_, made_.emplace_back(column_text(value)));
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      put(statement_, index_, made_.emplace_back(write_json_list(value)));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      if (value.empty() && (kind == kOrNull || kind == kBlobOrNull)) {
        statement_.bind_null(index_);
      } else {
        put(statement_, index_, TextOrBlob{value, kind == kBlob || kind == kBlobOrNull});
      }
    } else {
      put(statement_, index_, value);
    }
  }

  Statement& statement_;
  int index_;
  std::deque<std::string> made_;
};

/// Runs `sql` to its end with `values` and then the fields of `row`; true when it gave a row.
template <typename Row, typename... Values>
Result<bool> run_row(Database& database, std::string_view sql, const Row& row,
                     const Values&... values) {
  CODEXMEM_ASSIGN(Statement statement, prepare(database, sql, values...));
  FieldBinder binder(statement, 1 + static_cast<int>(sizeof...(values)));
  visit_fields(row, binder);
  return run_to_end(statement);
}

/// run_row() of an INSERT; the id of its row.
template <typename Id, typename Row, typename... Values>
Result<Id> insert_row(Database& database, std::string_view sql, const Row& row,
                      const Values&... values) {
  CODEXMEM_TRY(run_row(database, sql, row, values...));
  return static_cast<Id>(database.last_insert_id());
}

/// The number in the first column of the only row; 0 for NULL, or without one.
template <typename... Values>
Result<std::int64_t> count(Database& database, std::string_view sql, const Values&... values) {
  CODEXMEM_ASSIGN(const auto number, find(database, sql, read_id<>, values...));
  return number.value_or(0);
}

}  // namespace codexmem::store::query

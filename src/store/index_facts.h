// store/index_facts.h - what `status`, `debug` and completion show of an index. Stateless; works on
// one connection, on its thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/store_reader.h"

namespace codexmem::store {

/// When a file was indexed, as the view `files` has it; empty when there is no such file.
Result<std::string> read_indexed_at(StoreReader& reader, FileId file);

/// The model that was added last; its id is left out.
Result<std::optional<StoreReader::Model>> find_newest_model(StoreReader& reader);

/// The number of vectors of pieces, without the vectors of whole files.
Result<std::int64_t> count_piece_vectors(StoreReader& reader);

/// The names of symbols that begin with `prefix` in any case and read as identifiers (of Latin,
/// Greek, Cyrillic, kana, Han and hangul too), by name; at most `most`. A member may have any text
/// for a name, and a repository of others is not to put that on somebody's command line.
Result<std::vector<std::string>> list_names_with_prefix(StoreReader& reader,
                                                        std::string_view prefix, std::size_t most);

/// How many migrations the schema has had.
Result<std::int64_t> schema_version(Database& database);

/// The SQL that made each table, index, view and trigger.
Result<std::vector<std::string>> list_schema(Database& database);

struct TableSize {
  std::string name;
  std::int64_t rows = 0, bytes = 0;
};
struct DatabaseSize {
  std::int64_t page_bytes = 0, pages = 0, free_pages = 0;
  std::vector<TableSize> tables;  // by name
};
Result<DatabaseSize> measure_database(Database& database);

}  // namespace codexmem::store

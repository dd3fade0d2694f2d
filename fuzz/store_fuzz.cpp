// A store that is damaged, or made up to do harm: every tool answers from it, or says what is
// wrong.
//
//     input := options edit*        read by FuzzedDataProvider
//     edit  := a value of one row | bytes of the file | packed facts under a good checksum | an end
//
// Edits are made to a good index of testdata/stores/small, or to the store of schema 1, rather than
// the input being the file: so an input is short, every layer is reached, and most of what SQLite
// itself would refuse is not tried again and again. The database is real and in memory (/dev/shm).
//
// Checked are crashes and sanitizer reports, that no tool ends by an exception, and that whatever
// it answers is JSON.
#include <fmt/core.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "text/json.h"
#include "base/log.h"
#include "base/result.h"
#include "embed/vector_files.h"
#include "embed/vector_index.h"
#include "graph/stored/facts_cache.h"
#include "index/packs/dump.h"
#include "index/run/indexer.h"
#include "ask/context.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"
#include "parse/facts/facts_codec.h"
#include "scratch.h"
#include "search/search.h"
#include "store/database.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"
#include "store/code/workspace.h"

namespace fs = std::filesystem;
using namespace codexmem;

namespace {

template <typename T>
T must(Result<T> result) {
  CODEXMEM_CHECK(result.ok());
  return std::move(result).value();
}

void must(const Result<void>& result) { CODEXMEM_CHECK(result.ok()); }

struct Column {
  std::string table, name;
};

// The repository whose store is damaged, and good stores to begin with.
struct World {
  fuzz::Scratch scratch;
  fs::path root, database;
  std::string newest, first;
  embed::VectorFiles vectors;
  std::vector<Column> columns;  // of newest
  mcp::ToolTable tools = must(mcp::ToolTable::make(mcp::tools()));

  World() {
    set_log_level(LogLevel::kOff);
    const fs::path stores = fs::path(CODEXMEM_SOURCE_DIR) / "testdata/stores";
    root = scratch.path() / "small";
    fs::copy(stores / "small", root, fs::copy_options::recursive);
    database = root / ".codexmem/index.db";
    {
      const auto workspace = must(store::Workspace::open(root));
      must(index::index_repository(*workspace, {.threads = 1}));
      vectors = embed::VectorFiles::read(workspace->vectors_path());
    }
    auto opened = must(store::Database::open(database));
    // Small pages, so that the file is small and a page holds one thing.
    must(opened.execute("PRAGMA journal_mode=DELETE; PRAGMA page_size=1024; VACUUM"));
    auto query = must(opened.statement(
        "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c"
        " WHERE t.type = 'table' AND t.name NOT LIKE 'chunk_terms%'"
        " AND t.name NOT LIKE 'file_names%' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid"));
    while (must(query.step())) {
      columns.push_back({std::string(query.text(0)), std::string(query.text(1))});
    }
    newest = must(read_file(database, 1 << 24));
    first = must(read_file(stores / "v1.db", 1 << 24));
  }

  // A good store, and nothing beside it.
  void restore(const std::string& bytes) const {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(database.parent_path())) {
      old.push_back(entry.path());
    }
    for (const fs::path& path : old) fs::remove_all(path);
    fuzz::overwrite(database, bytes);
    const fs::path vectors_path = database.parent_path() / "vectors.faiss";
    vectors.write(vectors_path);
    // What is damaged is a store of this user's own; any other is not read at all.
    must(store::adopt(database, store::workspace_kind()));
    must(store::seal_file(vectors_path));
    must(store::seal_file(embed::VectorIndex::side_path(vectors_path)));
  }
};

// Puts a value into one row. What SQLite refuses (a type, a constraint) is left as it was.
void edit_row(const World& world, store::Database& database, FuzzedDataProvider& in) {
  const Column& column =
      world.columns[in.ConsumeIntegralInRange<std::size_t>(0, world.columns.size() - 1)];
  const std::string where =
      " WHERE rowid = (SELECT rowid FROM " + column.table + " LIMIT 1 OFFSET ?2)";
  const bool has_rowid = column.table != "meta" && column.table != "skipped_files";
  const std::string set = "UPDATE " + column.table + " SET " + column.name + " = ";
  const auto row = in.ConsumeIntegralInRange<std::int64_t>(0, 20);
  const auto run = [&](const std::string& sql, const auto& bind) {
    auto statement = database.statement(sql);
    if (!statement.ok()) return;
    if (has_rowid) statement->bind(2, row);
    bind(*statement);
    static_cast<void>(statement->run());
  };
  const std::string target = has_rowid ? where : "";
  switch (in.ConsumeIntegralInRange(0, 6)) {
    case 0:
      return run(set + "?1" + target, [](store::Statement& to) { to.bind_null(1); });
    case 1: {
      const std::string text = in.ConsumeRandomLengthString(200);
      return run(set + "?1" + target, [&](store::Statement& to) { to.bind(1, text); });
    }
    case 2: {
      const std::string bytes = in.ConsumeRandomLengthString(200);
      return run(set + "?1" + target, [&](store::Statement& to) { to.bind_blob(1, bytes); });
    }
    case 3: {  // another row's
      const auto other = in.ConsumeIntegralInRange<std::int64_t>(0, 20);
      return run(
          set + "(SELECT " + column.name + " FROM " + column.table + " LIMIT 1 OFFSET ?1)" + target,
          [&](store::Statement& to) { to.bind(1, other); });
    }
    case 4: {  // nearly what it was
      const auto step = in.ConsumeIntegralInRange<std::int64_t>(-300, 300);
      return run(set + column.name + " + ?1" + target,
                 [&](store::Statement& to) { to.bind(1, step); });
    }
    case 5: {  // packed facts that only look good
      const std::string payload = parse::seal_facts(in.ConsumeRandomLengthString(400));
      auto statement = must(database.statement(
          "UPDATE file_facts SET facts = ?1 WHERE rowid = (SELECT rowid FROM file_facts LIMIT 1"
          " OFFSET ?2)"));
      statement.bind_blob(1, payload);
      statement.bind(2, row);
      static_cast<void>(statement.run());
      return;
    }
    default: {
      const auto number = in.ConsumeIntegral<std::int64_t>();
      return run(set + "?1" + target, [&](store::Statement& to) { to.bind(1, number); });
    }
  }
}

void edit_bytes(std::string& bytes, FuzzedDataProvider& in) {
  const auto at = in.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
  if (in.ConsumeIntegralInRange(0, 15) == 0) {
    bytes.resize(std::max<std::size_t>(at, 1));
    return;
  }
  const std::string put = in.ConsumeRandomLengthString(32);
  bytes.replace(at, std::min(put.size(), bytes.size() - at), put.substr(0, bytes.size() - at));
}

void ask(const World& world, ask::Services& services, std::string_view name,
         std::string_view arguments) {
  mcp::CallContext context;
  context.services = &services;
  const mcp::Tool* const tool = world.tools.find(name);
  CODEXMEM_CHECK(tool != nullptr);
  const mcp::ToolResult result =
      world.tools.call(*tool, must(JsonValue::parse(arguments)), context);
  const Json structured = Json::parse(result.structured);
  CODEXMEM_CHECK(structured.is_object());
  if (result.is_error && result.text.find("internal error") != std::string::npos) {
    fmt::print(stderr, "{} {}: {}\n", name, arguments, result.text);
    std::abort();
  }
}

void ask_everything(const World& world, store::Workspace& workspace, bool may_index) {
  search::SearchEngine engine(workspace);
  graph::FactsCache facts;
  ask::CodeServices code{workspace, engine, facts};
  ask::Services services{.code = &code};
  code.patience = std::chrono::milliseconds(0);
  code.index = [&, run = code.index](index::IndexOptions options, const auto& progress,
                                     auto stop) -> Result<index::IndexReport> {
    if (!may_index) return Error{ErrorCode::kIo, "not now"};
    options.threads = 1;
    options.skip_embeddings = true;  // making them takes the time of all else together
    return run(options, progress, stop);
  };
  ask(world, services, "search_code",
      R"({"query":"greeting for each name","threshold":0,"explain":true,"limit":50})");
  ask(world, services, "search_code", R"({"query":"area_of"})");
  ask(world, services, "find_symbol", R"({"symbol":"greet"})");
  ask(world, services, "find_symbol", R"({"symbol":"gree"})");
  for (const char* symbol : {"greet", "Circle", "Greeter", "area", "area_of"}) {
    ask(world, services, "get_references",
        fmt::format(R"({{"symbol":"{}","explain":true,"min_confidence":"name"}})", symbol));
  }
  for (const char* path : {"src/main.ts", "src/lib/greet.ts", "pkg/shapes.py", "README.md"}) {
    ask(world, services, "analyze_dependencies",
        fmt::format(R"({{"file_path":"{}","depth":10,"include_external":true}})", path));
    ask(world, services, "get_context", fmt::format(R"({{"file_path":"{}"}})", path));
  }
  ask(world, services, "repository_overview", R"({"depth":5})");
  ask(world, services, "trace_calls", R"({"from":"greet","to":"area"})");
  ask(world, services, "trace_calls", R"({"to":"area_of"})");
  ask(world, services, "analyze_change", R"({"symbols":["greet","Circle"]})");
  ask(world, services, "find_symbol", R"({"symbol":"Circle","relation":"extended_by"})");
  ask(world, services, "find_symbol", R"({"symbol":"area","relation":"overrides"})");
  for (const char* symbol : {"greet", "Circle", "area"}) {
    ask(world, services, "plan_rename",
        fmt::format(R"({{"symbol":"{}","new_name":"other"}})", symbol));
  }
  if (may_index) ask(world, services, "index_repository", R"({"skip_embeddings":true})");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static World& world = *new World;
  FuzzedDataProvider in(data, size);
  const bool is_first = in.ConsumeIntegralInRange(0, 15) == 0;
  const bool may_index = in.ConsumeIntegralInRange(0, 3) == 0;
  const int row_edits = in.ConsumeIntegralInRange(0, 6);
  world.restore(is_first ? world.first : world.newest);
  if (!is_first && row_edits > 0) {
    auto database = must(store::Database::open(world.database));
    must(
        database.execute("PRAGMA journal_mode=DELETE; PRAGMA foreign_keys=OFF;"
                         "PRAGMA synchronous=OFF"));
    for (int i = 0; i < row_edits; ++i) edit_row(world, database, in);
  }
  if (in.remaining_bytes() > 0) {
    std::string bytes = must(read_file(world.database, 1 << 24));
    while (in.remaining_bytes() > 0) edit_bytes(bytes, in);
    fuzz::overwrite(world.database, bytes);
  }

  auto workspace = store::Workspace::open_existing(world.root);
  if (!workspace.ok()) return 0;
  {
    auto reader = (*workspace)->reader();
    if (!reader.ok()) return 0;
    static_cast<void>(index::dump_index(**reader, [](std::string_view) {}));
  }
  ask_everything(world, **workspace, may_index);
  return 0;
}

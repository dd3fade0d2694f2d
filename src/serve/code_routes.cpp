// The indexed code, for the page: maps, files, symbols.
//
// Only existing indexes are read, and files only through them and git, so no path leads out of its
// repository. Access to repositories is decided as for MCP clients.
//
// Tested by ask/page_test.cpp and, over HTTP, by tests/worker/routes_test.py.
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "ask/code/analyze_change.h"
#include "ask/code/symbol_history.h"
#include "ask/code/trace_calls.h"
#include "ask/page/code_map.h"
#include "ask/page/dependency_map.h"
#include "ask/page/file_page.h"
#include "ask/page/find_page.h"
#include "ask/page/memory_map.h"
#include "ask/page/time_map.h"
#include "ask/page/symbol_page.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "config/known_repositories.h"
#include "serve/repository.h"
#include "serve/routes.h"
#include "serve/served_repositories.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::serve {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxAnswerBytes = 256 * 1024;
constexpr std::size_t kMaxEvents = 100;  // of a history

net::ServedReply code_reply(const Result<std::string>& made) {
  return made.ok() ? json_reply(*made) : failure_reply(made.error());
}

// The number `name` of the query, clamped to its bounds. Errors: kInvalidArgument if it is not a
// number.
Result<std::size_t> number_of(const RouteCall& call, std::string_view name, std::size_t otherwise,
                              std::size_t least, std::size_t most) {
  const std::string_view text = trim(call.request.query(name).value_or(""));
  if (text.empty()) return otherwise;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc::result_out_of_range) {
    number = std::numeric_limits<std::uint64_t>::max();
  } else if (problem != std::errc() || read_to != end) {
    return Error{ErrorCode::kInvalidArgument, std::string(name) + " must be a whole number"};
  }
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(number, least, most));
}

std::string text_of(const RouteCall& call, std::string_view name) {
  return std::string(call.request.query(name).value_or(""));
}

using Code = std::shared_ptr<ask::CodeServices>;

Result<Code> open_code(const RouteCall& call, const fs::path& root) {
  ServedRepositories* const repositories = call.worker.options().repositories;
  if (repositories == nullptr) return Error{ErrorCode::kNotFound, "this worker serves no code"};
  if (const std::string why = why_not_for_all(root); !why.empty()) {
    return Error{ErrorCode::kNotFound, why};
  }
  return repositories->reading_at(root);
}

// The repository that the query names, or else the one used last.
Result<Code> choose_code(const RouteCall& call) {
  const std::string_view given = call.request.query("repo").value_or("");
  if (given.empty()) {
    std::string why = "no repository is known yet: `codexmem open` in one indexes and shows it";
    for (const std::string& root : list_known_repositories(call.worker.options().directory)) {
      auto code = open_code(call, root);
      if (code.ok()) return code;
      why = code.error().message();
    }
    return Error{ErrorCode::kNotFound, std::move(why)};
  }
  if (!given.starts_with('/') || !is_valid_utf8(given) || given.find('\0') != given.npos) {
    return Error{ErrorCode::kInvalidArgument, "repo must be the absolute path of a repository"};
  }
  std::error_code failed;
  const fs::path folder = fs::canonical(given, failed);
  if (failed) return Error{ErrorCode::kNotFound, "there is no folder " + std::string(given)};
  CODEXMEM_ASSIGN(const fs::path root, find_root(folder));
  return open_code(call, root);
}

// The answer of `make` to a query about the chosen repository.
template <typename Make>
net::ServedReply answer_code(const RouteCall& call, const Make& make) {
  const StopScope scope(call.worker.stopping());
  return code_reply([&]() -> Result<std::string> {
    CODEXMEM_ASSIGN(const Code code, choose_code(call));
    return make(ask::PageCall{*code, call.worker.memory(), call.worker.stopping()});
  }());
}

net::ServedReply map(const RouteCall& call) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    ask::CodeMapParams params;
    params.path = text_of(call, "path");
    CODEXMEM_ASSIGN(params.nodes, number_of(call, "nodes", params.nodes, 1, ask::kMaxMapNodes));
    return make_code_map(page, params);
  });
}

net::ServedReply file(const RouteCall& call) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    ask::FilePageParams params;
    params.path = text_of(call, "path");
    CODEXMEM_ASSIGN(const std::size_t from, number_of(call, "from", 1, 1, 100'000'000));
    CODEXMEM_ASSIGN(const std::size_t lines,
                    number_of(call, "lines", params.lines, 1, ask::kMaxPageLines));
    params.from = static_cast<std::uint32_t>(from);
    params.lines = static_cast<std::uint32_t>(lines);
    return make_file_page(page, params);
  });
}

net::ServedReply dependencies(const RouteCall& call) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    ask::DependencyMapParams params;
    params.path = text_of(call, "path");
    params.focus = text_of(call, "focus");
    CODEXMEM_ASSIGN(params.depth, number_of(call, "depth", params.depth, 1, 4));
    CODEXMEM_ASSIGN(params.nodes, number_of(call, "nodes", params.nodes, 1, ask::kMaxGraphNodes));
    return make_dependency_map(page, params);
  });
}

net::ServedReply symbol(const RouteCall& call) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    constexpr std::size_t kMaxId = std::size_t{1} << 62;
    ask::SymbolPageParams params;
    CODEXMEM_ASSIGN(const std::size_t id, number_of(call, "id", 0, 0, kMaxId));
    CODEXMEM_ASSIGN(const std::size_t line, number_of(call, "line", 0, 0, 100'000'000));
    if (id > 0) params.id = static_cast<store::SymbolId>(id);
    params.path = text_of(call, "path");
    params.line = static_cast<std::uint32_t>(line);
    params.name = text_of(call, "name");
    return make_symbol_page(page, params);
  });
}

net::ServedReply find(const RouteCall& call) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    ask::FindPageParams params;
    params.query = text_of(call, "q");
    CODEXMEM_ASSIGN(params.limit, number_of(call, "limit", params.limit, 1, ask::kMaxFindResults));
    return make_find_page(page, params);
  });
}

net::ServedReply memory_map(const RouteCall& call) {
  return answer_code(call, [](const ask::PageCall& page) { return make_memory_map(page); });
}

net::ServedReply time_map(const RouteCall& call) {
  return answer_code(call, [](const ask::PageCall& page) { return make_time_map(page); });
}

// The answer to a question of the tools. Unlike the other routes it brings the files that the
// answer names up to date, as for MCP clients.
template <typename Params>
net::ServedReply answer_question(const RouteCall& call, const Params& params) {
  return answer_code(call, [&](const ask::PageCall& page) -> Result<std::string> {
    ask::Services services{.code = &page.code, .memory = call.worker.options().memory};
    ask::Staleness staleness;
    const ask::Context context{
        .services = &services, .stop = page.stop, .staleness = &staleness, .whole_lists = true};
    CODEXMEM_ASSIGN(const auto answer, run(context, params));
    std::vector<std::string> files;
    if constexpr (requires { answer.changed; }) files = answer.changed.files;
    return json_object("repo", page.code.workspace.root().string(), "answer",
                       JsonText{answer.to_json().structured}, "files", some(files), "stale",
                       some(staleness.files))
        .text;
  });
}

net::ServedReply changed_code(const RouteCall& call) {
  ask::AnalyzeChangeParams params;
  params.since = text_of(call, "since");
  if (params.until = text_of(call, "commit"); !params.until.empty()) {
    params.since = params.until + "~1";
  }
  params.is_staged = text_of(call, "staged") == "1";
  params.max_bytes = kMaxAnswerBytes;
  return answer_question(call, params);
}

net::ServedReply call_paths(const RouteCall& call) {
  ask::TraceCallsParams params;
  params.from = text_of(call, "from");
  params.to = text_of(call, "to");
  params.max_bytes = kMaxAnswerBytes;
  return answer_question(call, params);
}

net::ServedReply definition_history(const RouteCall& call) {
  ask::SymbolHistoryParams params;
  params.symbol = text_of(call, "symbol");
  params.limit = kMaxEvents;
  return answer_question(call, params);
}

// A row of the list; nothing for a repository that cannot be opened.
Result<JsonText> repository_row(const std::string& root, bool is_last_opened) {
  if (std::string why = why_not_for_all(root); !why.empty()) {
    return Error{ErrorCode::kUnsupported, std::move(why)};
  }
  CODEXMEM_ASSIGN(const auto workspace, store::Workspace::open_existing(root));
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace->reader());
  CODEXMEM_ASSIGN(const store::StoreCounts counts, reader->counts());
  CODEXMEM_ASSIGN(const auto run, reader->find_meta("last_run"));
  const Json last = Json::parse(run.value_or(""), nullptr, false);
  const bool has_time = last.is_object() && last.contains("finished_at");
  return json_object("root", root, "name", fs::path(root).filename().string(), "files",
                     counts.files, "lines", counts.lines, "symbols", counts.symbols, "indexedAt",
                     JsonText{has_time ? dump_json(last["finished_at"]) : "null"}, "openedLast",
                     is_last_opened);
}

net::ServedReply repositories(const RouteCall& call) {
  const fs::path& directory = call.worker.options().directory;
  const std::string last = last_opened(directory);
  std::vector<JsonText> list;
  for (const std::string& root : list_known_repositories(directory)) {
    if (auto row = repository_row(root, root == last); row.ok()) list.push_back(*std::move(row));
  }
  return json_reply(json_object("repositories", list));
}

}  // namespace

std::span<const Route> code_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/code/repositories", repositories},
      Route{"GET", "/api/code/map", map},
      Route{"GET", "/api/code/file", file},
      Route{"GET", "/api/code/dependencies", dependencies},
      Route{"GET", "/api/code/symbol", symbol},
      Route{"GET", "/api/code/find", find},
      Route{"GET", "/api/code/known", memory_map},
      Route{"GET", "/api/code/time", time_map},
      Route{"GET", "/api/code/change", changed_code},
      Route{"GET", "/api/code/path", call_paths},
      Route{"GET", "/api/code/history", definition_history},
  };
  return kRoutes;
}

}  // namespace codexmem::serve

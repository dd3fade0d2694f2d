#include "mcp/tools/tool_support.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>

#include "base/file.h"
#include "base/hash.h"
#include "text/json.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/qualified_name.h"

namespace codexmem::mcp {

namespace {

// Errors have a code and a message; this beginning of the message is how an error of indexing is
// told from one of the question itself.
constexpr std::string_view kWhileIndexing = "bringing the index up to date";

Error mark_indexing(Error error) {
  if (error.code() == ErrorCode::kCancelled) return error;
  return std::move(error).with_context(kWhileIndexing);
}

}  // namespace

std::size_t whole_argument(const JsonValue& arguments, std::string_view name,
                           std::size_t otherwise) {
  const auto value = arguments.member(name).integer();
  return value && *value >= 0 ? static_cast<std::size_t>(*value) : otherwise;
}

std::vector<std::string> texts_argument(const JsonValue& arguments, std::string_view name) {
  const JsonValue value = arguments.member(name);
  if (auto one = value.string()) return {*std::move(one)};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < value.size(); ++i) {
    texts.push_back(value.element(i).string().value_or(""));
  }
  return texts;
}

std::size_t answer_bytes(const JsonValue& arguments, std::size_t otherwise) {
  const std::size_t tokens = whole_argument(arguments, "max_tokens", 0);
  return tokens > 0 ? tokens * kBytesPerToken : otherwise;
}

Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("{} must {}, got \"{}\"", argument, must, utf8_prefix(given, 200))};
}

Result<std::string> repository_path(const store::Workspace& workspace, std::string_view argument,
                                    std::string_view given) {
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} must be a path in the repository {}, got \"{}\"{}", argument,
                             workspace.root().string(), utf8_prefix(given, 200), why)};
  };
  if (given.empty() || !is_valid_utf8(given)) return refuse("");
  auto path = path_below(workspace.root(), std::filesystem::path(given));
  if (!path) return refuse(", which leads out of it");
  if (path->empty()) return refuse(", the repository itself");
  return *std::move(path);
}

Result<std::vector<std::string>> check_symbol_question(const store::Workspace& workspace,
                                                       std::string_view symbol,
                                                       std::optional<std::string>& file_path) {
  if (graph::parse_qualified_name(symbol).name.empty()) {
    return refuse_argument("symbol", "hold a name", symbol);
  }
  if (!file_path) return std::vector<std::string>();
  CODEXMEM_ASSIGN(file_path, repository_path(workspace, "file_path", *file_path));
  return std::vector<std::string>{*file_path};
}

ToolResult fail_with(const Error& error, std::string_view store_type, std::string_view other_type) {
  if (error.message().starts_with(kWhileIndexing)) {
    return make_failure("IndexingError", error.message());
  }
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
      return make_failure("ValidationError", error.message());
    case ErrorCode::kNotFound:
      return make_failure("FileNotFoundError", error.message());
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kBusy:
      return make_failure(store_type, error.message());
    default:
      return make_failure(other_type, error.message());
  }
}

Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths) {
  std::vector<std::string> stale;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    CODEXMEM_ASSIGN(const auto row, reader.find_file(path));
    struct stat now {};
    const bool exists =
        ::lstat((workspace.root() / path).c_str(), &now) == 0 && S_ISREG(now.st_mode);
    if (!row) {
      // Not indexed on purpose (ignored, too large): indexing it again would change nothing.
      CODEXMEM_ASSIGN(const auto skipped, reader.find_skipped(path));
      if (exists && !skipped) stale.push_back(path);
      continue;
    }
    const std::int64_t mtime_ns =
        static_cast<std::int64_t>(now.st_mtim.tv_sec) * 1'000'000'000 + now.st_mtim.tv_nsec;
    bool is_same = exists && now.st_size == row->size && mtime_ns == row->mtime_ns;
    // A time that proved nothing when the file was read (just past, or in the future) is stored as
    // the one before it: then the bytes decide.
    if (!is_same && exists && now.st_size == row->size && mtime_ns == row->mtime_ns + 1) {
      const auto bytes = read_file(workspace.root() / path);
      is_same = bytes.ok() && sha256_hex(*bytes) == row->hash;
    }
    if (!is_same) stale.push_back(path);
  }
  return stale;
}

std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    bytes += items[i].size() + 1;
    if (bytes > max_bytes) return std::max<std::size_t>(i, 1);
  }
  return items.size();
}

std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings) {
  constexpr std::size_t kFrameBytes = 70;  // {"results":[]} and omitted, nextOffset of six digits
  const std::size_t beside = siblings.size() + kFrameBytes;
  return max_bytes > beside ? max_bytes - beside : 0;
}

std::string neighbour_json(const graph::Neighbour& neighbour) {
  Json json;
  json["name"] = neighbour.symbol.qualified_name();
  json["file"]["path"] = neighbour.path;
  json["line"] = neighbour.symbol.start.line;
  if (neighbour.count > 1) json["count"] = neighbour.count;
  if (neighbour.depth > 1) json["depth"] = neighbour.depth;
  if (neighbour.confidence != graph::Confidence::kResolved) {
    json["confidence"] = graph::confidence_name(neighbour.confidence);
  }
  return dump_json(json);
}

std::string beside_list(std::string_view array, std::string_view structured) {
  constexpr std::string_view kList = "{\"results\":";
  if (!array.starts_with('[') || !structured.starts_with(kList)) return {};
  const std::string_view rest =
      structured.substr(std::min(structured.size(), kList.size() + array.size()));
  return rest.starts_with(',') ? "{" + std::string(rest.substr(1)) : std::string();
}

ToolResult list_result(const std::vector<std::string>& items, std::string_view siblings) {
  const std::string array = "[" + join(items, ",") + "]";
  std::string structured = "{\"results\":" + array;
  structured += siblings.size() > 2 ? "," + std::string(siblings.substr(1)) : "}";
  return {false, array, structured, beside_list(array, structured)};
}

ToolResult object_result(std::string object) { return {false, object, object}; }

namespace internal {

Deadline deadline_of(const CallContext& context) {
  return std::chrono::steady_clock::now() + context.services->code->patience;
}

Result<void> refresh(const CallContext& context, std::vector<std::string> paths,
                     const std::vector<std::string>& damaged, Deadline deadline) {
  index::IndexOptions options;
  options.force = !damaged.empty();  // their bytes have not changed
  options.only = std::move(paths);
  options.only.insert(options.only.end(), damaged.begin(), damaged.end());
  std::stop_source end;
  const std::stop_callback on_cancel(context.stop, [&end] { end.request_stop(); });
  const auto give_up = [&](const index::IndexProgress& now) {
    if (now.phase != index::IndexPhase::kWaiting) return;
    if (std::chrono::steady_clock::now() >= deadline) end.request_stop();
  };
  auto report = context.services->code->index(options, give_up, end.get_token());
  if (report.ok()) return {};
  if (report.error().code() == ErrorCode::kCancelled && !context.stop.stop_requested()) {
    return mark_indexing(
        {ErrorCode::kBusy, fmt::format("{} has changed, and another index run is under way: ask "
                                       "again when it is done",
                                       options.only.front())});
  }
  return mark_indexing(std::move(report).error());
}

Result<std::string> await_ready(const CallContext& context, Deadline deadline) {
  if (!context.services->code->await_ready) return std::string();
  auto behind = context.services->code->await_ready(context, deadline);
  if (!behind.ok()) return mark_indexing(std::move(behind).error());
  return behind;
}

void note_staleness(const CallContext& context, std::string behind,
                    std::vector<std::string> files) {
  if (context.staleness == nullptr) return;
  if (behind.empty() && !files.empty()) behind = "files change while they are being indexed";
  *context.staleness = {std::move(behind), std::move(files)};
}

}  // namespace internal

}  // namespace codexmem::mcp

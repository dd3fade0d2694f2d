// Tested by config/workspace_file_test.cpp.
#include "config/workspace_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/owner.h"
#include "base/text.h"
#include "config/git_root.h"
#include "text/json_comments.h"
#include "text/json_value.h"

namespace codexmem {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxWorkspaceFileBytes = std::size_t{1} << 20;

// The folder of an entry; empty if it is on another machine.
std::string folder_of_entry(const JsonValue& entry) {
  if (const auto path = entry.string()) return *path;
  if (const auto path = entry.member("path").string()) return *path;
  constexpr std::string_view kScheme = "file://";
  const std::string uri = entry.member("uri").string().value_or("");
  return uri.starts_with(kScheme) && uri.find('%') == std::string::npos ? uri.substr(kScheme.size())
                                                                        : "";
}

bool is_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && std::ranges::none_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '/' || c == ':' || byte < 0x20 || byte == 0x7F;
  });
}

}  // namespace

Result<WorkspaceFile> parse_workspace(std::string_view text, const fs::path& path) {
  const auto refuse = [&](std::string_view what) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: {}", path.string(), what)};
  };
  const auto parsed = JsonValue::parse(strip_json_comments(text));
  if (!parsed.ok()) return refuse(parsed.error().message());
  const std::string_view list =
      parsed->member("repositories").is_absent() ? "folders" : "repositories";
  const JsonValue entries = parsed->member(list);
  if (!entries.is_array()) {
    return refuse(
        "must be an object with a list \"repositories\", as {\"repositories\": [\"../a\"]}");
  }
  if (entries.size() > kMaxWorkspaceRepositories) {
    return refuse(fmt::format("has {} repositories, and a workspace has at most {}", entries.size(),
                              kMaxWorkspaceRepositories));
  }
  WorkspaceFile file{path, {}};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const JsonValue entry = entries.element(i);
    const auto refuse_entry = [&](std::string_view what) {
      return refuse(fmt::format("{}[{}] {}", list, i, what));
    };
    if (!entry.is_string() && !entry.is_object()) {
      return refuse_entry("must be a path, or an object with a path");
    }
    const std::string folder = folder_of_entry(entry);
    if (folder.empty()) {
      if (!entry.member("uri").is_absent()) continue;
      return refuse_entry("names no path");
    }
    if (folder.find('\0') != std::string::npos)
      return refuse_entry("has a path with a null character");
    WorkspaceRepository repository;
    const JsonValue name = entry.member("name");
    if (name.is_string()) repository.name = *name.string();
    // Names in VS Code's files are for display, and may be any text.
    if (!repository.name.empty() && !is_name(repository.name)) {
      if (list == "repositories") {
        return refuse_entry("has a name with '/', ':' or a control character");
      }
      repository.name.clear();
    }
    repository.root = (path.parent_path() / folder).lexically_normal();
    if (repository.root.filename().empty()) repository.root = repository.root.parent_path();
    const bool is_known = std::ranges::any_of(
        file.repositories, [&](const auto& other) { return other.root == repository.root; });
    if (!is_known) file.repositories.push_back(std::move(repository));
  }
  return file;
}

Result<WorkspaceFile> read_workspace_file(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  if (failed) return Error{ErrorCode::kIo, path.string() + ": " + failed.message()};
  CODEXMEM_ASSIGN(const std::string text, read_file(whole, kMaxWorkspaceFileBytes));
  return parse_workspace(text, whole.lexically_normal());
}

std::optional<fs::path> find_workspace_file(const fs::path& root) {
  for (fs::path folder = root; folder.has_relative_path();) {
    folder = folder.parent_path();
    const fs::path file = folder / kWorkspaceFileName;
    struct stat there {};
    if (::lstat(file.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) continue;
    if (is_trusted(there.st_uid) && git_root(folder).empty()) return file;
  }
  return std::nullopt;
}

}  // namespace codexmem

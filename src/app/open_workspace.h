// app/open_workspace.h - the repositories of a workspace, opened for a command.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/render/console.h"
#include "app/param_options.h"
#include "ask/context.h"
#include "ask/united.h"
#include "base/result.h"
#include "serve/workspace.h"

namespace codexmem::app {

/// The workspace of a command whose option --workspace has the value `given` (empty: not requested;
/// "none": no workspace) and which starts in the folder `start`. It is read from the named file,
/// else from a file above the repository around `start`. Empty: no workspace. Errors: see
/// read_workspace_file(); kInvalidArgument for a file without repositories.
Result<std::vector<serve::WorkspaceMember>> choose_workspace(const std::string& given,
                                                             const std::filesystem::path& start);

/// The workspace whose file is in `start` or above it. Empty if there is no such file, or if
/// `start` is in a repository. Errors: see read_workspace_file().
Result<std::vector<serve::WorkspaceMember>> workspace_around(const std::filesystem::path& start);

/// Fails where workspace_around() has repositories: kNotFound, with their names and `or_else`, an
/// alternative to suggest. Errors: also see workspace_around().
Result<void> expect_repository(const std::filesystem::path& start, std::string_view or_else);

/// The folder to start from: `start`, or the first of `members` if `start` is in none of them.
std::filesystem::path start_in(const std::vector<serve::WorkspaceMember>& members,
                               const std::filesystem::path& start);

/// The workspace member that answers a question about one repository: the member called `name`, or,
/// if `name` is empty, the member around `start`. Errors: kInvalidArgument, which lists the names,
/// when there is no such member; kNotFound when it cannot be asked.
Result<serve::WorkspaceMember> choose_member(const std::vector<serve::WorkspaceMember>& members,
                                             const std::string& name,
                                             const std::filesystem::path& start);

/// All members of a workspace, open for questions. One thread.
class OpenWorkspace {
 public:
  /// Opens the indexed `members` in addition to `home`, which is already open, and updates their
  /// indexes unless `no_refresh`. A member that cannot be opened is in the answers, with the
  /// reason.
  OpenWorkspace(std::vector<serve::WorkspaceMember> members, ask::CodeServices& home,
                ask::Home chosen, bool no_refresh, std::stop_token stop, Console& console);
  ~OpenWorkspace();
  OpenWorkspace(const OpenWorkspace&) = delete;
  OpenWorkspace& operator=(const OpenWorkspace&) = delete;

  ask::UnitedCode& united() { return *united_; }

  /// Reads a path that was typed in the folder `start` as one of the united reader; what names no
  /// file stays as it is. What names no file of the repository `base`, if one is called so, is
  /// first looked for there.
  ParamOptions::PathReader path_reader(const std::filesystem::path& start,
                                       std::string_view base = {}) const;

 private:
  struct Repository;
  std::list<Repository> open_;
  std::optional<ask::UnitedCode> united_;
};

}  // namespace codexmem::app

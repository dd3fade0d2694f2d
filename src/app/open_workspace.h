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

#include "app/console.h"
#include "app/param_options.h"
#include "ask/context.h"
#include "ask/united.h"
#include "base/result.h"
#include "serve/workspace.h"

namespace codexmem::app {

/// The workspace of a command whose option --workspace has the value `given` (empty: it was not
/// given, "none": there is to be none) and which starts in the folder `start`: of the file that was
/// named, else of one above the repository around `start`. Empty: there is none. Errors: those of
/// read_workspace_file(); kInvalidArgument for a file without repositories.
Result<std::vector<serve::WorkspaceMember>> choose_workspace(const std::string& given,
                                                             const std::filesystem::path& start);

/// The workspace whose file stands in `start`, which is in no repository, or above it; empty: there
/// is none, or `start` is in a repository. Errors: those of read_workspace_file().
Result<std::vector<serve::WorkspaceMember>> workspace_around(const std::filesystem::path& start);

/// Fails where workspace_around() has repositories: kNotFound, with their names and `or_else`, what
/// else may be done. Errors: those of workspace_around(), too.
Result<void> expect_repository(const std::filesystem::path& start, std::string_view or_else);

/// The folder to start from: `start`, or where that is in none of `members` the first of them.
std::filesystem::path start_in(const std::vector<serve::WorkspaceMember>& members,
                               const std::filesystem::path& start);

/// The member of a workspace that a question about one of them is asked of: the one that is called
/// `name`, or where that is empty the one around `start`. Errors: kInvalidArgument, which lists the
/// names, when there is none; kNotFound when it cannot be asked.
Result<serve::WorkspaceMember> choose_member(const std::vector<serve::WorkspaceMember>& members,
                                             const std::string& name,
                                             const std::filesystem::path& start);

/// All members of a workspace, open for questions. One thread.
class OpenWorkspace {
 public:
  /// Opens what is indexed of `members` beside `home`, which is open, and brings it up to date
  /// unless `no_refresh`. What cannot be asked stays in the answers, with the reason.
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

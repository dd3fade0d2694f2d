// index/git/git_log.h - git's own log of a branch or of HEAD ("reflog"): which commit it was at,
// and what moved it. Only text is read; thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::index {

/// A line: "OLD NEW Name <email> 1700000000 +0100\tcommit: subject".
struct LogLine {
  std::string before, after;  // commits in hex; only zeros: none
  std::int64_t time_s = 0;
  std::string message;  // empty: none was given
};

using GitLog = std::vector<LogLine>;

/// The lines of `text`, oldest first. Others than such lines are left out.
GitLog parse_git_log(std::string_view text);

/// The log at `path`; empty when it is missing, no regular file, or larger than 4 MB.
GitLog read_git_log(const std::filesystem::path& path);

/// How the branch of a log began: a later one of its name began otherwise; empty: git has
/// forgotten it, as it does after some months.
std::string birth_of(const GitLog& log);

/// True for a commit that was made on the branch: not one that was merged, picked, pulled, or that
/// the branch was moved to.
bool is_new_commit(const LogLine& line);

/// The branch that was checked out at each line of a log of HEAD; empty: not known.
std::vector<std::string> branches_of(const GitLog& log);

}  // namespace codexmem::index

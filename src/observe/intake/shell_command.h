// observe/intake/shell_command.h - what a command line of a shell is for: to test, to build, to
// look, ...
//
// A command line is cut into its commands as a shell would, roughly; the one that matters most says
// what all of it is for. Nothing is expanded and nothing is run. Pure; linear in the text. Design:
// docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::observe {

/// In the order of what matters least. kRead to kList change nothing.
enum class CommandPurpose {
  kList,     // ls, pwd, git status
  kRead,     // cat, sed -n, git show
  kSearch,   // grep, find
  kOther,    // anything else
  kFiles,    // mv, rm, sed -i, > file
  kInstall,  // npm install
  kGit,      // git push, merge, ...
  kLint,     // eslint, mypy, prettier
  kBuild,    // make, tsc, cargo build
  kTest,     // pytest, npm test
  kCommit,   // git commit
};

/// A text that a command line writes to a file: cat > path <<EOF.
struct WrittenFile {
  std::string path, text;
};

/// One of the commands of a line.
struct CommandPart {
  CommandPurpose purpose = CommandPurpose::kOther;
  std::string text;    // "pytest tests/test_auth.py -q"
  std::string object;  // the pattern, the message of a commit, the packages to install
};

/// A line: the command of it that matters, and what all of them did.
struct ShellCommand : CommandPart {
  std::vector<std::string> files_read, files_modified;  // as written
  std::vector<WrittenFile> written;                     // here-documents
  std::vector<CommandPart> parts;                       // in their order, at most 20
};

inline constexpr std::size_t kMaxCommandBytes = std::size_t{1} << 18;  // the rest is not read

ShellCommand read_command(std::string_view line);

constexpr bool is_read_only(CommandPurpose purpose) { return purpose <= CommandPurpose::kSearch; }

}  // namespace codexmem::observe

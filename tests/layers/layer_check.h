// layers/layer_check.h - compares src with the table in docs/layers.txt: its #include lines, and
// where SQL and commands of the shell stand.
//
// Pure functions over texts, so that a made-up tree shows that a violation is seen. Thread-safe.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::layers {

/// One source file: `path` is relative to src, with '/' between its parts.
struct SourceFile {
  std::string path;
  std::string text;
};

/// What docs/layers.txt says.
struct Table {
  std::map<std::string, std::set<std::string>> may_include;  // by folder, without itself
  std::map<std::string, std::string> outside;  // start of a name in <>, its one folder
  std::set<std::string> may_name_commands;     // folders
};

/// Reads a table: `folder: folders that it may include`, from the bottom up, `outside start:
/// folder`, and `shell commands: folders`; blank lines and those that begin with `#` are skipped.
/// Errors: kInvalidArgument, with the line, for another shape, a folder given twice, or one that
/// names what no line above it has, so a table that was read has no cycles.
Result<Table> parse_table(std::string_view text);

/// Returns a line `path:line: what is wrong` for every #include in `files` that breaks a rule, in
/// the order of the files and of their lines:
/// - a project header is named from src, exists, and is of a folder that the table allows;
/// - an outside library of the table is included only by its folder, and a header that brings it
///   along, directly or through others, is not included from another folder;
/// - nlohmann/ is included only by text/json.h, and text/json.h and text/parse_json.h only by .cpp
///   files.
/// So is a line with SQL in a folder other than store, and one whose message names a command of the
/// shell in a folder that may not. A file outside the table's folders is a
/// violation, and so is a grant of the table that no file uses; these come last, by folder.
std::vector<std::string> find_violations(const Table& table, const std::vector<SourceFile>& files);

}  // namespace codexmem::layers

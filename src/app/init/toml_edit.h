// app/init/toml_edit.h - a table put into, and taken out of, TOML that people write by hand:
// comments, order, line breaks and layout of the rest stay.
//
// Each change is parsed again, by toml++, and must differ from the document before by that table
// alone; so whatever the scanner misreads is refused, never written. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::app {

/// The names of a table, from the outermost: {"mcp_servers", "codexmem"} of
/// `[mcp_servers.codexmem]`.
using TomlPath = std::vector<std::string>;

/// A table of a document.
struct TomlTable {
  std::string value;      // as JSON, dates as strings; empty: no such table
  bool is_plain = false;  // under a header of its own, without comments or tables of its own: what
                          // set_toml_table() writes
};

/// Errors: kUnsupported when `text` is no TOML; the line is named.
Result<TomlTable> find_toml_table(std::string_view text, const TomlPath& path);

/// `text` with the table `path` that holds `value`, the text of a JSON object of strings, numbers,
/// flags, lists of them and objects of all these: in the place of a plain one that is there, or at
/// the end. Errors: kUnsupported when `text` is no TOML, holds such a table that is not plain, or
/// the result would not be the document that was asked for, as where `path` leads through an inline
/// table.
Result<std::string> set_toml_table(std::string_view text, const TomlPath& path,
                                   std::string_view value);

/// `text` without the plain table `path`; unchanged if there is no such table. Undoes
/// set_toml_table() to the byte. Errors: see set_toml_table().
Result<std::string> remove_toml_table(std::string_view text, const TomlPath& path);

/// The table as it is written: its header and a line for each value; or on one line, as a member
/// of an inline table.
std::string toml_table(const TomlPath& path, std::string_view value);
std::string toml_inline(const std::string& name, std::string_view value);

}  // namespace codexmem::app

// app/init/json_edit.h - changes to JSON texts that people write by hand: existing comments, order,
// layout, line breaks and trailing commas stay.
//
// Each changed text is parsed again and must differ from the old document only by the requested
// change, so anything that the scanner misreads is refused, never written. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::app {

/// The way from the top of a document to a value in it: names of members, positions in arrays (in
/// digits). "-" is the place behind an array's last element.
using JsonPath = std::vector<std::string>;

/// `text` as plain JSON; its top must be an object. If members have the same name, the last one
/// counts; a text of white space is `{}`. Errors: kUnsupported when it is not a JSON object even
/// with comments and trailing commas allowed (the line is named), or is nested more than 64 levels
/// deep.
Result<std::string> plain_json(std::string_view text);

/// `text` with `value`, a JSON text, at `path`: it replaces the existing value or is added behind
/// the last member. Missing containers on the way are made. New lines are laid out like their
/// neighbours. Errors: see plain_json(); kUnsupported when something on the way is neither object
/// nor array, or the layout is not understood.
Result<std::string> set_json(std::string_view text, const JsonPath& path, std::string_view value);

/// `text` without the value at `path`. Objects and arrays that become empty are removed too, up to
/// the top, unless they hold a comment. If there is no such value, the text is unchanged. Undoes
/// set_json() to the byte where that has made no object and filled no empty one.
/// Errors: see set_json().
Result<std::string> remove_json(std::string_view text, const JsonPath& path);

/// The text of the value at `path`, with its comments; empty when there is no such value.
/// Errors: see set_json().
Result<std::string> find_json(std::string_view text, const JsonPath& path);

}  // namespace codexmem::app

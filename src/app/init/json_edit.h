// app/init/json_edit.h - changes to JSON texts that people write by hand: comments, order, layout,
// line breaks and trailing commas of what is there stay.
//
// Each change is parsed again and must differ from the document before by what was asked for alone;
// so whatever the scanner misreads is refused, never written. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::app {

/// The way from the top of a document to a value in it: names of members, positions in arrays (in
/// digits). "-" is the place behind an array's last element.
using JsonPath = std::vector<std::string>;

/// `text` as plain JSON, whose top is an object. Of members of the same name the last holds; a text
/// of white space alone is `{}`. Errors: kUnsupported when it is no JSON object even with comments
/// and trailing commas allowed (the line is named), or is nested more than 64 levels deep.
Result<std::string> plain_json(std::string_view text);

/// `text` with `value`, a JSON text, at `path`: in the place of what is there, or behind the last
/// member. What is missing on the way is made. The new lines are laid out as their neighbours are.
/// Errors: those of plain_json(); kUnsupported when something on the way is neither object nor
/// array, or the layout is not understood.
Result<std::string> set_json(std::string_view text, const JsonPath& path, std::string_view value);

/// `text` without the value at `path`; objects and arrays that thereby become empty go with it as
/// long as no comment stands in them, up to the top. The same text when there is none. Undoes
/// set_json() to the byte where that has made no object and filled no empty one.
/// Errors: those of set_json().
Result<std::string> remove_json(std::string_view text, const JsonPath& path);

/// The text of the value at `path`, as it stands there with its comments; empty when there is none.
/// Errors: those of set_json().
Result<std::string> find_json(std::string_view text, const JsonPath& path);

}  // namespace codexmem::app

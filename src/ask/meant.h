// ask/meant.h - the arguments of a call as they are meant: models write names and values in many
// ways.
//
// A value with one evident meaning is read as that: {"filePath"} for file_path, {"q"} for query,
// null and "" for nothing, a text for a list and the other way round, "Class" for class. Right
// arguments stay as they are. Stateless; safe to use from many threads. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ask/question.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// Arguments, and what the answer should say of how they were read: sentences; may be empty.
struct Meant {
  JsonValue arguments;
  std::string note = {};
};

/// `given` by the parameters of `question`; a value that is not an object is returned unchanged.
/// `root` is of the repository, empty without one.
Meant read_meant(const Question& question, const JsonValue& given,
                 const std::filesystem::path& root);

/// A path without what editors and chats write around it: quotes, "@", "file://", ":10",
/// "#L10-L20"; with `/` for backslashes.
std::string plain_path(std::string_view written);

/// `text` without quotes, backticks and blanks around it.
std::string_view unquoted(std::string_view text);

}  // namespace codexmem::ask

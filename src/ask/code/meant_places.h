// ask/code/meant_places.h - the files and symbols of a call as they are meant, looked up in the
// index.
//
// For after an answer in vain, so that right calls pay nothing for it. Stateless; safe to use from
// many threads. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <optional>
#include <string>

#include "ask/context.h"
#include "ask/question.h"
#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::ask {

struct MeantPlaces {
  std::optional<JsonValue> arguments = {};  // with what the index has; nothing: as they were
  std::string note = {};  // what was read as what, or what there is instead; may be empty
};

/// Looks for what the arguments `given` of `question` name and the index does not have: a file by
/// its last names or as editors write it, a symbol within a declaration or a call, a symbol for a
/// file, filters that no file passes. Something is only read otherwise when exactly one thing in
/// the index is meant. Errors: the store's.
Result<MeantPlaces> find_meant_places(const Question& question, const Context& context,
                                      const JsonValue& given);

}  // namespace codexmem::ask

// ask/input_schema.h - arguments against a question's schema.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// A compiled input schema. Immutable, so safe to share.
///
/// It knows the keywords that tools use: type, enum, minimum, maximum, exclusiveMinimum, minLength,
/// maxLength, pattern (RE2's syntax), minItems, maxItems, items, required, properties, and
/// multipleOf, which means 1. It ignores others.
class InputSchema {
 public:
  /// Compiles `schema`, the text of a JSON Schema of type object. `whole_numbers` names the
  /// arguments, with commas between, that must be whole although the schema says "number" (5.0 is
  /// whole, 2.5 is not), `text_lists` in the same way the arguments of which a lone text is a list
  /// of one. Errors: kInvalidArgument for another schema.
  static Result<InputSchema> make(std::string_view schema, std::string_view whole_numbers,
                                  std::string_view text_lists = "");

  ~InputSchema();
  InputSchema(InputSchema&&) noexcept;
  InputSchema& operator=(InputSchema&&) noexcept;

  /// `arguments` with texts that mean a number or a truth value as that ("5", "true"), where the
  /// schema asks for one, and lone texts as lists where that is meant: what models write.
  JsonValue read(const JsonValue& arguments) const;

  /// Nothing when `arguments`, which read() gave, are valid, else a sentence that names the first
  /// argument that is not, what it must be, and what it is: "limit must be a whole number from 1 to
  /// 50, got 51". Lengths of strings count code points. Arguments that the schema does not know are
  /// ignored; one whose name is close to a known one is mentioned when something else is wrong.
  std::optional<std::string> find_fault(const JsonValue& arguments) const;

  /// Of arguments that the schema does not know: `unknown argument "qurey": did you mean "query"?`
  /// of the first that is close to a known one, else all, and which are known. Empty when it knows
  /// all.
  std::string note_on_unknown(const JsonValue& arguments) const;

 private:
  struct Impl;
  explicit InputSchema(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::ask

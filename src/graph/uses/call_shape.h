// graph/uses/call_shape.h - whether a call, as it is written, fits the parameters of a function.
//
// For `codexmem check`, which reports a call only if it certainly does not fit: a call with a part
// that gives several (*list, ...rest) fits everything. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/facts/facts.h"
#include "store/code/code_rows.h"
#include "parse/walk/lists.h"

namespace codexmem::graph {

/// The parameters of a function, as far as a call must agree with them.
struct CallShape {
  struct Parameter {
    std::string name;                                               // empty for a pattern
    bool is_optional = false, is_rest = false, is_keyword = false;  // as in WrittenParameter

    bool operator==(const Parameter&) const = default;
  };
  std::vector<Parameter> parameters;
  bool has_receiver = false;  // Python's self comes first, and is not listed

  bool operator==(const CallShape&) const = default;
};

/// The modifiers of a symbol, as parse::Symbol has them.
using ModifiersOf = std::function<std::vector<std::string_view>(std::uint32_t symbol)>;
/// Of facts that were extracted just now; stored ones have none.
ModifiersOf modifiers_in(const parse::FileFacts& facts);
/// Of all rows of a file. Both must outlive what they give.
ModifiersOf modifiers_in(const std::vector<store::SymbolRow>& rows);

/// The shapes of the functions of a file by their qualified names, of those that one declaration
/// alone describes: no overloads, nothing that may change them (decorators, most of Rust's
/// attributes, defaults of an overridden function in Kotlin). Rust's self is the first parameter.
/// Empty in languages where any number of arguments is right.
std::vector<std::pair<std::string, CallShape>> call_shapes(const parse::FileFacts& facts,
                                                           std::string_view text,
                                                           std::string_view language,
                                                           const ModifiersOf& modifiers_of);

/// The shape of every function that can be called, by its number among the symbols: also of
/// overloaded ones, constructors, and methods of Python. Nothing for a function that may take other
/// arguments than it says.
std::map<std::uint32_t, std::optional<CallShape>> all_call_shapes(const parse::FileFacts& facts,
                                                                  std::string_view text,
                                                                  std::string_view language,
                                                                  const ModifiersOf& modifiers_of);

/// What a call gives.
struct GivenArguments {
  std::size_t positional = 0;
  std::size_t receivers = 0;  // of these not in the list: x.f(1) in Rust
  bool has_block = false;     // gives the last parameter: f(1) { }
  std::set<std::string, std::less<>> keywords;
};

/// The arguments in `list`, of `text`, of the name at `offset`. Nothing when they cannot be
/// counted.
std::optional<GivenArguments> given_arguments(const parse::WrittenList& list, std::string_view text,
                                              std::uint32_t offset, std::string_view language);

/// Why a call does not fit: "it takes 2 arguments, and 1 is given". Empty if it does.
std::string why_unfit(const CallShape& shape, const GivenArguments& given);

}  // namespace codexmem::graph

// graph/uses/parameters.h - how languages write parameters and arguments. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parse/walk/lists.h"

namespace codexmem::graph {

/// A parameter as it is declared.
struct WrittenParameter {
  std::string name;      // empty: it has none, or it is not known
  std::size_t item = 0;  // of the list: Go's (a, b int) has two in one
  bool is_optional = false;
  bool is_rest = false;      // takes all further arguments: ...x, *x
  bool is_keyword = false;   // is given by its name only
  bool is_receiver = false;  // self, this: the object before the dot
  bool is_mark = false;      // divides the others: *, /, void
};

WrittenParameter read_parameter(std::string_view text, std::string_view language);

/// The parameters in the list of a declaration. `is_method`: Python's first one is the receiver.
std::vector<WrittenParameter> read_parameters(const parse::WrittenList& list, std::string_view text,
                                              std::string_view language, bool is_method);

/// The sign between the name and the value of an argument that is given by its name; empty where
/// arguments have no names.
std::string_view keyword_sign(std::string_view language);

/// The name of an argument that is given by it; empty for others.
std::string_view keyword_of(std::string_view argument, std::string_view language);

/// True for an argument that gives any number of arguments: *list, ...rest.
bool is_spread(std::string_view argument, std::string_view language);

}  // namespace codexmem::graph

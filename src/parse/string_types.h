// parse/string_types.h - types that are written in quotes: def f(a: "list[A]").
#pragma once

#include "parse/builder.h"

namespace codexmem::parse {

/// The term of the type in the quotes at `range`: names with dots between, arguments in brackets,
/// "|". `base` is what builds the terms around it.
TermId string_type(const Builder& base, ByteRange range);

}  // namespace codexmem::parse

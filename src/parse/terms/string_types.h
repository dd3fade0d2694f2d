// parse/terms/string_types.h - types written in quotes: def f(a: "list[A]").
#pragma once

#include "parse/walk/builder.h"

namespace codexmem::parse {

/// The term of the type in the quotes at `range`: names joined by dots, arguments in brackets, "|".
/// `base` is the builder of the surrounding terms.
TermId string_type(const Builder& base, ByteRange range);

}  // namespace codexmem::parse

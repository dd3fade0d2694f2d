// ask/code/context_maker.h - gathers what get_context knows of a file or a symbol.
#pragma once

#include <string>

#include "ask/code/get_context.h"
#include "ask/context.h"
#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// Everything about the file at `path`, or about params.symbol in it, before it is cut to the size
/// of an answer. Errors: as run().
Result<GetContextAnswer> make_context(const Context& context, store::CodeReader& reader,
                                      const GetContextParams& params, const std::string& path);

}  // namespace codexmem::ask

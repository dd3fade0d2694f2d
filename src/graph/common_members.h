// graph/common_members.h - member names that the languages' own libraries have.
#pragma once

#include <string_view>

#include "graph/core/file_model.h"

namespace codexmem::graph {

/// True for a member of the built-in types and most used globals of `family`: with a receiver of
/// unknown type, `x.push` says nothing of a repository's own push.
bool is_library_member(Family family, std::string_view name);

}  // namespace codexmem::graph

// graph/ruby/ruby_calls.h - the methods that calls of Ruby may mean.
//
// Shared by name lookup and evaluation. kExternal when nothing of the repository is meant, kUnknown
// when that is not known; kUnknown next to methods marks them as likely. Stateless.
#pragma once

#include <cstdint>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The result of calling `method`.
Entities ruby_results(Resolver& resolver, const Entity& method);

/// The meaning of the call on `self` at occurrence `index`.
Entities ruby_own_call(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// The meaning of `super` at `offset`.
Entities ruby_super(Resolver& resolver, const FileModel& file, std::uint32_t offset);

/// The meaning of the call with a receiver at occurrence `index`.
Entities ruby_member(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// The method that the symbol at occurrence `index` names where a call takes it for one:
/// send(:name), before_action :name.
Entities ruby_symbol(Resolver& resolver, const FileModel& file, std::uint32_t index);

}  // namespace codexmem::graph

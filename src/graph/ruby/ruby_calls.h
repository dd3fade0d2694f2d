// graph/ruby/ruby_calls.h - which methods calls of Ruby may mean.
//
// Shared by what answers for names. kExternal where nothing of the repository is meant, kUnknown
// where that is not known; beside methods kUnknown says that they are likely. Stateless.
#pragma once

#include <cstdint>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// What calling `method` gives.
Entities ruby_results(Resolver& resolver, const Entity& method);

/// What the call of `self` at occurrence `index` means.
Entities ruby_own_call(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// What `super` at `offset` means.
Entities ruby_super(Resolver& resolver, const FileModel& file, std::uint32_t offset);

/// What the call with a receiver at occurrence `index` means.
Entities ruby_member(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// The method that the symbol at occurrence `index` names where a call takes it for one:
/// send(:name), before_action :name.
Entities ruby_symbol(Resolver& resolver, const FileModel& file, std::uint32_t index);

}  // namespace codexmem::graph

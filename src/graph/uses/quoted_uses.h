// graph/uses/quoted_uses.h - uses of a symbol by its name in quotes, for the account of its uses.
//
// Texts are judged as a rename does (rename_lookups.h), by what code would find under them. One
// thread, one question.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/core/use_account.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_lookups.h"

namespace codexmem::graph {

class QuotedUses final : public QuotedNames {
 public:
  /// The files of `targets` outlive this.
  QuotedUses(Resolver& resolver, const std::vector<UsageTarget>& targets)
      : parents_(path_parents(targets)), family_(resolver), lookups_(resolver, family_) {
    for (const UsageTarget& each : targets) family_.add_alone(*each.file, each.symbol);
  }

  Drawer drawer_of(const FileModel& file, std::string_view text, std::uint32_t offset,
                   std::string_view name, bool is_used_here) override;

 private:
  const std::vector<std::string_view> parents_;
  RenameFamily family_;
  TextLookups lookups_;
};

}  // namespace codexmem::graph

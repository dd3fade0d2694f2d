// graph/rename_sole.h - whether nobody but a family declares a member of its name.
//
// One thread, one question; a part of graph/rename.h.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "graph/core/source_texts.h"
#include "graph/rename_family.h"
#include "graph/rename_lookups.h"

namespace codexmem::graph {

class SoleName {
 public:
  SoleName(Resolver& resolver, SourceTexts& texts, RenameFamily& family, TextLookups& lookups)
      : resolver_(resolver), texts_(texts), family_(family), lookups_(lookups) {}

  /// True if whatever has a member of the name is of the family, which is complete: no other symbol
  /// of the repository is called so, no key of an object, no text that makes one, and nothing in
  /// the language's library.
  bool is_sole();

 private:
  bool is_family(const Entities& meant) const;
  bool has_other_symbol(const FileModel& first, const std::string& name);
  bool has_other_key(const FileModel& file, const std::string& name);
  bool has_text(const FileModel& file, const std::string& name);

  Resolver& resolver_;
  SourceTexts& texts_;
  RenameFamily& family_;
  TextLookups& lookups_;
  std::optional<bool> is_sole_;
};

}  // namespace codexmem::graph

// graph/rename/rename_sole.h - checks whether only a family declares members of its name, and lists
// the places that then mean it.
//
// One thread, one question; a part of graph/rename/rename.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph/core/source_texts.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_lookups.h"

namespace codexmem::graph {

class SoleName {
 public:
  /// `new_name` has to say as much as the old one, so that the way back is the same.
  SoleName(Resolver& resolver, store::CodeReader& reader, SourceTexts& texts, RenameFamily& family,
           TextLookups& lookups, const std::string& new_name)
      : resolver_(resolver),
        reader_(reader),
        texts_(texts),
        family_(family),
        lookups_(lookups),
        new_name_(new_name) {}

  /// True if every member of the name belongs to the family, which is complete: no other symbol of
  /// the repository has the name, no type of the language's library or of a used package has such a
  /// member, and the remaining keys and texts are in places().
  bool is_sole();

  /// Keys of unknown objects, and texts that look a member up: offsets by file. They mean the
  /// family, if it is sole.
  const std::map<const FileModel*, std::set<std::uint32_t>>& places() const { return places_; }
  bool takes(const FileModel& file, std::uint32_t offset) {
    if (!is_sole()) return false;
    const auto found = places_.find(&file);
    return found != places_.end() && found->second.contains(offset);
  }

 private:
  bool is_family(const Entities& meant) const;
  bool may_take(const FileModel& file, const Entities& meant) const;
  bool has_other_symbol(const FileModel& first, const std::string& name);
  bool has_outside_use(const FileModel& file, const std::string& name);
  bool has_other_key(const FileModel& file, const std::string& name);
  bool has_text(const FileModel& file, const std::string& name);

  Resolver& resolver_;
  store::CodeReader& reader_;
  SourceTexts& texts_;
  RenameFamily& family_;
  TextLookups& lookups_;
  const std::string& new_name_;
  std::optional<bool> is_sole_;
  bool is_telling_ = false;
  std::map<const FileModel*, std::set<std::uint32_t>> places_;
};

}  // namespace codexmem::graph

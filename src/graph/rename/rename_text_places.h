// graph/rename/rename_text_places.h - the old name in strings, comments and unread code.
//
// One that means the symbol becomes a place to rename, one that may mean it an obstacle, and the
// rest are mentions. One thread; part of one plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/source_texts.h"
#include "graph/rename/rename_conflicts.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_lookups.h"
#include "graph/rename/rename_places.h"
#include "graph/rename/rename_reach.h"
#include "graph/rename/rename_sole.h"
#include "graph/rename/rename_text.h"
#include "graph/uses/use_drawers.h"

namespace codexmem::graph {

class TextPlaces {
 public:
  /// What a plan is made with.
  struct Means {
    const RenameQuery& query;
    Resolver& resolver;
    store::CodeReader& reader;
    SourceTexts& texts;
    RenameFamily& family;
    ValueReach& reach;
    TextLookups& lookups;
    SoleName& sole;
  };

  TextPlaces(Means means, RenamePlaces& places, RenamePlan& plan, ConflictReport report)
      : query_(means.query),
        resolver_(means.resolver),
        reader_(means.reader),
        texts_(means.texts),
        family_(means.family),
        reach_(means.reach),
        lookups_(means.lookups),
        sole_(means.sole),
        places_(places),
        plan_(plan),
        report_(std::move(report)) {}

  /// Adds to the places and to the plan; `hits` are the account's. Errors: the store's.
  Result<void> find(const std::vector<Hit>& hits);

  /// True if a text changes because nobody else declares such a member.
  bool needs_sole() const { return needs_sole_; }

 private:
  Result<void> find_unread(const std::vector<Hit>& hits);
  void add_unread(const store::FileRow& row, std::uint32_t offset);
  bool is_markup(const FileModel& file, std::uint32_t offset);
  bool is_place(const FileModel& file, std::uint32_t offset) const;
  void sort_mention(const FileModel& file, std::string_view text, const Mention& mention,
                    bool is_of_family);
  bool is_settled_format(const FileModel& file, std::uint32_t offset);
  bool is_settled(const FileModel& file, std::string_view text, const Mention& mention);

  const RenameQuery& query_;
  Resolver& resolver_;
  store::CodeReader& reader_;
  SourceTexts& texts_;
  RenameFamily& family_;
  ValueReach& reach_;
  TextLookups& lookups_;
  SoleName& sole_;
  RenamePlaces& places_;
  RenamePlan& plan_;
  ConflictReport report_;
  bool needs_sole_ = false;
};

}  // namespace codexmem::graph

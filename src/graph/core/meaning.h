// graph/core/meaning.h - what the parts of a search say that a name means, put together.
#pragma once

#include <algorithm>
#include <utility>

#include "graph/core/entity.h"

namespace codexmem::graph {

/// The known entities of a name or, without any, its state: unknown takes precedence over most
/// likely foreign, and that over external.
class Meaning {
 public:
  void add(const Entity& entity) {
    if (entity == kForeignEntity) {
      is_foreign_ = true;
    } else if (entity.kind == EntityKind::kUnknown) {
      is_unknown_ = true;
    } else if (entity.kind == EntityKind::kExternal) {
      is_external_ = true;
    } else {
      graph::add(found_, entity);
    }
  }
  void merge(const Entities& entities) {
    for (const Entity& entity : entities) add(entity);
  }

  bool is_found() const { return !found_.empty(); }
  Entities& found() { return found_; }

  /// The state of a name without known entities: one entity that says so, or nothing at all.
  Entities rest() const {
    if (is_unknown_) return {kUnknownEntity};
    if (is_foreign_) return {kForeignEntity};
    if (is_external_) return {kExternalEntity};
    return {};
  }

  /// What was found, which is a guess where it may be foreign as well; else rest().
  Entities take() {
    if (found_.empty()) return rest();
    if (is_foreign_) found_.push_back(kForeignEntity);
    return std::move(found_);
  }

 private:
  Entities found_;
  bool is_unknown_ = false;
  bool is_foreign_ = false;
  bool is_external_ = false;
};

}  // namespace codexmem::graph

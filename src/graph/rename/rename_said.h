// graph/rename/rename_said.h - what a person has said of a place: --take and --leave. Pure.
#pragma once

#include "graph/rename/rename.h"

namespace codexmem::graph {

enum class Said {
  kNothing,
  kTake,   // it means the symbol
  kLeave,  // it keeps its name
};

/// What `query` says of the obstacle `found`. Only a doubt can be taken; a tie to something outside
/// of the repository can be left, too.
Said said_of(const RenameQuery& query, const RenameObstacle& found);

}  // namespace codexmem::graph

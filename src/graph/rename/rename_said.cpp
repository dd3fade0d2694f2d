// Tested by git/rename_test.py.
#include "graph/rename/rename_said.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace codexmem::graph {

Said said_of(const RenameQuery& query, const RenameObstacle& found) {
  const bool is_doubt = found.kind == ObstacleKind::kUncertainUse ||
                        found.kind == ObstacleKind::kSharedUse ||
                        found.kind == ObstacleKind::kText ||
                        found.kind == ObstacleKind::kUnparsed || found.kind == ObstacleKind::kValue;
  const std::string place = fmt::format("{}:{}", found.path, found.position.line);
  const auto has = [&](const std::vector<std::string>& said) {
    return std::ranges::any_of(
        said, [&](const std::string& each) { return each == "all" || each == place; });
  };
  if (has(query.leave)) {
    return is_doubt || found.kind == ObstacleKind::kOutside ? Said::kLeave : Said::kNothing;
  }
  return is_doubt && has(query.take) ? Said::kTake : Said::kNothing;
}

}  // namespace codexmem::graph

// ask/code/plan_rename.h - the edits that give a symbol another name, or a function other
// parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/rename/rename.h"
#include "graph/rename/signature.h"

namespace codexmem::ask {

struct PlanRenameParams {
  graph::RenameQuery query;
  std::size_t offset = 0;  // edits to skip
  std::size_t max_bytes = 0;
};

struct PlanChangeParams {
  graph::SignatureQuery query;
  std::string order;       // "2,1,3"
  std::size_t offset = 0;  // edits to skip
  std::size_t max_bytes = 0;
};

/// A line with edits, before and after them.
struct RenamedLine {
  std::string path;
  Position first;  // the first edit
  bool is_definition = false;
  std::size_t edits = 1;
  std::string before, after;  // without the line's end
};

struct PlanRenameAnswer : Answer {
  graph::RenamePlan plan;          // whole, whatever is shown
  std::vector<RenamedLine> lines;  // of all edits, by path and line
  std::string note;                // what it may lack; empty: nothing is known to be missing
  std::size_t first_edit = 0, shown_edits = 0, shown_obstacles = 0;

  Written to_json() const override;
};

/// Errors: as graph::plan_rename() and answer_fresh().
Result<PlanRenameAnswer> run(const Context& context, const PlanRenameParams& params);

/// Errors: as graph::plan_signature() and answer_fresh().
Result<PlanRenameAnswer> run(const Context& context, const PlanChangeParams& params);

extern const Question kPlanRename;
extern const Question kPlanChange;

}  // namespace codexmem::ask

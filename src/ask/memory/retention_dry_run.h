// ask/memory/retention_dry_run.h - retention_dry_run: records that are too old or too many.
// Stateless; thread-safe. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <optional>

#include "ask/memory/call.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/entries/retention.h"

namespace codexmem::ask {

struct RetentionParams {
  memory::RetentionRequest request;

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct RetentionAnswer : Answer {
  memory::RetentionRequest request;
  memory::RetentionPlan plan;
  std::optional<std::size_t> removed;  // when the plan was executed

  Written to_json() const override;
};

/// Plans; nothing is removed. Errors: as memory::plan_retention().
Result<RetentionAnswer> run(const MemoryCall& call, RetentionParams params);

extern const Question kRetentionDryRun;

}  // namespace codexmem::ask

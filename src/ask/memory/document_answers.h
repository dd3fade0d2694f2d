// ask/memory/document_answers.h - the tools that look after what is kept: ingest_docs and
// retention_dry_run. Stateless; thread-safe. Design: docs/memory.md, docs/mcp.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ask/memory/answer.h"
#include "ask/memory/call.h"
#include "memory/retention.h"

namespace codexmem::ask {

/// Errors: kInvalidArgument.
Result<memory::RetentionRequest> read_retention(const memory::Memory& memory,
                                                std::string_view arguments);

/// A plan as the tool tells of it; with `removed`, how many of it went, as what was executed.
std::string retention_json(const memory::RetentionRequest& request,
                           const memory::RetentionPlan& plan,
                           std::optional<std::size_t> removed = {});

/// Each tool, failures included.
Answer answer_ingest_docs(const Call& call, std::string_view arguments);
Answer answer_retention_dry_run(const Call& call, std::string_view arguments);

}  // namespace codexmem::ask

// ask/memory/ingest_docs.h - ingest_docs: keeps the sections of documents. Stateless; thread-safe.
// Design: docs/how-it-works.md, "Memory".
#pragma once

#include "ask/memory/call.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/documents/ingest.h"

namespace codexmem::ask {

struct IngestDocsParams {
  memory::IngestRequest request;

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct IngestDocsAnswer : Answer {
  memory::IngestReport report;

  Written to_json() const override;
};

/// Errors: as memory::ingest_docs().
Result<IngestDocsAnswer> run(const MemoryCall& call, IngestDocsParams params);

extern const Question kIngestDocs;

}  // namespace codexmem::ask

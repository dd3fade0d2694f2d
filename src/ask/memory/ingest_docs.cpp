// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/ingest_docs.h"

#include <utility>

#include "ask/memory/save_memory.h"
#include "text/json_object.h"

namespace codexmem::ask {

Result<void> IngestDocsParams::complete(const memory::Memory& memory, const ToolArguments&) {
  request.root = memory.root();
  CODEXMEM_ASSIGN(request.project, project_to_write(memory, request.project));
  if (request.entry_type.empty()) request.entry_type = memory::IngestRequest{}.entry_type;
  return {};
}

Result<IngestDocsAnswer> run(const MemoryCall& call, IngestDocsParams params) {
  IngestDocsAnswer answer;
  CODEXMEM_ASSIGN(answer.report,
                  memory::ingest_docs(call.memory.entries(), call.memory.store(), params.request,
                                      call.memory.clock(), citing(call), call.stop));
  if (answer.report.imported_entries > 0) call.memory.note_change();
  return answer;
}

Written IngestDocsAnswer::to_json() const {
  std::vector<std::string> sources;
  for (const memory::SkippedSource& skipped : report.skipped) sources.push_back(skipped.source);
  const JsonText reasons = json_list(report.skipped, [](const memory::SkippedSource& skipped) {
    return json_object("source", skipped.source, "reason", skipped.reason);
  });
  const JsonText sections = json_list(report.blocked, [](const memory::BlockedSection& blocked) {
    return json_object("source", blocked.source, "section", blocked.section, "rules",
                       blocked.rules);
  });
  return object_json(json_object(
      "processed_sources", report.processed_sources, "imported_entries", report.imported_entries,
      "duplicate_entries", report.duplicate_entries, "skipped_sources", sources, "project",
      report.project, "superseded_entries", report.superseded_entries, "blocked_sections",
      report.blocked.size(), "skipped", some(reasons), "blocked", some(sections)));
}

constexpr Param kIngestDocsParams[] = {
    {.name = "project",
     .description = "Default: this",
     .option = "-p,--project",
     .help = "Default: the project of the current folder",
     .into = into<&IngestDocsParams::request, &memory::IngestRequest::project>},
    {.name = "sources",
     .also = "source,path,paths,files,file",
     .type = ParamType::kTexts,
     .description = "Default: three in docs/",
     .option = "SOURCE",
     .help = "Files or folders of the project (default: docs/session-log.md, docs/decisions.md, "
             "docs/requirements.md)",
     .takes = Takes::kHere,
     .into = into<&IngestDocsParams::request, &memory::IngestRequest::sources>},
    {.name = "entry_type",
     .description = "Their type",
     .default_json = "\"ingestion\"",
     .option = "-t,--type",
     .help = "Of the entries (ingestion)",
     .into = into<&IngestDocsParams::request, &memory::IngestRequest::entry_type>},
};

constinit const Question kIngestDocs = {
    .name = "ingest_docs",
    .title = "Ingest documents",
    .description = "Save sections of documents as memories; again: only what changed.",
    .groups = "memory",
    .read_only = false,
    .params = kIngestDocsParams,
    .output_schema = R"json({"type":"object","properties":{
"processed_sources":{"type":"integer"},"imported_entries":{"type":"integer"},"duplicate_entries":{"type":"integer"},"skipped_sources":{"type":"array","items":{"type":"string"}},"project":{"type":"string"},"superseded_entries":{"type":"integer"},"blocked_sections":{"type":"integer"},"skipped":{"type":"array","items":{"type":"object"}},"blocked":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["processed_sources","imported_entries","duplicate_entries","skipped_sources"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<IngestDocsParams>};

}  // namespace codexmem::ask

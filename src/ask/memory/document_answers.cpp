// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/document_answers.h"

#include <utility>
#include <vector>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/arguments.h"
#include "ask/memory/entry_answers.h"
#include "memory/ingest.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMostEntries = 1'000'000'000;

Json report_json(const memory::IngestReport& report) {
  Json json;
  json["processed_sources"] = report.processed_sources;
  json["imported_entries"] = report.imported_entries;
  json["duplicate_entries"] = report.duplicate_entries;
  Json& sources = json["skipped_sources"] = Json::array();
  for (const memory::SkippedSource& skipped : report.skipped) sources.push_back(skipped.source);
  json["project"] = report.project;
  json["superseded_entries"] = report.superseded_entries;
  json["blocked_sections"] = report.blocked.size();
  if (!report.skipped.empty()) {
    Json& reasons = json["skipped"] = Json::array();
    for (const memory::SkippedSource& skipped : report.skipped) {
      reasons.push_back({{"source", skipped.source}, {"reason", skipped.reason}});
    }
  }
  if (!report.blocked.empty()) {
    Json& sections = json["blocked"] = Json::array();
    for (const memory::BlockedSection& blocked : report.blocked) {
      sections.push_back(
          {{"source", blocked.source}, {"section", blocked.section}, {"rules", blocked.rules}});
    }
  }
  return json;
}

Result<Answer> ingest(const Call& call, std::string_view arguments) {
  memory::Memory& memory = call.memory;
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  memory::IngestRequest request;
  request.root = memory.root();
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  CODEXMEM_ASSIGN(request.project, project_to_write(memory, project));
  CODEXMEM_ASSIGN(request.sources, given.text_list("sources"));
  CODEXMEM_ASSIGN(const std::string type, given.text("entry_type"));
  if (!type.empty()) request.entry_type = type;
  CODEXMEM_ASSIGN(const memory::IngestReport report,
                  memory::ingest_docs(memory.entries(), memory.store(), request, memory.clock(),
                                      citing(call), call.stop));
  if (report.imported_entries > 0) memory.note_change();
  return object_answer(dump_json(report_json(report)));
}

Result<Answer> plan(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const memory::RetentionRequest request, read_retention(call.memory, arguments));
  CODEXMEM_ASSIGN(const memory::RetentionPlan plan,
                  memory::plan_retention(call.memory.store(), request, call.memory.clock()));
  return object_answer(retention_json(request, plan));
}

}  // namespace

Result<memory::RetentionRequest> read_retention(const memory::Memory& memory,
                                                std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  memory::RetentionRequest request;
  CODEXMEM_ASSIGN(request.now_ms, given.time("now"));
  CODEXMEM_ASSIGN(request.max_age_days, given.positive("max_age_days", request.max_age_days));
  CODEXMEM_ASSIGN(
      const std::size_t most,
      given.clamped("max_entries_per_project",
                    static_cast<std::size_t>(request.max_entries_per_project), 1, kMostEntries));
  request.max_entries_per_project = static_cast<std::int64_t>(most);
  CODEXMEM_ASSIGN(request.offset, given.clamped("offset", 0, 0, kMostEntries));
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  request.project = trim(project);
  if (memory.is_isolated()) request.project = memory.project();
  return request;
}

std::string retention_json(const memory::RetentionRequest& request,
                           const memory::RetentionPlan& plan, std::optional<std::size_t> removed) {
  Json json;
  json["mode"] = removed ? "executed" : "dry-run";
  if (removed) json["removed"] = *removed;
  json["executed_at"] = memory::iso_time(plan.now_ms);
  json["total_candidates"] = plan.candidates.size();
  json["by_reason"] = {{"age", plan.by_age}, {"project_count", plan.by_project_count}};
  json["max_age_days"] = request.max_age_days;
  json["max_entries_per_project"] = request.max_entries_per_project;
  if (!request.project.empty()) json["project"] = request.project;
  std::vector<std::string> ids;
  for (const memory::RetentionCandidate& each : plan.candidates) {
    ids.push_back("\"" + std::to_string(static_cast<std::int64_t>(each.id)) + "\"");
  }
  const std::size_t begin = std::min(request.offset, ids.size());
  ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(begin));
  const std::size_t kept = count_fitting(ids, kLongBytes - dump_json(json).size() - 80);
  if (kept < ids.size()) {
    json["omitted"] = ids.size() - kept;
    json["nextOffset"] = begin + kept;
  }
  ids.resize(kept);
  std::string object = dump_json(json);
  object.pop_back();
  return object + ",\"candidate_ids\":[" + join(ids, ",") + "]}";
}

Answer answer_ingest_docs(const Call& call, std::string_view arguments) {
  auto answer = ingest(call, arguments);
  return answer.ok() ? *std::move(answer) : memory_failure(answer.error());
}

Answer answer_retention_dry_run(const Call& call, std::string_view arguments) {
  auto answer = plan(call, arguments);
  return answer.ok() ? *std::move(answer) : memory_failure(answer.error());
}

}  // namespace codexmem::ask

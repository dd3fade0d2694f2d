// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/retention_dry_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ask/budget.h"
#include "base/text.h"
#include "memory/times.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxRetained = 1'000'000'000;

}  // namespace

Result<void> RetentionParams::complete(const memory::Memory& memory, const ToolArguments&) {
  if (memory.is_isolated()) request.project = memory.project();
  return {};
}

Result<RetentionAnswer> run(const MemoryCall& call, RetentionParams params) {
  RetentionAnswer answer;
  answer.request = std::move(params.request);
  CODEXMEM_ASSIGN(answer.plan,
                  memory::plan_retention(call.memory.store(), answer.request, call.memory.clock()));
  return answer;
}

Written RetentionAnswer::to_json() const {
  const JsonText head = json_object(
      "mode", removed ? "executed" : "dry-run", "removed", removed, "executed_at",
      memory::iso_time(plan.now_ms), "total_candidates", plan.candidates.size(), "by_reason",
      json_object("age", plan.by_age, "project_count", plan.by_project_count), "max_age_days",
      request.max_age_days, "max_entries_per_project", request.max_entries_per_project, "project",
      some(request.project));
  std::vector<std::string> ids;
  for (const memory::RetentionCandidate& each : plan.candidates) {
    ids.push_back("\"" + std::to_string(static_cast<std::int64_t>(each.id)) + "\"");
  }
  const std::size_t begin = std::min(request.offset, ids.size());
  ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(begin));
  const std::size_t kept = count_fitting(ids, kLongAnswerBytes - head.text.size() - 80);
  const Rest rest = Rest::after(begin + kept, begin + ids.size());
  ids.resize(kept);
  return object_json(
      json_joined(head, json_object("omitted", some(rest.omitted), "nextOffset", rest.next(),
                                    "candidate_ids", json_list(ids, std::identity()))));
}

constexpr Param kRetentionParams[] = {
    {.name = "now",
     .description = "ISO time",
     .into = into<&RetentionParams::request, &memory::RetentionRequest::now_ms>},
    {.name = "max_age_days",
     .also = "days,max_age,age_days",
     .type = ParamType::kNumber,
     .description = "Older goes",
     .least = 0,
     .above_least = true,
     .default_json = "180",
     .option = "--max-age",
     .help = "Days (180)",
     .into = into<&RetentionParams::request, &memory::RetentionRequest::max_age_days>},
    {.name = "max_entries_per_project",
     .type = ParamType::kWhole,
     .clamp = Clamp{1, kMaxRetained},
     .description = "More go",
     .least = 0,
     .above_least = true,
     .default_json = "10000",
     .option = "--max-entries",
     .help = "Entries of a project (10000)",
     .into = into<&RetentionParams::request, &memory::RetentionRequest::max_entries_per_project>},
    {.name = "project",
     .description = "Only its",
     .option = "-p,--project",
     .help = "Only of this project",
     .into = into_by<read_trimmed, &RetentionParams::request, &memory::RetentionRequest::project>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxRetained},
     .listed = false,
     .into = into<&RetentionParams::request, &memory::RetentionRequest::offset>},
};

constinit const Question kRetentionDryRun = {
    .name = "retention_dry_run",
    .title = "Retention, dry run",
    .description = "List memories too old or too many; remove none.",
    .groups = "memory",
    .params = kRetentionParams,
    .output_schema = R"json({"type":"object","properties":{
"mode":{"type":"string"},"executed_at":{"type":"string"},"total_candidates":{"type":"integer"},"by_reason":{"type":"object","properties":{"age":{"type":"integer"},"project_count":{"type":"integer"}}},"candidate_ids":{"type":"array","items":{"type":"string"}},"max_age_days":{"type":"number"},"max_entries_per_project":{"type":"integer"},"project":{"type":"string"},"omitted":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["mode","executed_at","total_candidates","by_reason","candidate_ids"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<RetentionParams>};

}  // namespace codexmem::ask

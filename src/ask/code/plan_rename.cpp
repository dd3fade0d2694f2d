// Tested by git/rename_test.py.
#include "ask/code/plan_rename.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "base/text.h"
#include "index/changes/rename_apply.h"
#include "privacy/shown_code.h"
#include "text/counted.h"
#include "text/json_object.h"
#include "text/line_index.h"

namespace codexmem::ask {

namespace {

ByteRange range_of(std::uint32_t begin, std::size_t size) {
  return {begin, begin + static_cast<std::uint32_t>(size)};
}

// The lines of `text` that the edits of `file` change.
void add_lines(const graph::RenamedFile& file, std::string_view text,
               std::vector<RenamedLine>& lines) {
  const LineIndex index(text);
  const std::size_t first = lines.size();
  std::size_t added = 0;  // bytes that the edits before have added to the line
  for (const graph::RenameEdit& edit : file.edits) {
    const bool is_same = !lines.empty() && lines.back().path == file.path &&
                         lines.back().first.line == edit.position.line;
    if (!is_same) {
      const std::string line(index.line_text(edit.position.line));
      lines.push_back({file.path, edit.position, edit.is_definition, 0, line, line});
      added = 0;
    }
    RenamedLine& line = lines.back();
    ++line.edits;
    line.is_definition = line.is_definition || edit.is_definition;
    line.after.replace(edit.offset - index.line_begin(edit.position.line) + added, edit.size,
                       edit.text);
    added += edit.text.size() - edit.size;  // (unsigned numbers wrap around and back)
  }
  privacy::ShownCode shown(text);
  for (std::size_t i = first; i < lines.size(); ++i) {
    const ByteRange range = range_of(index.line_begin(lines[i].first.line), lines[i].before.size());
    lines[i].before = shown.part(range);
    lines[i].after = privacy::shown_replacement(text, range, lines[i].after);
  }
}

// Sets the shown texts of the edits. Returns how many of them have secrets.
std::size_t mask_edits(std::string_view text, std::vector<graph::RenameEdit>& edits) {
  std::size_t masked = 0;
  for (graph::RenameEdit& edit : edits) {
    const ByteRange range = range_of(edit.offset, edit.size);
    edit.old = privacy::shown_code(text, range);
    edit.shown = privacy::shown_replacement(text, range, edit.text);
    if (edit.shown != edit.text) ++masked;
  }
  return masked;
}

// What the disk has against the plan.
void add_disk_obstacles(const store::Workspace& workspace, graph::RenamePlan& plan) {
  for (const index::FileEdits& file : index::edits_of(plan)) {
    std::string why = index::why_not_rewritable(workspace, file);
    if (why.empty()) continue;
    plan.obstacles.push_back(
        {graph::ObstacleKind::kFile, file.path, {}, std::move(why), "", std::nullopt});
  }
}

Result<graph::RenamePlan> plan(const Context& context, store::CodeReader& reader,
                               const graph::RenameQuery& query) {
  return graph::plan_rename(context.code().facts, reader, query, context.stop);
}

Result<graph::RenamePlan> plan(const Context& context, store::CodeReader& reader,
                               const graph::SignatureQuery& query) {
  return graph::plan_signature(context.code().facts, reader, query, context.stop);
}

template <typename Query>
Result<PlanRenameAnswer> make_plan(const Context& context, store::CodeReader& reader,
                                   const Query& query) {
  PlanRenameAnswer answer;
  CODEXMEM_ASSIGN(answer.plan, plan(context, reader, query));
  std::size_t masked = 0;
  for (graph::RenamedFile& file : answer.plan.files) {
    CODEXMEM_ASSIGN(const auto text, reader.find_content(file.id));
    if (!text) continue;
    add_lines(file, *text, answer.lines);
    if (!answer.plan.is_rename()) masked += mask_edits(*text, file.edits);
  }
  if (masked > 0) {
    add_sentence(answer.note,
                 fmt::format("In {} a secret is shown as [masked***]: only applying the plan "
                             "here writes it.",
                             counted(masked, "edit")));
  }
  return answer;
}

JsonText file_of(const std::string& path) { return json_object("path", path); }

std::string edit_json(const graph::RenamedFile& file, const graph::RenameEdit& edit) {
  return json_object("file", file_of(file.path), "line", edit.position.line, "column",
                     edit.position.column, "oldText", some(edit.old), "newText",
                     edit.shown.empty() ? edit.text : edit.shown, "kind",
                     edit.is_definition ? "definition" : graph::usage_kind_name(edit.kind),
                     "confidence", graph::confidence_name(graph::Confidence::kResolved));
}

std::string obstacle_json(const graph::RenameObstacle& obstacle) {
  return json_object("file", file_of(obstacle.path), "line", obstacle.position.line, "column",
                     obstacle.position.column, "kind", graph::obstacle_kind_name(obstacle.kind),
                     "why", obstacle.why, "context", obstacle.context, "confidence",
                     some(obstacle.confidence ? graph::confidence_name(*obstacle.confidence) : ""));
}

std::string mention_json(const graph::NameMention& mention) {
  return json_object("file", file_of(mention.path), "line", mention.position.line, "column",
                     mention.position.column, "context", mention.context);
}

std::vector<std::string> edit_texts(const graph::RenamePlan& plan, std::size_t first,
                                    std::size_t count) {
  std::vector<std::string> texts;
  for (const graph::RenamedFile& file : plan.files) {
    for (const graph::RenameEdit& edit : file.edits) {
      if (first > 0) {
        --first;
      } else if (texts.size() < count) {
        texts.push_back(edit_json(file, edit));
      }
    }
  }
  return texts;
}

// The members after the lists.
JsonText rest_of(const PlanRenameAnswer& answer) {
  const graph::RenamePlan& plan = answer.plan;
  std::vector<std::string> definitions;
  for (const graph::ReferenceDefinition& each : plan.definitions) {
    if (definitions.size() == 20) break;
    definitions.push_back(
        fmt::format("{}:{} {}", each.path, each.name_start.line, each.qualified_name));
  }
  std::vector<JsonText> moves;
  for (const graph::RenamedFile& file : plan.files) {
    if (file.new_path.empty()) continue;
    moves.push_back(json_object("from", file.path, "to", file.new_path));
  }
  const Rest rest = Rest::after(answer.first_edit + answer.shown_edits, plan.edit_count());
  return json_object("canApply", plan.is_certain(), "oldName", plan.old_name, "newName",
                     plan.new_name, "definitions", some(definitions), "moves", some(moves),
                     "mentions", some(json_list(plan.mentions, mention_json)), "unread",
                     some(json_list(plan.unread, mention_json)), "total", plan.edit_count(),
                     "account", account_json(plan.account), "obstaclesOmitted",
                     some(plan.obstacles.size() - answer.shown_obstacles), "note",
                     some(answer.note), "omitted", some(rest.omitted), "nextOffset", rest.next());
}

// Obstacles come first: half of the room is theirs if they need it.
void cut(PlanRenameAnswer& answer, std::size_t offset, std::size_t max_bytes) {
  graph::RenamePlan& plan = answer.plan;
  answer.first_edit = std::min(offset, plan.edit_count());
  const std::size_t rest_bytes = rest_of(answer).text.size() + 200;
  std::size_t room = bytes_left(max_bytes, rest_bytes);
  const auto obstacles = write_fitting(plan.obstacles.size(), room / 2, [&](std::size_t i) {
    return obstacle_json(plan.obstacles[i]);
  });
  answer.shown_obstacles = obstacles.size();
  for (const std::string& text : obstacles) room -= std::min(room, text.size() + 1);
  const auto edits = edit_texts(plan, answer.first_edit, SIZE_MAX);
  answer.shown_edits = count_fitting(edits, room);
}

template <typename Query>
Result<PlanRenameAnswer> make_fresh_plan(const Context& context, graph::RenameQuery& named,
                                         const Query& query) {
  CODEXMEM_ASSIGN(const auto inputs,
                  check_symbol_question(context.code(), named.symbol, named.file_path));
  CODEXMEM_ASSIGN(PlanRenameAnswer answer,
                  answer_fresh<PlanRenameAnswer>(
                      context, inputs,
                      [&](store::CodeReader& reader) { return make_plan(context, reader, query); },
                      [](const PlanRenameAnswer& made, std::set<std::string>& paths) {
                        for (const graph::RenamedFile& file : made.plan.files)
                          paths.insert(file.path);
                        for (const graph::RenameObstacle& each : made.plan.obstacles)
                          paths.insert(each.path);
                      }));
  add_disk_obstacles(context.code().workspace, answer.plan);
  if (answer.plan.is_exported) {
    add_sentence(answer.note, "It is exported: code outside of the repository is not seen.");
  }
  return answer;
}

constexpr Param kPlanRenameParams[] = {
    {.name = "symbol",
     .also = kSymbolNames,
     .description = "Old: Class.method",
     .required = true,
     .least = 1,
     .most = 500,
     .lists_bounds = false,
     .option = "OLD",
     .help = "A name, Class.method, module.name or path::name",
     .takes = Takes::kSymbol,
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::symbol>},
    {.name = "new_name",
     .also = "to,new,rename_to,new_symbol,replacement",
     .description = "Last part",
     .required = true,
     .least = 1,
     .most = 200,
     .lists_bounds = false,
     .option = "NEW",
     .help = "The new name, without a path or class",
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::new_name>},
    {.name = "file_path",
     .also = kFileNames,
     .listed = false,
     .option = "-f,--file",
     .help = "Only the definition in this file",
     .takes = Takes::kFile,
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::file_path>},
    {.name = "strings",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--strings",
     .help = "Also list the name in strings and comments, for you to judge",
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::with_mentions>},
    {.name = "take",
     .type = ParamType::kTexts,
     .listed = false,
     .option = "--take",
     .help = "Uncertain places to rename as well: FILE:LINE, or all",
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::take>},
    {.name = "leave",
     .type = ParamType::kTexts,
     .listed = false,
     .option = "--leave",
     .help = "Uncertain places to leave as they are: FILE:LINE, or all",
     .into = into<&PlanRenameParams::query, &graph::RenameQuery::leave>},
    offset_param(into<&PlanRenameParams::offset>, "Edits to skip, when an answer was cut"),
    one_repository_param(),
    max_tokens_param(into_by<read_bytes, &PlanRenameParams::max_bytes>, "8000", kAllTokens),
};

constexpr Param kPlanChangeParams[] = {
    {.name = "symbol",
     .also = kSymbolNames,
     .description = "The function: Class.method",
     .required = true,
     .least = 1,
     .most = 500,
     .option = "SYMBOL",
     .help = "A function: a name, Class.method, module.name or path::name",
     .takes = Takes::kSymbol,
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::named,
                  &graph::RenameQuery::symbol>},
    {.name = "add_parameter",
     .most = 1000,
     .option = "--add-parameter",
     .help = "A new parameter, as its declaration is written",
     .takes = Takes::kSentence,
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::add>},
    {.name = "number",
     .type = ParamType::kWhole,
     .least = 1,
     .option = "--at",
     .help = "Its number, from 1 (default: as far behind as it may be)",
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::at>},
    {.name = "value",
     .most = 1000,
     .option = "--value",
     .help = "What calls give for it",
     .takes = Takes::kSentence,
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::value>},
    {.name = "remove",
     .type = ParamType::kTextOrNumber,
     .most = 200,
     .option = "--remove",
     .help = "The parameter that goes: its number or its name",
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::remove>},
    {.name = "reorder",
     .most = 500,
     .option = "--reorder",
     .help = "The new order of the old numbers: 2,1,3",
     .takes = Takes::kSentence,
     .into = into<&PlanChangeParams::order>},
    {.name = "takes",
     .type = ParamType::kWhole,
     .least = 0,
     .option = "--takes",
     .help = "Of several overloads, the one with so many parameters",
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::takes>},
    {.name = "file_path",
     .also = kFileNames,
     .option = "-f,--file",
     .help = "Only the definition in this file",
     .takes = Takes::kFile,
     .into = into<&PlanChangeParams::query, &graph::SignatureQuery::named,
                  &graph::RenameQuery::file_path>},
    {.name = "take",
     .type = ParamType::kTexts,
     .option = "--take",
     .help = "Uncertain calls to change as well: FILE:LINE, or all",
     .into =
         into<&PlanChangeParams::query, &graph::SignatureQuery::named, &graph::RenameQuery::take>},
    {.name = "leave",
     .type = ParamType::kTexts,
     .option = "--leave",
     .help = "Uncertain places to leave as they are: FILE:LINE, or all",
     .into =
         into<&PlanChangeParams::query, &graph::SignatureQuery::named, &graph::RenameQuery::leave>},
    offset_param(into<&PlanChangeParams::offset>, "Edits to skip, when an answer was cut"),
    one_repository_param(),
    max_tokens_param(into_by<read_bytes, &PlanChangeParams::max_bytes>, "8000", kAllTokens),
};

}  // namespace

Result<PlanRenameAnswer> run(const Context& context, const PlanRenameParams& params) {
  graph::RenameQuery query = params.query;
  // Box.open to Box.shut: the new name is shut.
  const std::size_t owner = query.symbol.find_last_of(".#:") + 1;  // 0 without one
  if (query.new_name.starts_with(query.symbol.substr(0, owner))) query.new_name.erase(0, owner);
  CODEXMEM_ASSIGN(PlanRenameAnswer answer, make_fresh_plan(context, query, query));
  if (!query.with_mentions && answer.plan.mentions_total > 0) {
    add_sentence(answer.note,
                 fmt::format("In strings and comments the name stays: {} (`strings: true` "
                             "lists them).",
                             counted(answer.plan.mentions_total, "place")));
  } else if (answer.plan.mentions_total > answer.plan.mentions.size()) {
    add_sentence(answer.note, fmt::format("Of {} places in strings and comments {} are listed.",
                                          answer.plan.mentions_total, answer.plan.mentions.size()));
  }
  cut(answer, params.offset, params.max_bytes);
  return answer;
}

Result<PlanRenameAnswer> run(const Context& context, const PlanChangeParams& params) {
  graph::SignatureQuery query = params.query;
  for (const std::string_view part : split(params.order, ',')) {
    std::size_t number = 0;
    const std::string_view text = trim(part);
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (!text.empty()) query.order.push_back(number);
  }
  if ((query.add.empty() ? 0 : 1) + (query.remove.empty() ? 0 : 1) +
          (query.order.empty() ? 0 : 1) !=
      1) {
    return Error{ErrorCode::kInvalidArgument,
                 "`add_parameter`, `remove` or `reorder`: give one of them"};
  }
  CODEXMEM_ASSIGN(PlanRenameAnswer answer, make_fresh_plan(context, query.named, query));
  cut(answer, params.offset, params.max_bytes);
  return answer;
}

Written PlanRenameAnswer::to_json() const {
  std::vector<std::string> obstacles;
  for (std::size_t i = 0; i < shown_obstacles; ++i) {
    obstacles.push_back(obstacle_json(plan.obstacles[i]));
  }
  return object_json(fmt::format(R"({{"edits":[{}],"obstacles":[{}],{})",
                                 join(edit_texts(plan, first_edit, shown_edits), ","),
                                 join(obstacles, ","), rest_of(*this).text.substr(1)));
}

namespace {
constexpr std::string_view kPlanSchema =
    R"json({"type":"object","properties":{
"edits":{"type":"array","items":{"type":"object","properties":{"file":{"type":"object"},"line":{"type":"integer"},"column":{"type":"integer"},"newText":{"type":"string"},"kind":{"type":"string"},"confidence":{"type":"string"}},"required":["file","line","column","newText"]}},
"obstacles":{"type":"array","items":{"type":"object"}},"canApply":{"type":"boolean"},"oldName":{"type":"string"},"newName":{"type":"string"},
"definitions":{"type":"array","items":{"type":"string"}},"moves":{"type":"array","items":{"type":"object"}},"mentions":{"type":"array","items":{"type":"object"}},"unread":{"type":"array","items":{"type":"object"}},
"total":{"type":"integer"},"account":{"type":"object"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"obstaclesOmitted":{"type":"integer"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["edits","obstacles","canApply"]},{"required":["type","message"]}]})json";
}  // namespace

constinit const Question kPlanRename = {
    .name = "plan_rename",
    .title = "Plan a rename",
    .description = "Exact edits that rename a symbol everywhere, and what stands against it.",
    .groups = "code",
    .params = kPlanRenameParams,
    .output_schema = kPlanSchema,
    .failure_type = "SearchError",
    .run = run_question<PlanRenameParams>};

constinit const Question kPlanChange = {
    .name = "plan_change",
    .title = "Plan other parameters",
    .description =
        "Exact edits that add, remove or reorder a function's parameters in all its "
        "declarations and calls, and what stands against it.",
    .groups = "",
    .params = kPlanChangeParams,
    .output_schema = kPlanSchema,
    .failure_type = "SearchError",
    .run = run_question<PlanChangeParams>};

}  // namespace codexmem::ask

#include "ask/code/locate.h"

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ask/code/search_code.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

std::string function_json(const search::LocatedFunction& function) {
  const auto write_part = [](const search::ScorePart& part) {
    return json_object("name", part.name, "weight", rounded_score(part.weight), "value",
                       rounded_score(part.value));
  };
  return json_object("path", function.path, "symbol", function.qualified_name(), "kind",
                     function.kind, "line", function.line, "startLine", function.start_line,
                     "endLine", function.end_line, "probability",
                     std::round(function.probability * 100) / 100, "reasons", function.reasons,
                     "code", some(function.code), "codeCut", some(function.is_code_cut), "codeLine",
                     json_if(function.is_code_cut, function.code_line), "why",
                     some(json_list(function.why, write_part)));
}

// The members next to the list of functions.
std::string siblings_of(const search::LocateAnswer& found) {
  return json_object("omitted", some(found.beyond_limit), "weak", some(found.is_weak), "degraded",
                     some(found.degraded), "note", some(found.note));
}

std::vector<std::string> functions_json(const search::LocateAnswer& found) {
  std::vector<std::string> items;
  for (const search::LocatedFunction& function : found.functions) {
    items.push_back(function_json(function));
  }
  return items;
}

void fit(search::LocateAnswer& found, std::size_t max_bytes) {
  const std::size_t room = room_for_items(max_bytes, siblings_of(found));
  const std::size_t count = count_fitting(functions_json(found), room);
  found.beyond_limit += found.functions.size() - count;
  found.functions.resize(count);
}

std::optional<search::TestFiles> parse_located_tests(std::string_view name) {
  if (name == "only") return search::TestFiles::kOnly;
  if (name == "include") return search::TestFiles::kInclude;
  return search::TestFiles::kExclude;
}

constexpr Param kLocateParams[] = {
    {.name = "text",
     .also = "query,q,issue,description,traceback,log,error,message,input,content",
     .description = "All of it",
     .required = true,
     .least = 1,
     .most = kMaxLocateText,
     .lists_bounds = false,
     .option = "FILE",
     .help = "A file with the text; - reads it from standard input",
     .takes = Takes::kTextFile,
     .into = into<&LocateParams::request, &search::LocateRequest::text>},
    {.name = "limit",
     .also = kLimitNames,
     .type = ParamType::kWhole,
     .listed = false,
     .least = 1,
     .most = 50,
     .default_json = "10",
     .option = "-l,--limit",
     .help = "Maximum functions (1 to 50, default 10)",
     .into = into<&LocateParams::request, &search::LocateRequest::limit>},
    {.name = "path",
     .also = "paths,glob,globs,include,folder,directory,dir,file,files,file_path",
     .type = ParamType::kTextOrList,
     .listed = false,
     .option = "--path",
     .help = "Only files that match these globs, as in .gitignore from the root: 'src/**','!*.md'",
     .takes = Takes::kGlobs,
     .into = into<&LocateParams::request, &search::LocateRequest::paths>},
    {.name = "tests",
     .listed = false,
     .choices = "exclude,include,only",
     .option = "--tests",
     .help = "Files that are tests: exclude (default), include or only",
     .into =
         into_named<parse_located_tests, &LocateParams::request, &search::LocateRequest::tests>},
    {.name = "explain",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--explain",
     .help = "Show the parts of each score",
     .into = into<&LocateParams::request, &search::LocateRequest::explain>},
    revision_param(),
    repository_param(),
    max_tokens_param(into_by<read_bytes, &LocateParams::max_bytes>, "2048", kAllTokens),
};

}  // namespace

Result<LocateAnswer> run(const Context& context, const LocateParams& params) {
  CODEXMEM_ASSIGN(LocateAnswer answer,
                  answer_fresh<LocateAnswer>(
                      context, {},
                      [&](store::CodeReader&) -> Result<LocateAnswer> {
                        LocateAnswer made;
                        CODEXMEM_ASSIGN(made.found, locate(context, params.request));
                        return made;
                      },
                      [](const LocateAnswer& made, std::set<std::string>& paths) {
                        for (const search::LocatedFunction& function : made.found.functions) {
                          paths.insert(function.path);
                        }
                      },
                      Reach::kAsked));
  fit(answer.found, params.max_bytes);
  return answer;
}

Written LocateAnswer::to_json() const {
  return list_json(functions_json(found), siblings_of(found));
}

constinit const Question kLocate = {
    .name = "locate",
    .title = "Locate functions",
    .description =
        "Functions to change, ranked, from a whole issue, traceback, log or failing test.",
    .groups = "code",
    .is_united = true,
    .params = kLocateParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"path":{"type":"string"},"symbol":{"type":"string"},"kind":{"type":"string"},"line":{"type":"integer"},"startLine":{"type":"integer"},"endLine":{"type":"integer"},
"probability":{"type":"number","minimum":0,"maximum":1,"description":"Chance that a fix changes it; calibrated"},
"reasons":{"type":"array","items":{"type":"string"}},"code":{"type":"string"},"codeCut":{"type":"boolean"},"codeLine":{"type":"integer","description":"Where cut code begins"},"why":{"type":"array","items":{"type":"object"}}
},"required":["path","symbol","line","reasons"]}},
"omitted":{"type":"integer"},"weak":{"type":"boolean"},"degraded":{"type":"boolean"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<LocateParams>};

}  // namespace codexmem::ask

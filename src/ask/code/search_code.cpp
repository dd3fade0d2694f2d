#include "ask/code/search_code.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ask/fresh.h"
#include "ask/united.h"
#include "fleet/search.h"
#include "text/json.h"

namespace codexmem::ask {

namespace {

// What a hit's JSON needs beside its snippet: measured on this project's sources, paths of about 40
// bytes and three matches, 2026-11-21; without matches 70 to 110 less.
constexpr std::size_t kBytesBesideSnippet = 350;
constexpr std::size_t kLeastSnippetBytes = 120;
constexpr std::size_t kMostSnippetBytes = 600;

std::string hit_json(const search::SearchHit& hit, const fleet::HitPlace* place,
                     bool with_matches) {
  Json item;
  if (place != nullptr) {
    item["repository"] = place->repository;
    if (!place->revision.empty()) item["revision"] = place->revision;
    if (!place->local.empty()) item["local"] = place->local;
    if (!place->copies.empty()) item["copies"] = place->copies;
  }
  item["file"]["path"] = hit.path;
  item["file"]["language"] = hit.language;
  item["symbol"] = nullptr;
  if (hit.symbol) {
    item["symbol"] = Json::object();
    item["symbol"]["name"] = hit.symbol->name;
    item["symbol"]["type"] = symbol_type_name(hit.symbol->type);
  }
  item["score"] = rounded_score(hit.score);
  item["probability"] = std::round(hit.probability * 100) / 100;
  item["snippet"] = hit.snippet;
  item["line"] = hit.line;
  if (with_matches) {
    Json& matches = item["matches"] = Json::array();
    for (const search::TextMatch& match : hit.matches) {
      matches.push_back({{"start", match.start}, {"end", match.end}, {"text", match.text}});
    }
  }
  item["startLine"] = hit.start_line;
  item["endLine"] = hit.end_line;
  item["snippetLine"] = hit.snippet_line;
  item["kind"] = hit.kind;
  if (hit.match_count > 0) {
    item["matchCount"] = hit.match_count;
    item["matchLines"] = hit.match_lines;
  }
  if (hit.symbol && !hit.symbol->container.empty()) item["container"] = hit.symbol->container;
  if (!hit.why.empty()) {
    Json& why = item["why"] = Json::array();
    for (const search::ScorePart& part : hit.why) {
      why.push_back({{"name", part.name},
                     {"weight", rounded_score(part.weight)},
                     {"value", rounded_score(part.value)}});
    }
  }
  return dump_json(item);
}

// What stands beside the list of hits.
Json siblings_json(const SearchCodeAnswer& answer) {
  Json siblings = Json::object();
  siblings["matchedFiles"] = answer.found.matched_files;
  if (answer.found.matched_lines > 0) siblings["matchedLines"] = answer.found.matched_lines;
  if (answer.found.is_partial) siblings["partial"] = true;
  if (answer.found.below_threshold > 0) siblings["belowThreshold"] = answer.found.below_threshold;
  if (answer.found.degraded) siblings["degraded"] = true;
  if (!answer.found.note.empty()) siblings["note"] = answer.found.note;
  answer.rest.put_into(siblings);
  return siblings;
}

std::vector<std::string> hits_json(const SearchCodeAnswer& answer) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < answer.found.hits.size(); ++i) {
    const fleet::HitPlace* const place = i < answer.places.size() ? &answer.places[i] : nullptr;
    items.push_back(hit_json(answer.found.hits[i], place, answer.with_matches));
  }
  return items;
}

void fit(SearchCodeAnswer& answer, const SearchCodeParams& params) {
  auto& hits = answer.found.hits;
  const std::size_t all = params.request.offset + hits.size() + answer.found.beyond_limit;
  const std::size_t room = room_for_items(params.max_bytes, dump_json(siblings_json(answer)));
  hits.resize(count_fitting(hits_json(answer), room));
  answer.rest = Rest::after(params.request.offset + hits.size(), all);
}

Result<SearchCodeAnswer> search_fleet(const Context& context, const SearchCodeParams& params) {
  const std::shared_ptr<fleet::Fleet>& fleet = context.services->fleet;
  if (fleet == nullptr) {
    return Error{ErrorCode::kNotFound, "no fleet is set up: the setting fleetUrl names its server"};
  }
  fleet::Admits admits;
  if (const auto& scope = context.services->scope) {
    admits = [&scope](std::string_view name) { return scope->admits(name); };
  }
  CODEXMEM_ASSIGN(auto answered, fleet::search(*fleet, {params.request, params.repositories},
                                               admits, context.stop));
  SearchCodeAnswer answer;
  answer.found = std::move(answered.found);
  answer.places = std::move(answered.places);
  if (context.services->scope) {
    // Where a server keeps its repositories is nobody else's business.
    for (fleet::HitPlace& place : answer.places) place.local.clear();
  }
  answer.with_matches = params.with_matches;
  return answer;
}

constexpr Param kSearchCodeParams[] = {
    {.name = "query",
     .description = "Plain words, names or code; \"phrase\" and /regex/ must match",
     .required = true,
     .least = 1,
     .most = 1000,
     .option = "QUERY",
     .help = "What to look for, in words or names; '\"exact text\"' and '/regex/i' must match",
     .takes = Takes::kWords},
    {.name = "limit",
     .type = ParamType::kWhole,
     .least = 1,
     .most = 50,
     .default_json = "10",
     .option = "-l,--limit",
     .help = "Maximum results (1 to 50, default 10)"},
    {.name = "offset", .type = ParamType::kWhole, .least = 0, .lists_bounds = false},
    {.name = "file_extensions",
     .type = ParamType::kTexts,
     .description = "e.g. .ts",
     .option = "-e,--ext",
     .help = "Only files with these extensions: .ts,.py",
     .takes = Takes::kExtension},
    {.name = "language",
     .type = ParamType::kTextOrList,
     .option = "--language",
     .help = "Only files in these languages: python,ts",
     .takes = Takes::kLanguage},
    {.name = "path",
     .type = ParamType::kTextOrList,
     .description = ".gitignore globs; ! excludes",
     .option = "--path",
     .help = "Only files that match these globs, as in .gitignore from the root: 'src/**','!*.md'"},
    {.name = "kind",
     .type = ParamType::kTextOrList,
     .option = "--kind",
     .help = "Only definitions of these kinds: class,method,enum",
     .takes = Takes::kKind},
    {.name = "tests",
     .choices = "include,exclude,only",
     .option = "--tests",
     .help = "Files that are tests: include (default), exclude or only"},
    {.name = "threshold",
     .type = ParamType::kNumber,
     .least = 0,
     .most = 1,
     .default_json = "0.7",
     .option = "--threshold",
     .help = "Leave out results with a lower score (0 to 1, default 0.7)"},
    {.name = "explain",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--explain",
     .help = "Show the parts of each score"},
    {.name = "fleet",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--fleet",
     .help = "Search all repositories of the organisation's index"},
    {.name = "repositories",
     .type = ParamType::kTextOrList,
     .listed = false,
     .option = "--repositories",
     .help = "With --fleet: only these of them: 'git.example.com/shop/*'"},
    {.name = "format", .listed = false, .choices = "json"},
    revision_param(),
    repository_param(),
    unlisted(max_tokens_param("2048")),
};

}  // namespace

double rounded_score(double score) { return std::round(score * 10'000) / 10'000; }

SearchCodeParams SearchCodeParams::from_json(const Context& context, const JsonValue& arguments) {
  SearchCodeParams params;
  search::SearchRequest& request = params.request;
  request.query = arguments.member("query").string().value_or("");
  request.limit = whole_argument(arguments, "limit", 10);
  request.offset = whole_argument(arguments, "offset", 0);
  request.threshold = arguments.member("threshold").number().value_or(0.7);
  request.explain = arguments.member("explain").boolean().value_or(false);
  request.file_extensions = texts_argument(arguments, "file_extensions");
  request.languages = texts_argument(arguments, "language");
  request.paths = texts_argument(arguments, "path");
  request.kinds = texts_argument(arguments, "kind");
  params.in_fleet = arguments.member("fleet").boolean().value_or(false);
  params.repositories = texts_argument(arguments, "repositories");
  params.with_matches =
      context.whole_lists || arguments.member("format").string().value_or("") == "json";
  const std::string tests = arguments.member("tests").string().value_or("include");
  request.tests = tests == "only"      ? search::TestFiles::kOnly
                  : tests == "exclude" ? search::TestFiles::kExclude
                                       : search::TestFiles::kInclude;
  const std::size_t bytes = answer_bytes(arguments, kShortAnswerBytes);
  params.max_bytes = context.whole_lists ? list_bytes(context, arguments) : bytes;
  const std::size_t share = bytes / std::max<std::size_t>(request.limit, 1);
  request.snippet_bytes = std::clamp(share > kBytesBesideSnippet ? share - kBytesBesideSnippet : 0,
                                     kLeastSnippetBytes, kMostSnippetBytes);
  return params;
}

Result<SearchCodeAnswer> run(const Context& context, const SearchCodeParams& params) {
  for (const std::string& extension : params.request.file_extensions) {
    if (extension.find_first_not_of(" \t\r\n*.") == std::string::npos) {
      return refuse_argument("file_extensions", "hold extensions such as .ts", extension);
    }
  }
  if (params.in_fleet || (!context.has_code() && context.services->fleet != nullptr)) {
    CODEXMEM_ASSIGN(SearchCodeAnswer answer, search_fleet(context, params));
    fit(answer, params);
    return answer;
  }
  CODEXMEM_ASSIGN(SearchCodeAnswer answer,
                  answer_fresh<SearchCodeAnswer>(
                      context, {},
                      [&](store::CodeReader&) -> Result<SearchCodeAnswer> {
                        SearchCodeAnswer made;
                        CODEXMEM_ASSIGN(made.found, search_code(context, params.request));
                        return made;
                      },
                      [](const SearchCodeAnswer& made, std::set<std::string>& paths) {
                        for (const search::SearchHit& hit : made.found.hits) paths.insert(hit.path);
                      },
                      Reach::kAsked));
  answer.with_matches = params.with_matches;
  fit(answer, params);
  return answer;
}

Written SearchCodeAnswer::to_json() const {
  return list_json(hits_json(*this), dump_json(siblings_json(*this)));
}

constinit const Question kSearchCode = {
    .name = "search_code",
    .title = "Search code",
    .description =
        "Find code by what it does, or by words you half remember. Gives ranked snippets.",
    .groups = "code",
    .is_united = true,
    .params = kSearchCodeParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"},"language":{"type":"string"}},"required":["path","language"]},
"symbol":{"anyOf":[{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"}},"required":["name","type"]},{"type":"null"}]},
"score":{"type":"number","minimum":0,"maximum":1,"description":"Strength among the answers to this query, for threshold; no chance"},"probability":{"type":"number","minimum":0,"maximum":1,"description":"Chance that this is what was asked for; calibrated"},"snippet":{"type":"string"},"line":{"type":"integer"},
"matches":{"type":"array","items":{"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start","end","text"]}},
"startLine":{"type":"integer"},"endLine":{"type":"integer"},"snippetLine":{"type":"integer"},"kind":{"type":"string"},"container":{"type":"string"},"matchCount":{"type":"integer"},"matchLines":{"type":"array"},"why":{"type":"array","items":{"type":"object"}}
},"required":["file","symbol","score","snippet","line"]}},
"matchedFiles":{"type":"integer"},"matchedLines":{"type":"integer"},"partial":{"type":"boolean"},"belowThreshold":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"degraded":{"type":"boolean"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results"]},{"required":["type","message"]}]})json",
    .may_ask_fleet = true,
    .failure_type = "SearchError",
    .run = run_question<SearchCodeParams>};

}  // namespace codexmem::ask

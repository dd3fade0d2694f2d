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
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

// Bytes of a hit's JSON without its snippet: measured on this project's sources, paths of about 40
// bytes and three matches, 2026-11-21; without matches 70 to 110 less.
constexpr std::size_t kBytesBesideSnippet = 350;
constexpr std::size_t kMinSnippetBytes = 120;
constexpr std::size_t kMaxSnippetBytes = 600;

std::string hit_json(const search::SearchHit& hit, const fleet::HitPlace* place,
                     bool with_matches) {
  const auto write_match = [](const search::TextMatch& match) {
    return json_object("start", match.start, "end", match.end, "text", match.text);
  };
  const auto write_part = [](const search::ScorePart& part) {
    return json_object("name", part.name, "weight", rounded_score(part.weight), "value",
                       rounded_score(part.value));
  };
  std::optional<JsonText> symbol, matches;
  if (hit.symbol) {
    symbol = json_object("name", hit.symbol->name, "type", symbol_type_name(hit.symbol->type));
  }
  if (with_matches) matches = json_list(hit.matches, write_match);
  const fleet::HitPlace at = place != nullptr ? *place : fleet::HitPlace();
  return json_object(
      "repository", place != nullptr ? std::optional(at.repository) : std::nullopt, "revision",
      some(at.revision), "local", some(at.local), "copies", some(at.copies), "file",
      json_object("path", hit.path, "language", hit.language), "symbol",
      symbol.value_or(JsonText{"null"}), "score", rounded_score(hit.score), "probability",
      std::round(hit.probability * 100) / 100, "snippet", hit.snippet, "line", hit.line, "matches",
      matches, "startLine", hit.start_line, "endLine", hit.end_line, "snippetLine",
      hit.snippet_line, "kind", hit.kind, "matchCount", some(hit.match_count), "matchLines",
      hit.match_count > 0 ? std::optional(hit.match_lines) : std::nullopt, "container",
      some(hit.symbol ? hit.symbol->container : std::string()), "why",
      some(json_list(hit.why, write_part)));
}

// The members next to the list of hits.
std::string siblings_json(const SearchCodeAnswer& answer) {
  const search::SearchAnswer& found = answer.found;
  return json_object("matchedFiles", found.matched_files, "matchedLines", some(found.matched_lines),
                     "partial", some(found.is_partial), "belowThreshold",
                     some(found.below_threshold), "degraded", some(found.degraded), "note",
                     some(found.note), "omitted", some(answer.rest.omitted), "nextOffset",
                     answer.rest.next());
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
  const std::size_t room = room_for_items(params.max_bytes, siblings_json(answer));
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

std::optional<search::TestFiles> parse_test_files(std::string_view name) {
  if (name == "only") return search::TestFiles::kOnly;
  if (name == "exclude") return search::TestFiles::kExclude;
  return search::TestFiles::kInclude;
}

std::optional<bool> is_json(std::string_view format) { return format == "json"; }

constexpr Param kSearchCodeParams[] = {
    {.name = "query",
     .also = kQueryNames,
     .description = "Words, names or code; \"phrase\" and /regex/ must match",
     .required = true,
     .least = 1,
     .most = 1000,
     .when_too_long = "locate takes issues, tracebacks and logs",
     .option = "QUERY",
     .help = "What to look for, in words or names; '\"exact text\"' and '/regex/i' must match",
     .takes = Takes::kWords,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::query>},
    {.name = "limit",
     .also = kLimitNames,
     .type = ParamType::kWhole,
     .description = "Results",
     .least = 1,
     .most = 50,
     .default_json = "10",
     .option = "-l,--limit",
     .help = "Maximum results (1 to 50, default 10)",
     .into = into<&SearchCodeParams::request, &search::SearchRequest::limit>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .listed = false,
     .least = 0,
     .lists_bounds = false,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::offset>},
    {.name = "file_extensions",
     .also = "extension,extensions,file_extension,ext,exts,file_types,file_type",
     .type = ParamType::kTexts,
     .description = ".ts",
     .option = "-e,--ext",
     .help = "Only files with these extensions: .ts,.py",
     .takes = Takes::kExtension,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::file_extensions>},
    {.name = "language",
     .also = "lang,languages",
     .type = ParamType::kTextOrList,
     .listed = false,
     .option = "--language",
     .help = "Only files in these languages: python,ts",
     .takes = Takes::kLanguage,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::languages>},
    {.name = "path",
     .also =
         "paths,glob,globs,include,includes,file_pattern,folder,directory,dir,file,files,file_path",
     .type = ParamType::kTextOrList,
     .description = ".gitignore globs; ! excludes",
     .option = "--path",
     .help = "Only files that match these globs, as in .gitignore from the root: 'src/**','!*.md'",
     .takes = Takes::kGlobs,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::paths>},
    {.name = "kind",
     .also = "type,types,kinds,symbol_type",
     .type = ParamType::kTextOrList,
     .listed = false,
     .option = "--kind",
     .help = "Only definitions of these kinds: class,method,enum",
     .takes = Takes::kKind,
     .into = into<&SearchCodeParams::request, &search::SearchRequest::kinds>},
    {.name = "tests",
     .listed = false,
     .choices = "include,exclude,only",
     .option = "--tests",
     .help = "Files that are tests: include (default), exclude or only",
     .into =
         into_named<parse_test_files, &SearchCodeParams::request, &search::SearchRequest::tests>},
    {.name = "threshold",
     .type = ParamType::kNumber,
     .description = "Least score",
     .least = 0,
     .most = 1,
     .default_json = "0.7",
     .option = "--threshold",
     .help = "Leave out results with a lower score (0 to 1, default 0.7)",
     .into = into<&SearchCodeParams::request, &search::SearchRequest::threshold>},
    {.name = "explain",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--explain",
     .help = "Show the parts of each score",
     .into = into<&SearchCodeParams::request, &search::SearchRequest::explain>},
    {.name = "fleet",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--fleet",
     .help = "Search all repositories of the organisation's index",
     .into = into<&SearchCodeParams::in_fleet>},
    {.name = "repositories",
     .type = ParamType::kTextOrList,
     .listed = false,
     .option = "--repositories",
     .help = "With --fleet: only these of them: 'git.example.com/shop/*'",
     .into = into<&SearchCodeParams::repositories>},
    {.name = "format",
     .description = "Adds matches",
     .choices = "json",
     .into = into_named<is_json, &SearchCodeParams::with_matches>},
    revision_param(),
    repository_param(),
    max_tokens_param(into_by<read_bytes, &SearchCodeParams::max_bytes>, "2048", kAllTokens),
};

}  // namespace

double rounded_score(double score) { return std::round(score * 10'000) / 10'000; }

void SearchCodeParams::complete(const Context& context, const ToolArguments& given) {
  with_matches = with_matches || context.whole_lists;
  const std::size_t bytes = given.has("max_tokens") ? max_bytes : kShortAnswerBytes;
  const std::size_t share = bytes / std::max<std::size_t>(request.limit, 1);
  request.snippet_bytes = std::clamp(share > kBytesBesideSnippet ? share - kBytesBesideSnippet : 0,
                                     kMinSnippetBytes, kMaxSnippetBytes);
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
  return list_json(hits_json(*this), siblings_json(*this));
}

constinit const Question kSearchCode = {
    .name = "search_code",
    .title = "Search code",
    .description = "Find code by what it does, in words: ranked snippets.",
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

#include "mcp/tools/search_code_tool.h"

#include <algorithm>
#include <cmath>

#include "text/json.h"
#include "mcp/tools/answer_json.h"
#include "mcp/tools/tool_support.h"

namespace codexmem::mcp {

namespace {

// What a hit's JSON needs beside its snippet: measured on this project's sources, paths of about 40
// bytes and three matches, 2026-11-21.
constexpr std::size_t kBytesBesideSnippet = 350;
constexpr std::size_t kLeastSnippetBytes = 120;
constexpr std::size_t kMostSnippetBytes = 600;

double rounded(double value) { return std::round(value * 10'000) / 10'000; }

std::string hit_json(const search::SearchHit& hit) {
  Json item;
  item["file"]["path"] = hit.path;
  item["file"]["language"] = hit.language;
  item["symbol"] = nullptr;
  if (hit.symbol) {
    item["symbol"] = Json::object();
    item["symbol"]["name"] = hit.symbol->name;
    item["symbol"]["type"] = symbol_type_name(hit.symbol->type);
  }
  item["score"] = rounded(hit.score);
  item["probability"] = std::round(hit.probability * 100) / 100;
  item["snippet"] = hit.snippet;
  item["line"] = hit.line;
  Json& matches = item["matches"] = Json::array();
  for (const search::TextMatch& match : hit.matches) {
    matches.push_back({{"start", match.start}, {"end", match.end}, {"text", match.text}});
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
      why.push_back(
          {{"name", part.name}, {"weight", rounded(part.weight)}, {"value", rounded(part.value)}});
    }
  }
  return dump_json(item);
}

}  // namespace

SearchCodeParams read_search_code(const JsonValue& arguments) {
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
  const std::string tests = arguments.member("tests").string().value_or("include");
  request.tests = tests == "only"      ? search::TestFiles::kOnly
                  : tests == "exclude" ? search::TestFiles::kExclude
                                       : search::TestFiles::kInclude;
  params.max_bytes = answer_bytes(arguments, kShortAnswerBytes);
  const std::size_t share = params.max_bytes / std::max<std::size_t>(request.limit, 1);
  request.snippet_bytes = std::clamp(share > kBytesBesideSnippet ? share - kBytesBesideSnippet : 0,
                                     kLeastSnippetBytes, kMostSnippetBytes);
  return params;
}

Result<SearchCodeAnswer> run(const CallContext& context, const SearchCodeParams& params) {
  for (const std::string& extension : params.request.file_extensions) {
    if (extension.find_first_not_of(" \t\r\n*.") == std::string::npos) {
      return refuse_argument("file_extensions", "hold extensions such as .ts", extension);
    }
  }
  return answer_fresh<SearchCodeAnswer>(
      context, {},
      [&](store::CodeReader&) -> Result<SearchCodeAnswer> {
        CODEXMEM_ASSIGN(auto found,
                        context.services->code->search.search(params.request, context.stop));
        return SearchCodeAnswer{std::move(found), params.request.offset, params.max_bytes};
      },
      [](const SearchCodeAnswer& answer, std::set<std::string>& paths) {
        for (const search::SearchHit& hit : answer.found.hits) paths.insert(hit.path);
      });
}

ToolResult to_result(const SearchCodeAnswer& answer) {
  std::vector<std::string> items;
  for (const search::SearchHit& hit : answer.found.hits) items.push_back(hit_json(hit));
  Json siblings = Json::object();
  siblings["matchedFiles"] = answer.found.matched_files;
  if (answer.found.matched_lines > 0) siblings["matchedLines"] = answer.found.matched_lines;
  if (answer.found.is_partial) siblings["partial"] = true;
  if (answer.found.below_threshold > 0) siblings["belowThreshold"] = answer.found.below_threshold;
  if (answer.found.degraded) siblings["degraded"] = true;
  if (!answer.found.note.empty()) siblings["note"] = answer.found.note;
  const std::size_t all = items.size();
  items.resize(count_fitting(items, room_for_items(answer.max_bytes, dump_json(siblings))));
  const std::size_t end = answer.offset + items.size();
  put_rest(siblings, end, end + all - items.size() + answer.found.beyond_limit);
  return list_result(items, dump_json(siblings));
}

ToolResult call_search_code(const JsonValue& arguments, const CallContext& context) {
  const auto answer = run(context, read_search_code(arguments));
  return answer.ok() ? to_result(*answer)
                     : fail_with(answer.error(), "DatabaseError", "SearchError");
}

}  // namespace codexmem::mcp

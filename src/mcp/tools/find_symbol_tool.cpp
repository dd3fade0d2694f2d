#include "mcp/tools/find_symbol_tool.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "text/json.h"
#include "base/text.h"
#include "mcp/tools/answer_json.h"
#include "mcp/tools/tool_support.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kMostResults = 1000;   // in one answer; its size cuts sooner
constexpr std::size_t kMostNearMisses = 20;  // the same when the name does not exist exactly
constexpr std::size_t kDefinitionBytes = 300;
constexpr std::size_t kDefinitionLines = 4;

// The first lines of `range` of `text`: whole lines where one fits, at most kDefinitionBytes.
std::string first_lines(std::string_view text, ByteRange range) {
  std::string_view rest =
      text.substr(std::min<std::size_t>(range.begin, text.size()), range.size());
  std::size_t end = 0;
  for (std::size_t line = 0; line < kDefinitionLines && end < rest.size(); ++line) {
    const std::size_t next = std::min(rest.find('\n', end), rest.size() - 1) + 1;
    if (next > kDefinitionBytes && end > 0) break;
    end = next;
  }
  return std::string(trim(utf8_prefix(rest.substr(0, end), kDefinitionBytes)));
}

std::string match_json(const graph::SymbolMatch& match, const std::string& definition) {
  const store::SymbolRow& row = match.symbol;
  Json item;
  Json& symbol = item["symbol"];
  symbol["name"] = row.name;
  symbol["type"] = symbol_type_name(row.type);
  symbol["startLine"] = row.start.line;
  symbol["endLine"] = row.end.line;
  symbol["definition"] = definition;
  symbol["docstring"] = row.docstring;
  if (!row.signature.empty() && row.signature != definition) symbol["signature"] = row.signature;
  symbol["kind"] = row.kind;
  if (!row.container.empty()) symbol["container"] = row.container;
  symbol["startColumn"] = row.start.column;
  symbol["nameLine"] = row.name_start.line;
  symbol["nameColumn"] = row.name_start.column;
  const Json modifiers = Json::parse(row.modifiers, nullptr, /*allow_exceptions=*/false);
  if (modifiers.is_array() && !modifiers.empty()) symbol["modifiers"] = modifiers;
  symbol["exported"] = row.exported;
  item["file"]["path"] = match.path;
  item["file"]["language"] = match.language;
  item["score"] = std::round(match.score * 10'000) / 10'000;
  item["match"] = graph::name_match_name(match.match);
  return dump_json(item);
}

// The same with as much of its texts as fits into `max_bytes`, the documentation cut first.
std::string short_match_json(graph::SymbolMatch match, std::string definition,
                             std::size_t max_bytes) {
  for (std::string* text : {&match.symbol.docstring, &match.symbol.signature, &definition}) {
    while (!text->empty() && match_json(match, definition).size() > max_bytes) {
      text->resize(utf8_prefix(*text, text->size() / 2).size());
    }
  }
  return match_json(match, definition);
}

}  // namespace

FindSymbolParams read_find_symbol(const JsonValue& arguments) {
  FindSymbolParams params;
  params.query.symbol = arguments.member("symbol").string().value_or("");
  if (const auto type = arguments.member("type").string()) {
    params.query.type = parse_symbol_type(*type);
  }
  params.query.file_path = arguments.member("file_path").string();
  params.query.limit = SIZE_MAX;  // offset reaches all of them
  params.offset = whole_argument(arguments, "offset", 0);
  params.query.near_limit = params.offset + kMostNearMisses;
  params.max_bytes = answer_bytes(arguments, kLongAnswerBytes);
  return params;
}

Result<FindSymbolAnswer> run(const CallContext& context, const FindSymbolParams& params) {
  graph::SymbolQuery query = params.query;
  CODEXMEM_ASSIGN(const auto inputs, check_symbol_question(context.services->code->workspace,
                                                           query.symbol, query.file_path));
  return answer_fresh<FindSymbolAnswer>(
      context, inputs,
      [&](store::CodeReader& reader) -> Result<FindSymbolAnswer> {
        FindSymbolAnswer answer;
        answer.offset = params.offset;
        answer.max_bytes = params.max_bytes;
        answer.symbol = query.symbol;
        CODEXMEM_ASSIGN(answer.found, graph::find_symbols(reader, query));
        auto& results = answer.found.results;
        const bool exact = !results.empty() && results.front().match == graph::NameMatch::kExact;
        if (!exact) {
          CODEXMEM_ASSIGN(auto inherited,
                          graph::find_inherited(context.services->code->facts, reader, query));
          if (!inherited.empty()) {
            answer.found = {};
            answer.found.total = inherited.size();
            results = std::move(inherited);
          }
        }
        const bool in_vain =
            !exact && answer.found.other_types.empty() &&
            (results.empty() || results.front().match != graph::NameMatch::kInherited);
        CODEXMEM_ASSIGN(answer.coverage,
                        graph::cover_definitions(context.services->code->facts, reader,
                                                 query.symbol, query.file_path, in_vain));
        const auto first =
            results.begin() + static_cast<std::ptrdiff_t>(std::min(params.offset, results.size()));
        results.erase(results.begin(), first);
        results.resize(std::min(results.size(), exact ? kMostResults : kMostNearMisses));
        std::map<store::FileId, std::string> texts;
        for (graph::SymbolMatch& match : results) {
          const store::FileId file = store::file_of(match.symbol.id);
          auto text = texts.find(file);
          if (text == texts.end()) {
            CODEXMEM_ASSIGN(auto content, reader.find_content(file));
            text = texts.emplace(file, std::move(content).value_or("")).first;
          }
          answer.definitions.push_back(first_lines(text->second, match.symbol.range));
          store::cut_texts(text->second, &match.symbol);
        }
        return answer;
      },
      [](const FindSymbolAnswer& answer, std::set<std::string>& paths) {
        for (const graph::SymbolMatch& match : answer.found.results) paths.insert(match.path);
      });
}

ToolResult to_result(const FindSymbolAnswer& answer) {
  const auto& results = answer.found.results;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < results.size(); ++i) {
    items.push_back(match_json(results[i], answer.definitions[i]));
  }
  const std::size_t total = answer.found.total;
  Json siblings = Json::object();
  siblings["total"] = total;
  siblings["coverage"] = Json::parse(coverage_json(answer.coverage, answer.is_stale));
  for (const SymbolType type : answer.found.other_types) {
    siblings["otherTypes"].push_back(symbol_type_name(type));
  }
  if (!answer.found.suggestions.empty()) siblings["suggestions"] = answer.found.suggestions;
  if (answer.coverage.files_with_name) {
    std::string note = note_no_definition(answer.symbol, answer.coverage);
    if (total > 0) note += " The results have names like it.";
    siblings["note"] = std::move(note);
  }
  const std::size_t room = room_for_items(answer.max_bytes, dump_json(siblings));
  // The first comes whatever its size, with less of its texts.
  if (!items.empty() && items.front().size() > room) {
    items.front() = short_match_json(results.front(), answer.definitions.front(), room);
  }
  items.resize(count_fitting(items, room));
  put_rest(siblings, std::min(answer.offset, total) + items.size(), total);
  return list_result(items, dump_json(siblings));
}

ToolResult call_find_symbol(const JsonValue& arguments, const CallContext& context) {
  return question_result(context, run(context, read_find_symbol(arguments)));
}

}  // namespace codexmem::mcp

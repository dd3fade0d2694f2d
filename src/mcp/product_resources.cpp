// URIs hold paths and names percent-encoded, except characters that a path may hold. Reading
// decodes whatever is encoded, because clients differ in what they encode, and takes a lone "%" as
// it is.
//
// Tested by mcp/product_resources_test.cpp.
#include "mcp/product_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "base/percent.h"
#include "base/text.h"
#include "graph/stored/qualified_name.h"
#include "graph/uses/symbol_search.h"
#include "ask/context.h"
#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "parse/rules/languages.h"
#include "privacy/shown_code.h"

namespace codexmem::mcp {

namespace {

constexpr std::string_view kFilePrefix = "codexmem://file/";
constexpr std::string_view kSymbolPrefix = "codexmem://symbol/";
constexpr std::string_view kCursorPrefix = "after:";
constexpr std::size_t kMaxDefinitions = 20;  // shown of one name
constexpr std::size_t kMaxNamedPlaces = 50;  // of further ones

constexpr ResourceTemplate kTemplates[] = {
    {.uri_template = "codexmem://file/{+path}",
     .name = "file",
     .title = "Indexed file",
     .description = "A file of the repository as it is now, by its path from the root."},
    {.uri_template = "codexmem://symbol/{+name}",
     .name = "symbol",
     .title = "Symbol",
     .description = "The definitions of a name, of Class.method or of path::name: signature, "
                    "documentation and code.",
     .mime_type = "text/markdown"},
};

std::string encoded(std::string_view text) { return percent_encoded(text, "-._~/@+,=:;!$&'()*"); }

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool has_repository(const CallContext& context) {
  return context.services != nullptr && context.services->code != nullptr;
}

Error no_repository() {
  return {ErrorCode::kNotFound, "no repository is open here: there are no resources"};
}

Resource file_resource(const store::FileRow& file) {
  Resource resource;
  resource.uri = file_uri(file.path);
  resource.name = file.path;
  resource.mime_type = mime_type_of(file.language);
  resource.size_bytes = static_cast<std::size_t>(std::max<std::int64_t>(file.size, 0));
  return resource;
}

struct FileText {
  store::FileRow file;
  std::string text;
};

// A definition with the text of its lines.
struct DefinitionText {
  graph::SymbolMatch match;
  std::string code;
};

struct SymbolPage {
  std::vector<DefinitionText> definitions;
  std::vector<std::string> others;  // "path:line" of further ones
  std::size_t total = 0;
};

// Whole lines of `text` from the one where `range` begins to its end.
std::string lines_of(std::string_view text, ByteRange range) {
  const std::size_t end = std::min<std::size_t>(range.end, text.size());
  std::size_t begin = std::min<std::size_t>(range.begin, end);
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  return privacy::shown_code(text,
                             {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
}

Error not_found(std::string_view name, const graph::SymbolAnswer& found) {
  constexpr std::size_t kMaxNear = 5;
  std::vector<std::string> near;
  const auto add = [&](const std::string& other) {
    if (near.size() < kMaxNear && std::ranges::find(near, other) == near.end()) {
      near.push_back(other);
    }
  };
  for (const graph::SymbolMatch& match : found.results) add(match.symbol.qualified_name());
  for (const std::string& other : found.suggestions) add(other);
  return {ErrorCode::kNotFound,
          fmt::format("nothing is called \"{}\"{}", utf8_prefix(name, 100),
                      near.empty() ? std::string() : "; near are " + join(near, ", "))};
}

Result<SymbolPage> read_definitions(const CallContext& context, store::CodeReader& reader,
                                    const std::string& name) {
  graph::SymbolQuery query;
  query.symbol = name;
  CODEXMEM_ASSIGN(graph::SymbolAnswer found, graph::find_symbols(reader, query));
  std::vector<graph::SymbolMatch> matches = std::move(found.results);
  SymbolPage page;
  page.total = found.total;
  if (matches.empty() || matches.front().match != graph::NameMatch::kExact) {
    CODEXMEM_ASSIGN(auto inherited,
                    graph::find_inherited(context.services->code->facts, reader, query));
    if (inherited.empty()) {
      found.results = std::move(matches);
      return not_found(name, found);
    }
    matches = std::move(inherited);
    page.total = matches.size();
  }
  for (graph::SymbolMatch& match : matches) {
    if (page.definitions.size() == kMaxDefinitions) {
      if (page.others.size() == kMaxNamedPlaces) break;
      page.others.push_back(fmt::format("{}:{}", match.path, match.symbol.start.line));
      continue;
    }
    CODEXMEM_ASSIGN(auto text, reader.find_content(store::file_of(match.symbol.id)));
    const std::string content = std::move(text).value_or("");
    store::cut_texts(content, &match.symbol);
    match.symbol.docstring = privacy::shown_code(match.symbol.docstring);
    std::string code = lines_of(content, match.symbol.range);
    page.definitions.push_back({std::move(match), std::move(code)});
  }
  return page;
}

// `code` between fences that it does not hold itself, at most `max_bytes` of it in whole lines.
std::string fenced(std::string_view code, std::string_view language, const std::string& path,
                   std::size_t max_bytes) {
  const std::string uri = file_uri(path);
  const std::size_t frame = language.size() + 20;  // the fences
  std::string_view kept = code;
  if (code.size() + frame > max_bytes) {
    const std::size_t rest_bytes = frame + uri.size() + 50;
    kept = utf8_prefix(code, ask::bytes_left(max_bytes, rest_bytes));
    if (const std::size_t line_end = kept.rfind('\n'); line_end != std::string_view::npos) {
      kept = kept.substr(0, line_end);
    }
  }
  std::string fence = "```";
  while (kept.find(fence) != std::string_view::npos) fence += '`';
  std::string text = fmt::format("{}{}\n{}\n{}\n", fence, language, kept, fence);
  if (kept.size() < code.size()) {
    const auto lines =
        std::count(code.begin() + static_cast<std::ptrdiff_t>(kept.size()), code.end(), '\n');
    text += fmt::format("\n{} more lines are in {}.\n", std::max<std::ptrdiff_t>(lines, 1), uri);
  }
  return text;
}

std::string definition_markdown(const DefinitionText& definition, std::size_t max_bytes) {
  const store::SymbolRow& symbol = definition.match.symbol;
  const std::string& path = definition.match.path;
  std::string text = fmt::format("# {}\n\n{}{}, {}:{}-{}\n\n", symbol.qualified_name(),
                                 symbol.exported ? "exported " : "", symbol.kind, path,
                                 symbol.start.line, symbol.end.line);
  if (!symbol.docstring.empty()) text += symbol.docstring + "\n\n";
  text += fenced(definition.code, definition.match.language, path,
                 max_bytes > text.size() ? max_bytes - text.size() : 0);
  return text;
}

// Every definition has what earlier, shorter ones have left of its share.
std::string page_markdown(const SymbolPage& page, std::size_t max_bytes) {
  std::string rest;
  const std::size_t others = page.total - std::min(page.total, page.definitions.size());
  if (others > 0) {
    rest = fmt::format("\n{} more definitions: {}{}\n", others, join(page.others, ", "),
                       others > page.others.size() ? ", ..." : "");
  }
  std::size_t room = max_bytes - std::min(max_bytes, rest.size());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < page.definitions.size(); ++i) {
    texts.push_back(definition_markdown(page.definitions[i], room / (page.definitions.size() - i)));
    room -= std::min(room, texts.back().size() + 1);
  }
  return join(texts, "\n") + rest;
}

}  // namespace

std::string file_uri(std::string_view path) { return std::string(kFilePrefix) + encoded(path); }

std::string symbol_uri(std::string_view name) { return std::string(kSymbolPrefix) + encoded(name); }

std::string mime_type_of(std::string_view language) {
  const parse::Language* const row = parse::find_language(language);
  return std::string(row == nullptr ? "text/plain" : row->mime_type);
}

Result<ResourceContent> read_file_resource(const CallContext& context, std::string_view path) {
  if (!has_repository(context)) return no_repository();
  CODEXMEM_ASSIGN(const std::string known,
                  ask::repository_path(context.services->code->workspace, "path", path));
  CODEXMEM_ASSIGN(FileText found,
                  ask::answer_fresh<FileText>(
                      context, {known},
                      [&](store::CodeReader& reader) -> Result<FileText> {
                        FileText answer;
                        CODEXMEM_ASSIGN(answer.file, graph::get_indexed_file(reader, known));
                        CODEXMEM_ASSIGN(auto text, reader.find_content(answer.file.id));
                        answer.text = privacy::shown_code(text.value_or(""));
                        return answer;
                      },
                      [](const FileText&, std::set<std::string>&) {}));
  return ResourceContent{file_uri(known), mime_type_of(found.file.language), std::move(found.text)};
}

Result<ResourceContent> read_symbol_resource(const CallContext& context, std::string_view name,
                                             std::size_t max_bytes) {
  if (!has_repository(context)) return no_repository();
  const std::string wanted(trim(name));
  const graph::QualifiedName parts = graph::parse_qualified_name(wanted);
  if (parts.name.empty()) return ask::refuse_argument("name", "hold a name", wanted);
  std::vector<std::string> inputs;  // the file that it names may be new
  if (const auto file = ask::repository_path(context.services->code->workspace, "name", parts.path);
      file.ok()) {
    inputs.push_back(*file);
  }
  ask::Staleness staleness;
  CallContext watched = context;
  watched.staleness = &staleness;
  CODEXMEM_ASSIGN(
      const SymbolPage page,
      ask::answer_fresh<SymbolPage>(
          watched, inputs,
          [&](store::CodeReader& reader) { return read_definitions(watched, reader, wanted); },
          [](const SymbolPage& answer, std::set<std::string>& paths) {
            for (const auto& definition : answer.definitions) paths.insert(definition.match.path);
          }));
  std::string text = page_markdown(page, max_bytes);
  if (!staleness.empty()) text += "\nThis may be out of date: " + staleness.why + ".\n";
  return ResourceContent{symbol_uri(wanted), "text/markdown", std::move(text)};
}

Result<ResourcePage> ProductResources::list(std::string_view cursor,
                                            const CallContext& context) const {
  if (!cursor.empty() && !cursor.starts_with(kCursorPrefix)) {
    return Error{ErrorCode::kInvalidArgument, "cursor must be one that resources/list has given"};
  }
  ResourcePage page;
  if (!has_repository(context)) return page;
  if (cursor.empty()) {
    Resource status;
    status.uri = kStatusUri;
    status.name = "status";
    status.title = "Index status";
    status.description = "What is indexed, what is left out and why, and the last run.";
    status.mime_type = "application/json";
    page.resources.push_back(std::move(status));
  }
  const std::string after(cursor.empty() ? cursor : cursor.substr(kCursorPrefix.size()));
  const std::size_t room = kResourcesAPage - page.resources.size();
  using Files = std::vector<store::FileRow>;
  CODEXMEM_ASSIGN(const Files files, ask::answer_fresh<Files>(
                                         context, {},
                                         [&](store::CodeReader& reader) {
                                           return reader.list_files_after(after, room + 1);
                                         },
                                         [](const Files&, std::set<std::string>&) {}));
  for (std::size_t i = 0; i < std::min(files.size(), room); ++i) {
    page.resources.push_back(file_resource(files[i]));
  }
  if (files.size() > room) page.next_cursor = std::string(kCursorPrefix) + files[room - 1].path;
  return page;
}

std::span<const ResourceTemplate> ProductResources::templates() const { return kTemplates; }

Result<std::vector<ResourceContent>> ProductResources::read(std::string_view uri,
                                                            const CallContext& context) const {
  std::vector<ResourceContent> contents;
  if (uri.starts_with(kFilePrefix)) {
    CODEXMEM_ASSIGN(ResourceContent content,
                    read_file_resource(context, decoded(uri.substr(kFilePrefix.size()))));
    contents.push_back(std::move(content));
  } else if (uri.starts_with(kSymbolPrefix)) {
    CODEXMEM_ASSIGN(ResourceContent content,
                    read_symbol_resource(context, decoded(uri.substr(kSymbolPrefix.size())),
                                         ask::kLongAnswerBytes));
    contents.push_back(std::move(content));
  } else if (uri == kStatusUri || uri == std::string(kStatusUri) + "/") {
    if (!has_repository(context)) return no_repository();
    ask::CodeServices& code = *context.services->code;
    CODEXMEM_ASSIGN(const auto status,
                    index::read_repository_status(code.workspace, code.provider()));
    contents.push_back(
        {std::string(kStatusUri), "application/json", index::repository_status_json(status)});
  } else {
    return Error{ErrorCode::kNotFound,
                 fmt::format("there is no resource {}; these exist: codexmem://status, "
                             "codexmem://file/PATH and codexmem://symbol/NAME",
                             utf8_prefix(uri, 200))};
  }
  // As it was asked for: clients look answers up by it.
  contents.front().uri = uri;
  return contents;
}

Result<Completion> ProductResources::complete(std::string_view uri_template,
                                              const CompletionQuestion& question,
                                              const CallContext& context) const {
  const bool is_file = uri_template == kTemplates[0].uri_template && question.argument == "path";
  const bool is_symbol = uri_template == kTemplates[1].uri_template && question.argument == "name";
  if (!is_file && !is_symbol) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("no template {} has an argument {}", utf8_prefix(uri_template, 200),
                             utf8_prefix(question.argument, 100))};
  }
  Completion completion;
  if (!has_repository(context)) return completion;
  ask::CodeServices& code = *context.services->code;
  CODEXMEM_ASSIGN(auto found,
                  is_file
                      ? code.completer->paths(code.workspace, question.value, kMaxCompletions)
                      : code.completer->symbols(code.workspace, question.value, kMaxCompletions));
  completion.has_more = found.total > found.values.size();
  completion.total = found.total;
  completion.values = std::move(found.values);
  return completion;
}

}  // namespace codexmem::mcp

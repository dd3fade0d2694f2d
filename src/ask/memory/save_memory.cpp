// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/save_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "memory/times.h"
#include "privacy/private_text.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kShownCitationBytes = 200;

memory::Mentions mentions_of(const memory::NewEntry& entry) {
  return {entry.title + "\n" + entry.text, entry.cited_files, entry.cited_symbols};
}

std::vector<std::string> private_fields(const memory::NewEntry& entry) {
  std::vector<std::string> fields;
  for (const auto& [name, text] :
       {std::pair("title", &entry.title), std::pair("text", &entry.text)}) {
    const std::string whole = repair_utf8(*text);
    if (privacy::strip_private(whole) != whole) fields.emplace_back(name);
  }
  if (privacy::strip_private_json(entry.metadata) != entry.metadata)
    fields.emplace_back("metadata");
  return fields;
}

bool is_missing(const CitedCode& code, const memory::Citation& citation) {
  return code.is_looked_up && citation.is_explicit && citation.body_hash.empty();
}

std::string name_of(const memory::Citation& citation) {
  return std::string(utf8_prefix(citation.symbol.empty() ? citation.path
                                 : citation.path.empty() ? citation.symbol
                                                         : citation.path + "::" + citation.symbol,
                                 kShownCitationBytes));
}

Result<void> read_any_text(const ToolArguments& given, const Param& param, void* params) {
  auto text = given.text(param.name);
  if (!text.ok() || trim(*text).empty())
    return Error{ErrorCode::kInvalidArgument, "text is required and must be non-empty"};
  static_cast<SaveMemoryParams*>(params)->entry.text = *std::move(text);
  return {};
}

}  // namespace

Result<void> SaveMemoryParams::complete(const memory::Memory& memory, const ToolArguments&) {
  CODEXMEM_ASSIGN(entry.project, project_to_write(memory, entry.project));
  entry.files_read = entry.cited_files;
  return {};
}

memory::EntryHook citing(const MemoryCall& call) {
  return [&call](const memory::NewEntry& entry) -> Result<memory::DocumentWriter> {
    return writer_of(call, cite_code(call, mentions_of(entry)));
  };
}

Result<SaveMemoryAnswer> run(const MemoryCall& call, SaveMemoryParams params) {
  SaveMemoryAnswer answer;
  answer.private_fields = private_fields(params.entry);
  const std::size_t given = params.entry.cited_files.size() + params.entry.cited_symbols.size();
  const auto hook = [&](const memory::NewEntry& prepared) -> Result<memory::DocumentWriter> {
    answer.code = cite_code(call, mentions_of(prepared));
    return writer_of(call, answer.code);
  };
  CODEXMEM_ASSIGN(answer.saved, call.memory.entries().save(std::move(params.entry), hook));
  if (!answer.saved.is_duplicate) call.memory.note_change();
  const auto kept = std::ranges::count_if(answer.code.citations, &memory::Citation::is_explicit);
  answer.cites_omitted = given - std::min(given, static_cast<std::size_t>(kept));
  return answer;
}

std::vector<std::string> SaveMemoryAnswer::not_found() const {
  std::vector<std::string> names;
  for (const memory::Citation& citation : code.citations) {
    if (is_missing(code, citation)) names.push_back(name_of(citation));
  }
  return names;
}

Written SaveMemoryAnswer::to_json() const {
  const auto id = static_cast<std::int64_t>(saved.id);
  std::vector<std::pair<std::string_view, std::vector<std::string>>> cited;
  for (const memory::Citation& citation : code.citations) {
    const std::string_view list = is_missing(code, citation) ? "not_found" : "cites";
    auto of = std::ranges::find(cited, list, [](const auto& each) { return each.first; });
    if (of == cited.end()) of = cited.insert(of, {list, {}});
    of->second.push_back(name_of(citation));
  }
  JsonText json = json_object("status", "saved", "id", std::to_string(id), "created_at",
                              memory::iso_time(saved.created_at_ms), "success", true, "title",
                              saved.title, "project", saved.project, "type", saved.type, "message",
                              fmt::format("Memory saved as observation #{}", id), "observation_id",
                              id, "duplicate", some(saved.is_duplicate));
  json = json_joined(std::move(json), json_value(cited));
  json_add(json, "cites_omitted", some(cites_omitted), "private_removed", some(private_fields));
  return object_json(std::move(json));
}

constexpr Param kSaveMemoryParams[] = {
    {.name = "text",
     .also = "content,memory,body,note,message,observation,narrative",
     .description = "The fact",
     .required = true,
     .option = "TEXT",
     .help = "What to remember; - reads it from standard input",
     .takes = Takes::kInput,
     .into = read_any_text},
    {.name = "title",
     .description = "Few words",
     .option = "--title",
     .help = "Default: how the text begins",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::title>},
    {.name = "project",
     .description = "Default: this",
     .option = "-p,--project",
     .help = "Default: the project of the current folder",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::project>},
    {.name = "type",
     .is_lower_case = true,
     .also = "entry_type,category",
     .description = "bugfix",
     .pattern = "^[a-z0-9][a-z0-9_-]{0,63}$",
     .default_json = "\"discovery\"",
     .option = "-t,--type",
     .help = "discovery (default), bugfix, feature, decision, ...",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::type>},
    {.name = "concepts",
     .also = "concept,tags,tag",
     .type = ParamType::kTextOrTexts,
     .listed = false,
     .option = "--concept",
     .help = "e.g. gotcha, pattern, trade-off",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::concepts>},
    {.name = "files",
     .also = "file,file_path,path,paths",
     .type = ParamType::kTextOrTexts,
     .description = "About these",
     .option = "--file",
     .help = "Files that it is about",
     .takes = Takes::kFile,
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::cited_files>},
    {.name = "symbols",
     .also = "symbol",
     .type = ParamType::kTextOrTexts,
     .listed = false,
     .option = "--symbol",
     .help = "Symbols that it is about",
     .takes = Takes::kSymbol,
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::cited_symbols>},
    {.name = "source_ref",
     .description = "Origin",
     .option = "--source",
     .help = "Where it comes from",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::source_ref>},
    {.name = "metadata",
     .type = ParamType::kObject,
     .description = "Any",
     .option = "--metadata",
     .help = "A JSON object",
     .into = into<&SaveMemoryParams::entry, &memory::NewEntry::metadata>},
};

constinit const Question kSaveMemory = {
    .name = "save_memory",
    .title = "Save memory",
    .description = "Remember a fact, a fix or a preference for later sessions. Refuses secrets.",
    .groups = "memory",
    .read_only = false,
    .params = kSaveMemoryParams,
    .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string"},"id":{"type":"string"},"created_at":{"type":"string"},"success":{"type":"boolean"},"title":{"type":"string"},"project":{"type":"string"},"type":{"type":"string"},"message":{"type":"string"},"observation_id":{"type":"integer"},"duplicate":{"type":"boolean"},
"code":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["status","id","created_at","success","title","project","type","message","observation_id"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<SaveMemoryParams>};

}  // namespace codexmem::ask

// Tested by exchange/ctags_test.cpp, and by git/export_test.py with readtags and vim.
#include "exchange/ctags.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/stop_scope.h"
#include "exchange/scip_symbol.h"
#include "text/json_object.h"

namespace codexmem::exchange {
namespace {

// The language as universal-ctags calls it.
std::string_view tag_language(std::string_view language) {
  if (language == "cpp") return "C++";
  if (language == "csharp") return "C#";
  if (language == "shell") return "Sh";
  return language == "tsx" ? "TypeScript" : scip_language(language);
}

// Tabs and line ends would end a field: tags(5), "EXCEPTIONS in Universal Ctags".
std::string field(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\x7F') {
      escaped += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped.append(c == '\\' ? 2 : 1, c);
    }
  }
  return escaped;
}

// The kinds of a file's symbols, to name the kind of a scope.
using Kinds = std::unordered_map<store::SymbolId, std::string>;

std::string scope_kind(const store::SymbolRow& row, const Kinds& kinds) {
  const auto known = row.parent ? kinds.find(*row.parent) : kinds.end();
  return known == kinds.end() ? "package" : known->second;
}

std::string tag_line(const store::FileRow& file, const store::SymbolRow& row, const Kinds& kinds,
                     const TagHead& head) {
  std::string line = fmt::format("{}\t{}\t{};\"\t{}\tline:{}\tlanguage:{}", field(row.name),
                                 field(head.prefix + file.path), row.name_start.line,
                                 field(row.kind), row.name_start.line, tag_language(file.language));
  if (!row.container.empty()) {
    line += fmt::format("\t{}:{}", scope_kind(row, kinds), field(row.container));
  }
  if (!row.exported) line += "\tfile:";
  return line + fmt::format("\tend:{}\n", row.end.line);
}

std::string tag_json(const store::FileRow& file, const store::SymbolRow& row, const Kinds& kinds,
                     const TagHead& head) {
  const bool has_scope = !row.container.empty();
  return json_object("_type", "tag", "name", row.name, "path", head.prefix + file.path, "language",
                     tag_language(file.language), "line", row.name_start.line, "kind", row.kind,
                     "scope", some(row.container), "scopeKind",
                     json_if(has_scope, scope_kind(row, kinds)), "file",
                     json_if(!row.exported, true), "end", row.end.line)
             .text +
         "\n";
}

std::string beginning(const TagHead& head) {
  if (head.format == TagFormat::kJson) {
    return json_object("_type", "ptag", "name", "JSON_OUTPUT_VERSION", "path", "0.0", "pattern",
                       "in development")
               .text +
           "\n" +
           json_object("_type", "ptag", "name", "TAG_PROGRAM_NAME", "path", "codexmem").text + "\n";
  }
  return fmt::format(
      "!_TAG_FILE_FORMAT\t2\t/extended format/\n"
      "!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n"
      "!_TAG_OUTPUT_EXCMD\tnumber\t/number, pattern, mixed, or combineV2/\n"
      "!_TAG_OUTPUT_FILESEP\tslash\t/slash or backslash/\n"
      "!_TAG_OUTPUT_MODE\tu-ctags\t/u-ctags or e-ctags/\n"
      "!_TAG_PROGRAM_NAME\tcodexmem\t//\n"
      "!_TAG_PROGRAM_VERSION\t{}\t//\n",
      head.version);
}

}  // namespace

Result<std::size_t> export_tags(store::CodeReader& reader, const TagHead& head,
                                const Output& output) {
  CODEXMEM_TRY(output(beginning(head)));
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  std::size_t count = 0;
  std::vector<std::string> lines;  // a tags file is sorted as a whole
  for (const store::FileRow& file : files) {
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(const auto rows, reader.list_symbols(file.id));
    Kinds kinds;
    for (const store::SymbolRow& row : rows) kinds.emplace(row.id, row.kind);
    for (const store::SymbolRow& row : rows) {
      if (row.name.empty()) continue;
      ++count;
      if (head.format == TagFormat::kJson) {
        CODEXMEM_TRY(output(tag_json(file, row, kinds, head)));
      } else {
        lines.push_back(tag_line(file, row, kinds, head));
      }
    }
  }
  std::ranges::sort(lines);
  for (const std::string& line : lines) CODEXMEM_TRY(output(line));
  return count;
}

}  // namespace codexmem::exchange

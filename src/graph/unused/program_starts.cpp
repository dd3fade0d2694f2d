// Tested by git/overview_test.py.
#include "graph/unused/program_starts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/path.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/repository_map.h"

namespace codexmem::graph {
namespace {

// The name of a module as it is compared: a text.
std::size_t find_quoted(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && end < text.size() && text[at - 1] == text[end] &&
        (text[end] == '"' || text[end] == '\'')) {
      return at;
    }
  }
  return std::string_view::npos;
}

// The line of an unindented comparison with a module's name; 0 without one.
std::uint32_t comparing_line(std::string_view text, std::string_view name) {
  const std::size_t at = find_quoted(text, name);
  if (at == std::string_view::npos) return 0;
  const std::string_view before = text.substr(0, at);
  const std::size_t line_end = before.rfind('\n');
  const std::string_view line =
      line_end == std::string_view::npos ? before : before.substr(line_end + 1);
  if (!line.starts_with("if ")) return 0;
  return static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
}

// What servers and consoles of web frameworks load.
bool is_framework_start(std::string_view path) {
  return is_one_of(file_name(path), {"config.ru", "artisan"}) || path == "public/index.php" ||
         path.ends_with("/public/index.php");
}

}  // namespace

Result<std::vector<ProgramStart>> find_program_starts(FactsCache& cache, store::CodeReader& reader,
                                                      std::size_t most) {
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  std::vector<ProgramStart> found;
  std::set<std::string_view> functions, own_names;
  for (const store::FileRow& row : files->rows()) {
    const LanguageTraits& traits = semantics_of(family_of(row.language)).traits();
    if (!traits.names.main_function.empty()) functions.insert(traits.names.main_function);
    if (!is_main_file(row)) continue;
    if (is_framework_start(row.path)) found.push_back({row.path, 1});
    if (is_one_of(file_name(row.path), {"wsgi.py", "asgi.py"})) {
      CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(row.id));
      const auto application = std::ranges::find(symbols, "application", &store::SymbolRow::name);
      if (application != symbols.end()) found.push_back({row.path, application->start.line});
    }
    if (traits.names.main_module.empty()) continue;
    own_names.insert(traits.names.own_module);
    if (file_stem(row.path) == traits.names.main_module) {
      found.push_back({row.path, 1});
    }
  }
  for (const std::string_view name : functions) {
    CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols_named(name));
    for (const store::SymbolRow& symbol : symbols) {
      const store::FileRow* const row = files->find(store::file_of(symbol.id));
      if (row == nullptr || !is_main_file(*row) ||
          (symbol.type != SymbolType::kFunction && symbol.type != SymbolType::kMethod) ||
          semantics_of(family_of(row->language)).traits().names.main_function != name) {
        continue;
      }
      if (!found.empty() && found.back().path == row->path) continue;  // of another build
      found.push_back({row->path, symbol.start.line});
    }
  }
  for (const std::string_view own_name : own_names) {
    CODEXMEM_ASSIGN(const auto ids, reader.list_files_with_identifier(own_name));
    std::size_t read = 0;
    for (const store::FileId id : ids) {
      const store::FileRow* const row = files->find(id);
      if (row == nullptr || !is_main_file(*row)) continue;
      const LanguageTraits& traits = semantics_of(family_of(row->language)).traits();
      if (traits.names.own_module != own_name || file_stem(row->path) == traits.names.main_module)
        continue;
      if (++read > most) break;
      CODEXMEM_ASSIGN(const auto text, reader.find_content(id));
      const std::uint32_t line = comparing_line(text.value_or(""), traits.names.main_module);
      if (line != 0) found.push_back({row->path, line});
    }
  }
  std::ranges::sort(found, {}, &ProgramStart::path);
  return found;
}

}  // namespace codexmem::graph

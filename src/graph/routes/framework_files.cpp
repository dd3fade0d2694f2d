// Tested by graph/routes_test.cpp and graph/entry_points_test.cpp.
#include "graph/routes/framework_files.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text.h"
#include "config/path_kind.h"
#include "graph/stored/repository_map.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

bool is_at_path(const Framework& framework, std::string_view path) {
  if (framework.paths.empty()) return false;
  return std::ranges::any_of(split(framework.paths, ','), [&](std::string_view each) {
    return each.ends_with('/') ? path.find(each) != std::string_view::npos &&
                                     (each.starts_with('/') || path.starts_with(each) ||
                                      each.find('/') + 1 != each.size())
                               : path.ends_with(each);
  });
}

}  // namespace

Result<std::vector<const store::FileRow*>> FrameworkFiles::of(const Framework& framework,
                                                              CodeOf code) {
  std::set<store::FileId> ids;
  if (!framework.words.empty()) {
    for (const std::string_view word : split(framework.words, ',')) {
      CODEXMEM_ASSIGN(const auto with_word, reader_.list_files_with_identifier(word));
      ids.insert(with_word.begin(), with_word.end());
    }
  }
  std::vector<const store::FileRow*> found;
  for (const store::FileRow& row : files_.rows()) {
    const bool has_place = is_at_path(framework, row.path);
    if (!has_place && !ids.contains(row.id)) continue;
    const parse::Language* const language = parse::find_language(row.language);
    if (language == nullptr) continue;
    if (!is_main_file(row) && (code == CodeOf::kProgram || is_test_path(row.path))) continue;
    const std::string_view family = language->family.empty() ? language->name : language->family;
    if (!is_listed(framework.family, family)) continue;
    if (has_place || imports_it(framework, row)) found.push_back(&row);
  }
  return found;
}

bool FrameworkFiles::imports_it(const Framework& framework, const store::FileRow& row) {
  if (framework.modules.empty()) return true;
  const FileModel* const model = resolver_.model(row.id);
  if (model == nullptr) return false;
  const auto modules = split(framework.modules, ',');
  return std::ranges::any_of(model->facts.imports, [&](const parse::Import& each) {
    return std::ranges::any_of(modules, [&](std::string_view module) {
      return each.path == module ||
             (each.path.starts_with(module) &&
              is_one_of(each.path.substr(module.size(), 1), {"/", ".", "_", "-", ":"}));
    });
  });
}

}  // namespace codexmem::graph

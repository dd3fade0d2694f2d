// A text names a template when the template's path ends with it; a name without a folder only if
// the template lies in a folder of templates. Tested by graph/dependencies_test.cpp.
#include "graph/imports/template_views.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxFiles = 200, kMaxTemplates = 50;  // that are read, that are named
constexpr std::size_t kMaxTemplateLooks = 2000;             // files, and places in one text
constexpr std::size_t kMaxName = 200;                       // bytes of a text that is a path
constexpr std::size_t kMaxBefore = 60;                      // bytes from a call's name to its text

bool is_code(std::string_view language) {
  const parse::Language* const found = parse::find_language(language);
  return found != nullptr && found->has_grammar && !found->is_configuration &&
         found->mime_type != "text/html" && found->name != "css";
}

// The path without the endings of its name: "shop/cart" of "shop/cart.html.erb".
std::string_view without_endings(std::string_view path) {
  const std::size_t dot = path.find('.', path.size() - file_name(path).size());
  return path.substr(0, dot);
}

// What a call that renders names: "shop/item" of the partial "shop/_item.html.erb".
std::string rendered_name(std::string_view path) {
  std::string bare(without_endings(path));
  const std::size_t name = bare.size() - file_name(bare).size();
  if (bare.substr(name).starts_with('_')) bare.erase(name, 1);
  return bare;
}

// Whether the text `name` in the code at `code` means the template at `path`. A name alone is of
// the folder of a Rails controller too: carts_controller.rb, app/views/carts.
bool names_template(std::string_view name, std::string_view path, std::string_view code) {
  while (name.starts_with("./") || name.starts_with('/'))
    name.remove_prefix(name[0] == '/' ? 1 : 2);
  if (name.empty() || !path.ends_with(name)) return false;
  std::string_view folder = path.substr(0, path.size() - name.size());
  if (folder.empty()) return true;
  if (!folder.ends_with('/')) return false;
  if (name.find('/') != std::string_view::npos) return true;
  folder.remove_suffix(1);
  return is_one_of(file_name(folder), {"templates", "template", "views", "jinja2", "pages"}) ||
         file_stem(code) == std::string(file_name(folder)) + "_controller";
}

// A text in quotes on one line around bytes [begin, end) of `text`; nothing without one.
std::optional<std::string_view> quoted_around(std::string_view text, std::size_t begin,
                                              std::size_t end) {
  constexpr std::string_view kEnds = "\"'`\n";
  const std::size_t first = begin - std::min(begin, kMaxName);
  std::size_t before = text.substr(first, begin + 1 - first).find_last_of(kEnds);
  std::size_t after = text.substr(end, kMaxName).find_first_of(kEnds);
  if (before != std::string_view::npos) before += first;
  if (after != std::string_view::npos) after += end;
  if (before == std::string_view::npos || after == std::string_view::npos) return std::nullopt;
  if (text[before] == '\n' || text[before] != text[after] || after - before > kMaxName) {
    return std::nullopt;
  }
  return text.substr(before + 1, after - before - 1);
}

// Whether a call that renders stands before the text at `offset` on its line.
bool is_rendered(std::string_view text, std::size_t offset) {
  std::string_view before = text.substr(0, offset);
  if (before.size() > kMaxBefore) before.remove_prefix(before.size() - kMaxBefore);
  if (const std::size_t line = before.rfind('\n'); line != std::string_view::npos) {
    before.remove_prefix(line);
  }
  const std::size_t view = before.rfind("view(");
  return before.find("render") != std::string_view::npos ||
         before.find("template") != std::string_view::npos ||
         (view != std::string_view::npos && view > 0 && !is_letter(before[view - 1]) &&
          before[view - 1] != '_');
}

std::uint32_t line_at(std::string_view text, std::size_t offset) {
  return static_cast<std::uint32_t>(std::ranges::count(text.substr(0, offset), '\n') + 1);
}

// Where `text`, the code at `code`, names the template at `path`.
std::optional<std::pair<std::size_t, std::string_view>> place_in(std::string_view text,
                                                                 std::string_view path,
                                                                 std::string_view code) {
  const std::string bare = rendered_name(path);
  const std::string_view stem = file_name(bare);
  std::size_t looked = 0;
  for (std::size_t at = text.find(stem);
       at != std::string_view::npos && ++looked <= kMaxTemplateLooks;
       at = text.find(stem, at + 1)) {
    const auto name = at == 0 ? std::nullopt : quoted_around(text, at - 1, at + stem.size());
    if (!name) continue;
    const auto offset = static_cast<std::size_t>(name->data() - text.data());
    if (names_template(*name, path, code)) return std::pair(offset, *name);
    if (names_template(*name, bare, code) && is_rendered(text, offset))
      return std::pair(offset, *name);
  }
  return std::nullopt;
}

// The longest run of letters, digits and "_".
std::string_view longest_word(std::string_view text) {
  std::string_view longest;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_')) {
      ++end;
    }
    if (end - at > longest.size()) longest = text.substr(at, end - at);
    at = end + 1;
  }
  return longest;
}

store::DependencyRow row_of(store::FileId source, store::FileId target, std::string_view name,
                            std::uint32_t line) {
  store::DependencyRow row;
  row.source = source;
  row.target = target;
  row.import_path = name;
  row.import_type = kTemplateImport;
  row.line = line;
  return row;
}

// app/views/shop/carts/show.html.erb: the method `show` of
// app/controllers/shop/carts_controller.rb.
Result<void> add_controller(store::CodeReader& reader, const store::FileRow& file,
                            std::vector<store::DependencyRow>& found) {
  constexpr std::string_view kViews = "app/views/";
  const std::size_t at = file.path.find(kViews);
  if (at == std::string::npos) return {};
  const std::string_view below = std::string_view(file.path).substr(at + kViews.size());
  const std::string controller = file.path.substr(0, at) + "app/controllers/" +
                                 std::string(folder_of(below)) + "_controller.rb";
  CODEXMEM_ASSIGN(const auto row, reader.find_file(controller));
  if (!row) return {};
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(row->id));
  const std::string_view action = file_name(without_endings(file.path));
  for (const store::SymbolRow& symbol : symbols) {
    if (symbol.name != action) continue;
    found.push_back(row_of(row->id, file.id, action, symbol.start.line));
    break;
  }
  return {};
}

}  // namespace

bool is_template(const store::FileRow& file) { return file.language == "html"; }

Result<Views> find_views(store::CodeReader& reader, const store::FileRow& file) {
  Views views;
  auto& found = views.rows;
  CODEXMEM_TRY(add_controller(reader, file, found));
  const std::string name = rendered_name(file.path);
  const std::string_view word = longest_word(file_name(name));
  if (word.empty()) return views;
  CODEXMEM_ASSIGN(auto ids, reader.list_files_with_word(word));
  // Those that have the ending too come first.
  const std::string_view ending = std::string_view(file.path).substr(file.path.rfind('.') + 1);
  CODEXMEM_ASSIGN(const auto with_ending, reader.list_files_with_word(ending));
  std::set<store::FileId> likely;
  for (const store::WordFile& each : with_ending) likely.insert(each.id);
  std::ranges::stable_sort(ids, std::ranges::greater(),
                           [&](const store::WordFile& each) { return likely.contains(each.id); });
  views.is_cut = ids.size() > kMaxTemplateLooks;
  if (views.is_cut) ids.resize(kMaxTemplateLooks);
  std::size_t read = 0;
  for (const store::WordFile& each : ids) {
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(const auto row, reader.find_file(each.id));
    if (!row || !is_code(row->language)) continue;
    if (++read > kMaxFiles) {
      views.is_cut = true;
      break;
    }
    CODEXMEM_ASSIGN(const auto text, reader.find_content(each.id));
    if (!text) continue;
    const auto place = place_in(*text, file.path, row->path);
    const bool is_known = std::ranges::any_of(
        found, [&](const store::DependencyRow& known) { return known.source == each.id; });
    if (!place || is_known) continue;
    found.push_back(row_of(each.id, file.id, place->second, line_at(*text, place->first)));
  }
  return views;
}

Result<std::vector<store::DependencyRow>> find_templates(store::CodeReader& reader,
                                                         const store::FileRow& file) {
  std::vector<store::DependencyRow> found;
  if (!is_code(file.language)) return found;
  CODEXMEM_ASSIGN(const auto text, reader.find_content(file.id));
  if (!text) return found;
  std::vector<std::pair<std::size_t, std::string_view>> names;
  constexpr std::string_view kEnding = ".html";
  std::size_t looked = 0;
  for (std::size_t at = text->find(kEnding);
       at != std::string::npos && names.size() < kMaxTemplates && ++looked <= kMaxTemplateLooks;
       at = text->find(kEnding, at + 1)) {
    if (at == 0) continue;
    const auto name = quoted_around(*text, at - 1, at + kEnding.size());
    if (!name || name->find_first_of(" {}$%<>") != std::string_view::npos) continue;
    names.emplace_back(static_cast<std::size_t>(name->data() - text->data()), *name);
  }
  if (names.empty()) return found;
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  std::set<store::FileId> seen;
  for (const auto& [offset, name] : names) {
    CODEXMEM_TRY(go_on());
    // Of several the one that shares most of its path with the code.
    const store::FileRow* best = nullptr;
    std::size_t best_shared = 0;
    for (const store::FileRow& row : files) {
      if (!is_template(row) || !names_template(name, row.path, file.path)) continue;
      const auto shared = static_cast<std::size_t>(
          std::mismatch(row.path.begin(), row.path.end(), file.path.begin(), file.path.end())
              .first -
          row.path.begin());
      if (best == nullptr || shared > best_shared) {
        best = &row;
        best_shared = shared;
      }
    }
    if (best == nullptr || !seen.insert(best->id).second) continue;
    found.push_back(row_of(file.id, best->id, name, line_at(*text, offset)));
  }
  return found;
}

}  // namespace codexmem::graph

// Tested by ask/page_test.cpp.
#include "ask/page/file_page.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "config/path_kind.h"
#include "graph/imports/packages.h"
#include "graph/uses/symbol_search.h"
#include "privacy/shown_code.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxFileSymbols = 2000;
constexpr std::size_t kMaxImports = 500;
constexpr std::size_t kMaxImportedBy = 500;
constexpr std::size_t kMaxFileTests = 100;
constexpr std::size_t kMaxFileNotes = 50;
constexpr std::size_t kMaxNames = 20;

// Leaves at most `most` of `list`, and counts the others.
template <typename List>
void limit(List& list, std::size_t most, const char* name, JsonText& cut) {
  if (list.size() <= most) return;
  json_add(cut, name, list.size() - most);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

// Several statements that import one file are one.
struct Import {
  std::string path, module;
  std::vector<std::string> names;

  void add(const std::vector<std::string>& more) {
    for (const std::string& name : more) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  JsonText json() const {
    return json_object("path", some(path), "module", some(module), "names",
                       std::span(names).first(std::min(names.size(), kMaxNames)));
  }
};

class FilePage {
 public:
  FilePage(const PageCall& call, store::CodeReader& reader, const FilePageParams& params)
      : call_(call), reader_(reader), params_(params) {}

  Result<std::string> make() {
    CODEXMEM_ASSIGN(const std::string path,
                    repository_path(call_.code.workspace, "path", params_.path));
    CODEXMEM_ASSIGN(file_, graph::get_indexed_file(reader_, path));
    json_add(page_, "path", file_.path, "language", file_.language, "lines", file_.line_count);
    CODEXMEM_TRY(add_text());
    CODEXMEM_ASSIGN(const auto stale, list_stale(call_.code.workspace, reader_, {file_.path}));
    json_add(page_, "stale", !stale.empty());
    CODEXMEM_TRY(add_symbols());
    CODEXMEM_ASSIGN(files_, call_.code.facts.files(reader_));
    CODEXMEM_TRY(add_imports());
    CODEXMEM_TRY(add_importers());
    const PageNotes notes = find_page_notes(call_, reader_, file_.path, "", kMaxFileNotes);
    json_add(cut_, "memories", some(notes.omitted));
    json_add(page_, "memoriesMissing", some(notes.missing), "cut", cut_, "memories", notes.records,
             "decisions", notes.decisions);
    return std::move(page_.text);
  }

 private:
  Result<void> add_text() {
    const std::uint32_t lines = std::clamp<std::uint32_t>(params_.lines, 1, kMaxPageLines);
    const std::uint32_t first =
        std::clamp<std::uint32_t>(params_.from, 1, std::max<std::uint32_t>(file_.line_count, 1));
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(file_.id));
    json_add(page_, "first", first, "text",
             content ? shown_lines(*content, first, lines) : std::string());
    if (file_.line_count >= first + lines) {
      json_add(cut_, "lines", file_.line_count - (first + lines - 1));
    }
    return {};
  }

  Result<void> add_symbols() {
    CODEXMEM_ASSIGN(auto symbols, reader_.list_symbols(file_.id));
    std::map<store::SymbolId, int> depths;
    limit(symbols, kMaxFileSymbols, "symbols", cut_);
    std::vector<JsonText> list;
    for (const store::SymbolRow& symbol : symbols) {
      int depth = 0;
      if (symbol.parent) {
        const auto parent = depths.find(*symbol.parent);
        depth = parent == depths.end() ? 1 : parent->second + 1;
      }
      depths[symbol.id] = depth;
      list.push_back(json_object("id", symbol.id, "name", symbol.name, "kind", symbol.kind, "line",
                                 symbol.start.line, "endLine", symbol.end.line, "depth", depth));
    }
    json_add(page_, "symbols", list);
    return {};
  }

  Result<void> add_imports() {
    CODEXMEM_ASSIGN(const auto rows, reader_.list_dependencies(file_.id));
    std::vector<Import> imports;
    for (const store::DependencyRow& row : rows) {
      if (row.import_type == store::kDocumentedImport) continue;
      const store::FileRow* const target = row.target ? files_->find(*row.target) : nullptr;
      const auto folder = graph::package_folder(row);
      const std::string path = folder              ? graph::package_path(*folder)
                               : target == nullptr ? std::string()
                                                   : target->path;
      const std::string module = target == nullptr ? row.import_path : "";
      const auto known = std::ranges::find_if(
          imports, [&](const Import& each) { return each.path == path && each.module == module; });
      if (known != imports.end()) {
        known->add(row.symbols);
      } else {
        imports.push_back({path, module, row.symbols});
      }
    }
    limit(imports, kMaxImports, "imports", cut_);
    json_add(page_, "imports", json_list(imports, std::mem_fn(&Import::json)));
    return {};
  }

  // And the tests among them.
  Result<void> add_importers() {
    CODEXMEM_ASSIGN(const auto rows, graph::list_importers(reader_, file_));
    std::map<std::string, Import> by_path;
    for (const store::DependencyRow& row : rows) {
      if (row.import_type == store::kDocumentedImport || row.source == file_.id) continue;
      const store::FileRow* const source = files_->find(row.source);
      if (source == nullptr) continue;
      Import& import = by_path[source->path];
      import.path = source->path;
      import.add(row.symbols);
    }
    std::vector<JsonText> importers, tests;
    const bool is_test = is_test_path(file_.path);
    for (const auto& [path, import] : by_path) {
      importers.push_back(import.json());
      if (!is_test && is_test_path(path)) tests.push_back(json_object("path", path));
    }
    limit(importers, kMaxImportedBy, "importedBy", cut_);
    limit(tests, kMaxFileTests, "tests", cut_);
    json_add(page_, "importedBy", importers, "tests", tests);
    return {};
  }

  const PageCall& call_;
  store::CodeReader& reader_;
  const FilePageParams& params_;
  store::FileRow file_;
  std::shared_ptr<const graph::FileTable> files_;
  JsonText page_ = json_object(), cut_ = json_object();
};

}  // namespace

std::string shown_lines(std::string_view text, std::uint32_t from, std::uint32_t count) {
  const auto skip = [&text](std::size_t at, std::uint32_t lines) {
    for (; lines > 0 && at < text.size(); --lines) {
      const std::size_t end = text.find('\n', at);
      at = end == std::string_view::npos ? text.size() : end + 1;
    }
    return static_cast<std::uint32_t>(at);
  };
  const std::uint32_t begin = skip(0, from - 1);
  return privacy::shown_code(text, {begin, skip(begin, count)});
}

Result<std::string> make_file_page(const PageCall& call, const FilePageParams& params) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, call.code.workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  return FilePage(call, *reader, params).make();
}

}  // namespace codexmem::ask

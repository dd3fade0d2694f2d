// Most changes break nothing, and then one look at the new state of the files is enough: the state
// before the change is built only when something in the new state cannot be resolved
// (graph/uses/broken_uses.h).
//
// Tested by index/change_check_test.cpp and, case by case, git/check_test.py.
#include "index/changes/change_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "graph/uses/broken_uses.h"
#include "graph/core/language_semantics.h"
#include "graph/core/source_texts.h"
#include "graph/stored/facts_cache.h"
#include "graph/imports/import_resolver.h"
#include "index/discovery/decode.h"
#include "index/git/git_changes.h"
#include "index/run/ordered_pipeline.h"
#include "index/changes/rule_changes.h"
#include "index/discovery/selection.h"
#include "index/packs/snapshot.h"
#include "parse/walk/extract.h"
#include "parse/walk/missing_sign.h"
#include "parse/facts/facts_codec.h"
#include "parse/rules/languages.h"
#include "text/counted.h"
#include "text/line_index.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

using graph::BrokenUse;

constexpr std::uint64_t kMaxComparedBytes = std::uint64_t{1} << 20;

// Endings of a module's file, or of a folder that is a module.
constexpr std::array<std::string_view, 24> kModuleEndings = {
    "",      ".js",   ".ts",  ".tsx", ".jsx",         ".mjs",      ".cjs",      ".mts",
    ".cts",  ".json", ".vue", ".css", ".d.ts",        "/index.js", "/index.ts", ".node",
    ".wasm", ".py",   ".pyi", ".pyx", "/__init__.py", ".c",        ".so",       ".svelte"};

std::string join_below(const fs::path& folder, std::string_view path) {
  return (folder / path).lexically_normal().generic_string();
}

// The qualified name as in FileModel: without the package that some languages put first.
std::string name_in_file(const parse::FileFacts& facts, const parse::Symbol& symbol) {
  const std::string prefix = facts.package + ".";
  const bool has_package = !facts.package.empty() && symbol.qualified_name.starts_with(prefix);
  return has_package ? symbol.qualified_name.substr(prefix.size()) : symbol.qualified_name;
}

class ChangeCheck {
 public:
  ChangeCheck(store::Workspace& workspace, GitChanges changes,
              const std::vector<std::string>& paths, const std::vector<GivenRule>& rules,
              std::stop_token stop)
      : workspace_(workspace),
        changes_(std::move(changes)),
        selection_(paths),
        rules_(rules),
        stop_(std::move(stop)) {}

  Result<ChangeReport> run() {
    report_.files_changed = changes_.changes().size();
    if (changes_.changes().empty()) return std::move(report_);
    report_.left_out = changes_.count_left_out();
    CODEXMEM_TRY(make_after());
    CODEXMEM_ASSIGN(store::ReaderLease after, after_->reader());
    CODEXMEM_TRY(find_gone(*after));
    graph::FactsCache cache;
    CODEXMEM_TRY(check_rules(cache, *after));
    if (report_.files_checked == 0 && scope_.calls.empty()) return std::move(report_);
    CODEXMEM_ASSIGN(auto found, graph::find_suspects(cache, *after, scope_, stop_));
    report_.is_complete = found.is_complete;
    report_.possible = std::move(found.possible);
    for (std::vector<BrokenUse>* uses : {&found.broken, &found.unchecked}) {
      std::erase_if(*uses, [&](const BrokenUse& use) {
        return !selection_.holds(use.path) || is_explained(*after, use);
      });
    }
    for (BrokenUse& use : found.unchecked) {
      report_.unchecked.push_back({kind_of(use), std::move(use.path), use.position.line,
                                   use.position.column, std::move(use.name),
                                   std::move(use.unchecked)});
    }
    std::vector<BrokenUse> suspects = std::move(found.broken);
    if (!suspects.empty()) {
      CODEXMEM_TRY(make_before());
      CODEXMEM_ASSIGN(store::ReaderLease reader, before_->workspace().reader());
      graph::FactsCache old;
      CODEXMEM_ASSIGN(suspects,
                      graph::keep_broken(old, *reader, scope_, std::move(suspects), stop_));
    }
    for (BrokenUse& use : suspects) CODEXMEM_TRY(add_finding(*after, std::move(use)));
    std::ranges::stable_sort(report_.findings, {}, [](const ChangeFinding& each) {
      return std::tuple(std::string_view(each.path), each.line, each.column);
    });
    return std::move(report_);
  }

 private:
  Result<void> check_rules(graph::FactsCache& cache, store::StoreReader& after) {
    std::set<std::string> files;
    for (const std::string& path : scope_.changed) {
      if (selection_.holds(path)) files.insert(path);
    }
    RuleChanges changes(cache, after, files, stop_);
    CODEXMEM_TRY(changes.find(rules_));
    if (changes.empty()) return {};
    CODEXMEM_TRY(make_before());
    CODEXMEM_ASSIGN(store::ReaderLease before, before_->workspace().reader());
    CODEXMEM_ASSIGN(auto broken, changes.keep_new(*before));
    for (ChangeFinding& each : broken) {
      if (selection_.holds(each.path)) report_.findings.push_back(std::move(each));
    }
    return {};
  }

  // Builds the files after the change: the work tree's store, or a copy with the staged files.
  Result<void> make_after() {
    after_ = &workspace_;
    if (!changes_.is_staged()) return {};
    CODEXMEM_ASSIGN(const auto unstaged, changes_.list_unstaged());
    std::vector<SnapshotFile> files;
    for (const GitChange& change : unstaged) {
      CODEXMEM_ASSIGN(const bool matters, may_matter(change));
      if (!matters) continue;
      SnapshotFile file;
      file.path = change.path;
      file.read = [this, path = change.path] { return changes_.read_staged(path); };
      files.push_back(std::move(file));
    }
    if (files.empty()) return {};
    CODEXMEM_ASSIGN(staged_, Snapshot::make(
                                 workspace_, files,
                                 [&](const std::string& path) {
                                   return read_else(changes_.read_staged(path), path);
                                 },
                                 stop_));
    after_ = &staged_->workspace();
    return {};
  }

  // True if the check may differ with the staged content of an unstaged file: stray notes and logs
  // are no reason to copy the store.
  Result<bool> may_matter(const GitChange& unstaged) const {
    if (has_binary_extension(unstaged.path)) return false;
    if (!unstaged.existed || graph::is_configuration(unstaged.path)) return true;
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_.reader());
    CODEXMEM_ASSIGN(const auto row, reader->find_file(unstaged.path));
    const parse::Language* const language =
        row ? parse::find_language(row->language) : parse::detect_language(unstaged.path, "");
    return is_read(language) || (!rules_.empty() && language != nullptr && language->has_grammar);
  }

  // Builds the state before the change, once.
  Result<void> make_before() {
    if (before_ != nullptr) return {};
    std::vector<SnapshotFile> files;
    for (const GitChange& change : changes_.changes()) {
      if (has_binary_extension(change.path)) continue;  // a partial clone may not have it
      SnapshotFile file;
      file.path = change.path;
      file.read = [this, path = change.path] { return read_old(path); };
      files.push_back(std::move(file));
    }
    CODEXMEM_ASSIGN(before_, Snapshot::make(
                                 *after_, files,
                                 [&](const std::string& path) {
                                   return read_else(changes_.read_before(path), path);
                                 },
                                 stop_));
    return {};
  }

  // The bytes of a file before the change. A partial clone may lack files that are not code; they
  // are then empty.
  Result<std::optional<std::string>> read_old(const std::string& path) const {
    auto bytes = changes_.read_before(path);
    if (bytes.ok() || graph::is_configuration(path) || is_read(parse::detect_language(path, ""))) {
      return bytes;
    }
    return std::optional<std::string>("");
  }

  // The content from git, or else from the work tree (for generated or foreign configuration).
  std::optional<std::string> read_else(Result<std::optional<std::string>> known,
                                       const std::string& path) const {
    if (known.ok() && *known) return *std::move(known);
    auto bytes = read_file(workspace_.root() / path, kMaxComparedBytes);
    return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
  }

  // A file that differs: its row after the change, and its content before.
  struct Changed {
    const GitChange* change = nullptr;
    std::optional<store::FileRow> row;
  };
  struct Before {
    const parse::Language* language = nullptr;  // of the file now, if it is new
    std::optional<parse::FileFacts> facts;      // nothing: it contained no code that could be read
    std::string text;
  };

  // Finds definitions that were in the changed files before and no longer exist.
  Result<void> find_gone(store::StoreReader& after) {
    std::vector<Changed> files;
    for (const GitChange& change : changes_.changes()) {
      if (has_binary_extension(change.path)) continue;
      CODEXMEM_ASSIGN(auto row, after.find_file(change.path));
      if (change.exists && !row) continue;  // not indexed: nothing is known of it
      scope_.changed.insert(change.path);
      if (!change.exists) scope_.deleted.insert(change.path);
      files.push_back({&change, std::move(row)});
    }
    std::size_t taken = 0;
    CODEXMEM_TRY(run_ordered<Result<Before>>(
        {.count = files.size(), .threads = std::thread::hardware_concurrency()},
        [&]() -> std::function<Result<Before>(std::size_t)> {
          auto extractor = std::make_shared<parse::Extractor>();
          return [&, extractor](std::size_t i) { return read_before(*extractor, files[i]); };
        },
        [&](Result<Before> before) -> Result<void> {
          const Changed& file = files[taken++];
          if (!before.ok()) return std::move(before).error();
          return compare(after, file, *before);
        },
        stop_));
    // An import may mean a deleted file outside any module system: data, a stylesheet.
    if (report_.files_checked == 0 && !scope_.deleted.empty()) ++report_.files_checked;
    return {};
  }

  // On many threads.
  Result<Before> read_before(parse::Extractor& extractor, const Changed& file) {
    Before before;
    std::optional<DecodedText> text;
    if (file.change->existed) {
      std::optional<std::string> bytes;
      {
        const std::lock_guard lock(changes_mutex_);
        CODEXMEM_ASSIGN(bytes, read_old(file.change->path));
      }
      if (bytes && bytes->size() <= kMaxComparedBytes) text = decode_text(*std::move(bytes));
    }
    before.language = text ? parse::detect_language(file.change->path, text->text)
                           : (file.row ? parse::find_language(file.row->language) : nullptr);
    if (text && is_read(before.language)) {
      CODEXMEM_ASSIGN(before.facts, extractor.extract(*before.language, text->text, {}, stop_));
      before.text = std::move(text->text);
    }
    return before;
  }

  static bool is_checked(const parse::Language* language) {
    return language != nullptr && graph::checks_uses(parse::family_of(*language));
  }

  // True also for languages of which only calls and the syntax are looked at.
  static bool is_read(const parse::Language* language) {
    return language != nullptr && graph::resolves_names(parse::family_of(*language));
  }

  Result<void> compare(store::StoreReader& after, const Changed& file, const Before& before) {
    if (before.language == nullptr || !before.language->has_grammar) return {};
    CODEXMEM_ASSIGN(const auto facts, compare_text(after, file, before));
    if (!is_checked(before.language)) {
      if (selection_.holds(file.change->path)) ++report_.other[std::string(before.language->name)];
      return {};
    }
    ++report_.files_checked;
    if (!before.facts || (file.row && !facts)) return {};
    const graph::Family family = graph::family_of(before.language->name);
    auto& imports = scope_.imports[file.change->path];
    for (const parse::Import& import : before.facts->imports) {
      imports.emplace(import.path, "");
      for (const parse::ImportedName& name : import.names) {
        imports.emplace(import.path, before.facts->names[name.imported]);
      }
    }
    std::vector<store::SymbolRow> symbols;
    std::set<std::string> given;
    if (file.row) {
      CODEXMEM_ASSIGN(symbols, after.list_symbols(file.row->id));
      given = graph::semantics_of(family).names_given(*facts);
    }
    std::set<std::string> now, then;
    for (const store::SymbolRow& symbol : symbols) now.insert(symbol.qualified_name());
    // Removed and added names of one kind in one place: if there is one of each, it was renamed.
    std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> changes;
    for (const parse::Symbol& symbol : before.facts->symbols) {
      if (!then.insert(symbol.qualified_name).second) continue;
      if (symbol.name_range.empty() || now.contains(symbol.qualified_name)) continue;
      scope_.gone.push_back(
          {file.change->path, symbol.name, name_in_file(*before.facts, symbol), family});
      const std::size_t outer = symbol.qualified_name.size() - symbol.name.size();
      const std::string container = symbol.qualified_name.substr(0, outer > 0 ? outer - 1 : 0);
      changes[symbol.kind + ' ' + container].first.push_back(symbol.name);
    }
    // Names that it imported and exported again.
    if (file.row) {
      for (const std::string& name : graph::semantics_of(family).names_given(*before.facts)) {
        if (given.contains(name) || then.contains(name)) continue;
        scope_.gone.push_back({file.change->path, name, name, family, /*is_handed_on=*/true});
      }
    }
    for (const store::SymbolRow& symbol : symbols) {
      if (then.contains(symbol.qualified_name())) continue;
      changes[symbol.kind + ' ' + symbol.container].second.push_back(symbol.name);
    }
    for (const auto& [place, names] : changes) {
      if (names.first.size() != 1 || names.second.size() != 1) continue;
      new_names_.insert_or_assign({file.change->path, names.first.front()}, names.second.front());
    }
    return {};
  }

  // Finds calls and text that are wrong now. The facts of the file after the change, if they can be
  // read.
  Result<std::optional<parse::FileFacts>> compare_text(store::StoreReader& after,
                                                       const Changed& file, const Before& before) {
    std::optional<parse::FileFacts> none;
    if (!before.facts || !file.row) return none;
    CODEXMEM_ASSIGN(const auto packed, after.find_facts(file.row->id));
    auto facts = parse::decode_facts(packed.value_or(""));
    if (!facts.ok()) {
      report_.unchecked.push_back({.path = file.change->path,
                                   .name = file.change->path,
                                   .why = "the file's facts cannot be read: `codexmem index "
                                          "--force` reads it again"});
      return none;
    }
    CODEXMEM_ASSIGN(const auto content, after.find_content(file.row->id));
    if (packed && content) {
      CODEXMEM_ASSIGN(const auto rows, after.list_symbols(file.row->id));
      find_calls(file.change->path, before, *facts, rows, *content);
      check_syntax(file.change->path, before, *facts, *content);
    }
    return std::optional(*std::move(facts));
  }

  // Finds text that the grammar does not accept any more.
  void check_syntax(const std::string& path, const Before& before, const parse::FileFacts& facts,
                    const std::string& text) {
    if (!knows_syntax(*before.language) || !selection_.holds(path)) return;
    if (!before.facts->unparsed.empty() || before.facts->truncated || facts.truncated) return;
    std::optional<std::uint32_t> at;
    if (!facts.unparsed.empty()) {
      // The part may be the whole file: its first line that differs says more.
      const ByteRange& part = facts.unparsed.front();
      const auto differs =
          static_cast<std::uint32_t>(std::ranges::mismatch(text, before.text).in1 - text.begin());
      at = part.contains(differs) ? differs : part.begin;
    } else {
      at = parse::find_missing_sign(*before.language, text);
    }
    if (!at || parse::find_missing_sign(*before.language, before.text)) return;
    const graph::SourceTexts::Text quoted(text);
    const Position position = quoted.lines.position_of(*at);
    report_.findings.push_back(
        {.kind = ChangeFinding::Kind::kSyntax,
         .path = path,
         .line = position.line,
         .column = position.column,
         .name = path,
         .target = {},
         .message = fmt::format("this cannot be read as {}; before the change it could",
                                before.language->name),
         .context = graph::quoted_line(quoted, position.line)});
  }

  // False for languages of which compilers accept more than our grammars do.
  static bool knows_syntax(const parse::Language& language) {
    return language.name != "c" && language.name != "cpp" &&
           language.repair != parse::Repair::kVue && language.repair != parse::Repair::kSvelte;
  }

  // The functions of a file that take other arguments than before.
  void find_calls(const std::string& path, const Before& before, const parse::FileFacts& facts,
                  const std::vector<store::SymbolRow>& rows, const std::string& text) {
    const auto then = graph::call_shapes(*before.facts, before.text, before.language->name,
                                         graph::modifiers_in(*before.facts));
    for (auto& [name, shape] :
         graph::call_shapes(facts, text, before.language->name, graph::modifiers_in(rows))) {
      const auto old = std::ranges::find(then, name, [](const auto& each) { return each.first; });
      if (old == then.end() || old->second == shape) continue;
      const std::string last = name.substr(name.rfind('.') + 1);  // (npos + 1 is 0)
      scope_.calls.push_back({path, last, name, old->second, std::move(shape)});
    }
  }

  // True for a file that exists but is not indexed, or that a build generates: git ignores it.
  bool is_explained(store::StoreReader& after, const BrokenUse& use) const {
    for (const std::string& base : places_of(use)) {
      if (base.starts_with("..")) return true;  // outside the indexed files
      for (const std::string_view ending : kModuleEndings) {
        const std::string path = base + std::string(ending);
        if (const auto skipped = after.find_skipped(path); skipped.ok() && *skipped) return true;
        if (changes_.is_ignored(path) || changes_.is_left_out(path)) return true;
      }
      for (fs::path above = fs::path(base).parent_path(); !above.empty();
           above = above.parent_path()) {
        const auto skipped = after.find_skipped(above.generic_string() + "/");
        if (skipped.ok() && *skipped) return true;
      }
    }
    return false;
  }

  // The possible paths of the imported file, without its extension.
  static std::vector<std::string> places_of(const BrokenUse& use) {
    const fs::path folder = fs::path(use.path).parent_path();
    const bool is_python = use.path.ends_with(".py") || use.path.ends_with(".pyi");
    if (use.kind == BrokenUse::Kind::kUse || use.kind == BrokenUse::Kind::kCall) return {};
    if (use.kind == BrokenUse::Kind::kName) {
      // The submodule may be a compiled extension.
      if (!is_python || fs::path(use.target).stem() != "__init__") return {};
      return {join_below(fs::path(use.target).parent_path(), use.name)};
    }
    if (!is_python) {
      std::string_view written =
          std::string_view(use.name).substr(0, use.name.find_first_of("?#", 1));
      if (!written.starts_with('.')) return {};
      while (written.ends_with('/')) written.remove_suffix(1);
      return {join_below(folder, written)};
    }
    std::string below = use.name;
    std::size_t dots = below.find_first_not_of('.');
    if (dots == std::string::npos) dots = below.size();
    below.erase(0, dots);
    std::replace(below.begin(), below.end(), '.', '/');
    std::vector<std::string> places;
    if (dots > 0) {
      fs::path from = folder;
      for (std::size_t i = 1; i < dots; ++i) from = from.parent_path();
      return {join_below(from, below)};
    }
    for (fs::path from = folder;; from = from.parent_path()) {
      places.push_back(join_below(from, below));
      if (from.empty()) break;
    }
    return places;
  }

  static ChangeFinding::Kind kind_of(const BrokenUse& use) {
    switch (use.kind) {
      case BrokenUse::Kind::kImport:
        return ChangeFinding::Kind::kImport;
      case BrokenUse::Kind::kName:
        return ChangeFinding::Kind::kName;
      case BrokenUse::Kind::kCall:
        return ChangeFinding::Kind::kCall;
      case BrokenUse::Kind::kUse:
        break;
    }
    return ChangeFinding::Kind::kUse;
  }

  Result<void> add_finding(store::StoreReader& after, BrokenUse use) {
    ChangeFinding finding;
    finding.path = std::move(use.path);
    finding.line = use.position.line;
    finding.column = use.position.column;
    finding.context = std::move(use.context);
    finding.target = std::move(use.target);
    finding.kind = kind_of(use);
    switch (use.kind) {
      case BrokenUse::Kind::kImport:
        finding.message = fmt::format("import of \"{}\": it leads to no file", use.name);
        break;
      case BrokenUse::Kind::kName:
        finding.message = fmt::format("import of {} from \"{}\": {} has no such name", use.name,
                                      use.module, finding.target);
        break;
      case BrokenUse::Kind::kUse:
        finding.message = fmt::format("use of {}: it is gone from {}", use.name, finding.target);
        break;
      case BrokenUse::Kind::kCall:
        finding.message = fmt::format("call of {} of {}: {}", use.name, finding.target, use.reason);
        break;
    }
    if (use.kind == BrokenUse::Kind::kName || use.kind == BrokenUse::Kind::kUse) {
      CODEXMEM_ASSIGN(const std::string elsewhere, find_elsewhere(after, use.name, finding.target));
      const auto renamed = new_names_.find({finding.target, use.name});
      if (!elsewhere.empty()) {
        finding.message += "; " + elsewhere + " has one";
      } else if (renamed != new_names_.end()) {
        finding.message += "; it may be " + renamed->second + " now";
      }
    }
    finding.name = std::move(use.name);
    report_.findings.push_back(std::move(finding));
    return {};
  }

  // A file that defines the name for others, if only one or two files do.
  static Result<std::string> find_elsewhere(store::StoreReader& after, const std::string& name,
                                            const std::string& than) {
    CODEXMEM_ASSIGN(const auto symbols, after.list_symbols_named(name));
    std::set<std::string> places;
    for (const store::SymbolRow& symbol : symbols) {
      if (!symbol.container.empty() || !symbol.exported) continue;
      CODEXMEM_ASSIGN(const auto file, after.find_file(store::file_of(symbol.id)));
      if (file && file->path != than) places.insert(file->path);
    }
    return places.empty() || places.size() > 2 ? std::string() : *places.begin();
  }

  store::Workspace& workspace_;
  GitChanges changes_;
  const Selection selection_;
  const std::vector<GivenRule>& rules_;
  std::stop_token stop_;
  std::mutex changes_mutex_;  // for changes_, while threads run
  std::unique_ptr<Snapshot> staged_, before_;
  store::Workspace* after_ = nullptr;
  graph::ChangeScope scope_;
  std::map<std::pair<std::string, std::string>, std::string> new_names_;  // by {path, old name}
  ChangeReport report_;
};

}  // namespace

std::string_view finding_kind_name(ChangeFinding::Kind kind) {
  switch (kind) {
    case ChangeFinding::Kind::kImport:
      return "import";
    case ChangeFinding::Kind::kName:
      return "name";
    case ChangeFinding::Kind::kRule:
      return "rule";
    case ChangeFinding::Kind::kShared:
      return "shared";
    case ChangeFinding::Kind::kCall:
      return "call";
    case ChangeFinding::Kind::kSyntax:
      return "syntax";
    case ChangeFinding::Kind::kUse:
      break;
  }
  return "use";
}

std::string possible_use(std::string_view name, std::size_t places) {
  return fmt::format("{} with the name {} may use what is gone: what {} to is unknown",
                     counted(places, "place"), name, places == 1 ? "it belongs" : "they belong");
}

Result<ChangeReport> check_changes(store::Workspace& workspace, GitChanges changes,
                                   const std::vector<std::string>& paths,
                                   const std::vector<GivenRule>& rules, std::stop_token stop) {
  return ChangeCheck(workspace, std::move(changes), paths, rules, std::move(stop)).run();
}

}  // namespace codexmem::index

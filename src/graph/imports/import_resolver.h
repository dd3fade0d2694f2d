// graph/imports/import_resolver.h - which file an import means.
//
// Works on a snapshot of the repository: the indexed paths, and the text of a few configuration
// files (tsconfig, package.json, pyproject.toml) read on demand. Made once for an index run;
// results and configuration are cached inside, so it belongs to one thread. Each family of
// languages that resolves names has a finder of its own (graph/core/module_finder.h); an import
// never leads from one to the other. Design: docs/how-it-works.md, "Imports".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/line_index.h"
#include "parse/facts/facts.h"
#include "parse/rules/languages.h"
#include "store/code/code_rows.h"

namespace codexmem::graph {

/// A file of the snapshot.
struct ProjectFile {
  store::FileId id{};
  std::string path;                             // relative to the root, '/' between
  parse::Family family = parse::Family::kNone;  // says how its imports are read
};

/// Where configuration files are read from. One thread.
class ConfigSource {
 public:
  virtual ~ConfigSource() = default;

  /// The text of the file at `path` (relative to the root), or nothing when it does not exist.
  /// Called for every file whose contents affect what imports mean. A file that is not indexed
  /// (ignored, too large) may be read from disk; nothing outside the root may.
  virtual std::optional<std::string> read(std::string_view path) = 0;
};

/// A declaration, as an import may name it.
struct Declaration {
  store::FileId file{};
  std::string container;    // the qualified name of what it is declared in, "" at the top
  std::string kind;         // as Symbol::kind
  bool is_inner = false;    // of a symbol of its file
  bool is_private = false;  // says so
};

/// Where declarations are looked up that imports name. One thread.
class DeclarationSource {
 public:
  virtual ~DeclarationSource() = default;

  /// The declarations called `name`, in any order. Of namespaces only those that a file says to be
  /// in: `namespace a.b` declares a.b and not a.
  virtual std::vector<Declaration> find(std::string_view name) = 0;

  /// The package that a file says to be in; "" if it says none.
  virtual std::string package_of(store::FileId file) = 0;
};

/// True for a file with a name of import configuration, in any folder: tsconfig.json, package.json,
/// pyproject.toml and others.
bool is_configuration(std::string_view path);

/// The most bytes of a configuration file that are read: 1 MB; a compile_commands.json has 32.
std::uint64_t max_configuration_bytes(std::string_view path);

/// A file that an import leads to.
struct ImportTarget {
  store::FileId id{};
  std::string path;
  std::string module;  // Python: the dotted name that was looked up, relative ones with their dots
                       // (`from .a import b` gives ".a", or ".a.b" for the submodule b); else empty
  std::vector<std::string> symbols;  // names imported from it: "default", "*" for all of them
};

struct ResolvedImport {
  /// The imported module first, then submodules that the names of a Python import mean. Empty when
  /// the import is external, or means nothing in the snapshot.
  std::vector<ImportTarget> targets;
  bool is_external = false;          // a package or built-in module from outside the repository
  bool is_guess = false;             // without targets it is not an import
  std::string package;               // of an external one: "lodash", "@scope/name", "fs", "os"
  std::vector<std::string> symbols;  // names imported, whether found or not
};

class ImportResolver {
 public:
  /// `files` in any order; `config` must outlive the resolver. `unindexed` are paths of further
  /// files that are is_configuration(): what they say holds though they are ignored. Without
  /// `declarations`, which must outlive it too, what imports name is known by paths alone.
  ImportResolver(std::span<const ProjectFile> files, ConfigSource& config,
                 std::vector<std::string> unindexed = {},
                 DeclarationSource* declarations = nullptr);
  ~ImportResolver();
  ImportResolver(ImportResolver&&) noexcept;
  ImportResolver& operator=(ImportResolver&&) noexcept;

  /// Resolves `facts.imports[import]` of `source`. A file of a family whose names are not resolved
  /// finds nothing. About a microsecond when the specifier was met before in the same folder.
  ResolvedImport resolve(const ProjectFile& source, const parse::FileFacts& facts,
                         std::uint32_t import);

  /// The rows of table dependencies for the file `source`, in the order of its imports; import_path
  /// is as written. Several rows have one import_index when an import leads to several files; their
  /// `package` is then ImportTarget::module. An import that is neither external nor found has one
  /// row without target.
  ///
  /// `lines[i]` is the 1-based line of import i; import_lines() gives it.
  std::vector<store::DependencyRow> make_dependencies(const ProjectFile& source,
                                                      const parse::FileFacts& facts,
                                                      std::span<const std::uint32_t> lines);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The names that imports of other files may have as a part of their paths and that `before` and
/// `after`, versions of a file of `family`, do not both declare in the same place. None where
/// imports are not looked up by declarations (LanguageTraits::imports_name_declarations).
std::set<std::string> changed_declarations(parse::Family family, const parse::FileFacts& before,
                                           const parse::FileFacts& after);

/// The 1-based line of each import of `facts`.
std::vector<std::uint32_t> import_lines(const parse::FileFacts& facts, const LineIndex& lines);

}  // namespace codexmem::graph

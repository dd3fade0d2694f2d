// graph/core/language_rules.h - the questions of packages, renames and change checks to a language.
//
// Each class is a part of LanguageSemantics (core/language_semantics.h) that resolution does not
// need. The defaults are the answers for an unknown language.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "parse/facts/facts.h"

namespace codexmem::store {
class CodeReader;
struct SymbolRow;
}  // namespace codexmem::store

namespace codexmem::graph {

class FileModel;
class HiddenNames;
class Resolver;
struct Entity;
using Entities = std::vector<Entity>;

/// The files of a package, and the names that they share without imports.
class PackageRules {
 public:
  virtual ~PackageRules() = default;

  /// The build condition for the file at `path` with that text, as the language writes it; "" for
  /// every build. Files may declare one name under different conditions.
  virtual std::string build_condition(std::string_view path, std::string_view text) const;

  /// False if certainly no build has both files.
  virtual bool may_build_together(const FileModel& file, const FileModel& other) const;

  /// True for a file that may export names without declaring them.
  virtual bool may_export_unseen(const FileModel& file) const;

  /// Where packages are folders: false for a file of the folder that importers do not see.
  virtual bool is_part_of_package(std::string_view path) const;
};

/// Ties between names and something outside of the code that uses them.
class RenameRules {
 public:
  virtual ~RenameRules() = default;

  /// Why `symbol` of `file` cannot be renamed to `new_name` everywhere: the language or a tool
  /// knows it by its name. Empty: no objection is known.
  virtual std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                                   std::string_view new_name) const;

  /// Why code outside of the repository may need member `symbol` of `file` under its present name,
  /// invisible in the repository: a type of another module implements the interface. Empty: no such
  /// code.
  virtual std::string tied_outside(Resolver& resolver, const FileModel& file,
                                   std::uint32_t symbol) const;

  /// False if occurrence `index` of `file`, a member of an unknown receiver, certainly is not
  /// `member`: by its form, or by what is before it.
  virtual bool may_be(const FileModel& file, std::uint32_t index, const Entity& member) const;

  /// Symbols that the language gives a name made of this one's, so that they are renamed with it:
  /// of Ruby's attr_reader :a the variable @a, and the other way round.
  virtual std::vector<std::pair<const FileModel*, std::uint32_t>> named_after(
      Resolver& resolver, const FileModel& file, std::uint32_t symbol) const;

  /// The path that `file` needs when its symbol `symbol` is renamed to `new_name`; empty: the path
  /// stays.
  virtual std::string path_for(const FileModel& file, std::uint32_t symbol,
                               std::string_view new_name) const;
};

/// The verdict on a name that was not found: it exists, it does not or, if `hidden` says why, it
/// may exist.
struct Verdict {
  bool is_found = true;
  std::string hidden = {};
  bool is_of_unknown = false;  // a member of an unknown receiver
};

/// Rules for uses that a change breaks.
class ChangeRules {
 public:
  virtual ~ChangeRules() = default;

  /// The names that other files can import from this one, as it declares itself, without names of
  /// star exports.
  virtual std::set<std::string> names_given(const parse::FileFacts& facts) const;

  /// True for an import that can only name a file.
  virtual bool names_a_file(std::string_view import_path) const;

  /// The verdict on `name`, which an import of `file` wants from module `target`; exported() gave
  /// only `found`, which holds no known entity.
  virtual Verdict judge_missing_export(HiddenNames& hidden, const FileModel& file,
                                       std::uint32_t import, const FileModel& target,
                                       const std::string& name, const Entities& found,
                                       bool was_defined) const;

  /// `file` and the modules that it star-imports.
  virtual std::vector<const FileModel*> modules_of(Resolver& resolver, const FileModel& file) const;

  /// Why other files may find `name` in `module`, which may change its names when it runs.
  virtual std::string hidden_in_module(HiddenNames& hidden, const FileModel& module,
                                       bool was_defined) const;

  /// Why a bare `name` may mean something in `module`.
  virtual std::string hidden_in_scope(HiddenNames& hidden, const FileModel& module,
                                      const std::string& name) const;

  /// Why a type may have members that its declaration does not show.
  virtual std::string hidden_in_type(HiddenNames& hidden, const FileModel& file,
                                     const parse::Symbol& type) const;

  /// Why module `path`, as an import in `file` writes it, may be found at run time.
  virtual Result<std::string> hidden_module(HiddenNames& hidden, store::CodeReader& reader,
                                            const FileModel& file, std::string_view path) const;
};

}  // namespace codexmem::graph

// graph/core/hidden_names.h - where a name may exist without a visible declaration, and why.
//
// A module that answers to any name (__getattr__), a class with a base from outside, a file that
// was only partly understood: undeclared names may exist there all the same, so a use of one cannot
// be called broken. Each question is about one name. The answer is the reason, as a text for
// people; it is empty when the name certainly does not exist. Reads through the caller's Resolver
// and SourceTexts. One thread, one question. Design: docs/how-it-works.md, "Check".
//
// Nothing is reported of a name that is gone, or newly imported, where one of these may have it:
//
//   Python module       __getattr__; globals()[x] =, exec(); its own entry of sys.modules replaced;
//                       a star import from outside; a function with `global NAME`; __path__
//                       changed: submodules. Not: a __getattr__ of its classes, sys.modules["x"],
//                       globals()["x"] that is read
//   ECMAScript module   `export *` from outside, CommonJS exports of unknown shape, a script
//                       without imports and exports
//   class               a base from outside, except bases of the language whose members are known
//                       (Exception, ABC, Error); __getattr__, a decorator (not dataclass and the
//                       like), a metaclass, setattr(self, ...); an index signature, computed or
//                       copied members; a subclass in the repository that has the name
//   unknown receiver    a member that is gone, if nothing else in the repository has the name and
//                       the library has none of it
//   unparsed part       names in it, and names that the file defines elsewhere
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"

namespace codexmem::graph {

class HiddenNames {
 public:
  HiddenNames(Resolver& resolver, SourceTexts& texts) : resolver_(resolver), texts_(texts) {}

  /// Why other files may find `name` in module `file`. With `was_defined` it is not a submodule:
  /// the file itself defined it before.
  std::string in_module(const FileModel& file, const std::string& name, bool was_defined);

  /// Why a bare `name` that no scope of `file` binds may mean something there.
  std::string in_scope(const FileModel& file, const std::string& name);

  /// Why the receiver before a dot may have a member `name`.
  std::string in_receiver(const Entity& receiver, const std::string& name, bool was_defined);

  /// True if the type of `receiver` extends a type from outside the repository.
  bool has_foreign_base(const Entity& receiver);

  /// A class or object and all that it extends, itself first: symbols of the repository only.
  Entities types_of(const Entity& receiver);

  /// `file` and the modules whose names it takes over by star imports.
  std::vector<const FileModel*> modules_of(const FileModel& file) {
    return file.semantics.modules_of(resolver_, file);
  }

  /// The text of a file; empty if it cannot be read.
  std::string_view text_of(const FileModel& file);
  Resolver& resolver() { return resolver_; }

 private:
  bool may_be_misread(const FileModel& file, const std::string& name);
  std::string in_type(const Entity& type, const std::string& name);
  std::vector<std::string> foreign_bases(const Entity& type);

  Resolver& resolver_;
  SourceTexts& texts_;
};

}  // namespace codexmem::graph

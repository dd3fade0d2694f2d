// graph/core/hidden_names.h - where a name may be though no declaration shows it, and why.
//
// A module that answers to any name (__getattr__), a class with a base from outside, a file that
// was not understood as a whole: what is not declared there may exist all the same, so nothing can
// be said of its uses. Each question is about one name, and the answer is the reason in words for
// people, or empty where the name is known not to be there. Reads through the caller's Resolver and
// SourceTexts. One thread, one question. Design: docs/design/git.md.
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

  /// Why other files may find `name` in module `file`. With `was_defined` it is no submodule: the
  /// file itself defined it before.
  std::string in_module(const FileModel& file, const std::string& name, bool was_defined);

  /// Why a bare `name` that no scope of `file` binds may mean something there.
  std::string in_scope(const FileModel& file, const std::string& name);

  /// Why what stands before a dot may have a member `name`.
  std::string in_receiver(const Entity& receiver, const std::string& name, bool was_defined);

  /// True if what `receiver` is extends something that is not of the repository.
  bool has_foreign_base(const Entity& receiver);

  /// A class or object and all that it extends, itself first: symbols. Without what is not of the
  /// repository.
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

// graph/unused/name_state.h - what the names of one state of a repository mean, and what may hide.
//
// For graph/uses/broken_uses.h, which compares two states. One thread, one question.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/uses/broken_uses.h"
#include "graph/core/hidden_names.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/stored/facts_cache_impl.h"

namespace codexmem::graph {

/// Removed names: the file, and the qualified name in it; true if the symbol was defined there.
using GoneNames = std::map<std::pair<std::string, std::string>, bool>;

GoneNames names_of(const std::vector<GoneSymbol>& gone);

/// True if symbol `symbol` of `file`, or its member `member`, is gone.
bool is_gone(const GoneNames& gone, const FileModel& file, std::uint32_t symbol,
             std::string_view member = {});

/// True if occurrence `index` of `file` uses a name: it declares, imports or documents none.
bool is_use(const FileModel& file, std::uint32_t index);

/// A state of the files, with what a question of it needs.
class NameState {
 public:
  NameState(FactsCache& cache, store::CodeReader& reader, const GoneNames& gone)
      : cache_(cache.impl()), reader_(reader), gone_(gone), texts_(reader) {}

  Result<void> open() {
    CODEXMEM_ASSIGN(auto moment, reader_.begin_read());
    moment_.emplace(std::move(moment));
    resolver_.emplace(cache_, reader_);
    hidden_.emplace(*resolver_, texts_);
    return {};
  }

  QuestionFiles& files() { return resolver_->files(); }
  Resolver& resolver() { return *resolver_; }
  store::CodeReader& reader() { return reader_; }

  const FileModel* model(std::string_view path);

  /// What module import `import` of `file` leads to, if that is a file whose names are known.
  const FileModel* module(const FileModel& file, std::uint32_t import);

  /// The verdict on name `name` of import `import`.
  Verdict judge_import(const FileModel& file, std::uint32_t import, std::uint32_t name);

  /// The verdict on a bare name.
  Verdict judge_name(const FileModel& file, std::uint32_t index);

  /// The verdict on a member.
  Result<Verdict> judge_member(const FileModel& file, std::uint32_t index);

  /// True if something that is gone was called `name` in one of the modules that `file` takes names
  /// from, or in what `receiver` is or extends.
  bool was_in(const FileModel& file, const std::string& name);
  bool was_in(const Entity& receiver, const std::string& name);

  HiddenNames& hidden() { return *hidden_; }
  SourceTexts& texts() { return texts_; }

 private:
  static bool is_typed(const Entity& entity);

  /// Why a value of type `receiver` may be of a subtype that has member `name`.
  Result<std::string> in_subtype(const Entity& receiver, const std::string& name);

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  const GoneNames& gone_;
  std::optional<store::ReadMoment> moment_;
  std::optional<Resolver> resolver_;
  SourceTexts texts_;
  std::optional<HiddenNames> hidden_;
};

}  // namespace codexmem::graph

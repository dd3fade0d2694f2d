// exchange/code_walk.h - goes through the code of a repository, file by file, with what its names
// certainly mean.
//
// Results of the resolver are dropped every few files, so memory does not grow with the repository.
// One thread. The reader sees one moment meanwhile.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/result.h"
#include "graph/core/certain_meaning.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::exchange {

/// A file of a language with a grammar. Valid during the callback.
struct WalkedFile {
  const store::FileRow& row;
  const graph::FileModel& model;
  graph::Resolver& resolver;
  graph::CertainMeanings& meanings;
};

struct WalkedFiles {
  std::size_t files = 0;
  std::size_t without_grammar = 0;  // texts, configuration, languages that are only text
  std::size_t unread = 0;           // their facts could not be read
};

/// Calls `visit` with each file, by path. Errors: of `visit`; kCancelled; the store's errors.
Result<WalkedFiles> walk_code(graph::FactsCache& cache, store::CodeReader& reader,
                              const std::function<Result<void>(WalkedFile&)>& visit);

}  // namespace codexmem::exchange

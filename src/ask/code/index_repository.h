// ask/code/index_repository.h - index_repository: brings the index up to the files, with progress.
#pragma once

#include <cstdint>
#include <string>

#include "ask/question.h"
#include "base/result.h"
#include "index/run/indexer.h"
#include "index/repository_status.h"
#include "store/code/workspace.h"

namespace codexmem::ask {

struct IndexRepositoryParams {
  index::IndexOptions options;    // path as it was given
  bool wants_embeddings = false;  // skip_embeddings was given, and is false

  void complete(const Context& context, const ToolArguments& given);
};

struct IndexRepositoryAnswer : Answer {
  std::string root;
  std::string path;  // relative to the root; empty: the whole repository
  index::IndexReport report;
  // With a model that does not run in this program: files that wait for its vectors, and why the
  // last attempt to make any has failed; empty when it has not.
  std::uint64_t embeddings_pending = 0;
  std::string embeddings_error = {};

  Written to_json() const override;
};

/// With `wants_embeddings` it ends when a remote model has made all vectors, or an attempt to make
/// them has failed, which is an error with kEmbeddingFailure as its details.
///
/// Errors: kInvalidArgument for a path out of the root; kNotFound when there is nothing at path;
/// kCancelled, and then each file is as it was before or as it is now; the store's.
Result<IndexRepositoryAnswer> run(const Context& context, const IndexRepositoryParams& params);

/// Fills in embeddings_pending and embeddings_error. Errors: the store's.
Result<void> add_embedding_state(store::Workspace& workspace, const index::ProviderStatus& provider,
                                 IndexRepositoryAnswer* answer);

extern const Question kIndexRepository;

}  // namespace codexmem::ask

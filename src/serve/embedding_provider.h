// serve/embedding_provider.h - chooses the embedding model by the user's settings.
//
//     CODEXMEM_EMBEDDING_PROVIDER           builtin | openai | none
//     CODEXMEM_OPENAI_EMBEDDING_MODEL       chooses openai when no provider is named
//     CODEXMEM_OPENAI_EMBEDDING_BASE_URL    else CODEXMEM_OPENAI_BASE_URL, else OpenAI's own
//     CODEXMEM_OPENAI_EMBEDDING_API_KEY     else CODEXMEM_OPENAI_API_KEY, else OPENAI_API_KEY
//
// A key alone chooses nothing. A provider that is named but cannot be used is never replaced by
// another one: then there are no vectors, and answers say why. Design: docs/how-it-works.md,
// "Vectors".
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "config/settings.h"
#include "embed/embedder.h"
#include "index/run/indexer.h"
#include "index/repository_status.h"
#include "search/search.h"

namespace codexmem::serve {

struct EmbeddingProvider {
  std::string name;                                 // builtin, openai, none, or the requested name
  std::shared_ptr<const embed::Embedder> embedder;  // for a remote model; otherwise null
  std::string base_url, api_key;                    // for a remote model
  std::string problem;      // why it cannot be used, for display; empty if it can
  bool is_unknown = false;  // no provider has this name
  bool is_named = false;    // by CODEXMEM_EMBEDDING_PROVIDER; otherwise implied by other settings

  bool is_built_in() const { return name == "builtin"; }

  /// The id of its model; may be empty. Loads the built-in model.
  std::string model() const;

  index::ProviderStatus status() const;

  /// Makes an index run create the built-in model's vectors if that is the provider; they replace a
  /// remote model's vectors only if the provider is set explicitly.
  void apply_to(index::IndexOptions* options) const;

  /// The options of a search engine for it.
  search::SearchOptions search_options() const;
};

/// The configured provider; nothing is sent yet.
EmbeddingProvider choose_provider(const ReadSetting& setting);

}  // namespace codexmem::serve

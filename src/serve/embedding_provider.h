// serve/embedding_provider.h - which model makes the vectors, by the user's settings.
//
//     CODEXMEM_EMBEDDING_PROVIDER           builtin | openai | none
//     CODEXMEM_OPENAI_EMBEDDING_MODEL       chooses openai when no provider is named
//     CODEXMEM_OPENAI_EMBEDDING_BASE_URL    else CODEXMEM_OPENAI_BASE_URL, else OpenAI's own
//     CODEXMEM_OPENAI_EMBEDDING_API_KEY     else CODEXMEM_OPENAI_API_KEY, else OPENAI_API_KEY
//
// A key alone chooses nothing. A provider that is named but cannot be used is never replaced by
// another one: then there are no vectors, and answers say why. Design: docs/design/embed.md,
// "Providers".
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "config/settings.h"
#include "embed/embedder.h"
#include "index/indexer.h"
#include "index/repository_status.h"
#include "search/search.h"

namespace codexmem::serve {

struct EmbeddingProvider {
  std::string name;                                 // builtin, openai, none, or what was asked for
  std::shared_ptr<const embed::Embedder> embedder;  // of a remote model; null: there is none
  std::string base_url, api_key;                    // of a remote model
  std::string problem;      // why it cannot be used, for people; empty: it can
  bool is_unknown = false;  // there is no provider of this name
  bool is_named = false;    // by CODEXMEM_EMBEDDING_PROVIDER; else it follows from the rest

  bool is_built_in() const { return name == "builtin"; }

  /// The id of its model, empty when it has none. Loads the built-in one.
  std::string model() const;

  index::ProviderStatus status() const;

  /// Has an index run make the vectors that are its to make: those of the built-in model, which
  /// take the place of a remote one's only where it is named.
  void apply_to(index::IndexOptions* options) const;

  /// What a search engine needs to know of it.
  search::SearchOptions search_options() const;
};

/// The provider that the settings name; nothing is sent yet.
EmbeddingProvider choose_provider(const ReadSetting& setting);

}  // namespace codexmem::serve

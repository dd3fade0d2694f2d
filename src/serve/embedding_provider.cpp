#include "serve/embedding_provider.h"

#include <fmt/core.h>

#include <initializer_list>

#include "embed/openai_embedder.h"
#include "embed/static_model.h"
#include "net/http_client.h"

namespace codexmem::serve {
namespace {

// The value of the first of `names` that is set.
std::string first_set(const ReadSetting& setting, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::string value = setting(name); !value.empty()) return value;
  }
  return {};
}

void choose_openai(const ReadSetting& setting, EmbeddingProvider* provider) {
  embed::OpenAiOptions options;
  options.model = setting("CODEXMEM_OPENAI_EMBEDDING_MODEL");
  const std::string url =
      first_set(setting, {"CODEXMEM_OPENAI_EMBEDDING_BASE_URL", "CODEXMEM_OPENAI_BASE_URL"});
  if (!url.empty()) options.base_url = url;
  const bool is_openai = net::host_of(options.base_url) == net::host_of(embed::kOpenAiBaseUrl);
  options.api_key = first_set(
      setting, {"CODEXMEM_OPENAI_EMBEDDING_API_KEY", "CODEXMEM_OPENAI_API_KEY", "OPENAI_API_KEY"});
  if (options.model.empty()) {
    provider->problem = "CODEXMEM_OPENAI_EMBEDDING_MODEL is not set";
  } else if (net::host_of(options.base_url).empty()) {
    provider->problem = "the base URL of the embedding model is not an http:// or https:// address";
  } else if (options.api_key.empty() && is_openai) {
    provider->problem = "OPENAI_API_KEY is not set";
  } else {
    provider->base_url = options.base_url;
    provider->api_key = options.api_key;
    provider->embedder = embed::make_openai_embedder(std::move(options));
  }
}

}  // namespace

EmbeddingProvider choose_provider(const ReadSetting& setting) {
  EmbeddingProvider provider;
  provider.name = setting("CODEXMEM_EMBEDDING_PROVIDER");
  provider.is_named = !provider.name.empty();
  if (!provider.is_named) {
    provider.name = setting("CODEXMEM_OPENAI_EMBEDDING_MODEL").empty() ? "builtin" : "openai";
  }
  if (provider.name == "openai") {
    choose_openai(setting, &provider);
  } else if (!provider.is_built_in() && provider.name != "none") {
    provider.is_unknown = true;
    provider.problem = "unknown provider: choose builtin, openai or none";
  }
  if (!provider.problem.empty()) {
    provider.problem = fmt::format("the embedding provider \"{}\" cannot be used: {}",
                                   provider.name, provider.problem);
  }
  return provider;
}

std::string EmbeddingProvider::model() const {
  if (embedder != nullptr) return embedder->model_id();
  return is_built_in() ? embed::StaticModel::built_in_id() : std::string();
}

index::ProviderStatus EmbeddingProvider::status() const {
  return {name, model(), problem, is_named, embedder != nullptr};
}

void EmbeddingProvider::apply_to(index::IndexOptions* options) const {
  options->skip_embeddings = options->skip_embeddings || !is_built_in();
  options->replace_vectors = is_named;
}

search::SearchOptions EmbeddingProvider::search_options() const {
  search::SearchOptions options;
  options.embedder = embedder;
  options.use_vectors = is_built_in() || embedder != nullptr;
  options.why_no_vectors = problem;
  return options;
}

}  // namespace codexmem::serve

// embed/openai_embedder.h - vectors from a model behind an OpenAI-compatible endpoint.
//
// POST <base URL>/embeddings, supported by OpenAI, Ollama, llama.cpp, vLLM, LM Studio and many
// gateways. Sends only the texts and the model's name. Thread-safe. Design: docs/how-it-works.md,
// "Vectors".
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "embed/embedder.h"

namespace codexmem::embed {

inline constexpr char kOpenAiBaseUrl[] = "https://api.openai.com/v1";

struct OpenAiOptions {
  std::string base_url = kOpenAiBaseUrl;
  std::string model = {};
  std::string api_key = {};  // not sent if empty

  // Per request. OpenAI accepts 2,048 texts and 300,000 tokens; local servers fewer.
  std::size_t max_texts = 96;
  std::size_t max_batch_bytes = 200'000;
  std::size_t max_text_bytes = 8'000;  // longer texts are cut, between code points
  std::chrono::milliseconds timeout{60'000};

  int attempts = 6;                              // for a request with documents
  std::chrono::milliseconds first_delay{1'000};  // before the second attempt; doubles with each
  std::chrono::milliseconds max_delay{60'000};   // also limits the server's requested wait

  // A user waits for the vector of a query: one attempt, and after a failure none for a while.
  std::chrono::milliseconds query_timeout{3'000};
  std::chrono::milliseconds rest_after_failure{30'000};
  std::size_t kept_queries = 256;  // number of queries whose vectors are cached
};

/// The model at an endpoint; sends nothing yet.
///
/// model_id() is "openai:ADDRESS#MODEL", with net::address_of the base URL; dimension() comes from
/// the first answer, and every later one must have the same. Each text must be at least one byte
/// long.
///
/// embed_documents() retries failures that may be temporary (429, 5xx, no answer) and not others
/// (400, 401, 403, 404). A refused batch is halved until the refused text is found; that text is
/// cut shorter (after a 500 only if the server works and refuses the whole text again), and if no
/// prefix of it is accepted although other texts are, its vector is all zero. Errors, which name
/// the host and never contain the key: kIo when a retry may help; kInvalidArgument for a wrong
/// setting (key, model, address); kCorrupt for a malformed answer: not JSON, another number of
/// vectors or components, components that are not numbers.
std::shared_ptr<const Embedder> make_openai_embedder(OpenAiOptions options);

}  // namespace codexmem::embed

// embed/openai_embedder.h - vectors of a model behind an OpenAI-compatible endpoint.
//
// POST <base URL>/embeddings, as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and many gateways
// answer it. Nothing is sent but what is to be embedded and the model's name. Thread-safe. Design:
// docs/design/embed.md, "Providers".
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
  std::string api_key = {};  // empty: none is sent

  // Of one request. OpenAI takes 2,048 texts and 300,000 tokens; local servers less.
  std::size_t max_texts = 96;
  std::size_t max_batch_bytes = 200'000;
  std::size_t max_text_bytes = 8'000;  // longer texts are cut, between code points
  std::chrono::milliseconds timeout{60'000};

  int attempts = 6;                              // at a request for documents
  std::chrono::milliseconds first_delay{1'000};  // before the second attempt; doubles with each
  std::chrono::milliseconds max_delay{60'000};   // also of what the server asks for

  // Somebody waits for the vector of a question: one attempt, and after a failure none for a while.
  std::chrono::milliseconds query_timeout{3'000};
  std::chrono::milliseconds rest_after_failure{30'000};
  std::size_t kept_queries = 256;  // of which the vectors are remembered
};

/// The model at an endpoint; sends nothing yet.
///
/// model_id() is "openai:ADDRESS#MODEL", with net::address_of the base URL; dimension() is that of
/// the first answer, and every later one must have the same. Each text is at least one byte long.
///
/// embed_documents() tries again what may go better (429, 5xx, no answer) and not what will not
/// (400, 401, 403, 404). A batch that is refused is halved until the text is found that it is
/// about; that one is cut shorter (after a 500 only if the server is well and refuses the whole
/// text again), and if no prefix of it is taken either though others are, its vector is all zero.
/// Errors, which name the host and never hold the key: kIo when trying again may help;
/// kInvalidArgument when the setting is wrong (key, model, address); kCorrupt when the answer is
/// not as agreed: no JSON, another number of vectors or components, components that are no numbers.
std::shared_ptr<const Embedder> make_openai_embedder(OpenAiOptions options);

}  // namespace codexmem::embed

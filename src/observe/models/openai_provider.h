// observe/models/openai_provider.h - observations of a model behind an OpenAI-compatible endpoint.
//
// POST <base URL>/chat/completions, as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and many gateways
// answer it. One call a batch, and one more to repair an answer that could not be used; never an
// earlier batch again. Thread-safe. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "observe/models/provider.h"
#include "observe/work/token_budget.h"

namespace codexmem::observe {

inline constexpr char kOpenAiName[] = "openai";

struct ModelOptions {
  std::string base_url = "https://api.openai.com/v1";
  std::string model = {};
  std::string api_key = {};                              // empty: none is sent
  std::chrono::milliseconds timeout{45'000};             // of a call; the queue's lease is longer
  std::size_t max_prompt_bytes = std::size_t{64} << 10;  // of a batch
  std::size_t max_output_tokens = 4'000;
  std::shared_ptr<const TokenBudget> budget = {};  // null: nothing is counted
};

/// The model at an endpoint; sends nothing yet.
///
/// Failures, which name the host and never hold the key or anything of the events: timeout,
/// network, server_error (5xx, 408 counts as timeout) and rate_limit may pass, with what the server
/// asks for as retry_after; a quota or the day's budget that is used up is rate_limit and does not
/// pass; auth (401, 402, 403) and unknown (404, any other refusal, a model that refuses) do not;
/// parse_fail and schema_fail are what the repair call could not mend.
///
/// Structured output is asked for as JSON schema, else as JSON object, else in words alone: what a
/// server refuses with 400 is not asked for again. An answer that is too long for the model makes
/// the prompt shorter, twice at most.
std::unique_ptr<Provider> make_openai_provider(ModelOptions options);

}  // namespace codexmem::observe

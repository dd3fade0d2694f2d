// observe/work/batch.h - a claim as a request to a provider, and the provider's reply as rows.
//
// What a provider says is not trusted: it is redacted, cut to the limits of an entry and given a
// type that is one. Stateless; safe to use from many threads. Design: docs/how-it-works.md,
// "Queue".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/entries/citations.h"
#include "memory/memory.h"
#include "observe/models/provider.h"
#include "observe/intake/queue.h"

namespace codexmem::observe {

/// The code that `mentions` cites in the repository around a folder that a session works in
/// (serve/observed_code.h), as far as it is up to date when a stop is requested; may be empty.
using CiteInFolder = std::function<Result<std::vector<memory::Citation>>(
    const std::filesystem::path& folder, const memory::Mentions& mentions,
    const std::stop_token& stop)>;

/// The events of a claim of observations. Errors: the store's.
Result<ObserveRequest> observe_request(store::UserStore& store, const Claim& claim);

/// What a claim of a summary is to be made of: the session's public prompts up to its own and the
/// observations, both since the summary before it. Errors: the store's.
Result<SummarizeRequest> summarize_request(store::UserStore& store, const Claim& claim);

/// What became of a claim's observations.
struct PreparedObservations {
  std::vector<memory::PreparedEntry> entries;  // ready to be inserted
  struct Refused {
    MessageId message{};
    std::string reason;
  };
  std::vector<Refused> refused;  // those that cannot be kept: too much, or like a secret
};

/// Entries of a claim's observations, with the code that they cite; `tokens` are shared out among
/// them. An empty one is left out. Errors: the store's.
Result<PreparedObservations> prepare_observations(memory::Memory& memory, const CiteInFolder& cite,
                                                  const Claim& claim,
                                                  std::vector<Observation> observations,
                                                  std::int64_t tokens, std::stop_token stop);

/// The row of a summary; nothing when it says nothing.
Result<std::optional<memory::PreparedSummary>> prepare_summary(memory::Memory& memory,
                                                               const Claim& claim,
                                                               SessionSummary summary,
                                                               std::int64_t tokens);

}  // namespace codexmem::observe

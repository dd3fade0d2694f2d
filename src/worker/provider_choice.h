// worker/provider_choice.h - which provider the settings name, and what takes its place.
//
// CODEXMEM_PROVIDER (openai, the default, or rule-based), CODEXMEM_OPENAI_MODEL,
// CODEXMEM_OPENAI_BASE_URL, CODEXMEM_OPENAI_API_KEY, OPENAI_API_KEY, CODEXMEM_FALLBACK (rule-based,
// the default, or none), CODEXMEM_TOKEN_BUDGET (tokens a day; 0 or not set: no limit),
// CODEXMEM_OPENAI_TIMEOUT (seconds that a call may take, by default 45, at most 600). Nothing
// leaves the machine but to an endpoint that was named, or to OpenAI's with a key for it; without
// either it is rules. OPENAI_API_KEY goes to api.openai.com alone. Design: docs/worker.md,
// "Providers".
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "memory/clock.h"
#include "store/user_store.h"
#include "worker/provider.h"
#include "worker/token_budget.h"

namespace codexmem::worker {

inline constexpr char kDefaultModel[] = "gpt-4.1-mini";  // at api.openai.com

struct ChosenProvider {
  std::shared_ptr<const Provider> provider;   // never null
  std::shared_ptr<const Provider> rules;      // for what it cannot do; never null, maybe the same
  bool falls_back = true;                     // false: what it cannot do fails
  std::shared_ptr<const TokenBudget> budget;  // of the model; null: there is no model
  std::string problem;  // why it is not the provider that was asked for, for people; empty: it is
};

/// The provider that `setting` (a name to its value, empty when it is not set) names; nothing is
/// sent yet. `store` outlives it.
ChosenProvider choose_provider(const std::function<std::string(const char* name)>& setting,
                               store::UserStore& store,
                               const memory::Clock& clock = memory::system_clock());

}  // namespace codexmem::worker

// observe/models/provider_choice.h - which provider the settings name, and what takes its place.
//
// CODEXMEM_PROVIDER (openai, the default, or rule-based), CODEXMEM_OPENAI_MODEL,
// CODEXMEM_OPENAI_BASE_URL, CODEXMEM_OPENAI_API_KEY, OPENAI_API_KEY, CODEXMEM_FALLBACK (rule-based,
// the default, or none), CODEXMEM_TOKEN_BUDGET (tokens a day; 0 or not set: no limit),
// CODEXMEM_OPENAI_TIMEOUT (seconds that a call may take, by default 45, at most 600). Many shells
// export OPENAI_API_KEY for other programs, so alone it is not a choice: a model is used only if
// one of the CODEXMEM_ settings above names the provider or something of its model. Then
// OPENAI_API_KEY is its key where CODEXMEM_OPENAI_API_KEY is not set, whatever the endpoint.
// Design: docs/how-it-works.md, "Observations".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "memory/clock.h"
#include "config/settings.h"
#include "store/user/user_store.h"
#include "observe/models/openai_provider.h"
#include "observe/models/provider.h"
#include "observe/work/token_budget.h"

namespace codexmem::observe {

inline constexpr char kDefaultModel[] = "gpt-4.1-mini";  // at api.openai.com

/// What the settings say of the model of observations.
struct ModelChoice {
  bool is_used = false;  // false: observations are made by rules
  ModelOptions options;  // of the model
  std::string problem;   // why rules take the place of what was asked for; empty: they do not
  bool has_unused_key = false;  // OPENAI_API_KEY is there, and nothing chooses a model
};

/// Reads them; sends nothing.
ModelChoice choose_model(const ReadSetting& setting);

/// How to use the key that was found, and what that means; for people.
inline constexpr std::string_view kUnusedKeyHint =
    "OPENAI_API_KEY was found and is not used; to use it, run `codexmem config set provider "
    "openai` and restart the worker: prompts and what tools read and print then go to "
    "api.openai.com, which charges for them";

struct ChosenProvider {
  std::shared_ptr<const Provider> provider;   // never null
  std::shared_ptr<const Provider> rules;      // for what it cannot do; never null, maybe the same
  bool falls_back = true;                     // false: what it cannot do fails
  std::shared_ptr<const TokenBudget> budget;  // of the model; null: there is no model
  std::string problem;  // why it is not the provider that was asked for, for people; empty: it is
  std::string hint;     // kUnusedKeyHint where it holds, else empty
};

/// The provider that `setting` (a name to its value, empty when it is not set) names; nothing is
/// sent yet. `store` outlives it.
ChosenProvider choose_provider(const ReadSetting& setting, store::UserStore& store,
                               const memory::Clock& clock = memory::system_clock());

}  // namespace codexmem::observe

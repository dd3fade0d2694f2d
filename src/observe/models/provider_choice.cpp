// Tested by observe/openai_provider_test.cpp.
#include "observe/models/provider_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "net/http_client.h"
#include "observe/work/rule_based_provider.h"

namespace codexmem::observe {
namespace {

using std::chrono_literals::operator""s;

constexpr std::int64_t kMaxTimeoutSeconds = 600;

// `usual` without one; nothing when it is not a number from 0 on.
std::optional<std::int64_t> read_number(std::string_view text, std::int64_t usual) {
  if (text.empty()) return usual;
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// A model is chosen by its provider's name or by anything that is set for it.
bool names_model(const ReadSetting& setting) {
  constexpr const char* kNames[] = {"CODEXMEM_PROVIDER", "CODEXMEM_OPENAI_MODEL",
                                    "CODEXMEM_OPENAI_BASE_URL", "CODEXMEM_OPENAI_API_KEY",
                                    "CODEXMEM_OPENAI_TIMEOUT"};
  return std::ranges::any_of(kNames, [&](const char* name) { return !setting(name).empty(); });
}

}  // namespace

ModelChoice choose_model(const ReadSetting& setting) {
  ModelChoice choice;
  const auto use_rules = [&](std::string problem) {
    choice.problem = std::move(problem);
    return choice;
  };
  const std::string shared_key = setting("OPENAI_API_KEY");
  if (!names_model(setting)) {
    choice.has_unused_key = !shared_key.empty();
    return choice;
  }
  const std::string name = setting("CODEXMEM_PROVIDER");
  if (name == kRuleBasedName) return choice;
  if (!name.empty() && name != kOpenAiName) {
    return use_rules(
        fmt::format("there is no provider \"{}\": openai or rule-based; rules are used", name));
  }

  ModelOptions& options = choice.options;
  const std::string url = setting("CODEXMEM_OPENAI_BASE_URL");
  if (!url.empty()) options.base_url = url;
  const bool is_openai = net::host_of(options.base_url) == net::host_of(ModelOptions{}.base_url);
  options.model = setting("CODEXMEM_OPENAI_MODEL");
  options.api_key = setting("CODEXMEM_OPENAI_API_KEY");
  if (options.api_key.empty()) options.api_key = shared_key;
  if (options.model.empty() && is_openai) options.model = kDefaultModel;
  if (is_openai && options.api_key.empty()) {
    return use_rules("the provider openai has no key; rules are used");
  }
  if (net::host_of(options.base_url).empty()) {
    return use_rules(
        "CODEXMEM_OPENAI_BASE_URL is not an http:// or https:// address; rules are used");
  }
  if (options.model.empty()) {
    return use_rules(fmt::format("CODEXMEM_OPENAI_MODEL is not set, which {} needs; rules are used",
                                 net::host_of(options.base_url)));
  }
  const auto seconds = read_number(setting("CODEXMEM_OPENAI_TIMEOUT"), options.timeout / 1s);
  if (!seconds || *seconds == 0 || *seconds > kMaxTimeoutSeconds) {
    return use_rules(
        "CODEXMEM_OPENAI_TIMEOUT is not a number of seconds from 1 to 600; rules are used");
  }
  options.timeout = std::chrono::seconds(*seconds);
  // A limit that was meant is not no limit.
  if (!read_number(setting("CODEXMEM_TOKEN_BUDGET"), 0)) {
    return use_rules("CODEXMEM_TOKEN_BUDGET is not a number of tokens; rules are used");
  }
  choice.is_used = true;
  return choice;
}

ChosenProvider choose_provider(const ReadSetting& setting, store::UserStore& store,
                               const memory::Clock& clock) {
  ModelChoice choice = choose_model(setting);
  ChosenProvider chosen;
  chosen.rules = make_rule_based_provider();
  chosen.provider = chosen.rules;
  chosen.falls_back = setting("CODEXMEM_FALLBACK") != "none";
  chosen.problem = std::move(choice.problem);
  if (choice.has_unused_key) chosen.hint = kUnusedKeyHint;
  if (!choice.is_used) return chosen;
  const auto limit = read_number(setting("CODEXMEM_TOKEN_BUDGET"), 0);
  chosen.budget = std::make_shared<const TokenBudget>(store, clock, kOpenAiName, limit.value_or(0));
  choice.options.budget = chosen.budget;
  chosen.provider = make_openai_provider(std::move(choice.options));
  return chosen;
}

}  // namespace codexmem::observe

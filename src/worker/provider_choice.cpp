// Tested by worker/openai_provider_test.cpp.
#include "worker/provider_choice.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <optional>

#include "base/text.h"
#include "net/http_client.h"
#include "worker/openai_provider.h"
#include "worker/rule_based_provider.h"

namespace codexmem::worker {
namespace {

using std::chrono_literals::operator""s;

constexpr std::int64_t kMaxTimeoutSeconds = 600;

// `usual` when there is none; nothing when it is no number from 0 on.
std::optional<std::int64_t> read_number(std::string_view text, std::int64_t usual) {
  if (text.empty()) return usual;
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

ChosenProvider choose_provider(const std::function<std::string(const char* name)>& setting,
                               store::UserStore& store, const memory::Clock& clock) {
  ChosenProvider chosen;
  chosen.rules = make_rule_based_provider();
  const auto use_rules = [&](std::string problem) {
    chosen.provider = chosen.rules;
    chosen.problem = std::move(problem);
    return std::move(chosen);
  };

  const std::string fallback = setting("CODEXMEM_FALLBACK");
  chosen.falls_back = fallback != "none";
  std::string name = setting("CODEXMEM_PROVIDER");
  const bool is_named = !name.empty();
  if (!is_named) name = kOpenAiName;
  if (name == kRuleBasedName) return use_rules({});
  if (name != kOpenAiName) {
    return use_rules(
        fmt::format("there is no provider \"{}\": openai or rule-based; rules are used", name));
  }

  ModelOptions options;
  const std::string url = setting("CODEXMEM_OPENAI_BASE_URL");
  if (!url.empty()) options.base_url = url;
  const bool is_openai = net::host_of(options.base_url) == net::host_of(ModelOptions{}.base_url);
  options.model = setting("CODEXMEM_OPENAI_MODEL");
  options.api_key = setting("CODEXMEM_OPENAI_API_KEY");
  // Set for OpenAI by whoever set it: no other host sees it.
  if (options.api_key.empty() && is_openai) options.api_key = setting("OPENAI_API_KEY");
  if (options.model.empty() && is_openai) options.model = kDefaultModel;
  if (is_openai && options.api_key.empty()) {
    return use_rules(is_named ? "the provider \"openai\" has no OPENAI_API_KEY; rules are used"
                              : "");
  }
  if (net::host_of(options.base_url).empty()) {
    return use_rules("CODEXMEM_OPENAI_BASE_URL is no http:// or https:// address; rules are used");
  }
  if (options.model.empty()) {
    return use_rules(fmt::format("CODEXMEM_OPENAI_MODEL is not set, which {} needs; rules are used",
                                 net::host_of(options.base_url)));
  }
  // A limit that was meant is not no limit.
  const auto limit = read_number(setting("CODEXMEM_TOKEN_BUDGET"), 0);
  if (!limit) return use_rules("CODEXMEM_TOKEN_BUDGET is no number of tokens; rules are used");
  const auto seconds = read_number(setting("CODEXMEM_OPENAI_TIMEOUT"), options.timeout / 1s);
  if (!seconds || *seconds == 0 || *seconds > kMaxTimeoutSeconds) {
    return use_rules(
        "CODEXMEM_OPENAI_TIMEOUT is no number of seconds from 1 to 600; rules are used");
  }
  options.timeout = std::chrono::seconds(*seconds);
  chosen.budget = std::make_shared<const TokenBudget>(store, clock, kOpenAiName, *limit);
  options.budget = chosen.budget;
  chosen.provider = make_openai_provider(std::move(options));
  return chosen;
}

}  // namespace codexmem::worker

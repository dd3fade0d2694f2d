#include "observe/provider.h"

#include <algorithm>
#include <array>
#include <utility>

namespace codexmem::observe {
namespace {

constexpr std::array<std::pair<FailureClass, std::string_view>, 9> kNames = {{
    {FailureClass::kTimeout, "timeout"},
    {FailureClass::kRateLimit, "rate_limit"},
    {FailureClass::kAuth, "auth"},
    {FailureClass::kNetwork, "network"},
    {FailureClass::kServerError, "server_error"},
    {FailureClass::kParseFail, "parse_fail"},
    {FailureClass::kSchemaFail, "schema_fail"},
    {FailureClass::kStorage, "storage"},
    {FailureClass::kUnknown, "unknown"},
}};

}  // namespace

std::string_view failure_class_name(FailureClass failure) {
  const auto* found = std::ranges::find(kNames, failure, &decltype(kNames)::value_type::first);
  return found == kNames.end() ? "unknown" : found->second;
}

std::optional<FailureClass> parse_failure_class(std::string_view name) {
  const auto* found = std::ranges::find(kNames, name, &decltype(kNames)::value_type::second);
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

}  // namespace codexmem::observe

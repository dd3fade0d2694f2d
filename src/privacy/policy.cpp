// If findings overlap, the first rule of the table names the union.
//
// Tested by privacy/policy_test.cpp; fuzz/policy_fuzz.cpp.
#include "privacy/policy.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "privacy/json_strings.h"
#include "privacy/secret_rules.h"
#include "privacy/secret_scan.h"
#include "text/json.h"
#include "text/line_index.h"

namespace codexmem::privacy {
namespace {

// The secrets of `text`, in order, those that overlap as one. `known` as for scan_secrets().
std::vector<FoundSecret> find_in(std::string_view text, KnownValues* known) {
  std::vector<FoundSecret> found = scan_secrets(text, false, known);
  std::ranges::sort(found, [](const FoundSecret& a, const FoundSecret& b) {
    return std::pair(a.span.begin, a.rule) < std::pair(b.span.begin, b.rule);
  });
  std::vector<FoundSecret> merged;
  for (const FoundSecret& one : found) {
    if (one.span.begin >= one.span.end) continue;
    if (!merged.empty() && one.span.begin < merged.back().span.end) {
      merged.back().span.end = std::max(merged.back().span.end, one.span.end);
      merged.back().rule = std::min(merged.back().rule, one.rule);
    } else {
      merged.push_back(one);
    }
  }
  return merged;
}

std::string marker(std::size_t rule) {
  return std::string(kMarker) + std::string(secret_rules()[rule].id) + "]";
}

std::string redact_once(std::string_view text, KnownValues* known, bool* changed) {
  std::string out;
  std::size_t at = 0;
  const std::vector<FoundSecret> found = find_in(text, known);
  for (const FoundSecret& one : found) {
    out += text.substr(at, one.span.begin - at);
    out += marker(one.rule);
    at = one.span.end;
  }
  out += text.substr(at);
  *changed = !found.empty();
  return out;
}

std::string redact_known(std::string_view text, KnownValues* known) {
  // The rest may form a new secret, hardly ever more than once.
  bool changed = false;
  std::string out = redact_once(text, known, &changed);
  for (int round = 0; changed && round < 8; ++round) out = redact_once(out, known, &changed);
  return out;
}

// The JSON text `text` with what keys say of values redacted.
std::string redact_by_keys(std::string text, KnownValues* known) {
  const std::vector<FoundSecret> found = find_in(text, known);
  const auto strings = find_json_strings(text);
  if (found.empty() || !strings) return text;
  std::string out;
  std::size_t copied = 0;
  std::size_t next = 0;
  for (const JsonString& string : *strings) {
    const std::size_t open = string.begin + 1, close = string.end - 1;
    while (next < found.size() && found[next].span.end <= open) ++next;
    if (next == found.size()) break;
    // What a finding covers of this string, escapes as a whole.
    const FoundSecret& one = found[next];
    if (one.span.begin >= close || open == close) continue;
    std::size_t begin = open;
    std::size_t i = open;
    while (i < close && i < one.span.begin) {
      begin = i;
      i += text[i] == '\\' ? (text[i + 1] == 'u' ? 6 : 2) : 1;
    }
    if (i == one.span.begin || one.span.begin <= open) begin = i;
    while (i < close && i < one.span.end) {
      i += text[i] == '\\' ? (text[i + 1] == 'u' ? 6 : 2) : 1;
    }
    out += std::string_view(text).substr(copied, begin - copied);
    out += marker(one.rule);
    copied = std::min(i, close);
  }
  out += std::string_view(text).substr(copied);
  return out;
}

}  // namespace

std::vector<Finding> find_secrets(std::span<const Field> fields) {
  std::vector<Finding> findings;
  for (const Field& field : fields) {
    for (const FoundSecret& one : find_in(field.text, nullptr)) {
      findings.push_back({std::string(secret_rules()[one.rule].id), std::string(field.name),
                          one.span.begin, one.span.end});
    }
  }
  return findings;
}

Result<void> check_fields(std::span<const Field> fields) {
  std::vector<std::string> rules, names;
  for (const Finding& finding : find_secrets(fields)) {
    if (std::ranges::find(rules, finding.rule) == rules.end()) rules.push_back(finding.rule);
    if (std::ranges::find(names, finding.field) == names.end()) names.push_back(finding.field);
  }
  if (rules.empty()) return {};
  const Json details = {{"rules", rules}, {"fields", names}};
  return Error{ErrorCode::kBlocked,
               "looks like a secret (" + join(rules, ", ") + ") in " + join(names, ", ") +
                   "; nothing was stored. Take it out, or name where it is kept instead",
               dump_json(details)};
}

std::string redact(std::string_view text) {
  KnownValues known;
  known.start_looking();
  return redact_known(text, &known);
}

std::string redact_json(std::string_view json) {
  // String by string first, as their reader will see them, then what keys say of values, and last
  // the values that were found in one string and stand in another.
  KnownValues known;
  const auto redact_string = [&](std::string_view text) { return redact_known(text, &known); };
  auto mapped = map_json_strings(json, redact_string);
  if (!mapped) return redact(json);
  std::string text = redact_by_keys(*std::move(mapped), &known);
  if (known.empty()) return text;
  known.start_looking();
  return map_json_strings(text, redact_string).value_or(text);
}

std::vector<Verdict> explain_secrets(std::string_view text) {
  std::vector<FoundSecret> found = scan_secrets(text, true, nullptr);
  std::ranges::sort(found, [](const FoundSecret& a, const FoundSecret& b) {
    return std::tuple(a.span.begin, a.allowed != Allowed::kNone, a.rule) <
           std::tuple(b.span.begin, b.allowed != Allowed::kNone, b.rule);
  });
  const LineIndex lines(text);
  std::vector<Verdict> verdicts;
  std::size_t covered = 0;  // by the findings so far
  for (const FoundSecret& one : found) {
    if (one.span.begin < covered || one.span.begin >= one.span.end) continue;
    covered = one.span.end;
    const SecretRule& rule = secret_rules()[one.rule];
    const bool is_blocked = one.allowed == Allowed::kNone;
    verdicts.push_back({std::string(rule.id), std::string(rule.what),
                        lines.position_of(static_cast<std::uint32_t>(one.span.begin)), is_blocked,
                        is_blocked ? "" : std::string(allowed_reason(one.allowed))});
  }
  return verdicts;
}

}  // namespace codexmem::privacy

#include "privacy/gate.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "privacy/private_text.h"

namespace codexmem::privacy {

namespace {

std::string repaired(std::string_view text) {
  std::string whole = repair_utf8(text);
  // SQLite's functions take NUL for the end of a text.
  std::replace(whole.begin(), whole.end(), '\0', ' ');
  return whole;
}

}  // namespace

std::string cleaned(std::string_view text) {
  return std::string(trim(strip_private(repaired(text))));
}

std::vector<std::string> cleaned(const std::vector<std::string>& texts) {
  std::vector<std::string> whole, kept;
  for (const std::string& text : texts) whole.push_back(repaired(text));
  for (const std::string& text : strip_private(whole)) {
    if (const auto clean = trim(text); !clean.empty()) kept.emplace_back(clean);
  }
  return kept;
}

std::string cleaned_json(std::string_view json) { return strip_private_json(repair_utf8(json)); }

std::string captured(std::string_view text) { return redacted(cleaned(text)); }

std::vector<std::string> captured(const std::vector<std::string>& texts) {
  std::vector<std::string> kept = cleaned(texts);
  for (std::string& text : kept) text = redacted(text);
  return kept;
}

void Inspection::add(std::string_view name, std::string_view text) {
  if (!text.empty()) fields_.push_back({name, text});
}

void Inspection::add(std::string_view name, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) add(name, text);
}

Result<void> Inspection::check() const { return check_fields(fields_); }

}  // namespace codexmem::privacy

#include "memory/decisions/decision_audit.h"

#include "text/json.h"
#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxShownBytes = 400;
constexpr std::size_t kMaxItems = 50;

// Redacted before it is cut: half a secret is not recognised.
std::string shown_text(std::string_view value) {
  const std::string whole = privacy::redacted(privacy::cleaned(value));
  const std::string_view beginning = utf8_prefix(whole, kMaxShownBytes);
  return beginning.size() == whole.size() ? whole : std::string(beginning) + "...";
}

}  // namespace

void AuditArguments::add(std::string_view name, std::string_view value) {
  fields_.emplace_back(name, dump_json(Json(shown_text(value))));
}

void AuditArguments::add(std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  Json list = Json::array();
  for (const std::string& value : values) {
    if (list.size() == kMaxItems) {
      list.push_back("...");
      break;
    }
    list.push_back(shown_text(value));
  }
  fields_.emplace_back(name, dump_json(list));
}

void AuditArguments::add(std::string_view name, std::int64_t value) {
  fields_.emplace_back(name, std::to_string(value));
}

std::string AuditArguments::json() const {
  std::string json = "{";
  for (const auto& [name, value] : fields_) {
    if (json.size() > 1) json += ',';
    json += '"' + name + "\":" + value;
  }
  return json + '}';
}

}  // namespace codexmem::memory

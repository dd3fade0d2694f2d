#include "index/run/stored_names.h"

#include <string_view>

#include "base/log.h"
#include "base/text.h"
#include "parse/facts/facts_codec.h"

namespace codexmem::index {

Result<std::string> StoredNames::find(store::StoreReader& reader, store::FileId id) {
  CODEXMEM_ASSIGN(const auto blob, reader.find_facts(id));
  if (blob) {
    const auto facts = parse::decode_facts(*blob);
    if (facts.ok()) return join(facts->names, " ");
    log_info("facts are replaced: {}", facts.error().message());
  }
  const std::lock_guard lock(mutex_);
  if (!scanned_) CODEXMEM_TRY(scan(reader));
  scanned_ = true;
  const auto found = by_file_.find(static_cast<std::int64_t>(id));
  return found == by_file_.end() ? std::string() : found->second;
}

Result<void> StoredNames::scan(store::StoreReader& reader) {
  by_file_.clear();
  return reader.visit_identifiers([&](std::string_view name, store::FileId file) {
    std::string& names = by_file_[static_cast<std::int64_t>(file)];
    if (!names.empty()) names += ' ';
    names += name;
  });
}

}  // namespace codexmem::index

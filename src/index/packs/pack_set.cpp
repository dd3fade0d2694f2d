// Tested by index/pack_test.cpp.
#include "index/packs/pack_set.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "index/run/index_version.h"
#include "parse/facts/fingerprint.h"
#include "parse/facts/whole_facts.h"

namespace codexmem::index {
namespace {

std::vector<std::string> usable_languages(const PackHeader& header) {
  std::vector<std::string> usable;
  if (header.index_version != index_version()) return usable;
  for (const PackLanguage& given : header.languages) {
    const parse::Language* language = parse::find_language(given.name);
    // An alias never occurs in a file's row.
    if (language == nullptr || language->name != given.name) continue;
    const std::string fingerprint = parse::facts_fingerprint(*language);
    if (!fingerprint.empty() && fingerprint == given.fingerprint) usable.push_back(given.name);
  }
  std::ranges::sort(usable);
  return usable;
}

}  // namespace

PackSet::PackSet(std::vector<std::shared_ptr<const Pack>> packs) {
  for (std::shared_ptr<const Pack>& pack : packs) {
    std::vector<std::string> languages = usable_languages(pack->header());
    packs_.push_back({std::move(pack), std::move(languages)});
  }
}

std::optional<PackSet::Found> PackSet::look(std::string_view hash, const parse::Language& language,
                                            std::string_view text, Miss* miss) const {
  *miss = Miss::kAbsent;
  for (const Usable& usable : packs_) {
    const bool may_be_used = std::ranges::binary_search(usable.languages, language.name);
    if (!may_be_used) {
      const auto known = usable.pack->has_file(hash, language.name);
      if (known && *miss == Miss::kAbsent) *miss = Miss::kOtherVersion;
      continue;
    }
    auto bytes = usable.pack->find_file(hash, language.name, parse::most_whole_facts(text.size()));
    if (bytes.ok() && !*bytes) continue;
    if (bytes.ok()) {
      auto facts = parse::decode_whole_facts(**bytes, text);
      if (facts.ok()) {
        *miss = Miss::kNone;
        return Found{*std::move(facts), *std::move(*bytes), usable.pack.get()};
      }
    }
    *miss = Miss::kRefused;
  }
  return std::nullopt;
}

std::optional<PackSet::Found> PackSet::find(std::string_view hash, const parse::Language& language,
                                            std::string_view text) const {
  Miss miss = Miss::kNone;
  return look(hash, language, text, &miss);
}

std::optional<parse::FileFacts> PackSet::take(std::string_view hash,
                                              const parse::Language& language,
                                              std::string_view text) {
  // Cutting lines into chunks is faster than a look-up.
  if (packs_.empty() || !language.has_grammar) return std::nullopt;
  Miss miss = Miss::kNone;
  auto found = look(hash, language, text, &miss);
  switch (miss) {
    case Miss::kNone:
      ++taken_;
      return std::move(found->facts);
    case Miss::kAbsent:
      ++made_;
      break;
    case Miss::kOtherVersion:
      ++other_version_;
      break;
    case Miss::kRefused:
      ++refused_;
      break;
  }
  return std::nullopt;
}

void PackSet::drop(const Pack* pack) {
  std::erase_if(packs_, [&](const Usable& usable) { return usable.pack.get() == pack; });
}

PackUse PackSet::use() const {
  return {.taken = taken_, .made = made_, .other_version = other_version_, .refused = refused_};
}

std::string PackSet::origins() const {
  std::vector<std::string> all;
  for (const Usable& usable : packs_) {
    const std::string& signer = usable.pack->signer();
    all.push_back(usable.pack->name() +
                  (signer.empty() ? ", not signed" : ", signed by " + signer));
  }
  return join(all, "; ");
}

}  // namespace codexmem::index

// index/pack_set.h - the packs of one run: what they know of a file, and how often it was used.
//
// Only what this program would make itself is taken: of the same index version and, language by
// language, of the same grammar and queries. Everything else is made anew and counted. Design:
// docs/design/pack.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/pack_file.h"
#include "index/pack_use.h"
#include "parse/facts.h"
#include "parse/languages.h"

namespace codexmem::index {

/// find() is thread-safe, drop() is not.
class PackSet {
 public:
  PackSet() = default;
  explicit PackSet(std::vector<std::shared_ptr<const Pack>> packs);

  bool empty() const { return packs_.empty(); }

  /// What a pack knows of a file, and which one.
  struct Found {
    parse::FileFacts facts;
    std::string bytes;  // that they are of
    const Pack* pack = nullptr;
  };

  /// What the first pack that knows it says of the file whose bytes have the SHA-256 `hash` and
  /// whose text, read as `language`, is `text`. Nothing when no pack has it, or none that may be
  /// used.
  std::optional<Found> find(std::string_view hash, const parse::Language& language,
                            std::string_view text) const;

  /// find(), and counted.
  std::optional<parse::FileFacts> take(std::string_view hash, const parse::Language& language,
                                       std::string_view text);

  /// Uses `pack` no longer.
  void drop(const Pack* pack);

  PackUse use() const;

 private:
  enum class Miss { kNone, kAbsent, kOtherVersion, kRefused };
  struct Usable {
    std::shared_ptr<const Pack> pack;
    std::vector<std::string> languages;  // whose entries may be used; sorted
  };
  std::optional<Found> look(std::string_view hash, const parse::Language& language,
                            std::string_view text, Miss* miss) const;

  std::vector<Usable> packs_;
  std::atomic<std::uint64_t> taken_{0}, made_{0}, other_version_{0}, refused_{0};
};

}  // namespace codexmem::index

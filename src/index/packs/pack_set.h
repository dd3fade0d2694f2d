// index/packs/pack_set.h - the packs of a run: finds facts of files in them, and counts their use.
//
// Only facts that this program would make itself are used: with the same index version and, for
// each language, the same grammar and queries. Everything else is made again and counted. Design:
// docs/packs.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/packs/pack_file.h"
#include "index/packs/pack_use.h"
#include "parse/facts/facts.h"
#include "parse/rules/languages.h"

namespace codexmem::index {

/// find() is thread-safe, drop() is not.
class PackSet {
 public:
  PackSet() = default;
  explicit PackSet(std::vector<std::shared_ptr<const Pack>> packs);

  bool empty() const { return packs_.empty(); }

  /// The facts of a file in a pack, and the pack.
  struct Found {
    parse::FileFacts facts;
    std::string bytes;  // the encoded facts
    const Pack* pack = nullptr;
  };

  /// The facts from the first pack that contains the file whose bytes have the SHA-256 `hash` and
  /// whose text, read as `language`, is `text`. Nothing if no usable pack contains it.
  std::optional<Found> find(std::string_view hash, const parse::Language& language,
                            std::string_view text) const;

  /// Like find(), and counts the use.
  std::optional<parse::FileFacts> take(std::string_view hash, const parse::Language& language,
                                       std::string_view text);

  /// Stops using `pack`.
  void drop(const Pack* pack);

  PackUse use() const;

  /// Whose the packs are: "shop.pack, signed by ann@shop; /old.pack, not signed".
  std::string origins() const;

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

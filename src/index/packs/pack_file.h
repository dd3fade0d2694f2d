// index/packs/pack_file.h - a pack: a file with what an index run learned of files, by their
// content.
//
// Entries are found by the SHA-256 of a file's bytes and its language, vectors by their text. A
// pack is untrusted data: a Pack that opens is complete and consistent, and its results are
// bounded, but they may contain anything; parse/facts/whole_facts.h checks that. Design:
// docs/packs.md. pack_file.cpp describes the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "base/running_hash.h"

namespace codexmem::index {

/// A larger file is not a pack.
inline constexpr std::uint64_t kMaxPackBytes = std::uint64_t{4} << 30U;

struct PackLanguage {
  std::string name;
  std::string fingerprint;  // parse::facts_fingerprint
};

/// The origin of a pack. All fields decide whether entries are used, except `program` and `tree`,
/// which are for display.
struct PackHeader {
  std::string index_version = {};  // index::index_version()
  std::vector<PackLanguage> languages = {};
  std::string model = {};  // of the vectors: embed::Embedder::model_id(); empty without vectors
  std::size_t dimension = 0;
  std::string program = {};  // "codexmem 0.1.0"
  std::string tree = {};     // git's id of the tree of files; empty: not from git
};

/// Writes a pack in pieces. One thread.
class PackWriter {
 public:
  /// Begins the pack at `path`. Errors: kIo.
  static Result<PackWriter> begin(const std::filesystem::path& path, const PackHeader& header);

  PackWriter(PackWriter&&) noexcept;
  ~PackWriter();

  /// Adds the file whose bytes have the SHA-256 `hash` (32 bytes), in language number `language` of
  /// the header. An existing entry is kept. Errors: kIo.
  Result<void> add_file(std::string_view hash, std::size_t language, std::string_view facts);

  /// Adds the vector of a text: its store::text_key() and a byte per component. Errors: kIo.
  Result<void> add_vector(std::string_view key, std::string_view codes);

  /// Moves the finished pack to its path. Errors: kIo.
  Result<void> commit();

  std::uint64_t files() const;
  std::uint64_t vectors() const;
  std::uint64_t bytes() const;  // written so far

 private:
  struct Impl;
  explicit PackWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// An opened pack. Thread-safe.
class Pack {
 public:
  /// Opens and checks the whole pack at `path`; the file may be removed afterwards. `name` is its
  /// name in messages, `signer` whose signature was verified. Errors: as reading; kCorrupt when it
  /// is not a pack, is damaged or contradicts itself; kUnsupported when it is from a newer program
  /// or too large.
  static Result<std::shared_ptr<const Pack>> open(const std::filesystem::path& path,
                                                  std::string name, std::string signer = {});

  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  const std::string& name() const;
  const std::string& signer() const;  // empty: it is not known whose it is
  const PackHeader& header() const;
  std::uint64_t files() const;
  std::uint64_t vectors() const;
  std::uint64_t bytes() const;

  /// The facts of a file by the SHA-256 of its bytes (64 hexadecimal digits) and its language;
  /// nothing if not found, or longer than `most` bytes decompressed. Errors: kCorrupt, kIo.
  Result<std::optional<std::string>> find_file(std::string_view hash, std::string_view language,
                                               std::size_t most) const;

  /// True if find_file() would find an entry, whatever its content.
  bool has_file(std::string_view hash, std::string_view language) const;

  /// The vector of a text; nothing if not found. Errors: kCorrupt, kIo.
  Result<std::optional<std::string>> find_vector(std::string_view key) const;

 private:
  struct Impl;
  explicit Pack(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The 32 bytes of a SHA-256 in 64 hexadecimal digits; empty when it is not one.
std::string hash_bytes(std::string_view hex);

}  // namespace codexmem::index

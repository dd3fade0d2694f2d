// index/pack_file.h - a pack: what an index run learned of files, by their content, in one file.
//
// Entries are found by the SHA-256 of a file's bytes and its language, vectors by the text that
// they are of. A pack is data from a stranger: a Pack that opens is whole and consistent, and what
// it gives out is bounded, but it may say anything; parse/whole_facts.h looks at that. Design:
// docs/design/pack.md. The layout stands in pack_file.cpp.
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

/// What is larger is not a pack.
inline constexpr std::uint64_t kMaxPackBytes = std::uint64_t{4} << 30U;

struct PackLanguage {
  std::string name;
  std::string fingerprint;  // parse::facts_fingerprint
};

/// What made a pack. All of it decides over whether entries are used, but for `program` and `tree`,
/// which are for people.
struct PackHeader {
  std::string index_version = {};  // index::index_version()
  std::vector<PackLanguage> languages = {};
  std::string model = {};  // of the vectors: embed::Embedder::model_id(); empty: there are none
  std::size_t dimension = 0;
  std::string program = {};  // "codexmem 0.1.0"
  std::string tree = {};     // git's id of the tree of files; empty: not of git
};

/// Writes a pack piece by piece. One thread.
class PackWriter {
 public:
  /// Begins the pack that is to stand at `path`. Errors: kIo.
  static Result<PackWriter> begin(const std::filesystem::path& path, const PackHeader& header);

  PackWriter(PackWriter&&) noexcept;
  ~PackWriter();

  /// Adds the file whose bytes have the SHA-256 `hash` (32 bytes), in language number `language` of
  /// the header. What is there already stays. Errors: kIo.
  Result<void> add_file(std::string_view hash, std::size_t language, std::string_view facts);

  /// Adds the vector of a text: its store::text_key() and a byte for each component. Errors: kIo.
  Result<void> add_vector(std::string_view key, std::string_view codes);

  /// Puts the pack in its place. Errors: kIo.
  Result<void> commit();

  std::uint64_t files() const;
  std::uint64_t vectors() const;
  std::uint64_t bytes() const;  // written so far

 private:
  struct Impl;
  explicit PackWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A pack that was opened. Thread-safe.
class Pack {
 public:
  /// Opens and checks the pack at `path`, all of it; the file may be removed afterwards. `name` is
  /// what messages call it. Errors: those of reading; kCorrupt when it is no pack, is damaged or
  /// contradicts itself; kUnsupported when it is of a newer program, or too large.
  static Result<std::shared_ptr<const Pack>> open(const std::filesystem::path& path,
                                                  std::string name);

  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  const std::string& name() const;
  const PackHeader& header() const;
  std::uint64_t files() const;
  std::uint64_t vectors() const;
  std::uint64_t bytes() const;

  /// The facts of a file by the SHA-256 of its bytes (64 hexadecimal digits) and its language;
  /// nothing when the pack has none. What is longer than `most` bytes is not unfolded. Errors:
  /// kCorrupt, kIo.
  Result<std::optional<std::string>> find_file(std::string_view hash, std::string_view language,
                                               std::size_t most) const;

  /// True if find_file() finds something, whatever it is.
  bool has_file(std::string_view hash, std::string_view language) const;

  /// The vector of a text; nothing when the pack has none. Errors: kCorrupt, kIo.
  Result<std::optional<std::string>> find_vector(std::string_view key) const;

 private:
  struct Impl;
  explicit Pack(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The SHA-256 that 64 hexadecimal digits are, as 32 bytes; empty when they are none.
std::string hash_bytes(std::string_view hex);

}  // namespace codexmem::index

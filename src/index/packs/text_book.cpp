// Tested by index/text_book_test.cpp.
#include "index/packs/text_book.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "index/discovery/decode.h"
#include "text/phrase_book.h"

namespace codexmem::index {
namespace {

// For less source, texts are stored as they are.
constexpr std::uint64_t kMinBytes = 256 << 10;
// The sample: a sixth of the repository, within these limits. A larger sample gives at most 5%
// fewer codes.
constexpr std::uint64_t kMinBookSample = 4 << 20, kMaxSample = 24 << 20;
// Limit per file: more of a large table teaches nothing.
constexpr std::size_t kMaxOfFile = 32 << 10;
// A phrase takes about 14 bytes of the store. With this many bytes of source per phrase, book and
// texts together are smallest (hono, 3 MB: 0.43 of the source with 16,384 phrases, 0.45 with
// 8,192).
constexpr std::uint64_t kBytesPerPhrase = 192;

// The middles of files from the whole repository, `most` bytes or slightly more.
std::string read_sample(const RootDirectory& root, std::span<const FileJob> jobs,
                        std::uint64_t total, std::uint64_t most, std::uint64_t max_file_bytes) {
  std::string sample;
  std::uint64_t seen = 0;  // bytes of the jobs so far
  for (const FileJob& job : jobs) {
    seen += job.found.size;
    // Keep the share of the sample equal to the share of the repository.
    if (static_cast<double>(sample.size()) * static_cast<double>(total) >=
        static_cast<double>(most) * static_cast<double>(seen)) {
      continue;
    }
    if (has_binary_extension(job.found.path)) continue;
    FileStat stat;
    auto bytes = root.read(job.found.path, max_file_bytes, &stat);
    if (!bytes.ok()) continue;
    const auto decoded = decode_text(*std::move(bytes));
    if (!decoded) continue;
    const std::string_view text = decoded->text;
    const std::size_t size = std::min(text.size(), kMaxOfFile);
    sample += text.substr((text.size() - size) / 2, size);
  }
  return sample;
}

}  // namespace

Result<std::optional<store::StoredBook>> choose_book(const RootDirectory& root,
                                                     std::span<const FileJob> jobs, bool force,
                                                     std::uint64_t max_file_bytes,
                                                     WriteSession& session) {
  std::uint64_t total = 0;  // bytes that will certainly be written
  for (const FileJob& job : jobs) {
    if (force || !job.known) total += job.found.size;
  }
  CODEXMEM_ASSIGN(auto stored, store::find_newest_book(session.reader().database()));
  const std::uint64_t known = stored ? static_cast<std::uint64_t>(stored->source_bytes) : 0;
  if (total < kMinBytes || total < 2 * known) return stored;
  const std::string sample = read_sample(
      root, jobs, total, std::clamp(total / 6, kMinBookSample, kMaxSample), max_file_bytes);
  const std::uint64_t most = std::clamp<std::uint64_t>(
      total / kBytesPerPhrase, 2 * PhraseBook::kBlockBytes, PhraseBook::kMaxPhrases);
  auto book =
      std::make_shared<const PhraseBook>(PhraseBook::learn(sample, static_cast<std::size_t>(most)));
  if (book->size() < PhraseBook::kBlockBytes) return stored;  // uniform data: nothing to gain
  CODEXMEM_TRY(session.writer());
  CODEXMEM_ASSIGN(const store::BookId id, store::add_book(session.reader().database(), book,
                                                          static_cast<std::int64_t>(total)));
  return std::optional(store::StoredBook{id, static_cast<std::int64_t>(total), std::move(book)});
}

}  // namespace codexmem::index

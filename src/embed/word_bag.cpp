// The stored form of WordStatistics, every number a LEB128 varint:
//
//   statistics := format=1 chunk_count word_count entry_count entry*
//   entry      := id_gap chunks_with        ids ascending; the gap is to the id before, less one
//
// Only words that occur are listed. Format numbers are stored: never renumber.
#include "embed/word_bag.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/path.h"
#include "text/words.h"
#include "embed/static_model.h"

namespace codexmem::embed {
namespace {

constexpr std::uint32_t kStatisticsFormat = 1;
constexpr std::uint32_t kMaxCount = std::numeric_limits<std::uint16_t>::max();

void put_varint(std::string* bytes, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7U) bytes->push_back(static_cast<char>(0x80U | (value & 0x7FU)));
  bytes->push_back(static_cast<char>(value));
}

// Takes a varint of at most 32 bits off the front of `bytes`.
std::optional<std::uint32_t> take_varint(std::string_view* bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (bytes->empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) {
      if (value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
      return static_cast<std::uint32_t>(value);
    }
  }
  return std::nullopt;
}

}  // namespace

WordBagCollector::WordBagCollector(const StaticModel& model)
    : model_(&model), counts_(model.word_count()) {}

void WordBagCollector::add(std::string_view text, std::uint32_t times) {
  if (times == 0) return;
  for_each_word(text, [&](const Word& word) {
    const std::optional<WordId> id = model_->find_word(word.text);
    if (!id) return;
    std::uint16_t& count = counts_[*id];
    if (count == 0) seen_.push_back(*id);
    count = static_cast<std::uint16_t>(std::min(count + std::min(times, kMaxCount), kMaxCount));
  });
}

WordBag WordBagCollector::take() {
  std::sort(seen_.begin(), seen_.end());
  WordBag bag;
  bag.reserve(seen_.size());
  for (const WordId id : seen_) bag.push_back({id, std::exchange(counts_[id], std::uint16_t{0})});
  seen_.clear();
  return bag;
}

void WordStatistics::add_chunk(std::span<const WordCount> bag) {
  ++chunk_count_;
  for (const WordCount& word : bag) ++chunks_with_[word.id];
}

void WordStatistics::remove_chunk(std::span<const WordCount> bag) {
  CODEXMEM_CHECK(chunk_count_ > 0);
  --chunk_count_;
  for (const WordCount& word : bag) {
    CODEXMEM_CHECK(chunks_with_[word.id] > 0);
    --chunks_with_[word.id];
  }
}

void WordStatistics::add(const WordStatistics& other) {
  CODEXMEM_CHECK(other.word_count() == word_count());
  chunk_count_ += other.chunk_count_;
  for (std::size_t id = 0; id < chunks_with_.size(); ++id) {
    chunks_with_[id] += other.chunks_with_[id];
  }
}

std::string WordStatistics::serialize() const {
  std::string bytes;
  put_varint(&bytes, kStatisticsFormat);
  put_varint(&bytes, chunk_count_);
  put_varint(&bytes, static_cast<std::uint32_t>(chunks_with_.size()));
  const auto entries = static_cast<std::size_t>(
      std::count_if(chunks_with_.begin(), chunks_with_.end(), [](auto n) { return n != 0; }));
  put_varint(&bytes, static_cast<std::uint32_t>(entries));
  std::uint32_t next = 0;
  for (std::uint32_t id = 0; id < chunks_with_.size(); ++id) {
    if (chunks_with_[id] == 0) continue;
    put_varint(&bytes, id - next);
    put_varint(&bytes, chunks_with_[id]);
    next = id + 1;
  }
  return bytes;
}

Result<WordStatistics> WordStatistics::parse(std::string_view bytes, std::size_t word_count) {
  const Error damaged{ErrorCode::kCorrupt, "word statistics: damaged"};
  const auto format = take_varint(&bytes);
  if (format && *format != kStatisticsFormat) {
    return Error{ErrorCode::kCorrupt, "word statistics: unknown format"};
  }
  const auto chunks = take_varint(&bytes);
  const auto words = take_varint(&bytes);
  const auto entries = take_varint(&bytes);
  if (!format || !chunks || !words || !entries) return damaged;
  if (*words != word_count) {
    return Error{ErrorCode::kCorrupt, "word statistics: made with another model"};
  }
  WordStatistics statistics(word_count);
  statistics.chunk_count_ = *chunks;
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < *entries; ++i) {
    const auto gap = take_varint(&bytes);
    const auto count = take_varint(&bytes);
    if (!gap || !count || *count == 0 || *count > *chunks) return damaged;
    const std::uint64_t id = next + *gap;
    if (id >= word_count) return damaged;
    statistics.chunks_with_[static_cast<std::size_t>(id)] = *count;
    next = id + 1;
  }
  if (!bytes.empty()) return damaged;
  return statistics;
}

bool vectors_are_outdated(std::uint32_t chunks_then, std::uint32_t chunks_now) {
  const std::uint64_t change =
      chunks_then > chunks_now ? chunks_then - chunks_now : chunks_now - chunks_then;
  return change > 0 && change * 5 >= chunks_then;
}

PathNames path_names(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return {.base_name = file_stem(path),
          .parent = slash == std::string_view::npos ? "" : file_name(path.substr(0, slash))};
}

}  // namespace codexmem::embed

// Tested by store/chunk_terms_test.cpp.
#include "store/code/chunk_terms.h"

#include <algorithm>

#include "text/text_hash.h"
#include "text/words.h"

namespace codexmem::store {
namespace {

constexpr char kMark = '\x01';  // no term holds it
constexpr int kRowShift = 9;
constexpr std::int64_t kHighRows = std::int64_t{1} << 60;

char bit_letter(int bit) { return static_cast<char>(bit == kManyBits ? '+' : 'a' + bit); }

}  // namespace

std::uint32_t* ChunkTermsMaker::place_of(std::string_view term, std::uint32_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = (hash ^ hash >> 16) & mask;; i = (i + 1) & mask) {
    if (slots_[i] == 0) return &slots_[i];
    const Entry& entry = entries_[slots_[i] - 1];
    if (entry.hash == hash && std::string_view(terms_).substr(entry.begin, entry.size) == term) {
      return &slots_[i];
    }
  }
}

ChunkTerms ChunkTermsMaker::make(std::string_view text) {
  terms_.clear();
  entries_.clear();
  slots_.assign(512, 0);
  ChunkTerms made;
  TermReader reader(text);
  Term term;
  while (reader.next(&term)) {
    ++made.count;
    const auto hash = static_cast<std::uint32_t>(hash_text(term.text));
    std::uint32_t* place = place_of(term.text, hash);
    if (*place == 0) {
      if (entries_.size() * 2 >= slots_.size()) {
        slots_.assign(slots_.size() * 2, 0);
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
          const Entry& entry = entries_[i];
          *place_of(std::string_view(terms_).substr(entry.begin, entry.size), entry.hash) = i + 1;
        }
        place = place_of(term.text, hash);
      }
      entries_.push_back({static_cast<std::uint32_t>(terms_.size()),
                          static_cast<std::uint32_t>(term.text.size()), hash, 0});
      terms_ += term.text;
      *place = static_cast<std::uint32_t>(entries_.size());
    }
    ++entries_[*place - 1].count;
  }
  made.tokens.reserve(terms_.size() + 2 * entries_.size());
  const auto add = [&](const Entry& entry, int bit) {
    if (!made.tokens.empty()) made.tokens += ' ';
    made.tokens.append(terms_, entry.begin, entry.size);
    if (bit == 0) return;
    made.tokens += kMark;
    made.tokens += bit_letter(bit);
  };
  for (const Entry& entry : entries_) {
    const std::uint32_t count = std::min(entry.count, kMaxTermCount);
    for (int bit = 0; (count >> bit) != 0; ++bit) {
      if ((count >> bit & 1U) != 0) add(entry, bit);
    }
    if (count >> kFewBits != 0) add(entry, kManyBits);
  }
  return made;
}

std::string term_token(std::string_view term, int bit) {
  std::string token(term);
  if (bit == 0) return token;
  token += kMark;
  token += bit_letter(bit);
  return token;
}

TokenPart read_term_token(std::string_view token) {
  const std::size_t size = token.size();
  if (size < 2 || token[size - 2] != kMark) return {token, 1};
  const int bit = token[size - 1] - 'a';
  return {token.substr(0, size - 2),
          bit > 0 && bit < kManyBits ? std::uint32_t{1} << bit : std::uint32_t{0}};
}

std::int64_t term_row(ChunkId chunk) {
  const std::int64_t index = ordinal_of(chunk);
  if (index >> kRowShift != 0) return kHighRows + static_cast<std::int64_t>(chunk);
  return (static_cast<std::int64_t>(file_of(chunk)) << kRowShift) + index;
}

ChunkId chunk_of_term_row(std::int64_t row) {
  if (row >= kHighRows) return static_cast<ChunkId>(row - kHighRows);
  return chunk_id(static_cast<FileId>(row >> kRowShift),
                  static_cast<std::uint32_t>(row & ((1 << kRowShift) - 1)));
}

}  // namespace codexmem::store

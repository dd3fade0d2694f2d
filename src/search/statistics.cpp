// Statistics over identifiers: the number of files with a stem, and the centrality of a file.
//
// One scan of the identifier index returns each identifier with all files that contain it. The
// centrality of a file depends on r, the number of other files that mention a name which only this
// file defines: C = ln(1+r) / ln(1+max r). Sets of files are bit rows, one for each defining file
// and each stem of a name, so a mention costs one bit. If the rows would need too much memory, they
// hold a sample of the files: the counts are then scaled from the sample, but not less than the
// count of the most frequent identifier, which is known exactly.
//
// Tested by search/snapshot_test.cpp.
#include "search/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kShortestCentralName = 4;               // bytes
constexpr std::size_t kMaxRowBytes = std::size_t{32} << 20;  // of all bit rows

// Bit rows over a sample of files, in one array, and exact lower bounds of their counts.
class FileSets {
 public:
  FileSets(std::size_t sets, std::size_t sampled, unsigned shift)
      : words_((sampled + 63) / 64), shift_(shift), bits_(sets * words_), least_(sets) {}

  void insert(std::size_t set, std::size_t place) {
    bits_[set * words_ + place / 64] |= std::uint64_t{1} << (place % 64);
  }
  void at_least(std::size_t set, std::uint32_t count) {
    least_[set] = std::max(least_[set], count);
  }
  std::uint32_t count(std::size_t set) const {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      count += static_cast<std::uint32_t>(std::popcount(bits_[set * words_ + i]));
    }
    return std::max(count << shift_, least_[set]);
  }

 private:
  std::size_t words_;
  unsigned shift_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> least_;
};

// Spreads ids evenly. Source: the finalizer of MurmurHash3.
std::uint64_t mixed(std::uint64_t id) {
  id = (id ^ (id >> 33)) * 0xFF51AFD7ED558CCDU;
  id = (id ^ (id >> 33)) * 0xC4CEB9FE1A85EC53U;
  return id ^ (id >> 33);
}

}  // namespace

Result<Statistics> compute_statistics(store::StoreReader& reader,
                                      const StatisticsSubject& subject) {
  unsigned shift = 0;  // one file in 2^shift is in the sample
  while ((subject.files + subject.stems) * ((subject.files >> shift) / 8) > kMaxRowBytes) ++shift;
  const std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
  const auto is_sampled = [&](store::FileId id) {
    return (mixed(static_cast<std::uint64_t>(id)) & mask) == 0;
  };
  constexpr std::uint32_t kNoPlace = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places(subject.files, kNoPlace);  // in the sample
  std::uint32_t sampled = 0;
  CODEXMEM_TRY(reader.visit_files([&](const store::FileStamp& file) {
    const auto number = is_sampled(file.id) ? subject.find_file(file.id) : std::nullopt;
    if (number) places[*number] = sampled++;
  }));
  FileSets users(subject.files, sampled, shift);  // by file: the users of its own names
  FileSets stem_files(subject.stems, sampled, shift);

  std::string current;
  std::vector<StemNumber> stems;  // of the identifier `current`
  std::optional<FileNumber> definer;
  std::uint32_t mentions = 0, mentions_by_others = 0;
  const auto end_identifier = [&] {
    for (const StemNumber one : stems) stem_files.at_least(one, mentions);
    if (definer) users.at_least(*definer, mentions_by_others);
    mentions = mentions_by_others = 0;
  };
  CODEXMEM_TRY(reader.visit_identifiers([&](std::string_view identifier, store::FileId id) {
    if (identifier != current) {
      end_identifier();
      current = identifier;
      stems.clear();
      for_each_word(identifier, [&](const Word& word) {
        if (const auto number = subject.find_stem(stem(word.text))) stems.push_back(*number);
      });
      definer = identifier.size() < kShortestCentralName ? std::nullopt
                                                         : subject.find_sole_definer(identifier);
    }
    if (stems.empty() && !definer) return;
    if (shift > 0) {
      // For files outside the sample only the lower bounds count; rows of deleted files are rare.
      ++mentions;
      ++mentions_by_others;
      if (!is_sampled(id)) return;
    }
    const auto file = subject.find_file(id);
    if (!file) return;
    if (shift == 0) {
      ++mentions;
      mentions_by_others += definer != file ? 1 : 0;
    } else if (definer == file) {
      --mentions_by_others;
    }
    const std::uint32_t place = places[*file];
    if (place == kNoPlace) return;
    for (const StemNumber one : stems) stem_files.insert(one, place);
    if (definer && definer != file) users.insert(*definer, place);
  }));
  end_identifier();

  Statistics statistics;
  statistics.stem_frequencies.resize(subject.stems);
  for (std::size_t i = 0; i < subject.stems; ++i) {
    statistics.stem_frequencies[i] = std::max(stem_files.count(i), 1U);
  }
  std::vector<std::uint32_t> mentioned(subject.files);
  std::uint32_t most = 0;
  for (std::size_t file = 0; file < subject.files; ++file) {
    mentioned[file] = users.count(file);
    most = std::max(most, mentioned[file]);
  }
  statistics.centralities.resize(subject.files);
  for (std::size_t file = 0; file < subject.files; ++file) {
    if (mentioned[file] == 0) continue;
    statistics.centralities[file] =
        static_cast<float>(std::log1p(mentioned[file]) / std::log1p(most));
  }
  return statistics;
}

}  // namespace codexmem::search

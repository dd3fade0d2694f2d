// The bytes, little-endian:
//
//   segment := part* table head
//   part    := bytes, then zeros to a multiple of 8, in the order of SegmentPart
//   table   := (u64:offset u64:size) for each part
//   head    := i64:generation i64:last dependency u64:files u64:chunks u64:terms u64:mark u64:parts
//              u32:0x01020304 u32:version "CXRANK" u16:0 u32:crc u32:0
//
// crc is the CRC-32 of all bytes before it. It is checked when a segment is opened, and every
// number that points into the segment when it is used. The file is read only if this user's
// codexmem wrote it (store/code/seal.h), so this protects against damage and fuzzed input.
//
// Tested by search/segment_test.cpp and fuzz/.
#include "search/segment.h"

#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/crc32.h"
#include "base/text.h"

namespace codexmem::search {
namespace {

constexpr std::string_view kMagic = "CXRANK";
constexpr std::uint32_t kVersion = 4;  // stored: raised when the arrays or path_cuts() change
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kHeadBytes = 80;
constexpr std::size_t kTableBytes = kSegmentParts * 16;
constexpr std::size_t kAlignment = 8;

template <typename T>
T value_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

Error corrupt(std::string_view what) {
  return Error{ErrorCode::kCorrupt, "the ranking's file " + std::string(what)};
}

std::vector<PathCut> read_cuts(std::string_view lines) {
  std::vector<PathCut> cuts;
  for (const std::string_view line : split(lines, '\n')) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    PathCut cut;
    std::from_chars(line.data(), line.data() + space, cut.factor);
    cut.undone_by = line.substr(space + 1);
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

}  // namespace

Result<std::shared_ptr<const Segment>> Segment::open(std::string bytes) {
  auto segment = std::shared_ptr<Segment>(new Segment);
  segment->memory_ = std::move(bytes);
  const std::string_view view = segment->memory_;
  return read(std::move(segment), view);
}

Result<std::shared_ptr<const Segment>> Segment::open(MappedFile file) {
  auto segment = std::shared_ptr<Segment>(new Segment);
  segment->file_ = std::move(file);
  const std::string_view view = segment->file_->bytes();
  return read(std::move(segment), view);
}

Result<std::shared_ptr<const Segment>> Segment::read(std::shared_ptr<Segment> segment,
                                                     std::string_view bytes) {
  if (bytes.size() < kHeadBytes + kTableBytes) return corrupt("is cut");
  const std::size_t head = bytes.size() - kHeadBytes;
  if (bytes.substr(head + 64, kMagic.size()) != kMagic) return corrupt("is none, or cut");
  if (value_at<std::uint32_t>(bytes, head + 56) != kByteOrder ||
      value_at<std::uint32_t>(bytes, head + 60) != kVersion ||
      value_at<std::uint64_t>(bytes, head + 48) != kSegmentParts) {
    return Error{ErrorCode::kUnsupported, "the ranking's file has another format"};
  }
  const std::uint32_t checksum =
      segment->file_ ? segment->file_->checksum(head + 72) : crc32(bytes.substr(0, head + 72));
  if (checksum != value_at<std::uint32_t>(bytes, head + 72)) {
    return corrupt("is damaged");
  }
  segment->size_ = bytes.size();
  segment->head_ = {
      value_at<std::int64_t>(bytes, head),       value_at<std::int64_t>(bytes, head + 8),
      value_at<std::uint64_t>(bytes, head + 16), value_at<std::uint64_t>(bytes, head + 24),
      value_at<std::uint64_t>(bytes, head + 32), value_at<std::uint64_t>(bytes, head + 40)};
  const std::size_t table = head - kTableBytes;
  for (std::size_t i = 0; i < kSegmentParts; ++i) {
    const auto offset = value_at<std::uint64_t>(bytes, table + 16 * i);
    const auto size = value_at<std::uint64_t>(bytes, table + 16 * i + 8);
    if (offset > table || size > table - offset) return corrupt("has a part beyond its end");
    segment->parts_[i] = bytes.substr(offset, size);
  }
  segment->unpack_tables();
  return std::shared_ptr<const Segment>(std::move(segment));
}

void Segment::unpack_tables() {
  const auto part = [&](SegmentPart which) { return parts_[static_cast<std::size_t>(which)]; };
  const auto texts = [&](SegmentPart bytes) {
    return PackedTexts(part(bytes), parts_[static_cast<std::size_t>(bytes) + 1]);
  };
  using enum SegmentPart;
  paths_ = texts(kPaths);
  ids_ = PackedArray<std::int64_t>(part(kFileIds));
  files_by_id_ = PackedArray<std::uint32_t>(part(kFilesById));
  generations_ = PackedArray<std::int64_t>(part(kFileGenerations));
  file_languages_ = PackedArray<std::uint16_t>(part(kFileLanguages));
  file_cuts_ = PackedArray<std::uint16_t>(part(kFileCuts));
  file_version_cuts_ = PackedArray<std::uint16_t>(part(kFileVersionCuts));
  terms_ = PackedArray<std::uint32_t>(part(kFileTerms));
  file_kinds_ = texts(kFileKinds);
  chunk_begins_ = PackedArray<std::uint32_t>(part(kChunkBegins));
  chunk_lengths_ = PackedArray<std::uint32_t>(part(kChunkLengths));
  base_stems_ = texts(kBaseStems);
  directory_stems_ = texts(kDirectoryStems);
  importers_ = texts(kImporters);
  centralities_ = PackedArray<float>(part(kCentralities));
  stems_ = texts(kStems);
  stem_frequencies_ = PackedArray<std::uint32_t>(part(kStemFrequencies));
  stem_names_ = texts(kStemNames);
  stem_files_ = texts(kStemFiles);
  names_ = texts(kNames);
  name_records_ = texts(kNameRecords);
  weights_ = PackedArray<float>(part(kWeights));
  file_count_ = static_cast<FileNumber>(paths_.size());
  stem_count_ = static_cast<StemNumber>(stems_.size());
  name_count_ = static_cast<NameNumber>(names_.size());

  const PackedTexts languages = texts(kLanguages);
  for (std::size_t i = 0; i < languages.size(); ++i) {
    languages_.push_back({std::string(languages[i]), search::language_prior(languages[i])});
  }
  if (languages_.empty()) languages_.emplace_back();
  const PackedTexts cuts = texts(kCuts);
  for (std::size_t i = 0; i < cuts.size(); ++i) cuts_.push_back(read_cuts(cuts[i]));
  if (cuts_.empty()) cuts_.emplace_back();
  const PackedTexts kinds = texts(kKinds);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string_view kind = kinds[i];
    const int type = kind.empty() ? 0 : std::clamp(kind.front() - '0', 0, 6);
    kinds_.push_back(
        {static_cast<SymbolType>(type), std::string(kind.substr(kind.empty() ? 0 : 1))});
  }
}

const Segment::LanguageEntry& Segment::of_language(FileNumber file) const {
  const std::uint16_t number = file_languages_[file];
  return languages_[number < languages_.size() ? number : 0];
}

std::vector<const DefinitionKind*> Segment::kinds(FileNumber file) const {
  std::vector<const DefinitionKind*> kinds;
  for (const std::uint32_t number :
       PackedNumbers(file_kinds_[file], static_cast<std::uint32_t>(kinds_.size()))) {
    kinds.push_back(&kinds_[number]);
  }
  return kinds;
}

std::optional<FileNumber> Segment::find_file(store::FileId id) const {
  const auto wanted = static_cast<std::int64_t>(id);
  std::size_t low = 0;
  for (std::size_t high = files_by_id_.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (ids_[files_by_id_[middle]] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low >= files_by_id_.size()) return std::nullopt;
  const FileNumber file = files_by_id_[low];
  return file < file_count_ && ids_[file] == wanted ? std::optional(file) : std::nullopt;
}

std::optional<FileNumber> Segment::find_path(std::string_view path) const {
  const std::size_t at = paths_.lower_bound(path);
  return at < file_count_ && paths_[at] == path ? std::optional(static_cast<FileNumber>(at))
                                                : std::nullopt;
}

std::optional<StemNumber> Segment::find_stem(std::string_view stem) const {
  const std::size_t at = stems_.lower_bound(stem);
  return at < stem_count_ && stems_[at] == stem ? std::optional(static_cast<StemNumber>(at))
                                                : std::nullopt;
}

std::optional<NameNumber> Segment::find_name(std::string_view name) const {
  const std::size_t at = names_.lower_bound(name);
  return at < name_count_ && names_[at] == name ? std::optional(static_cast<NameNumber>(at))
                                                : std::nullopt;
}

std::set<std::string> Segment::languages() const {
  std::set<std::string> names;
  for (const LanguageEntry& one : languages_) names.insert(one.name);
  return names;
}

void SegmentWriter::begin(SegmentPart part) {
  if (table_.size() != 16 * static_cast<std::size_t>(part)) std::abort();  // wrong order
  part_begin_ = size_;
}

Result<void> SegmentWriter::append(std::string_view bytes) {
  checksum_ = crc32(bytes, checksum_);
  size_ += bytes.size();
  return sink_(bytes);
}

Result<void> SegmentWriter::end() {
  put_value<std::uint64_t>(part_begin_, &table_);
  put_value<std::uint64_t>(size_ - part_begin_, &table_);
  constexpr std::string_view kZeros("\0\0\0\0\0\0\0", kAlignment - 1);
  return append(kZeros.substr(0, (kAlignment - size_ % kAlignment) % kAlignment));
}

Result<void> SegmentWriter::add(SegmentPart part, std::string_view bytes) {
  begin(part);
  CODEXMEM_TRY(append(bytes));
  return end();
}

Result<void> SegmentWriter::finish(const SegmentHead& head) {
  CODEXMEM_TRY(append(table_));
  std::string bytes;
  put_value(head.generation, &bytes);
  put_value(head.last_dependency, &bytes);
  put_value(head.files, &bytes);
  put_value(head.chunks, &bytes);
  put_value(head.terms, &bytes);
  put_value(head.mark, &bytes);
  put_value<std::uint64_t>(kSegmentParts, &bytes);
  put_value(kByteOrder, &bytes);
  put_value(kVersion, &bytes);
  bytes += kMagic;
  bytes.append(2, '\0');
  CODEXMEM_TRY(append(bytes));
  bytes.clear();
  put_value(checksum_, &bytes);
  put_value<std::uint32_t>(0, &bytes);
  return sink_(bytes);
}

Result<void> TextWriter::end_piece() {
  constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
  const std::uint64_t end = written_ + piece.size();
  if (end > UINT32_MAX) {
    return Error{ErrorCode::kUnsupported, "the names of this repository are more than 4 GB"};
  }
  put_value(static_cast<std::uint32_t>(end), &begins_);
  if (piece.size() < kFlushBytes) return {};
  written_ = end;
  CODEXMEM_TRY(writer_.append(piece));
  piece.clear();
  return {};
}

Result<void> TextWriter::finish() {
  CODEXMEM_TRY(writer_.append(piece));
  CODEXMEM_TRY(writer_.end());
  return writer_.add(static_cast<SegmentPart>(static_cast<int>(texts_) + 1), begins_);
}

}  // namespace codexmem::search

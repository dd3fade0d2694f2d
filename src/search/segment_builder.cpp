// Rows are read in the order of the tables. Then files are numbered by path, names and stems by
// their bytes, and each array is written as soon as it is complete, and freed. Stemming is the main
// cost, so it is done once for each distinct name.
//
// Tested by search/segment_test.cpp.
#include "search/segment_builder.h"
#include "parse/rules/languages.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "search/definition.h"
#include "search/path_facts.h"
#include "search/segment_lists.h"
#include "search/statistics.h"
#include "search/text_numbers.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxNameBytes = std::size_t{4000} << 20;  // the limit of 32-bit offsets
constexpr std::size_t kRowsAtOnce = 1024;
constexpr std::size_t kDenseIds = 16;  // a table by id may have this many places per file

constexpr std::array<float, 9> kWeights = {0, 0.1F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1};

std::uint32_t weight_code(float weight) {
  return static_cast<std::uint32_t>(std::ranges::find(kWeights, weight) - kWeights.begin());
}

struct FileEntry {
  store::FileId id{};
  std::int64_t generation = 0;
  std::string path, language;
};

struct FileDefinition {
  static constexpr std::uint32_t kCentral = 1U << 31;

  std::uint32_t weight() const { return packed & 15U; }  // its code
  std::uint32_t ordinal() const { return packed >> 4 & store::kFileVectorIndex; }
  bool is_central() const { return (packed & kCentral) != 0; }

  FileNumber file = 0;
  std::uint32_t packed = 0;
};

struct NamedDefinition {
  std::uint32_t name = 0;
  FileDefinition definition;
};

class SegmentBuilder {
 public:
  SegmentBuilder(store::StoreReader& reader, const SegmentWriter::Sink& sink)
      : reader_(reader), writer_(sink) {}

  // Without `ids` for all files, else for these, with statistics from `base`.
  Result<SegmentHead> build(const std::vector<store::FileId>* ids, const Segment* base,
                            std::uint64_t mark) {
    CODEXMEM_ASSIGN(head_.generation, reader_.generation());
    CODEXMEM_ASSIGN(head_.last_dependency, reader_.last_dependency());
    head_.mark = mark;
    CODEXMEM_TRY(read_files(ids));
    CODEXMEM_TRY(write_files());
    CODEXMEM_TRY(read_definitions(ids != nullptr));
    CODEXMEM_TRY(write_kinds());
    CODEXMEM_TRY(write_chunks(ids != nullptr));
    sort_names();
    CODEXMEM_TRY(write_names());
    number_path_stems();
    rank_stems();
    CODEXMEM_TRY(write_file_stems());
    CODEXMEM_TRY(write_importers(ids != nullptr));
    CODEXMEM_ASSIGN(const Statistics statistics,
                    base == nullptr ? compute() : Result<Statistics>(carry_over(*base)));
    CODEXMEM_TRY(write_array(SegmentPart::kCentralities, statistics.centralities));
    CODEXMEM_TRY(write_tables());
    CODEXMEM_TRY(write_stems(statistics));
    CODEXMEM_TRY(write_records());
    CODEXMEM_TRY(writer_.finish(head_));
    return head_;
  }

 private:
  Result<void> read_files(const std::vector<store::FileId>* ids);
  Result<void> write_files();
  Result<void> read_definitions(bool is_part);
  Result<void> write_kinds();
  Result<void> write_chunks(bool is_part);
  void sort_names();
  Result<void> write_names();
  void number_path_stems();
  void rank_stems();
  Result<void> write_file_stems();
  Result<void> write_importers(bool is_part);
  Result<Statistics> compute();
  Statistics carry_over(const Segment& base) const;
  Result<void> write_tables();
  Result<void> write_stems(const Statistics& statistics);
  Result<void> write_records();

  template <typename T>
  Result<void> write_array(SegmentPart part, const std::vector<T>& values) {
    return writer_.add(part,
                       {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  Result<void> write_lists(SegmentPart part, const NumberLists& lists) {
    TextWriter written(writer_, part);
    for (std::size_t i = 0; i < lists.size(); ++i) CODEXMEM_TRY(written.add_numbers(lists[i]));
    return written.finish();
  }
  std::optional<FileNumber> find_file(store::FileId id) const {
    const auto place = static_cast<std::uint64_t>(id);
    if (!numbers_.empty()) {
      const FileNumber number = place < numbers_.size() ? numbers_[place] : kNobody;
      return number == kNobody ? std::nullopt : std::optional(number);
    }
    const auto found = std::ranges::lower_bound(
        by_id_, id, {}, [&](FileNumber number) { return files_[number].id; });
    return found != by_id_.end() && files_[*found].id == id ? std::optional(*found) : std::nullopt;
  }
  std::span<const FileDefinition> definitions_of(NameNumber name) const {
    return std::span(definitions_)
        .subspan(name_begins_[name], name_begins_[name + 1] - name_begins_[name]);
  }

  store::StoreReader& reader_;
  SegmentWriter writer_;
  SegmentHead head_;
  std::vector<FileEntry> files_;  // by path
  std::vector<FileNumber> by_id_;
  std::vector<FileNumber> numbers_;  // by id, or kNobody; empty if ids are sparse
  TextNumbers languages_, cuts_, kinds_;
  std::vector<NumberPair> file_kinds_;

  TextNumbers names_, stems_;
  std::vector<NamedDefinition> named_;       // in reading order, with numbers of names
  std::vector<std::uint32_t> name_order_;    // the numbers of names, by bytes
  std::vector<FileDefinition> definitions_;  // by name, then file: the best in each
  std::vector<std::uint32_t> name_begins_;   // of definitions_, by name
  std::vector<FileNumber> sole_definers_;    // by name: the only file that defines it, or kNobody
  SoleNames sole_names_;
  StemLists name_stems_;
  std::vector<NumberPair> base_stems_, directory_stems_;  // file, stem
  std::vector<std::uint32_t> stem_order_;                 // the numbers of stems, by bytes
  std::vector<StemNumber> stem_ranks_;                    // places in stem_order_, by number

  static constexpr FileNumber kNobody = static_cast<FileNumber>(-1);
};

Result<void> SegmentBuilder::read_files(const std::vector<store::FileId>* ids) {
  const auto add = [&](store::FileRow row) {
    files_.push_back({row.id, row.generation, std::move(row.path), std::move(row.language)});
  };
  if (ids == nullptr) {
    for (bool is_more = true; is_more;) {
      const std::string last = files_.empty() ? std::string() : files_.back().path;
      CODEXMEM_ASSIGN(auto rows, reader_.list_files_after(last, kRowsAtOnce));
      is_more = rows.size() == kRowsAtOnce;
      for (store::FileRow& row : rows) add(std::move(row));
    }
  } else {
    for (const store::FileId id : *ids) {
      CODEXMEM_ASSIGN(auto row, reader_.find_file(id));
      if (row) add(*std::move(row));
    }
    std::ranges::sort(files_, {}, &FileEntry::path);
  }
  head_.files = files_.size();
  by_id_.resize(files_.size());
  std::iota(by_id_.begin(), by_id_.end(), 0U);
  std::ranges::sort(by_id_, {}, [&](FileNumber number) { return files_[number].id; });
  // A damaged store may contain any numbers, even negative ones.
  const auto id_at = [&](std::size_t place) {
    return static_cast<std::int64_t>(files_[by_id_[place]].id);
  };
  const std::size_t most = kDenseIds * (files_.size() + kDenseIds);
  if (!files_.empty() && id_at(0) >= 0 && std::cmp_less(id_at(files_.size() - 1), most)) {
    numbers_.assign(static_cast<std::size_t>(id_at(files_.size() - 1)) + 1, kNobody);
    for (const FileNumber number : by_id_) {
      numbers_[static_cast<std::size_t>(files_[number].id)] = number;
    }
  }
  return {};
}

Result<void> SegmentBuilder::write_files() {
  cuts_.number_of("");  // 0: no cuts
  TextWriter paths(writer_, SegmentPart::kPaths);
  std::vector<std::int64_t> ids, generations;
  std::vector<std::uint16_t> languages, cuts, version_cuts;
  VersionFolders versions;
  for (const FileEntry& file : files_) versions.add(file.path);
  // More sets than fit are an attack: further files get no cuts.
  const auto number_of = [&](const std::string& lines) {
    const std::uint32_t number = cuts_.size() < UINT16_MAX ? cuts_.number_of(lines) : 0;
    return static_cast<std::uint16_t>(number);
  };
  const auto line_of = [](const PathCut& cut) {
    return fmt::format("{} {}\n", cut.factor, cut.undone_by);
  };
  for (const FileEntry& file : files_) {
    CODEXMEM_TRY(paths.add(file.path));
    ids.push_back(static_cast<std::int64_t>(file.id));
    generations.push_back(file.generation);
    languages.push_back(static_cast<std::uint16_t>(languages_.number_of(file.language)));
    std::string lines;
    for (const PathCut& cut : path_cuts(file.path)) lines += line_of(cut);
    cuts.push_back(number_of(lines));
    const PathCut version = versions.cut_of(file.path);
    version_cuts.push_back(version.factor == 1 ? 0 : number_of(line_of(version)));
  }
  CODEXMEM_TRY(paths.finish());
  CODEXMEM_TRY(write_array(SegmentPart::kFileIds, ids));
  CODEXMEM_TRY(write_array(SegmentPart::kFilesById, by_id_));
  CODEXMEM_TRY(write_array(SegmentPart::kFileGenerations, generations));
  CODEXMEM_TRY(write_array(SegmentPart::kFileLanguages, languages));
  CODEXMEM_TRY(write_array(SegmentPart::kFileCuts, cuts));
  return write_array(SegmentPart::kFileVersionCuts, version_cuts);
}

Result<void> SegmentBuilder::read_definitions(bool is_part) {
  std::optional<store::FileId> last;
  std::optional<FileNumber> file;
  const auto add = [&](const store::DefinitionName& row) {
    if (last != store::file_of(row.id)) {
      last = store::file_of(row.id);
      file = find_file(*last);
    }
    if (!file || names_.bytes() > kMaxNameBytes) return;
    // A configuration key ranks like text: code with the same name comes first.
    const parse::Language* const language = parse::find_language(files_[*file].language);
    const bool is_named = language == nullptr || !language->is_configuration;
    const std::uint32_t central =
        counts_for_centrality(row.type, row.kind) ? FileDefinition::kCentral : 0U;
    if (is_named) {
      named_.push_back({names_.number_of(row.name),
                        {*file, store::ordinal_of(row.id) << 4 |
                                    weight_code(kind_weight(row.type, row.kind)) | central}});
    }
    const std::uint32_t kind =
        kinds_.number_of(fmt::format("{}{}", static_cast<int>(row.type), row.kind));
    // The kinds of one file are consecutive.
    for (auto at = file_kinds_.rbegin(); at != file_kinds_.rend() && at->first == *file; ++at) {
      if (at->second == kind) return;
    }
    file_kinds_.emplace_back(*file, kind);
  };
  if (is_part) {
    for (const FileEntry& one : files_) CODEXMEM_TRY(reader_.visit_definitions(one.id, add));
  } else {
    CODEXMEM_ASSIGN(const store::StoreCounts counts, reader_.counts());
    named_.reserve(static_cast<std::size_t>(counts.symbols));
    CODEXMEM_TRY(reader_.visit_definitions(std::nullopt, add));
  }
  if (names_.bytes() > kMaxNameBytes) {
    return Error{ErrorCode::kUnsupported, "the names of this repository are more than 4 GB"};
  }
  return {};
}

Result<void> SegmentBuilder::write_chunks(bool is_part) {
  std::vector<std::vector<std::uint32_t>> lengths(files_.size());
  const auto add = [&](store::ChunkId id, std::uint32_t length) {
    const auto file = find_file(store::file_of(id));
    if (!file) return;
    const std::size_t index = store::ordinal_of(id);
    if (lengths[*file].size() <= index) lengths[*file].resize(index + 1);
    lengths[*file][index] = length;
  };
  if (is_part) {
    for (const FileEntry& one : files_) CODEXMEM_TRY(reader_.visit_chunk_lengths(one.id, add));
  } else {
    CODEXMEM_TRY(reader_.visit_chunk_lengths(std::nullopt, add));
  }
  std::vector<std::uint32_t> begins = {0}, all, terms;
  for (const auto& of_file : lengths) {
    all.insert(all.end(), of_file.begin(), of_file.end());
    begins.push_back(static_cast<std::uint32_t>(all.size()));
    terms.push_back(std::accumulate(of_file.begin(), of_file.end(), 0U));
    head_.terms += terms.back();
  }
  head_.chunks = all.size();
  CODEXMEM_TRY(write_array(SegmentPart::kChunkBegins, begins));
  CODEXMEM_TRY(write_array(SegmentPart::kChunkLengths, all));
  return write_array(SegmentPart::kFileTerms, terms);
}

Result<void> SegmentBuilder::write_kinds() {
  std::ranges::sort(file_kinds_);
  const NumberLists lists(files_.size(), std::exchange(file_kinds_, {}));
  return write_lists(SegmentPart::kFileKinds, lists);
}

// Keeps the best definition of a name in a file; the first in the source among equals.
void SegmentBuilder::sort_names() {
  names_.end_numbering();
  name_order_ = names_.sorted();
  {
    std::vector<NameNumber> ranks(name_order_.size());
    for (NameNumber i = 0; i < name_order_.size(); ++i) ranks[name_order_[i]] = i;
    for (NamedDefinition& one : named_) one.name = ranks[one.name];
  }
  std::ranges::sort(named_, [](const NamedDefinition& one, const NamedDefinition& other) {
    const FileDefinition &a = one.definition, &b = other.definition;
    if (one.name != other.name) return one.name < other.name;
    if (a.file != b.file) return a.file < b.file;
    if (a.weight() != b.weight()) return a.weight() > b.weight();
    return a.ordinal() < b.ordinal();
  });
  name_begins_.assign(name_order_.size() + 1, 0);
  sole_definers_.assign(name_order_.size(), kNobody);
  definitions_.reserve(named_.size());
  for (std::size_t begin = 0; begin < named_.size();) {
    const NameNumber name = named_[begin].name;
    std::size_t central_files = 0;
    std::size_t end = begin;
    for (; end < named_.size() && named_[end].name == name; ++end) {
      const FileDefinition one = named_[end].definition;
      if (one.is_central() && (central_files == 0 || sole_definers_[name] != one.file)) {
        ++central_files;
        sole_definers_[name] = one.file;
      }
      if (end == begin || definitions_.back().file != one.file) definitions_.push_back(one);
    }
    if (central_files != 1) sole_definers_[name] = kNobody;
    name_begins_[name + 1] = static_cast<std::uint32_t>(definitions_.size());
    begin = end;
  }
  give_up(named_);
}

// Writes the names, and keeps the data that later steps need: their stems, and the only definer of
// each.
Result<void> SegmentBuilder::write_names() {
  TextWriter written(writer_, SegmentPart::kNames);
  std::vector<std::uint32_t> stems;
  for (NameNumber i = 0; i < name_order_.size(); ++i) {
    const std::string_view name = names_[name_order_[i]];
    CODEXMEM_TRY(written.add(name));
    stems.clear();
    for_each_word(name, [&](const Word& word) {
      const std::uint32_t number = stems_.number_of(stem(word.text));
      if (std::ranges::find(stems, number) == stems.end()) stems.push_back(number);
    });
    name_stems_.add(stems);
    if (sole_definers_[i] != kNobody) sole_names_.add(name, sole_definers_[i]);
  }
  names_ = TextNumbers();
  give_up(name_order_);
  give_up(sole_definers_);
  ::malloc_trim(0);
  return written.finish();
}

void SegmentBuilder::number_path_stems() {
  for (FileNumber file = 0; file < files_.size(); ++file) {
    for (const std::string& one : base_name_stems(files_[file].path)) {
      base_stems_.emplace_back(file, stems_.number_of(one));
    }
    for (const std::string& one : directory_stems(files_[file].path)) {
      directory_stems_.emplace_back(file, stems_.number_of(one));
    }
  }
}

void SegmentBuilder::rank_stems() {
  stem_order_ = stems_.sorted();
  stem_ranks_.resize(stem_order_.size());
  for (StemNumber i = 0; i < stem_order_.size(); ++i) stem_ranks_[stem_order_[i]] = i;
  for (auto* const pairs : {&base_stems_, &directory_stems_}) {
    for (NumberPair& pair : *pairs) pair.second = stem_ranks_[pair.second];
    std::ranges::sort(*pairs);
  }
}

Result<void> SegmentBuilder::write_file_stems() {
  CODEXMEM_TRY(write_lists(SegmentPart::kBaseStems, {files_.size(), base_stems_}));
  return write_lists(SegmentPart::kDirectoryStems, {files_.size(), directory_stems_});
}

Result<void> SegmentBuilder::write_importers(bool is_part) {
  std::vector<NumberPair> pairs;  // a file and one that imports it
  if (!is_part) {
    CODEXMEM_TRY(reader_.visit_imports([&](store::FileId source, store::FileId target) {
      const auto from = find_file(source), to = find_file(target);
      if (from && to) pairs.emplace_back(*to, *from);
    }));
  }
  std::ranges::sort(pairs);
  const NumberLists lists(files_.size(), pairs);
  return write_lists(SegmentPart::kImporters, lists);
}

Result<Statistics> SegmentBuilder::compute() {
  SoleNames::Finder sole_names(sole_names_);  // identifiers arrive in the order of names
  return compute_statistics(
      reader_, {.files = files_.size(),
                .stems = stem_order_.size(),
                .find_file = [&](store::FileId id) { return find_file(id); },
                .find_stem = [&](std::string_view stem) -> std::optional<StemNumber> {
                  const auto number = stems_.find(stem);
                  return number ? std::optional(stem_ranks_[*number]) : std::nullopt;
                },
                .find_sole_definer = [&](std::string_view name) { return sole_names.find(name); }});
}

Statistics SegmentBuilder::carry_over(const Segment& base) const {
  Statistics statistics;
  for (const std::uint32_t number : stem_order_) {
    const auto stem = base.find_stem(stems_[number]);
    statistics.stem_frequencies.push_back(stem ? base.stem_frequency(*stem) : 1);
  }
  for (const FileEntry& file : files_) {
    const auto before = base.find_file(file.id);
    statistics.centralities.push_back(before ? base.centrality(*before) : 0);
  }
  return statistics;
}

Result<void> SegmentBuilder::write_tables() {
  for (const auto& [part, texts] :
       {std::pair(SegmentPart::kLanguages, &languages_), std::pair(SegmentPart::kCuts, &cuts_),
        std::pair(SegmentPart::kKinds, &kinds_)}) {
    TextWriter written(writer_, part);
    for (std::uint32_t i = 0; i < texts->size(); ++i) CODEXMEM_TRY(written.add((*texts)[i]));
    CODEXMEM_TRY(written.finish());
  }
  return {};
}

Result<void> SegmentBuilder::write_stems(const Statistics& statistics) {
  {
    TextWriter texts(writer_, SegmentPart::kStems);
    for (const std::uint32_t number : stem_order_) CODEXMEM_TRY(texts.add(stems_[number]));
    CODEXMEM_TRY(texts.finish());
  }
  CODEXMEM_TRY(write_array(SegmentPart::kStemFrequencies, statistics.stem_frequencies));
  const auto names = NumberLists::inverted(stem_order_.size(), [&](auto on_pair) {
    name_stems_.visit([&](NameNumber name, VarintReader& stems) {
      for (std::uint32_t i = stems.next(); i > 0; --i) on_pair(name, stem_ranks_[stems.next()]);
    });
  });
  CODEXMEM_TRY(write_lists(SegmentPart::kStemNames, names));

  std::vector<NumberPair> pairs;
  for (auto* const of_files : {&base_stems_, &directory_stems_}) {
    for (const auto& [file, stem] : std::exchange(*of_files, {})) pairs.emplace_back(stem, file);
  }
  const NumberLists paths(stem_order_.size(), pairs);
  TextWriter stem_files(writer_, SegmentPart::kStemFiles);
  std::vector<FileNumber> files;
  for (StemNumber stem = 0; stem < stem_order_.size(); ++stem) {
    files.assign(paths[stem].begin(), paths[stem].end());
    for (const NameNumber name : names[stem]) {
      for (const FileDefinition& one : definitions_of(name)) files.push_back(one.file);
    }
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
    CODEXMEM_TRY(stem_files.add_numbers(files));
  }
  return stem_files.finish();
}

Result<void> SegmentBuilder::write_records() {
  TextWriter records(writer_, SegmentPart::kNameRecords);
  Result<void> written;
  name_stems_.visit([&](NameNumber name, VarintReader& stems) {
    const std::uint32_t count = stems.next();
    put_varint(count, &records.piece);
    for (std::uint32_t i = 0; i < count; ++i) put_varint(stem_ranks_[stems.next()], &records.piece);
    FileNumber before = 0;
    for (const FileDefinition& one : definitions_of(name)) {
      put_varint(one.file - before, &records.piece);
      put_varint(one.packed & ~FileDefinition::kCentral, &records.piece);
      before = one.file;
    }
    if (written.ok()) written = records.end_piece();
  });
  CODEXMEM_TRY(std::move(written));
  CODEXMEM_TRY(records.finish());
  return write_array(SegmentPart::kWeights, std::vector<float>(kWeights.begin(), kWeights.end()));
}

}  // namespace

Result<SegmentHead> build_segment(store::StoreReader& reader, std::uint64_t mark,
                                  const SegmentWriter::Sink& sink) {
  return SegmentBuilder(reader, sink).build(nullptr, nullptr, mark);
}

Result<std::shared_ptr<const Segment>> build_segment(store::StoreReader& reader,
                                                     const std::vector<store::FileId>& ids,
                                                     const Segment& base) {
  std::string bytes;
  const auto sink = [&](std::string_view more) -> Result<void> {
    bytes += more;
    return {};
  };
  CODEXMEM_TRY(SegmentBuilder(reader, sink).build(&ids, &base, 0));
  return Segment::open(std::move(bytes));
}

}  // namespace codexmem::search

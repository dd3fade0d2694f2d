// A build reads rows of changed files, shares the entries of the others, and numbers names and
// stems anew: hashing 30,000 names takes a few milliseconds, keeping numbers stable across edits
// would take more code than that is worth. What is costly, the stemming of names, is once for each
// distinct name.
//
// Tested by search/snapshot_test.cpp.
#include "search/snapshot.h"

#include <algorithm>
#include <numeric>

#include "base/path.h"
#include "text/text_hash.h"
#include "text/words.h"
#include "parse/languages.h"
#include "search/path_facts.h"
#include "search/statistics.h"

namespace codexmem::search {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr double kConfigurationPrior = 0.4;
constexpr double kProsePrior = 0.5;
// Statistics are computed anew when more than one file in this many has changed.
constexpr std::size_t kStatisticsShare = 20;

double language_prior(std::string_view name) {
  const parse::Language* language = parse::find_language(name);
  if (language == nullptr) return 1;
  if (language->is_configuration) return kConfigurationPrior;
  return language->is_prose ? kProsePrior : 1;
}

std::shared_ptr<FileEntry> new_entry(store::FileRow row) {
  auto entry = std::make_shared<FileEntry>();
  entry->id = row.id;
  entry->path = std::move(row.path);
  entry->language = std::move(row.language);
  entry->generation = row.generation;
  entry->prior = language_prior(entry->language);
  entry->path_cuts = path_cuts(entry->path);
  entry->reduced_base = reduced_name(file_stem(entry->path));
  entry->base_stems = base_name_stems(entry->path);
  entry->directory_stems = directory_stems(entry->path);
  return entry;
}

bool counts_for_centrality(SymbolType type, std::string_view kind) {
  switch (type) {
    case SymbolType::kFunction:
    case SymbolType::kClass:
    case SymbolType::kInterface:
    case SymbolType::kMethod:
      return kind != "prototype";
    case SymbolType::kType:
      return kind != "namespace" && kind != "module";
    case SymbolType::kVariable:
    case SymbolType::kProperty:
      return kind == "macro";
  }
  return false;
}

void add_definition(const store::DefinitionName& row, FileEntry* entry) {
  entry->definitions.push_back(
      {std::string(row.name), store::ordinal_of(row.id), row.begin, kind_weight(row.type, row.kind),
       counts_for_centrality(row.type, row.kind),
       row.type == SymbolType::kFunction || row.type == SymbolType::kMethod});
  const auto is_same = [&](const DefinitionKind& one) {
    return one.type == row.type && one.kind == row.kind;
  };
  if (std::ranges::none_of(entry->kinds, is_same)) {
    entry->kinds.push_back({row.type, std::string(row.kind)});
  }
}

void add_chunk(store::ChunkId id, std::uint32_t length, FileEntry* entry) {
  const std::size_t index = store::ordinal_of(id);
  if (entry->chunk_lengths.size() <= index) entry->chunk_lengths.resize(index + 1);
  entry->chunk_lengths[index] = length;
  entry->length += length;
}

}  // namespace

float kind_weight(SymbolType type, std::string_view kind) {
  if (kind == "namespace" || kind == "module") return 0.4F;
  if (kind == "prototype") return 0.6F;
  if (kind == "macro") return 0.8F;
  if (kind == "include_guard") return 0.1F;  // says nothing of what is behind it
  switch (type) {
    case SymbolType::kFunction:
    case SymbolType::kClass:
    case SymbolType::kInterface:
      return 1.0F;
    case SymbolType::kType:
      return kind == "enum" ? 1.0F : 0.9F;
    case SymbolType::kMethod:
      return 0.9F;
    case SymbolType::kVariable:
      return 0.7F;
    case SymbolType::kProperty:
      return 0.5F;
  }
  return 0;
}

NumberLists NumberLists::of(std::size_t keys, std::span<const Pair> pairs) {
  NumberLists lists;
  lists.begins_.assign(keys + 1, 0);
  for (const auto& [key, value] : pairs) ++lists.begins_[key + 1];
  std::partial_sum(lists.begins_.begin(), lists.begins_.end(), lists.begins_.begin());
  lists.values_.resize(pairs.size());
  std::vector<std::uint32_t> next(lists.begins_.begin(), lists.begins_.end() - 1);
  for (const auto& [key, value] : pairs) lists.values_[next[key]++] = value;
  return lists;
}

Result<std::shared_ptr<const Snapshot>> Snapshot::build(store::CodeReader& reader,
                                                        const Snapshot* previous) {
  auto snapshot = std::make_shared<Snapshot>();
  CODEXMEM_ASSIGN(snapshot->generation_, reader.generation());
  CODEXMEM_TRY(snapshot->read_files(reader, previous));
  snapshot->number_names();
  snapshot->number_stems();
  CODEXMEM_TRY(snapshot->read_imports(reader));
  CODEXMEM_TRY(snapshot->use_statistics(reader, previous));
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

Result<void> Snapshot::read_files(store::CodeReader& reader, const Snapshot* previous) {
  CODEXMEM_ASSIGN(std::vector<store::FileRow> rows, reader.list_files());
  std::unordered_map<std::int64_t, std::shared_ptr<FileEntry>> fresh;
  files_.reserve(rows.size());
  file_numbers_.reserve(rows.size());
  for (store::FileRow& row : rows) {
    const auto number = static_cast<FileNumber>(files_.size());
    file_numbers_.emplace(static_cast<std::int64_t>(row.id), number);
    const auto old = previous == nullptr ? std::nullopt : previous->find_file(row.id);
    if (old.has_value() && previous->file(*old).generation == row.generation &&
        previous->file(*old).path == row.path) {
      files_.push_back(previous->files_[*old]);
      continue;
    }
    const auto id = static_cast<std::int64_t>(row.id);
    auto entry = new_entry(std::move(row));
    fresh.emplace(id, entry);
    files_.push_back(std::move(entry));
  }
  const std::size_t gone =
      previous == nullptr
          ? 0
          : previous->file_count() - std::min(previous->file_count(), files_.size() - fresh.size());
  files_changed_ = std::max(fresh.size(), gone);

  const auto entry_of = [&](store::FileId id) -> FileEntry* {
    const auto found = fresh.find(static_cast<std::int64_t>(id));
    return found == fresh.end() ? nullptr : found->second.get();
  };
  const auto add_row = [&](const store::DefinitionName& row) {
    if (FileEntry* entry = entry_of(store::file_of(row.id))) add_definition(row, entry);
  };
  const auto add_length = [&](store::ChunkId id, std::uint32_t length) {
    if (FileEntry* entry = entry_of(store::file_of(id))) add_chunk(id, length, entry);
  };
  // One scan of the tables costs as much as looking up some tenth of the files.
  if (fresh.size() > files_.size() / 10) {
    CODEXMEM_TRY(reader.visit_definitions(std::nullopt, add_row));
    CODEXMEM_TRY(reader.visit_chunk_lengths(std::nullopt, add_length));
  } else {
    for (const auto& [id, entry] : fresh) {
      CODEXMEM_TRY(reader.visit_definitions(entry->id, add_row));
      CODEXMEM_TRY(reader.visit_chunk_lengths(entry->id, add_length));
    }
  }

  VersionFolders versions;
  for (const auto& entry : files_) versions.add(entry->path);
  version_cuts_.reserve(files_.size());
  for (const auto& entry : files_) version_cuts_.push_back(versions.cut_of(entry->path));

  std::uint64_t terms = 0;
  for (const auto& entry : files_) {
    chunk_count_ += entry->chunk_lengths.size();
    terms += entry->length;
  }
  const auto mean = [&](std::size_t units) {
    return units == 0 || terms == 0 ? 1.0 : static_cast<double>(terms) / static_cast<double>(units);
  };
  average_file_length_ = mean(files_.size());
  average_chunk_length_ = mean(chunk_count_);
  return {};
}

void Snapshot::number_names() {
  std::vector<std::pair<NameNumber, Definer>> all;
  for (FileNumber file = 0; file < files_.size(); ++file) {
    for (const Definition& definition : files_[file]->definitions) {
      const auto [at, is_new] =
          name_numbers_.try_emplace(definition.name, static_cast<NameNumber>(names_.size()));
      if (is_new) names_.push_back(definition.name);
      all.push_back({at->second, {file, definition.ordinal, definition.weight}});
    }
  }
  // The best definition of a name in a file; of equals the first in the source.
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second.file != b.second.file) return a.second.file < b.second.file;
    if (a.second.weight != b.second.weight) return a.second.weight > b.second.weight;
    return a.second.ordinal < b.second.ordinal;
  });
  definer_begins_.assign(names_.size() + 1, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [name, definer] = all[i];
    if (i > 0 && all[i - 1].first == name && all[i - 1].second.file == definer.file) continue;
    definers_.push_back(definer);
    ++definer_begins_[name + 1];
  }
  std::partial_sum(definer_begins_.begin(), definer_begins_.end(), definer_begins_.begin());
}

void Snapshot::number_stems() {
  std::vector<Pair> base, directory, of_name;  // owner and a stem, numbered by first appearance
  TextMap<StemNumber> first_seen;
  std::vector<const std::string*> texts;
  const auto number_of = [&](std::string text) {
    const auto [at, is_new] =
        first_seen.try_emplace(std::move(text), static_cast<StemNumber>(texts.size()));
    if (is_new) texts.push_back(&at->first);
    return at->second;
  };
  for (FileNumber file = 0; file < files_.size(); ++file) {
    for (const std::string& one : files_[file]->base_stems) base.push_back({file, number_of(one)});
    for (const std::string& one : files_[file]->directory_stems) {
      directory.push_back({file, number_of(one)});
    }
  }
  for (NameNumber name = 0; name < names_.size(); ++name) {
    const std::size_t begin = of_name.size();
    for_each_word(names_[name], [&](const Word& word) {
      const Pair pair{name, number_of(stem(word.text))};
      if (std::find(of_name.begin() + static_cast<std::ptrdiff_t>(begin), of_name.end(), pair) ==
          of_name.end()) {
        of_name.push_back(pair);
      }
    });
  }

  // Numbers by bytes, for lookup of prefixes.
  std::vector<StemNumber> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](StemNumber a, StemNumber b) { return *texts[a] < *texts[b]; });
  std::vector<StemNumber> rank(texts.size());
  stems_.reserve(texts.size());
  for (StemNumber i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    stems_.push_back(*texts[order[i]]);
  }
  for (auto* pairs : {&base, &directory, &of_name}) {
    for (Pair& pair : *pairs) pair.second = rank[pair.second];
  }
  stem_numbers_.reserve(stems_.size());
  for (StemNumber i = 0; i < stems_.size(); ++i) stem_numbers_.emplace(stems_[i], i);

  base_stems_ = NumberLists::of(files_.size(), base);
  directory_stems_ = NumberLists::of(files_.size(), directory);
  name_stems_ = NumberLists::of(names_.size(), of_name);

  std::vector<Pair> stem_to_name, stem_to_file;
  for (const auto& [name, stem_number] : of_name) {
    stem_to_name.push_back({stem_number, name});
    for (const Definer& definer : definers(name))
      stem_to_file.push_back({stem_number, definer.file});
  }
  for (const auto& [file, stem_number] : base) stem_to_file.push_back({stem_number, file});
  for (const auto& [file, stem_number] : directory) stem_to_file.push_back({stem_number, file});
  std::ranges::sort(stem_to_file);
  stem_to_file.erase(std::unique(stem_to_file.begin(), stem_to_file.end()), stem_to_file.end());
  stem_names_ = NumberLists::of(stems_.size(), stem_to_name);
  stem_files_ = NumberLists::of(stems_.size(), stem_to_file);
}

Result<void> Snapshot::read_imports(store::CodeReader& reader) {
  std::vector<Pair> importers;  // a file and one that imports it
  CODEXMEM_TRY(reader.visit_imports([&](store::FileId source, store::FileId target) {
    const auto from = find_file(source), to = find_file(target);
    if (from.has_value() && to.has_value()) importers.push_back({*to, *from});
  }));
  std::ranges::sort(importers);
  importers_ = NumberLists::of(files_.size(), importers);
  return {};
}

Result<void> Snapshot::use_statistics(store::CodeReader& reader, const Snapshot* previous) {
  if (previous != nullptr && previous->statistics_ != nullptr) {
    statistics_age_ = previous->statistics_age_ + files_changed_;
    if (statistics_age_ * kStatisticsShare <= files_.size()) statistics_ = previous->statistics_;
  }
  if (statistics_ == nullptr) {
    std::vector<std::uint32_t> definers_of(names_.size());
    std::vector<FileNumber> last(names_.size());
    for (FileNumber file = 0; file < files_.size(); ++file) {
      for (const Definition& definition : files_[file]->definitions) {
        if (!definition.is_central) continue;
        const NameNumber name = name_numbers_.at(definition.name);
        if (definers_of[name] == 0 || last[name] != file) ++definers_of[name];
        last[name] = file;
      }
    }
    TextViewMap<FileNumber> sole;
    for (NameNumber name = 0; name < names_.size(); ++name) {
      if (definers_of[name] == 1) sole.emplace(names_[name], last[name]);
    }
    CODEXMEM_ASSIGN(Statistics computed, compute_statistics(reader, *this, sole));
    statistics_ = std::make_shared<Statistics>(std::move(computed));
    statistics_age_ = 0;
  }
  files_with_stem_.assign(stems_.size(), 1);
  for (StemNumber i = 0; i < stems_.size(); ++i) {
    const auto found = statistics_->files_with_stem.find(stems_[i]);
    if (found != statistics_->files_with_stem.end()) files_with_stem_[i] = found->second;
  }
  centrality_.assign(files_.size(), 0);
  for (FileNumber file = 0; file < files_.size(); ++file) {
    const auto found = statistics_->centrality.find(static_cast<std::int64_t>(files_[file]->id));
    if (found != statistics_->centrality.end()) centrality_[file] = found->second;
  }
  return {};
}

std::optional<FileNumber> Snapshot::find_file(store::FileId id) const {
  const auto found = file_numbers_.find(static_cast<std::int64_t>(id));
  if (found == file_numbers_.end()) return std::nullopt;
  return found->second;
}

std::optional<FileNumber> Snapshot::find_path(std::string_view path) const {
  const auto found = std::ranges::lower_bound(
      files_, path, {}, [](const auto& entry) { return std::string_view(entry->path); });
  if (found == files_.end() || (*found)->path != path) return std::nullopt;
  return static_cast<FileNumber>(found - files_.begin());
}

std::optional<StemNumber> Snapshot::find_stem(std::string_view stem) const {
  const auto found = stem_numbers_.find(stem);
  if (found == stem_numbers_.end()) return std::nullopt;
  return found->second;
}

std::optional<NameNumber> Snapshot::find_name(std::string_view name) const {
  const auto found = name_numbers_.find(name);
  if (found == name_numbers_.end()) return std::nullopt;
  return found->second;
}

}  // namespace codexmem::search

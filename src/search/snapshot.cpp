// Tested by search/snapshot_test.cpp.
#include "search/snapshot.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "search/segment_builder.h"
#include "search/snapshot_file.h"

namespace codexmem::search {
namespace {

// The base of `previous`, if the store still refers to it, or else the file's.
Result<std::shared_ptr<const Segment>> find_base(store::StoreReader& reader,
                                                 const std::filesystem::path& file,
                                                 const Snapshot* previous) {
  if (previous != nullptr) {
    CODEXMEM_ASSIGN(const RankingFileNote note, find_ranking_file(reader));
    if (previous->base_mark() == note.mark) {
      return previous->parts().front().segment;
    }
  }
  CODEXMEM_ASSIGN(auto base, open_ranking_file(reader, file));
  if (base == nullptr && previous != nullptr && previous->base_mark() == 0) {
    // A base made in memory is used until there is a file.
    return previous->parts().front().segment;
  }
  return base;
}

Result<std::shared_ptr<const Segment>> make_base(store::StoreReader& reader) {
  std::string bytes;
  CODEXMEM_TRY(build_segment(reader, 0, [&](std::string_view more) -> Result<void> {
    bytes += more;
    return {};
  }));
  return Segment::open(std::move(bytes));
}

}  // namespace

Result<std::shared_ptr<const Snapshot>> Snapshot::build(store::StoreReader& reader,
                                                        const std::filesystem::path& file,
                                                        const Snapshot* previous) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  CODEXMEM_ASSIGN(std::shared_ptr<const Segment> base, find_base(reader, file, previous));
  for (;;) {
    const bool is_new = base == nullptr;
    if (is_new) {
      CODEXMEM_ASSIGN(base, make_base(reader));
    }
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->generation_ = generation;
    snapshot->add_part(base);
    if (!is_new && base->head().generation != generation) {
      CODEXMEM_ASSIGN(const bool fits, snapshot->follow(reader));
      if (!fits) {
        base = nullptr;
        continue;
      }
    }
    snapshot->sum_up();
    return std::shared_ptr<const Snapshot>(std::move(snapshot));
  }
}

void Snapshot::add_part(std::shared_ptr<const Segment> segment) {
  const bool is_first = parts_.empty();
  const NameNumber first_name = is_first ? 0 : parts_.front().segment->name_count();
  parts_.push_back({std::move(segment), file_end_, first_name});
  file_end_ += parts_.back().segment->file_count();
}

Result<bool> Snapshot::follow(store::StoreReader& reader) {
  const Segment& base = *parts_.front().segment;
  std::vector<bool> stays(base.file_count());
  std::vector<store::FileId> written;
  bool changes_versions = false;
  CODEXMEM_TRY(reader.visit_files([&](const store::FileStamp& file) {
    const auto number = base.find_file(file.id);
    if (number && base.generation(*number) == file.generation && base.path(*number) == file.path) {
      stays[*number] = true;
      return;
    }
    written.push_back(file.id);
    changes_versions = changes_versions || is_in_version_folder(file.path);
  }));
  const auto gone = static_cast<std::size_t>(std::ranges::count(stays, false));
  if (std::max(gone, written.size()) > most_files_behind(base.file_count())) return false;
  if (gone > 0) {
    gone_ = std::move(stays);
    gone_.flip();
    for (FileNumber file = 0; file < gone_.size(); ++file) {
      if (gone_[file]) changes_versions = changes_versions || is_in_version_folder(base.path(file));
    }
  }
  if (!written.empty()) {
    CODEXMEM_ASSIGN(auto recent, build_segment(reader, written, base));
    add_part(std::move(recent));
    const Part& part = parts_.back();
    for (FileNumber file = 0; file < part.segment->file_count(); ++file) {
      if (const auto before = base.find_file(part.segment->id(file))) {
        numbers_before_.emplace(part.first_file + file, *before);
      }
    }
  }
  if (changes_versions) cut_versions();
  CODEXMEM_TRY(follow_imports(reader));
  return true;
}

// Updates the imports of files written since, and of other files whose imports now resolve
// differently.
Result<void> Snapshot::follow_imports(store::StoreReader& reader) {
  const Segment& base = *parts_.front().segment;
  stale_importers_ = gone_;
  stale_importers_.resize(base.file_count());
  return reader.visit_imports_since(base.head().last_dependency,
                                    [&](store::FileId source, std::optional<store::FileId> target) {
                                      const auto from = find_file(source);
                                      if (!from) return;
                                      if (*from < base.file_count()) stale_importers_[*from] = true;
                                      const auto to = target ? find_file(*target) : std::nullopt;
                                      if (to) new_importers_[*to].push_back(*from);
                                    });
}

void Snapshot::cut_versions() {
  VersionFolders versions;
  for (FileNumber file = 0; file < file_end_; ++file) {
    if (has(file)) versions.add(path(file));
  }
  auto& cuts = version_cuts_.emplace();
  for (FileNumber file = 0; file < file_end_; ++file) {
    if (!has(file)) continue;
    if (PathCut cut = versions.cut_of(path(file)); cut.factor != 1) cuts.emplace(file, cut);
  }
}

void Snapshot::sum_up() {
  std::uint64_t terms = 0;
  file_count_ = file_end_;
  for (const Part& part : parts_) {
    chunk_count_ += part.segment->head().chunks;
    terms += part.segment->head().terms;
  }
  for (FileNumber file = 0; file < gone_.size(); ++file) {
    if (!gone_[file]) continue;
    --file_count_;
    chunk_count_ -= chunk_count(file);
    terms -= term_count(file);
  }
  const auto mean = [&](std::size_t units) {
    return units == 0 || terms == 0 ? 1.0 : static_cast<double>(terms) / static_cast<double>(units);
  };
  average_file_length_ = mean(file_count_);
  average_chunk_length_ = mean(chunk_count_);
}

std::optional<FileNumber> Snapshot::find_file(store::FileId id) const {
  for (const Part& part : parts_) {
    const auto found = part.segment->find_file(id);
    if (found && has(part.first_file + *found)) return part.first_file + *found;
  }
  return std::nullopt;
}

std::optional<FileNumber> Snapshot::find_path(std::string_view path) const {
  for (const Part& part : parts_) {
    const auto found = part.segment->find_path(path);
    if (found && has(part.first_file + *found)) return part.first_file + *found;
  }
  return std::nullopt;
}

std::optional<NameNumber> Snapshot::find_name(FileNumber file, std::string_view name) const {
  const Part& part = part_of(file);
  const auto found = part.segment->find_name(name);
  return found ? std::optional(part.first_name + *found) : std::nullopt;
}

void Snapshot::visit_names(const std::function<void(std::string_view)>& visit) const {
  for (const Part& part : parts_) {
    for (NameNumber name = 0; name < part.segment->name_count(); ++name) {
      bool is_defined = gone_.empty();
      if (!is_defined) {
        part.segment->read_name(
            name, [](StemNumber) {},
            [&](const Definer& one) {
              is_defined = is_defined || has(part.first_file + one.file);
            });
      }
      if (is_defined) visit(part.segment->name(name));
    }
  }
}

bool Snapshot::has_stem(std::string_view stem) const {
  return std::ranges::any_of(
      parts_, [&](const Part& part) { return part.segment->find_stem(stem).has_value(); });
}

double Snapshot::stem_frequency(std::string_view stem) const {
  double files = 0;
  for (const Part& part : parts_) {
    if (const auto number = part.segment->find_stem(stem)) {
      files += part.segment->stem_frequency(*number);
    }
  }
  return files;
}

}  // namespace codexmem::search

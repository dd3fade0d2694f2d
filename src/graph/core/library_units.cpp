// A group holds about 64 KB of text: inflating one takes 0.1 ms, parsing a unit more. The directory
// is checked as a whole before anything is read from it, so that a damaged archive is an empty one.
//
// Tested by graph/library_test.cpp.
#include "graph/core/library_units.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/compress.h"
#include "base/log.h"
#include "graph/core/file_model.h"
#include "parse/walk/extract.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kArchiveMagic = "CMXLIB01";
constexpr std::size_t kMaxInflated = std::size_t{16} << 20U;
constexpr std::size_t kMaxKeptBytes = std::size_t{64} << 20U;

// Reads sizes and names; is_ok() turns false at the first that is not there.
class DirectoryReader {
 public:
  explicit DirectoryReader(std::string_view bytes) : left_(bytes) {}

  std::uint32_t number() {
    if (left_.size() < 4) return fail();
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(left_[i]);
    left_.remove_prefix(4);
    return value;
  }
  std::string_view name() {
    const std::size_t end = left_.find('\0');
    if (end == std::string_view::npos) {
      fail();
      return {};
    }
    const std::string_view text = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return text;
  }
  std::string_view bytes(std::size_t count) {
    if (left_.size() < count) {
      fail();
      return {};
    }
    const std::string_view text = left_.substr(0, count);
    left_.remove_prefix(count);
    return text;
  }
  bool is_ok() const { return is_ok_; }

 private:
  std::uint32_t fail() {
    is_ok_ = false;
    left_ = {};
    return 0;
  }

  std::string_view left_;
  bool is_ok_ = true;
};

// The units that were read last, of all libraries. Thread-safe.
class UnitCache {
 public:
  std::shared_ptr<const FileModel> find(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto known = by_path_.find(path);
    if (known == by_path_.end()) return nullptr;
    models_.splice(models_.begin(), models_, known->second);
    return models_.front();
  }

  // Keeps `model`, or gives the one that another thread has made meanwhile.
  std::shared_ptr<const FileModel> keep(std::shared_ptr<const FileModel> model) {
    const std::lock_guard lock(mutex_);
    if (const auto known = by_path_.find(model->path); known != by_path_.end()) {
      return *known->second;
    }
    used_bytes_ += model->memory_bytes();
    models_.push_front(std::move(model));
    by_path_[models_.front()->path] = models_.begin();
    while (used_bytes_ > kMaxKeptBytes && models_.size() > 1) {
      used_bytes_ -= models_.back()->memory_bytes();
      by_path_.erase(models_.back()->path);
      models_.pop_back();
    }
    return models_.front();
  }

  // Below the store's ids.
  store::FileId next_id() {
    const std::lock_guard lock(mutex_);
    return static_cast<store::FileId>(--last_id_);
  }

 private:
  std::mutex mutex_;                                    // guards all below
  std::list<std::shared_ptr<const FileModel>> models_;  // most recently used first
  std::unordered_map<std::string, std::list<std::shared_ptr<const FileModel>>::iterator> by_path_;
  std::size_t used_bytes_ = 0;
  std::int64_t last_id_ = 0;
};

UnitCache& unit_cache() {
  static UnitCache cache;
  return cache;
}

}  // namespace

void LibraryUnits::read_directory() const {
  if (!archive_.bytes.starts_with(kArchiveMagic)) return;
  DirectoryReader archive(archive_.bytes.substr(kArchiveMagic.size()));
  const std::uint32_t directory_size = archive.number();
  auto inflated = decompress(archive.bytes(directory_size), kMaxInflated);
  if (!inflated.ok()) return log_warn("library of {}: damaged", archive_.language);
  directory_ = std::move(inflated).value();
  DirectoryReader directory(directory_);
  std::vector<std::string_view> groups;
  std::vector<Unit> units;
  const std::uint32_t group_count = directory.number();
  for (std::uint32_t i = 0; i < group_count && directory.is_ok(); ++i) {
    groups.push_back(archive.bytes(directory.number()));
  }
  for (std::uint32_t group = 0; group < group_count && directory.is_ok(); ++group) {
    std::uint32_t offset = 0;
    const std::uint32_t unit_count = directory.number();
    for (std::uint32_t i = 0; i < unit_count && directory.is_ok(); ++i) {
      const std::string_view name = directory.name();
      const std::uint32_t size = directory.number();
      if (size > kMaxInflated || offset > kMaxInflated) {
        return log_warn("library of {}: damaged", archive_.language);
      }
      units.push_back({name, group, offset, size});
      offset += size;
    }
  }
  if (!directory.is_ok() || !archive.is_ok() || !std::ranges::is_sorted(units, {}, &Unit::name)) {
    return log_warn("library of {}: damaged", archive_.language);
  }
  groups_ = std::move(groups);
  units_ = std::move(units);
}

const LibraryUnits::Unit* LibraryUnits::find_unit(std::string_view name) const {
  std::call_once(once_, [&] { read_directory(); });
  const auto found = std::ranges::lower_bound(units_, name, {}, &Unit::name);
  return found == units_.end() || found->name != name ? nullptr : &*found;
}

bool LibraryUnits::has(std::string_view name) const { return find_unit(name) != nullptr; }

std::string LibraryUnits::text(std::string_view name) const {
  const Unit* unit = find_unit(name);
  if (unit == nullptr) return {};
  const auto group = decompress(groups_[unit->group], kMaxInflated);
  if (!group.ok() || group.value().size() < std::size_t{unit->offset} + unit->size) {
    log_warn("library of {}: {} is damaged", archive_.language, name);
    return {};
  }
  return group.value().substr(unit->offset, unit->size);
}

std::string LibraryUnits::name_of(const FileModel& unit) const {
  return unit.path.substr(archive_.language.size() + 1);
}

std::shared_ptr<const FileModel> LibraryUnits::find(std::string_view name) const {
  if (!has(name)) return nullptr;
  store::FileRow row;
  row.path = std::string(archive_.language) + ":" + std::string(name);
  if (auto known = unit_cache().find(row.path)) return known;
  const parse::Language* language = parse::find_language(archive_.language);
  const std::string source = text(name);
  if (source.empty() || language == nullptr) return nullptr;
  thread_local parse::Extractor extractor;
  // (It is ours: on a slow machine it takes longer, and is read to its end all the same.)
  auto facts = extractor.extract(*language, source, {.time_limit = std::chrono::minutes(1)});
  if (!facts.ok()) return nullptr;
  row.id = unit_cache().next_id();
  row.language = archive_.language;
  return unit_cache().keep(
      std::make_shared<const FileModel>(row, std::move(facts).value(), /*of_library=*/true));
}

std::vector<std::string> LibraryUnits::names() const {
  std::call_once(once_, [&] { read_directory(); });
  std::vector<std::string> names;
  for (const Unit& unit : units_) names.emplace_back(unit.name);
  return names;
}

}  // namespace codexmem::graph

// Tested by index/configurations_test.cpp.
#include "index/run/configurations.h"

#include <utility>

#include "base/hash.h"
#include "text/json.h"
#include "index/discovery/decode.h"
#include "index/discovery/tree_record.h"

namespace codexmem::index {

bool Configurations::load(std::string_view stored) {
  const Json json = Json::parse(stored, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return false;
  for (const auto& [path, value] : json.items()) {
    MaybeNote& note = notes_[path];
    if (value.is_null()) continue;
    if (!value.is_array() || value.size() != 3 || !value[0].is_number_integer() ||
        !value[1].is_number_integer() || !value[2].is_string()) {
      return false;
    }
    note = Note{value[0].get<std::uint64_t>(), value[1].get<std::int64_t>(),
                value[2].get<std::string>()};
  }
  return true;
}

std::string Configurations::to_json() const {
  Json json = Json::object();
  for (const auto& [path, note] : notes_) {
    json[path] = note ? Json::array({note->size, note->mtime_ns, note->hash}) : Json(nullptr);
  }
  return dump_json(json);
}

bool Configurations::have_changed() {
  for (auto& [path, note] : notes_) {
    if (observer_ != nullptr) {
      observer_->on_file(root_.path() / path, RunObserver::Interest::kConfiguration);
    }
    const auto now = root_.stat(path);
    const bool is_file = now.ok() && now->kind == EntryKind::kFile;
    if (!note && !is_file) continue;
    if (note && is_file && now->size == note->size && now->mtime_ns == note->mtime_ns) continue;
    FileStat stat;
    const auto bytes = read_bytes(path, stat);
    if (bytes.has_value() != note.has_value()) return true;
    if (!bytes) continue;
    Note read = note_of(*bytes, stat);
    if (read.hash != note->hash) return true;
    note = std::move(read);
  }
  return false;
}

std::optional<std::string> Configurations::read_bytes(const std::string& path,
                                                      FileStat& stat) const {
  auto bytes = root_.read(path, graph::max_configuration_bytes(path), &stat);
  return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
}

Configurations::Note Configurations::note_of(std::string_view bytes, const FileStat& stat) {
  return {stat.size, time_to_store(stat.mtime_ns), sha256_hex(bytes)};
}

std::optional<std::string> Configurations::read(std::string_view path) {
  const std::string name(path);
  if (observer_ != nullptr) {
    observer_->on_file(root_.path() / name, RunObserver::Interest::kConfiguration);
  }
  FileStat stat;
  auto bytes = read_bytes(name, stat);
  // The first note of a run is kept: a change during the run then shows in the next run.
  notes_.try_emplace(name, bytes ? MaybeNote(note_of(*bytes, stat)) : std::nullopt);
  if (!bytes) return std::nullopt;
  auto decoded = decode_text(*std::move(bytes));
  if (!decoded) return std::nullopt;
  return std::move(decoded->text);
}

}  // namespace codexmem::index

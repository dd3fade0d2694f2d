#include "app/init/undo_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "text/json.h"
#include "text/json_object.h"
#include "store/user/user_store.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* kFile = "init.json";

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

std::string from_hex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace

UndoRecord::UndoRecord(fs::path directory) : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  const auto text = read_file(directory_ / kFile);
  if (!text.ok()) return;
  try {
    const Json record = Json::parse(*text);
    for (const auto& item : record.at("files").items()) {
      const Json& file = item.value();
      entries_[item.key()] = {
          file.at("sha256"),           file.at("sha256Before"),
          file.at("existed"),          file.at("at"),
          file.at("length"),           from_hex(file.at("bytes").get<std::string>()),
          file.value("madeFolder", "")};
    }
  } catch (const Json::exception&) {
    entries_.clear();
  }
}

std::optional<FileBefore> UndoRecord::find(const fs::path& path, std::string_view now) const {
  const auto entry = entries_.find(path.string());
  if (entry == entries_.end() || entry->second.hash != sha256_hex(now)) return std::nullopt;
  const auto& [hash, hash_before, existed, at, length, bytes, made_folder] = entry->second;
  if (at > now.size() || length > now.size() - at) return std::nullopt;
  FileBefore before{existed, std::string(now.substr(0, at)), made_folder};
  before.text += bytes;
  before.text += now.substr(at + length);
  if (sha256_hex(before.text) != hash_before) return std::nullopt;
  return before;
}

void UndoRecord::note(const fs::path& path, const FileBefore& before, std::string_view now) {
  const std::string_view old = before.text;
  const std::size_t shorter = std::min(old.size(), now.size());
  const auto same =
      std::mismatch(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(shorter), now.begin());
  const auto at = static_cast<std::size_t>(same.first - old.begin());
  std::size_t tail = 0;
  while (tail < shorter - at && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
  entries_[path.string()] = {sha256_hex(now),
                             sha256_hex(old),
                             before.existed,
                             at,
                             now.size() - at - tail,
                             std::string(old.substr(at, old.size() - at - tail)),
                             before.made_folder.string()};
  changed_ = true;
}

void UndoRecord::forget(const fs::path& path) { changed_ |= entries_.erase(path.string()) > 0; }

fs::path UndoRecord::made_folder_around(const fs::path& path) const {
  for (const auto& [ignored, entry] : entries_) {
    if (!entry.made_folder.empty() && path.string().starts_with(entry.made_folder + "/")) {
      return entry.made_folder;
    }
  }
  return {};
}

Result<void> UndoRecord::save() {
  if (!changed_ || directory_.empty()) return {};
  std::vector<std::pair<std::string_view, JsonText>> files;
  for (const auto& [path, entry] : entries_) {
    files.emplace_back(
        path, json_object("sha256", entry.hash, "sha256Before", entry.hash_before, "existed",
                          entry.existed, "at", entry.at, "length", entry.length, "bytes",
                          to_hex(entry.bytes), "madeFolder", some(entry.made_folder)));
  }
  CODEXMEM_TRY(store::prepare_user_directory(directory_));
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(directory_ / kFile, 0600));
  CODEXMEM_TRY(file.write(json_object("files", files).text + "\n"));
  CODEXMEM_TRY(file.commit());
  changed_ = false;
  return {};
}

}  // namespace codexmem::app

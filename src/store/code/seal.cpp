// seal := line("codexmem seal 1") line(name number born_ns id)* line(hmac)
//
// The HMAC is over all lines before it. An id may be empty; names and ids have no blanks.
//
// Tested by store/own_database_test.cpp and tests/hostile/stores_test.py.
#include "store/code/seal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "store/code/store_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "codexmem seal 1\n";
constexpr std::size_t kMaxBytes = 4096;

}  // namespace

Result<Seal> Seal::read(const fs::path& folder, const UserKey& key) {
  Seal seal(folder);
  const fs::path path = folder / kSealName;
  const auto text = read_file(path, kMaxBytes);
  if (!text.ok() && text.error().code() == ErrorCode::kIo) {
    // One that root has written, under sudo, its user may replace.
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES) return seal;
    return text.error();
  }
  if (!text.ok() || !text->starts_with(kHead)) return seal;
  const std::size_t end = text->rfind('\n', text->size() - 2) + 1;
  if (text->substr(end) != hmac_sha256_hex(key.bytes(), text->substr(0, end)) + "\n") return seal;
  std::istringstream lines(text->substr(kHead.size(), end - kHead.size()));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    File file{.identity = {.is_regular = true}, .id = ""};
    words >> name >> file.identity.number >> file.identity.born_ns >> file.id;
    seal.files_[name] = std::move(file);
  }
  return seal;
}

bool Seal::is_sealed_as(const std::string& name, const std::string& entry) const {
  const auto sealed = files_.find(entry);
  return sealed != files_.end() && sealed->second.identity == find_identity(folder_ / name);
}

bool Seal::holds(const std::string& name) const { return is_sealed_as(name, name); }

bool Seal::owns(const std::string& name) const {
  return holds(name) || is_sealed_as(name, name + kNextSuffix);
}

Result<void> Seal::exchange(const std::vector<std::string>& names, const UserKey& key) {
  for (const std::string& name : names) {
    CODEXMEM_TRY(put(name + kNextSuffix, name + kNextSuffix, id(name)));
  }
  CODEXMEM_TRY(write(key));
  CODEXMEM_TRY(rename_next(names.front()));
  return finish_exchange(names.front(), key);
}

Result<void> Seal::finish_exchange(const std::string& first, const UserKey& key) {
  const bool is_done = is_sealed_as(first, first + kNextSuffix);
  std::vector<std::string> entries;
  for (const auto& [name, file] : files_) {
    if (name.ends_with(kNextSuffix)) entries.push_back(name);
  }
  for (const std::string& entry : entries) {
    const std::string name = entry.substr(0, entry.size() - std::string_view(kNextSuffix).size());
    std::error_code ignored;
    if (is_done) {
      if (holds(entry)) CODEXMEM_TRY(rename_next(name));
      files_[name] = files_[entry];
    } else if (holds(entry)) {
      fs::remove(folder_ / entry, ignored);
    }
    files_.erase(entry);
  }
  return entries.empty() ? Result<void>() : write(key);
}

Result<void> Seal::rename_next(const std::string& name) const {
  std::error_code failed;
  fs::rename(folder_ / (name + kNextSuffix), folder_ / name, failed);
  if (!failed) return {};
  return Error{ErrorCode::kIo, fmt::format("{}: {}", (folder_ / name).string(), failed.message())};
}

std::string Seal::id(const std::string& name) const {
  const auto sealed = files_.find(name);
  return sealed != files_.end() ? sealed->second.id : "";
}

Result<void> Seal::put(const std::string& name, const std::string& file, const std::string& id) {
  const auto identity = find_identity(folder_ / file);
  if (!identity) return Error{ErrorCode::kIo, (folder_ / file).string() + " vanished"};
  files_[name] = {*identity, id};
  return {};
}

Result<void> Seal::write(const UserKey& key) const {
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;  // what a kill has left
    if (name.starts_with(std::string(kSealName) + ".") && name.ends_with(".tmp"))
      fs::remove(entry->path(), ignored);
  }
  std::string text(kHead);
  for (const auto& [name, file] : files_) {
    text +=
        fmt::format("{} {} {} {}\n", name, file.identity.number, file.identity.born_ns, file.id);
  }
  return replace_file(folder_ / kSealName, text + hmac_sha256_hex(key.bytes(), text) + "\n");
}

bool is_own_file(const fs::path& path) {
  if (is_in_cache(path.parent_path())) return find_identity(path).has_value();
  const auto key = UserKey::find();
  if (!key.ok()) return false;
  const auto seal = Seal::read(path.parent_path(), *key);
  return seal.ok() && seal->owns(path.filename().string());
}

Result<void> seal_file(const fs::path& path) {
  CODEXMEM_ASSIGN(UserKey key, UserKey::get());
  key.lock();
  CODEXMEM_ASSIGN(Seal seal, Seal::read(path.parent_path(), key));
  const std::string name = path.filename().string();
  CODEXMEM_TRY(seal.put(name, name));
  return seal.write(key);
}

}  // namespace codexmem::store

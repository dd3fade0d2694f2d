// The user's data directory and the memory in it.
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <system_error>

#include "base/shell_word.h"
#include "app/doctor/doctor.h"
#include "app/init/file_change.h"
#include "store/database.h"
#include "store/schema.h"
#include "store/user/user_store.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;

Finding check_data_directory(const Patient& patient) {
  if (patient.data.empty() || patient.data.is_relative()) {
    return {CheckState::kTrouble,
            "the memory has no folder: CODEXMEM_DATA_DIR, else HOME, must be an absolute path",
            "export CODEXMEM_DATA_DIR=\"$HOME/.codexmem\""};
  }
  struct stat there {};
  if (::stat(patient.data.c_str(), &there) != 0) {
    return {CheckState::kOk, fmt::format("{} is made when it is needed", patient.data.string())};
  }
  const std::string word = shell_word(patient.data.string());
  // A folder that the variable names may be anybody's; it is not the place to be changed.
  const bool is_ours =
      patient.environment("CODEXMEM_DATA_DIR").empty() || store::has_user_store(patient.data);
  const auto cure = [&](std::string command) {
    return is_ours ? std::move(command)
                   : std::string("export CODEXMEM_DATA_DIR=\"$HOME/.codexmem\"");
  };
  if (!S_ISDIR(there.st_mode)) {
    return {CheckState::kTrouble, fmt::format("{} is not a folder", patient.data.string()),
            cure(fmt::format("mv {} {}.aside", word, word))};
  }
  if (there.st_uid != ::geteuid()) {
    return {CheckState::kTrouble, fmt::format("{} belongs to another user", patient.data.string()),
            cure(fmt::format("sudo chown -R \"$USER\" {}", word))};
  }
  if ((there.st_mode & 0700U) != 0700U) {
    return {CheckState::kTrouble, fmt::format("{} cannot be written", patient.data.string()),
            cure(fmt::format("chmod 700 {}", word))};
  }
  if ((there.st_mode & 077U) != 0) {
    return {CheckState::kWarning,
            fmt::format("others may look into {}, where the memory is", patient.data.string()),
            cure(fmt::format("chmod 700 {}", word))};
  }
  return {CheckState::kOk, patient.data.string()};
}

Finding check_data_place(const Patient& patient) {
  if (patient.data.empty()) return {CheckState::kOk, "there is no data directory"};
  if (const auto disk = check_place(patient.data, "the memory")) return *disk;
  return {CheckState::kOk, "there is room on the disk"};
}

Finding check_memory(const Patient& patient) {
  std::error_code failed;
  if (patient.data.empty() || !store::has_user_store(patient.data)) {
    return {CheckState::kOk, "nothing is remembered yet"};
  }
  const fs::path file = patient.data / "memory.db";
  const auto schema = stored_schema(file);
  if (!schema) {
    return {CheckState::kTrouble,
            fmt::format("the memory is damaged: {} is not a database", file.string()),
            fmt::format("ls -l {}*   # a .bak beside it can take its place",
                        shell_word(file.string()))};
  }
  const auto looked = store::UserStore::open_to_look(patient.data);
  if (!looked.ok()) {
    return {CheckState::kTrouble, looked.error().message(), "codexmem worker status"};
  }
  if (*looked == nullptr) {
    if (*schema > store::user_schema().version) {
      return {CheckState::kTrouble, "the memory was made by a newer codexmem", "update codexmem"};
    }
    return {CheckState::kWarning,
            "the memory is of an older codexmem: the first use brings it up to date",
            "codexmem memory list"};
  }
  const auto size = fs::file_size(file, failed);
  if (is_open_to_others(file)) {
    return {CheckState::kWarning, fmt::format("others may read {}", file.string()),
            fmt::format("chmod 600 {}*", shell_word(file.string()))};
  }
  return {CheckState::kOk, fmt::format("{} ({} KB)", file.string(), failed ? 0 : size / 1'000)};
}

}  // namespace codexmem::app::doctor

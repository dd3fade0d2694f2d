// Tested by app/doctor_test.cpp.
#include "base/shell_word.h"
#include "app/doctor/doctor.h"

#include <fmt/core.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <future>
#include <system_error>

#include "app/render/console.h"
#include "serve/repository.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "store/database.h"
#include "store/index_facts.h"

extern char** environ;  // NOLINT(readability-identifier-naming): POSIX's name

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

constexpr Check kChecks[] = {
    {"program", check_program},
    {"hook program", check_hook_program},
    {"locale", check_locale},
    {"settings", check_settings},
    {"environment", check_environment},
    {"settings file", check_settings_file},
    {"role", check_role},
    {"repository", check_repository},
    {"index", check_index},
    {"index run", check_index_run},
    {"index age", check_index_age},
    {"index place", check_index_place},
    {"index in git", check_index_in_git},
    {"watches", check_watches},
    {"data directory", check_data_directory},
    {"data place", check_data_place},
    {"memory", check_memory},
    {"worker", check_worker},
    {"worker port", check_worker_port},
    {"worker settings", check_worker_settings},
    {"worker queue", check_worker_queue},
    {"spool", check_spool},
    {"refused events", check_refused_events},
    {"embedding provider", check_embedding_provider},
    {"observations", check_observation_provider},
    {"data goes to", check_data_destinations},
    {"chroma", check_chroma},
    {"clients", check_clients},
    {"client memory", check_client_memory},
    {"client hooks", check_client_hooks},
    {"hook trust", check_hook_trust},
    {"git hook", check_git_hook},
};

// File systems of other machines, on which SQLite's locks and shared memory do not hold, by their
// numbers in statfs(2): NFS, SMB, CIFS, SMB2, AFS, Ceph, 9p, Coda.
constexpr std::array<unsigned, 8> kNetworkFileSystems = {
    0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x5346414F, 0x00C36400, 0x01021997, 0x73757245};

constexpr std::uint64_t kTightBytes = 200'000'000;
constexpr std::uint64_t kFullBytes = 20'000'000;

}  // namespace

std::string_view check_state_name(CheckState state) {
  switch (state) {
    case CheckState::kOk:
      return "ok";
    case CheckState::kWarning:
      return "warning";
    case CheckState::kTrouble:
      return "trouble";
  }
  return "ok";
}

std::span<const Check> checks() { return kChecks; }

Patient meet_patient(const fs::path& folder) {
  Patient patient;
  if (auto root = serve::find_root(folder); root.ok()) patient.root = *std::move(root);
  patient.data = user_directory();
  patient.home = setting_of_environment("HOME");
  std::error_code failed;
  patient.program = fs::read_symlink("/proc/self/exe", failed);
  patient.version = CODEXMEM_VERSION;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    patient.variables.emplace_back(variable.substr(0, variable.find('=')));
  }
  patient.settings = Settings::load(serve::setting_files(folder));
  if (patient.data.is_absolute()) patient.worker = find_worker(patient.data);
  return patient;
}

std::vector<Finding> look_at(const Patient& patient) {
  std::vector<std::future<Finding>> looking;
  for (const Check& check : kChecks) {
    looking.push_back(std::async(std::launch::async, [&check, &patient]() -> Finding {
      try {
        return check.look(patient);
      } catch (const std::exception& error) {
        return {CheckState::kWarning, fmt::format("could not be looked at: {}", error.what())};
      }
    }));
  }
  std::vector<Finding> findings;
  for (std::future<Finding>& each : looking) findings.push_back(each.get());
  return findings;
}

std::optional<Finding> check_place(const fs::path& folder, std::string_view what) {
  // A missing folder will be made on the disk of its nearest existing parent.
  fs::path place = folder;
  std::error_code failed;
  while (!fs::exists(place, failed) && place.has_relative_path()) place = place.parent_path();
  struct statfs disk {};
  if (::statfs(place.c_str(), &disk) != 0) return std::nullopt;
  return judge_disk(
      place, what, static_cast<unsigned>(disk.f_type),
      static_cast<std::uint64_t>(disk.f_bavail) * static_cast<std::uint64_t>(disk.f_bsize));
}

std::optional<Finding> judge_disk(const fs::path& folder, std::string_view what,
                                  unsigned file_system, std::uint64_t free_bytes) {
  if (std::ranges::count(kNetworkFileSystems, file_system) > 0) {
    return Finding{
        CheckState::kWarning,
        fmt::format("{} is on a network file system, where a store may be damaged by two "
                    "machines at once: {}",
                    what, folder.string()),
        "keep it on a disk of this machine (CODEXMEM_DATA_DIR, XDG_CACHE_HOME)"};
  }
  if (free_bytes >= kTightBytes) return std::nullopt;
  return Finding{free_bytes < kFullBytes ? CheckState::kTrouble : CheckState::kWarning,
                 fmt::format("the disk of {} has {} left: {}", what,
                             readable_bytes(static_cast<long long>(free_bytes)), folder.string()),
                 fmt::format("df -h {}", shell_word(folder.string()))};
}

fs::path find_in_path(const Patient& patient, std::string_view name) {
  const std::string path = patient.environment("PATH");
  for (const std::string_view folder : split(path, ':')) {
    fs::path program = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code failed;
    if (fs::is_regular_file(program, failed) && ::access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

std::optional<std::int64_t> stored_schema(const fs::path& path) {
  auto database = store::Database::open(path, {.read_only = true, .busy_timeout = kAnswerLimit});
  if (!database.ok()) return std::nullopt;
  const auto version = store::schema_version(*database);
  return version.ok() ? std::optional(*version) : std::nullopt;
}

std::string in_lines(const std::vector<std::string>& messages) {
  std::vector<std::string> lines;
  for (const std::string& each : messages) lines.push_back(terminal_line(each));
  return join(lines, "\n");
}

}  // namespace codexmem::app::doctor

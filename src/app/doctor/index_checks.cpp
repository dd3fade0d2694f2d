// The repository and its index.
#include <fmt/core.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "base/shell_word.h"
#include "app/render/console.h"
#include "app/doctor/doctor.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "base/text.h"
#include "index/git/git_repository.h"
#include "store/schema.h"
#include "store/code/store_directory.h"
#include "store/code/workspace.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

// Files whose times are compared: a look, not a run.
constexpr std::size_t kMaxFilesLookedAt = 20'000;

bool is_no_repository(const Patient& patient) {
  return patient.root.empty() || patient.root == "/" || patient.root == patient.home;
}

Finding nothing_to_look_at() { return {CheckState::kOk, "there is no index here"}; }

fs::path database_of(const Patient& patient) {
  return store::locate_store(patient.root).path / "index.db";
}

// The index, when it can be read as it is.
std::unique_ptr<store::Workspace> readable_index(const Patient& patient) {
  if (is_no_repository(patient) || !store::has_index(patient.root)) return nullptr;
  if (stored_schema(database_of(patient)) != store::code_schema().version) return nullptr;
  auto opened = store::Workspace::open_existing(patient.root);
  return opened.ok() ? *std::move(opened) : nullptr;
}

std::string there(const Patient& patient, std::string_view command) {
  return fmt::format("codexmem -C {} {}", shell_word(patient.root.string()), command);
}

}  // namespace

Finding check_repository(const Patient& patient) {
  if (is_no_repository(patient)) {
    return {CheckState::kWarning,
            fmt::format("{} is not a repository: only the memory works here",
                        patient.root.empty() ? "this folder" : patient.root.string()),
            "cd into a repository"};
  }
  std::error_code failed;
  if (!fs::exists(patient.root / ".git", failed)) {
    return {CheckState::kOk, fmt::format("{} (without git)", patient.root.string())};
  }
  return {CheckState::kOk, patient.root.string()};
}

Finding check_index(const Patient& patient) {
  if (is_no_repository(patient)) return nothing_to_look_at();
  if (store::has_foreign_index(patient.root)) {
    return {CheckState::kWarning,
            fmt::format("{} is not what your codexmem made here: the first question sets it aside",
                        database_of(patient).string()),
            there(patient, "index")};
  }
  if (!store::has_index(patient.root)) {
    return {CheckState::kWarning, "there is no index yet: the first question makes it",
            there(patient, "index")};
  }
  const auto schema = stored_schema(database_of(patient));
  const std::int64_t ours = store::code_schema().version;
  if (!schema) {
    return {
        CheckState::kTrouble,
        fmt::format("the index is damaged: {} is not a database", database_of(patient).string()),
        there(patient, "index")};
  }
  if (*schema > ours) {
    return {CheckState::kTrouble,
            fmt::format("the index was made by a newer codexmem (schema {}, this one knows {})",
                        *schema, ours),
            "update codexmem, or delete .codexmem and run codexmem index"};
  }
  if (*schema < ours) {
    return {CheckState::kWarning,
            fmt::format("the index is of an older codexmem (schema {} of {}): the next run brings "
                        "it up to date",
                        *schema, ours),
            there(patient, "index")};
  }
  auto workspace = store::Workspace::open_existing(patient.root);
  if (!workspace.ok()) {
    return {CheckState::kTrouble, workspace.error().message(), there(patient, "index")};
  }
  auto reader = (*workspace)->reader();
  const auto counts =
      reader.ok() ? (*reader)->counts() : Result<store::StoreCounts>(reader.error());
  if (!counts.ok()) {
    return {CheckState::kTrouble, fmt::format("the index is damaged: {}", counts.error().message()),
            there(patient, "index")};
  }
  if (counts->files == 0) {
    // Once a run was completed, status says why it left all files out.
    return {CheckState::kWarning, "the index has no file",
            there(patient, serve::has_complete_index(**workspace) ? "status" : "index")};
  }
  return {CheckState::kOk, fmt::format("{} files, {} symbols", with_thousands(counts->files),
                                       with_thousands(counts->symbols))};
}

Finding check_index_run(const Patient& patient) {
  const auto workspace = readable_index(patient);
  if (workspace == nullptr) return nothing_to_look_at();
  auto reader = workspace->reader();
  if (!reader.ok()) return nothing_to_look_at();
  const auto run = (*reader)->find_meta("run");
  if (run.ok() && *run) {
    return {CheckState::kWarning,
            "the last index run is under way, or was broken off: what it wrote is kept",
            there(patient, "index")};
  }
  if (!serve::has_complete_index(*workspace)) {
    return {CheckState::kWarning, "no run over the whole repository was completed",
            there(patient, "index")};
  }
  return {CheckState::kOk, "the last one was completed"};
}

Finding check_index_age(const Patient& patient) {
  const auto workspace = readable_index(patient);
  if (workspace == nullptr) return nothing_to_look_at();
  auto reader = workspace->reader();
  if (!reader.ok()) return nothing_to_look_at();
  const auto files = (*reader)->list_files();
  if (!files.ok()) return nothing_to_look_at();
  std::size_t looked_at = 0, changed = 0;
  for (const store::FileRow& row : *files) {
    if (++looked_at > kMaxFilesLookedAt) break;
    struct stat now {};
    const bool exists = ::stat((patient.root / row.path).c_str(), &now) == 0;
    const std::int64_t mtime_ns =
        std::int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec;
    // A file that had only just been written when it was read is stored a nanosecond older, so that
    // the next run reads it once more (index/discovery/file_reader.cpp).
    const bool is_same_time = mtime_ns == row.mtime_ns || mtime_ns - 1 == row.mtime_ns;
    if (!exists || now.st_size != row.size || !is_same_time) ++changed;
  }
  if (changed == 0) return {CheckState::kOk, "no indexed file has changed since"};
  const std::string message = fmt::format(
      "{} of {} files have changed since the last run; the next question brings the "
      "index up to date first",
      with_thousands(static_cast<long long>(changed)),
      with_thousands(static_cast<long long>(files->size())));
  // Some changes are normal; if most files have changed, the next question takes long.
  if (changed * 2 <= looked_at) return {CheckState::kOk, message};
  return {CheckState::kWarning, message, there(patient, "index")};
}

Finding check_index_place(const Patient& patient) {
  if (is_no_repository(patient)) return nothing_to_look_at();
  const store::StoreDirectory place = store::locate_store(patient.root);
  if (place.path.empty()) {
    return {CheckState::kTrouble,
            fmt::format("{}, and there is no cache folder", place.why_in_cache),
            "export XDG_CACHE_HOME=..."};
  }
  if (const auto disk = check_place(place.path, "the index")) return *disk;
  std::error_code failed;
  if (fs::exists(place.path, failed) && ::access(place.path.c_str(), W_OK) != 0) {
    return {CheckState::kTrouble, fmt::format("{} cannot be written", place.path.string()),
            fmt::format("ls -ld {}", shell_word(place.path.string()))};
  }
  if (!place.why_in_cache.empty()) {
    return {CheckState::kOk, fmt::format("{} ({})", place.path.string(), place.why_in_cache)};
  }
  return {CheckState::kOk, place.path.string()};
}

Finding check_index_in_git(const Patient& patient) {
  std::error_code failed;
  if (is_no_repository(patient) || !fs::exists(patient.root / ".git", failed)) {
    return {CheckState::kOk, "there is no git repository here"};
  }
  const auto repository = index::GitRepository::find(patient.root.string(), /*here_only=*/true);
  if (repository == nullptr) return {CheckState::kOk, "the git repository here is not opened"};
  const std::string name(store::kDirectoryName);
  if (!repository->is_tracked(name) && !repository->has_tracked_below(name)) {
    return {CheckState::kOk, ".codexmem is not tracked"};
  }
  return {CheckState::kTrouble, "git tracks the index: each run changes it, and every clone has it",
          fmt::format("git -C {} rm -r --cached --quiet {}", shell_word(patient.root.string()),
                      store::kDirectoryName)};
}

Finding check_watches(const Patient& patient) {
  const auto limit_of = [&](const char* name) {
    // Such a file says that it is empty; it is read until its end all the same.
    std::int64_t limit = -1;
    std::ifstream(patient.proc / "sys/fs/inotify" / name) >> limit;
    return limit;
  };
  // The next server needs one more instance.
  if (const int instance = ::inotify_init1(IN_CLOEXEC); instance >= 0) {
    ::close(instance);
  } else if (errno == EMFILE) {
    return {CheckState::kTrouble,
            fmt::format("all {} inotify instances of this user are taken: servers do not notice "
                        "what changes",
                        limit_of("max_user_instances")),
            "sudo sysctl fs.inotify.max_user_instances=1024"};
  }
  const auto workspace = readable_index(patient);
  if (workspace == nullptr) return {CheckState::kOk, "there is no index to watch"};
  auto reader = workspace->reader();
  const auto files =
      reader.ok() ? (*reader)->list_files() : Result<std::vector<store::FileRow>>(reader.error());
  if (!files.ok()) return {CheckState::kOk, "there is no index to watch"};
  std::set<std::string_view> folders = {""};
  for (const store::FileRow& row : *files) {
    std::string_view path = row.path;
    for (auto slash = path.rfind('/'); slash != std::string_view::npos; slash = path.rfind('/')) {
      path = path.substr(0, slash);
      if (!folders.insert(path).second) break;
    }
  }
  const auto wanted = static_cast<std::int64_t>(folders.size());
  const std::int64_t most = limit_of("max_user_watches");
  if (most < 0) return {CheckState::kOk, fmt::format("folders to watch: {}", wanted)};
  const std::string counted = fmt::format("folders to watch: {}, allowed: {}",
                                          with_thousands(wanted), with_thousands(most));
  // Editors watch the same folders, of the same allowance.
  if (wanted * 2 > most) {
    return {wanted > most ? CheckState::kTrouble : CheckState::kWarning,
            counted + "; changes in the others are found by walking, which takes longer",
            "sudo sysctl fs.inotify.max_user_watches=1048576"};
  }
  return {CheckState::kOk, counted};
}

}  // namespace codexmem::app::doctor

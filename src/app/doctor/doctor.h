// app/doctor/doctor.h - the most common problems, each with a check that finds it and names a fix.
//
// Checks change nothing and wait at most kAnswerLimit for an answer. To add one: a function in the
// file of its subject, a row in kChecks[] of doctor.cpp, a test that causes the problem. Design:
// docs/how-it-works.md, "Settings".
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "config/worker_file.h"

namespace codexmem::app::doctor {

/// How long another program may take to answer.
inline constexpr std::chrono::milliseconds kAnswerLimit{900};

enum class CheckState { kOk, kWarning, kTrouble };

/// "ok", "warning", "trouble".
std::string_view check_state_name(CheckState state);

/// The result of a check.
struct Finding {
  CheckState state = CheckState::kOk;
  std::string found;      // for people
  std::string cure = {};  // what to type, or to do; empty where all is well
  bool is_news = false;   // worth reading though all is well
};

/// What the checks look at. Tests name other places.
struct Patient {
  std::filesystem::path root;     // of the repository; empty: no repository
  std::filesystem::path data;     // the user's data directory; empty: not known
  std::filesystem::path home;     // empty: HOME is not set
  std::filesystem::path program;  // that runs
  std::string version;            // of it
  std::filesystem::path proc = "/proc";
  ReadSetting environment = setting_of_environment;
  std::vector<std::string> variables = {};  // names of all that the environment has
  Settings settings = {};
  std::optional<WorkerAddress> worker = {};  // that runs now
};

/// The patient that a command started in `folder` is.
Patient meet_patient(const std::filesystem::path& folder);

struct Check {
  std::string_view name;
  Finding (*look)(const Patient& patient);
};

/// By subject: the program, settings, the repository, the memory, the worker, models and Chroma,
/// the clients.
std::span<const Check> checks();

/// All findings, in the order of checks(); the checks run at the same time.
std::vector<Finding> look_at(const Patient& patient);

// The checks. program_checks.cpp:
Finding check_program(const Patient& patient);
Finding check_hook_program(const Patient& patient);
Finding check_locale(const Patient& patient);
// settings_checks.cpp:
Finding check_settings(const Patient& patient);
Finding check_environment(const Patient& patient);
Finding check_settings_file(const Patient& patient);
Finding check_role(const Patient& patient);
// index_checks.cpp:
Finding check_repository(const Patient& patient);
Finding check_index(const Patient& patient);
Finding check_index_run(const Patient& patient);
Finding check_index_age(const Patient& patient);
Finding check_index_place(const Patient& patient);
Finding check_index_in_git(const Patient& patient);
Finding check_watches(const Patient& patient);
// memory_checks.cpp:
Finding check_data_directory(const Patient& patient);
Finding check_data_place(const Patient& patient);
Finding check_memory(const Patient& patient);
// worker_checks.cpp:
Finding check_worker(const Patient& patient);
Finding check_worker_port(const Patient& patient);
Finding check_worker_settings(const Patient& patient);
Finding check_worker_queue(const Patient& patient);
Finding check_spool(const Patient& patient);
Finding check_refused_events(const Patient& patient);
// provider_checks.cpp:
Finding check_embedding_provider(const Patient& patient);
Finding check_observation_provider(const Patient& patient);
Finding check_data_destinations(const Patient& patient);
Finding check_chroma(const Patient& patient);
// client_checks.cpp:
Finding check_clients(const Patient& patient);
Finding check_client_memory(const Patient& patient);
Finding check_client_hooks(const Patient& patient);
Finding check_git_hook(const Patient& patient);
// codex_checks.cpp:
Finding check_hook_trust(const Patient& patient);

// ---- What several of them use.

/// A folder's disk as far as a store is concerned: nearly full, on another machine. Nothing: well.
std::optional<Finding> check_place(const std::filesystem::path& folder, std::string_view what);

/// The same of a disk of this kind (statfs(2)) and room.
std::optional<Finding> judge_disk(const std::filesystem::path& folder, std::string_view what,
                                  unsigned file_system, std::uint64_t free_bytes);

/// The path of the program called `name` in PATH; empty if it is missing.
std::filesystem::path find_in_path(const Patient& patient, std::string_view name);

/// The schema version of the database at `path`, read without migrating it. Nothing: it is not a
/// database.
std::optional<std::int64_t> stored_schema(const std::filesystem::path& path);

/// `messages`, one per line. A line break inside a message is escaped.
std::string in_lines(const std::vector<std::string>& messages);

/// `text` as one word of a shell.

}  // namespace codexmem::app::doctor

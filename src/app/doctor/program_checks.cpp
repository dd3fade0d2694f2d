// The program itself, and where others find it.
#include <fmt/core.h>

#include <system_error>

#include "base/shell_word.h"
#include "app/doctor/doctor.h"
#include "base/file.h"
#include "base/text.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

// How to have `program` found by its name.
std::string link_into_path(const Patient& patient, const fs::path& program) {
  const std::string path = patient.environment("PATH");
  const fs::path own = patient.home / ".local/bin";
  for (const std::string_view folder : split(path, ':')) {
    if (!patient.home.empty() && fs::path(folder) == own) {
      return fmt::format("ln -sf {} {}", shell_word(program.string()),
                         shell_word((own / program.filename()).string()));
    }
  }
  return fmt::format("export PATH={}:\"$PATH\"", shell_word(program.parent_path().string()));
}

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::equivalent(a, b, failed)) return true;
  if (fs::file_size(a, failed) != fs::file_size(b, failed) || failed) return false;
  const auto one = read_file(a);
  const auto other = read_file(b);
  return one.ok() && other.ok() && *one == *other;
}

}  // namespace

Finding check_program(const Patient& patient) {
  const fs::path found = find_in_path(patient, "codexmem");
  if (found.empty()) {
    return {CheckState::kWarning,
            "there is no codexmem in PATH, where editors, hooks and git look for it",
            link_into_path(patient, patient.program)};
  }
  if (!is_same(found, patient.program)) {
    return {CheckState::kWarning,
            fmt::format("PATH finds another codexmem than the one that is running (version {}): "
                        "{} instead of {}",
                        patient.version, found.string(), patient.program.string()),
            link_into_path(patient, patient.program)};
  }
  return {CheckState::kOk, fmt::format("version {}, {}", patient.version, found.string())};
}

Finding check_hook_program(const Patient& patient) {
  const fs::path found = find_in_path(patient, "codexmem-hook");
  if (!found.empty()) return {CheckState::kOk, found.string()};
  const fs::path nearby = patient.program.parent_path() / "codexmem-hook";
  std::error_code failed;
  return {CheckState::kWarning, "there is no codexmem-hook in PATH: hooks that name it do nothing",
          fs::exists(nearby, failed) ? link_into_path(patient, nearby)
                                     : "install codexmem-hook beside codexmem"};
}

Finding check_locale(const Patient& patient) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = patient.environment(name);
    if (value.empty()) continue;
    const std::string lower = to_lower_ascii(value);
    if (lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos) {
      return {CheckState::kOk, value};
    }
    return {CheckState::kWarning,
            fmt::format("the locale is {} ({}): names and texts beyond ASCII may be shown wrongly",
                        value, name),
            "export LC_ALL=C.UTF-8"};
  }
  return {CheckState::kWarning,
          "no locale is set: names and texts beyond ASCII may be shown wrongly",
          "export LC_ALL=C.UTF-8"};
}

}  // namespace codexmem::app::doctor

// config/settings.h - the table of all settings, and the values that apply.
//
//     environment  >  codexmem.json in the root of the repository  >  settings.json in the user's
//     data directory  >  default
//
// A repository is not trusted: its file may not contain settings that send data somewhere, hold a
// key, or name a folder or a program, and it may only make restrictions stricter. Wrong entries in
// a file are reported as problems and ignored; the rest of the file applies. Only the data
// directory itself (config/user_directory.h) is found without this. Design:
// docs/how-it-works.md, "Settings".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem {

enum class SettingKind { kText, kNumber, kList, kChoice, kUrl, kPath, kSecret };

/// What a repository's own file may do with a setting.
enum class ProjectRule {
  kNever,    // nothing: it is reported as a problem
  kAny,      // set it
  kChoices,  // set it to one of SettingRow::project_choices
  kAdds,     // add to the list of the user or the environment
  kLowers,   // lower the number of the user or the environment
};

struct SettingRow {
  std::string_view name;      // in the environment: CODEXMEM_TOOLS
  std::string_view key = {};  // in files: tools; empty: only the environment can set it
  SettingKind kind = SettingKind::kText;
  std::string_view summary;          // one line, no full stop
  std::string_view usual = {};       // the default, as users write it; empty: unset
  std::string_view choices = {};     // of kChoice, with "|" between
  std::int64_t least = 0, most = 0;  // of kNumber
  ProjectRule project = ProjectRule::kNever;
  std::string_view project_choices = {};
};

/// All settings, by subject.
std::span<const SettingRow> setting_rows();

/// Finds a setting by its name or key; null if it is unknown.
const SettingRow* find_setting(std::string_view name_or_key);

/// `text` in the form in which the setting is stored: trimmed, a list with "," between, a path
/// without "~". Errors: kInvalidArgument; the message says which values are allowed and never
/// repeats the text.
Result<std::string> read_setting_text(const SettingRow& row, std::string_view text);

/// Why a repository's file may not contain `text`, which read_setting_text() returned; empty if it
/// may.
std::string why_not_of_project(const SettingRow& row, std::string_view text);

/// `value` for display: "set" for a secret, and an address without the part before "@".
std::string shown_setting(const SettingRow& row, std::string_view value);

/// The value of a setting, empty when it is not set.
using ReadSetting = std::function<std::string(const char* name)>;

/// Reads the environment variable, trimmed.
std::string setting_of_environment(const char* name);

enum class SettingOrigin { kDefault, kUser, kProject, kEnvironment };

/// "default", "user", "project", "environment".
std::string_view setting_origin_name(SettingOrigin origin);

/// An entry of a file, or of the environment, that has no effect.
struct SettingProblem {
  SettingOrigin origin = SettingOrigin::kUser;
  std::string place;  // the file's path, or "the environment"
  std::string name;   // the key, or the variable; empty: the file as a whole
  std::string what;

  /// "/repo/codexmem.json: chromaUrl: ..."
  std::string text() const;
};

struct SettingFiles {
  std::filesystem::path project = {};  // empty outside a repository
  std::filesystem::path user = {};
};

inline constexpr std::string_view kProjectSettingsName = "codexmem.json";
inline constexpr std::string_view kUserSettingsName = "settings.json";

/// The path of the user's file, from the environment; empty without a data directory.
std::filesystem::path user_settings_file();

/// The settings that apply at one place and moment. Immutable and cheap to copy.
class Settings {
 public:
  /// Reads the files that exist. Takes about 50 us. A project's file that is a link is not
  /// followed, so that problems cannot quote the file it leads to.
  static Settings load(const SettingFiles& files,
                       const ReadSetting& environment = setting_of_environment);

  /// The value of `name`, which must be in the table, written as in the environment; empty for its
  /// default.
  std::string value(std::string_view name) const;
  SettingOrigin origin(std::string_view name) const;

  /// Why the value of `name` is unknown: the environment does not set it, and a file or its value
  /// cannot be read. Empty if it is known. A restriction must not be taken for unset then.
  std::string why_unknown(std::string_view name) const;

  /// The value of `name` in the repository's file, as far as the file may set it.
  std::string project_value(std::string_view name) const;

  /// The settings without the repository's file, for things that are not the repository's, such as
  /// the memory.
  Settings of_user() const;

  /// value() as a function.
  ReadSetting reader() const;

  const SettingFiles& files() const { return files_; }
  /// Ordered by origin and place in the file.
  const std::vector<SettingProblem>& problems() const { return problems_; }

 private:
  struct Row {
    std::string environment, project, user;  // empty: not set
    std::string value;
    SettingOrigin origin = SettingOrigin::kDefault;
  };

  void read_file_of(SettingOrigin origin, const std::filesystem::path& path);
  void keep_isolation();
  void settle();
  const Row& row_of(std::string_view name) const;

  SettingFiles files_;
  std::vector<Row> rows_;  // as setting_rows()
  std::vector<SettingProblem> problems_;
};

}  // namespace codexmem

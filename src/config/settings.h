// config/settings.h - what may be set, and what holds: the one table of settings and its sources.
//
//     environment  >  codexmem.json in the root of the repository  >  settings.json in the user's
//     data directory  >  default
//
// A repository is not trusted: what sends something somewhere, holds a key, or names a folder or a
// program may not stand in its file, and what holds back may only be made stricter there. What is
// wrong in a file is told as a problem and passed over; the rest of it holds. Only the data
// directory itself (config/user_directory.h) is found without this. Design:
// docs/design/configuration.md.
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
  kNever,    // nothing: there it is a problem
  kAny,      // set it
  kChoices,  // set it to one of SettingRow::project_choices
  kAdds,     // add to the list of the user or the environment
  kLowers,   // lower the number of the user or the environment
};

struct SettingRow {
  std::string_view name;      // in the environment: CODEXMEM_TOOLS
  std::string_view key = {};  // in files: tools; empty: the environment alone can set it
  SettingKind kind = SettingKind::kText;
  std::string_view summary;          // one line, no full stop
  std::string_view usual = {};       // the default, as people would write it; empty: unset
  std::string_view choices = {};     // of kChoice, with "|" between
  std::int64_t least = 0, most = 0;  // of kNumber
  ProjectRule project = ProjectRule::kNever;
  std::string_view project_choices = {};
};

/// All of them, by subject.
std::span<const SettingRow> setting_rows();

/// By its name or its key; null when there is none.
const SettingRow* find_setting(std::string_view name_or_key);

/// `text` as the setting holds it: trimmed, a list with "," between, a path without "~". Errors:
/// kInvalidArgument saying what it must be, never what it was.
Result<std::string> read_setting_text(const SettingRow& row, std::string_view text);

/// Why `text`, one that read_setting_text() gave, may not stand in a repository's file; empty: it
/// may.
std::string why_not_of_project(const SettingRow& row, std::string_view text);

/// `value` for people: of a secret "set", of an address nothing that stands before "@".
std::string shown_setting(const SettingRow& row, std::string_view value);

/// The value of a setting, empty when it is not set.
using ReadSetting = std::function<std::string(const char* name)>;

/// As the environment has it, trimmed.
std::string setting_of_environment(const char* name);

enum class SettingOrigin { kDefault, kUser, kProject, kEnvironment };

/// "default", "user", "project", "environment".
std::string_view setting_origin_name(SettingOrigin origin);

/// Something in a file, or in the environment, that does not hold.
struct SettingProblem {
  SettingOrigin origin = SettingOrigin::kUser;
  std::string place;  // the file's path, or "the environment"
  std::string name;   // the key, or the variable; empty: the file as a whole
  std::string what;

  /// "/repo/codexmem.json: chromaUrl: ..."
  std::string text() const;
};

struct SettingFiles {
  std::filesystem::path project = {};  // empty: there is none
  std::filesystem::path user = {};
};

inline constexpr std::string_view kProjectSettingsName = "codexmem.json";
inline constexpr std::string_view kUserSettingsName = "settings.json";

/// The user's file by the environment; empty when there is no data directory.
std::filesystem::path user_settings_file();

/// What holds at one place and moment. Immutable; a copy is cheap enough to keep.
class Settings {
 public:
  /// Reads the files, as far as they are there. Takes some 50 us. A project's file that is a link
  /// is not followed, so that its text cannot be told in problems.
  static Settings load(const SettingFiles& files,
                       const ReadSetting& environment = setting_of_environment);

  /// What holds for `name`, which the table has, written as in the environment; empty: its default.
  std::string value(std::string_view name) const;
  SettingOrigin origin(std::string_view name) const;

  /// Why it is not known what a file meant to say of `name`, which the environment does not set:
  /// the file or its value cannot be read. Empty: it is. What holds back must not be taken for
  /// unset then.
  std::string why_unknown(std::string_view name) const;

  /// What the repository's file says of `name`, as far as it may.
  std::string project_value(std::string_view name) const;

  /// The same without the repository's file: for what is not the repository's, such as the memory.
  Settings of_user() const;

  /// value(), for who takes settings as a function.
  ReadSetting reader() const;

  const SettingFiles& files() const { return files_; }
  /// By origin and place in the file.
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

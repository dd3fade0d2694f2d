// Tested by app/doctor_test.cpp.
#include "app/settings/worker_settings.h"

#include "base/file.h"
#include "base/hash.h"
#include "text/json.h"
#include "base/random.h"

namespace codexmem::app {
namespace fs = std::filesystem;
namespace {

fs::path file_in(const fs::path& directory) { return directory / "worker-settings.json"; }

std::string hash_of(const std::string& salt, const std::string& value) {
  return value.empty() ? std::string() : sha256_hex(salt + value);
}

}  // namespace

Result<void> write_worker_settings(const fs::path& directory, int pid, const Settings& settings) {
  const std::string salt = random_hex(16);
  Json rows = Json::object();
  for (const SettingRow& row : setting_rows()) {
    const std::string name(row.name);
    rows[name] = {{"hash", hash_of(salt, settings.value(name))},
                  {"origin", setting_origin_name(settings.origin(name))}};
  }
  return replace_file(file_in(directory),
                      dump_json(Json{{"pid", pid}, {"salt", salt}, {"settings", rows}}));
}

std::vector<std::string> list_changed_settings(const fs::path& directory,
                                               const WorkerAddress& worker) {
  std::vector<std::string> changed;
  const auto text = read_file(file_in(directory), std::size_t{64} << 10);
  if (!text.ok()) return changed;
  const Json then = Json::parse(*text, nullptr, false);
  if (!then.is_object() || then.value("pid", 0) != worker.pid) return changed;
  const Json rows = then.value("settings", Json::object());
  const std::string salt = then.value("salt", "");
  const Settings now = Settings::load({.user = directory / kUserSettingsName},
                                      [](const char*) { return std::string(); });
  for (const SettingRow& row : setting_rows()) {
    const auto was = rows.find(std::string(row.name));
    if (row.key.empty() || was == rows.end() || !was->is_object()) continue;
    if (was->value("origin", "") == setting_origin_name(SettingOrigin::kEnvironment)) continue;
    if (was->value("hash", "") != hash_of(salt, now.value(row.name))) changed.emplace_back(row.key);
  }
  return changed;
}

}  // namespace codexmem::app

// Tested by app/cli_test.cpp.
#include "app/settings/user_settings.h"

#include <fmt/core.h>

#include <string>
#include <system_error>
#include <utility>

#include "app/init/json_edit.h"
#include "text/json.h"
#include "base/random.h"
#include "config/settings.h"
#include "memory/decisions/decision_roles.h"
#include "store/user/user_store.h"

namespace codexmem::app {
namespace fs = std::filesystem;

Result<void> write_user_settings(FileChange change, bool holds_secret) {
  const fs::path path = user_settings_file();
  CODEXMEM_TRY(store::prepare_user_directory(path.parent_path()));
  change.mode = 0600;
  if (holds_secret && is_open_to_others(change.path)) {
    std::error_code failed;
    fs::permissions(change.path, fs::perms::owner_read | fs::perms::owner_write, failed);
    if (failed) {
      return Error{ErrorCode::kIo, fmt::format("{}: {}", change.path.string(), failed.message())};
    }
  }
  auto made = make_change(change);
  if (!made.ok()) return std::move(made).error().with_context(path.string());
  return {};
}

Result<bool> make_decision_secret(bool dry_run) {
  constexpr const char* kSecret = "AGENT_MEMORY_SECRET";
  const fs::path path = user_settings_file();
  if (path.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "there is no data directory: set HOME or CODEXMEM_DATA_DIR"};
  }
  const Settings settings = Settings::load({.user = path});
  if (settings.origin(kSecret) == SettingOrigin::kUser) return false;
  std::string secret = settings.value(kSecret);
  if (secret.empty()) secret = random_hex(64);
  const auto granted =
      memory::grant_role(std::nullopt, {secret, settings.value("AGENT_MEMORY_SECRET_SHA256")});
  if (granted.role == memory::Role::kViewer) {
    return Error{ErrorCode::kInvalidArgument,
                 "AGENT_MEMORY_SECRET_SHA256 asks for a secret of its own: `codexmem config set "
                 "agentMemorySecret -` reads it from standard input"};
  }
  if (dry_run) return true;
  auto change = begin_change(path);
  if (!change.ok()) return std::move(change).error().with_context(path.string());
  CODEXMEM_ASSIGN(change->after,
                  set_json(change->existed ? change->before : "{\n}\n",
                           {std::string(find_setting(kSecret)->key)}, dump_json(Json(secret))));
  CODEXMEM_TRY(write_user_settings(*std::move(change), /*holds_secret=*/true));
  return true;
}

}  // namespace codexmem::app

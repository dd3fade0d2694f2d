// app/init/clients.h - the MCP clients that codexmem knows to configure: one row each.
//
// Adding one: a row in kClients[] of clients.cpp, a page in docs/clients. Facts about their files:
// docs/clients.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/init/client_config.h"

namespace codexmem::app {

/// The folders that configurations are in.
struct ConfigPlaces {
  std::filesystem::path root;  // of the repository
  std::filesystem::path home;  // the user's; empty: not known
};

/// Which of a client's files: the repository's, which its people share, or the user's own.
enum class ConfigScope { kProject, kUser };

/// A file of a client: where it is, and what belongs into it.
struct ConfigFile {
  std::filesystem::path path;  // empty: the client has no such file
  ConfigEntries entries;
};

struct Client {
  std::string_view name;   // as --client takes it
  std::string_view title;  // as people know it
  /// Signs that it is there: programs in PATH, files or folders in the user's home and in the
  /// repository.
  std::span<const std::string_view> programs, home_signs, root_signs;
  ConfigFile (*server)(const ConfigPlaces& places, ConfigScope scope);
  ConfigFile (*hooks)(const ConfigPlaces& places, ConfigScope scope);
  /// Where the server is put when nobody says. Hooks are put into the user's file.
  ConfigScope server_scope = ConfigScope::kProject;
  /// What the user still has to do, lines without a full stop: for a server in the repository's
  /// file, for one in the user's, and for hooks.
  std::string_view after_server, after_user_server, after_hooks;
  /// Its servers have its environment, CODEXMEM_DATA_DIR with it; its hooks have it always.
  bool hands_on_environment = true;
};

/// Every client, in the order of docs/clients.
std::span<const Client> clients();

/// The row called `name`, or nullptr.
const Client* find_client(std::string_view name);

/// True if there is a sign of `client` on this machine or in the repository.
bool is_installed(const Client& client, const ConfigPlaces& places);

}  // namespace codexmem::app

// serve/team_file_checks.h - what holds of every team file that is accepted.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "mcp/tool.h"
#include "mcp/tools.h"
#include "serve/team/team_file.h"

namespace codexmem::testing {

/// Whether `grant` permits nothing beyond its role.
inline bool is_within_role(const serve::TeamGrant& grant) {
  if (grant.repositories.empty() || grant.tools.empty()) return false;
  if (grant.writes_memory && (!grant.sees_memory || grant.role == memory::Role::kViewer))
    return false;
  const auto names = split(grant.tools, ',');
  return std::ranges::all_of(mcp::tools(), [&](const mcp::Tool& tool) {
    if (std::ranges::find(names, tool.name) == names.end()) return true;
    const bool is_memory = ask::is_in_group(tool.groups, "memory");
    if (is_memory) return grant.sees_memory && (tool.read_only || grant.writes_memory);
    return tool.read_only || grant.role == memory::Role::kAdmin;
  });
}

/// Whether `file` lets in nobody who is not named, nor asks for what cannot be judged.
inline bool is_sound(const serve::TeamFile& file) {
  const auto is_hash = [](std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
  };
  bool sound = !file.repositories.empty() && (!file.tokens.empty() || file.proxy) &&
               (file.is_on_loopback() || !file.hosts.empty());
  for (const auto& [name, path] : file.repositories) {
    sound =
        sound && !name.empty() && name.find_first_of("/\n ?&") == name.npos && path.is_absolute();
  }
  for (const serve::TeamToken& token : file.tokens) {
    sound = sound && is_hash(token.sha256) && is_within_role(token.grant);
  }
  if (file.proxy) {
    const serve::TeamProxy& proxy = *file.proxy;
    sound = sound && !proxy.from.empty() && !proxy.user_header.empty();
    sound = sound && (proxy.secret_header.empty() || is_hash(proxy.secret_sha256));
    for (const serve::AddressRange& range : proxy.from) {
      sound = sound && (!range.has_loopback() || !proxy.secret_header.empty());
    }
    for (const auto& [name, grant] : proxy.users) sound = sound && is_within_role(grant);
    for (const auto& [name, grant] : proxy.groups) sound = sound && is_within_role(grant);
  }
  return sound && file.limits.work_at_once > 0 && file.limits.request_bytes > 0;
}

}  // namespace codexmem::testing

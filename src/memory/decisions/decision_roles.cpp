#include "memory/decisions/decision_roles.h"

#include <fmt/core.h>

#include <array>

#include "base/hash.h"
#include "base/text.h"

namespace codexmem::memory {
namespace {

constexpr std::array<std::string_view, 3> kRoleNames = {"viewer", "agent", "admin"};

}  // namespace

std::string_view role_name(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }

std::optional<Role> parse_role(std::string_view name) {
  const std::string wanted = to_lower_ascii(trim(name));
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
    if (kRoleNames[i] == wanted) return static_cast<Role>(i);
  }
  return std::nullopt;
}

GrantedRole grant_role(std::optional<Role> wanted, const RoleSecret& secret, Role by_default) {
  const std::string expected = to_lower_ascii(trim(secret.secret_sha256));
  const bool is_set = !secret.secret.empty();
  const bool is_right = is_set && (expected.empty() || sha256_hex(secret.secret) == expected);
  if (wanted == Role::kViewer) {
    return {Role::kViewer, "", "the role viewer was asked for (--role or CODEXMEM_ROLE)"};
  }
  if (is_right) return {wanted.value_or(by_default), "", ""};
  const std::string reason =
      is_set ? "AGENT_MEMORY_SECRET is not the one that AGENT_MEMORY_SECRET_SHA256 asks for"
             : "agent and admin need AGENT_MEMORY_SECRET to be set";
  // No warning about a secret that was not set and a role that was not requested.
  if (!wanted && !is_set) return {Role::kViewer, "", reason};
  const std::string_view role = role_name(wanted.value_or(by_default));
  return {Role::kViewer,
          is_set ? fmt::format("{}: decisions can only be read, not written as {}", reason, role)
                 : fmt::format("the role {} needs AGENT_MEMORY_SECRET: decisions can only be read",
                               role),
          reason};
}

}  // namespace codexmem::memory

// memory/decisions/decision_roles.h - who may do what with decisions.
//
// A role is given to a process when it starts, by its settings and the secret in its environment.
// Pure; thread-safe. Design: docs/how-it-works.md, "Decisions".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::memory {

/// Each may do what those before it may.
enum class Role : std::uint8_t { kViewer, kAgent, kAdmin };

/// "viewer", "agent", "admin".
std::string_view role_name(Role role);

/// The role of this name, in any case of letters.
std::optional<Role> parse_role(std::string_view name);

/// What the settings say of the secret that writing needs.
struct RoleSecret {
  std::string secret;  // AGENT_MEMORY_SECRET; empty: none
  std::string
      secret_sha256;  // AGENT_MEMORY_SECRET_SHA256: what it must be; empty: anything will do
};

struct GrantedRole {
  Role role = Role::kViewer;
  std::string warning;  // why it is less than what was asked for; empty: it is not
  std::string reason;   // why it may not write: "AGENT_MEMORY_SECRET is not set"; empty: it may
};

/// The role of a process that asks for `wanted`, or for none. None means `by_default` with a secret
/// and viewer without. A caller that asks for more without the right secret is a viewer.
GrantedRole grant_role(std::optional<Role> wanted, const RoleSecret& secret,
                       Role by_default = Role::kAgent);

/// Who calls. A person is somebody at a shell, or an admin over MCP.
struct Caller {
  Role role = Role::kViewer;
  bool is_at_shell = false;
  std::string why_viewer = {};  // GrantedRole::reason; empty: not known
  bool is_human() const { return is_at_shell || role == Role::kAdmin; }
};

}  // namespace codexmem::memory

#include "memory/decisions/decision_roles.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace codexmem::memory {
namespace {

TEST(GrantRole, NeedsTheSecret) {
  const std::string right = "kettle";
  const std::string hash = sha256_hex(right);
  const struct {
    const char* name;
    std::optional<Role> wanted;
    RoleSecret secret;
    Role want;
    bool warns;
  } kCases[] = {
      {"nothing set", std::nullopt, {}, Role::kViewer, false},
      {"a secret", std::nullopt, {right, ""}, Role::kAgent, false},
      {"viewer with a secret", Role::kViewer, {right, ""}, Role::kViewer, false},
      {"admin with a secret", Role::kAdmin, {right, ""}, Role::kAdmin, false},
      {"agent without", Role::kAgent, {}, Role::kViewer, true},
      {"admin without", Role::kAdmin, {}, Role::kViewer, true},
      {"the right one", Role::kAdmin, {right, " " + hash + "\n"}, Role::kAdmin, false},
      {"another one", Role::kAdmin, {"teapot", hash}, Role::kViewer, true},
      {"another one, no role", std::nullopt, {"teapot", hash}, Role::kViewer, true},
      {"a hash alone", std::nullopt, {"", hash}, Role::kViewer, false},
  };
  for (const auto& [name, wanted, secret, want, warns] : kCases) {
    const GrantedRole granted = grant_role(wanted, secret);
    EXPECT_EQ(granted.role, want) << name;
    EXPECT_EQ(!granted.warning.empty(), warns) << name << ": " << granted.warning;
    EXPECT_EQ(granted.reason.empty(), granted.role != Role::kViewer) << name;
    EXPECT_EQ(granted.warning.find("kettle"), std::string::npos);
    EXPECT_EQ(granted.warning.find("teapot"), std::string::npos);
  }
}

TEST(GrantRole, SaysWhyARoleMayNotWrite) {
  const auto reason = [](std::optional<Role> wanted, RoleSecret secret) {
    return grant_role(wanted, secret).reason;
  };
  EXPECT_NE(reason(Role::kViewer, {"kettle", ""}).find("was asked for"), std::string::npos);
  EXPECT_NE(reason(std::nullopt, {}).find("to be set"), std::string::npos);
  EXPECT_NE(reason(Role::kAdmin, {"teapot", sha256_hex("kettle")}).find("_SHA256 asks for"),
            std::string::npos);
}

TEST(ParseRole, KnowsThree) {
  for (const Role role : {Role::kViewer, Role::kAgent, Role::kAdmin}) {
    EXPECT_EQ(parse_role(role_name(role)), role);
  }
  EXPECT_EQ(parse_role(" Admin "), Role::kAdmin);
  EXPECT_EQ(parse_role("root"), std::nullopt);
}

}  // namespace
}  // namespace codexmem::memory

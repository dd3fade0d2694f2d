// tests/privacy/secret_cases.h - what the secret policy must block, and what it must let through.
//
// Written from the vendors' published formats, apart from the rules and without sight of them.
// Every secret is made at run time from a seed (its name): the files hold no whole one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace codexmem::privacy::testing {

struct SecretCase {
  std::string name;
  std::string kind;   // class of secret: "cloud key", "jwt", "credential url", "disguised"...
  std::string text;   // as somebody would write or paste it
  std::string value;  // the secret as written in `text`
  std::string plain;  // the secret without its disguise; otherwise `value`
  // The first bytes of `plain` (and of an undisguised `value`) that every such secret begins with.
  std::size_t prefix_size = 0;
};

/// Texts with one secret each, the disguised ones last; names are unique.
std::vector<SecretCase> secret_cases();
/// The last of them: full-width and zero-width characters, JSON escapes, base64.
std::vector<SecretCase> disguised_cases();

struct HarmlessCase {
  std::string name;
  std::string text;
};

/// Texts that resemble secrets and hold none; names are unique.
std::vector<HarmlessCase> harmless_cases();

}  // namespace codexmem::privacy::testing

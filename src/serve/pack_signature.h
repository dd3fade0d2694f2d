// serve/pack_signature.h - signatures of packs, made and checked by OpenSSH's ssh-keygen as git
// does.
//
// A signature is a file next to the pack, PACK.sig. Whom the user trusts is in `pack-signers` of
// the user's data directory, in the format of ssh-keygen's ALLOWED SIGNERS: nobody before the user
// says so. Design: docs/packs.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::serve {

inline constexpr std::string_view kSignatureSuffix = ".sig";

/// Signs the pack at `pack` with the SSH key at `key`: the private one, or a public one of which an
/// agent has the private one. Errors: kNotFound without ssh-keygen; kInvalidArgument as it says.
Result<void> sign_pack(const std::filesystem::path& pack, const std::filesystem::path& key);

/// Trusts the public key at `key` from now on, under its comment; returns that name. Errors:
/// kInvalidArgument when it is not a public key; as reading and writing.
Result<std::string> trust_pack_signer(const std::filesystem::path& key);

/// Whether the user trusts anybody; then no other pack is used. Errors: as reading the list.
Result<bool> trusts_pack_signers();

/// Who of those that the user trusts signed `pack`. Errors: kInvalidArgument when nobody has;
/// kNotFound without ssh-keygen.
Result<std::string> find_pack_signer(const std::filesystem::path& pack,
                                     const std::filesystem::path& signature);

}  // namespace codexmem::serve

// tests/privacy/secret_generator.h - texts with a secret in them, and texts that only resemble
// such, as many as are asked for, from a seed.
//
// Written from what people and tools write, without sight of the rules. A text is a way of writing
// (an assignment of a language, a command line, a header, a file of a tool) filled with a name and
// a value; the tables are small and their product is large. Nothing here is a whole secret.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "privacy/secret_cases.h"

namespace codexmem::privacy::testing {

struct GeneratedSecret {
  std::string kind;   // the way of writing and the shape of the value
  std::string text;   // as somebody would write or paste it
  std::string value;  // the secret as written in `text`
};

/// `count` texts with one secret each; the same for the same seed on every machine.
std::vector<GeneratedSecret> generate_secrets(unsigned seed, std::size_t count);

/// `count` texts without a secret.
std::vector<HarmlessCase> generate_look_alikes(unsigned seed, std::size_t count);

}  // namespace codexmem::privacy::testing

// privacy/secret_values.h - distinguishes a secret from other values in its place: a reference, a
// placeholder, a word, a digest. Pure and thread-safe.
#pragma once

#include <string_view>

namespace codexmem::privacy {

/// What a rule asks of the value that it found.
enum class ValueTest {
  kFormat,    // the format is proof enough: only placeholders pass
  kLiteral,   // the value is taken as it is, never as the name of something: a shell's word
  kPassword,  // any password, though not a word of prose or code
  kRandom,    // looks random
  kProse,     // in a sentence: a word that is no word
  kSigns,     // in a line of settings without quotes: signs and letters as in no code
  kSpaced,    // behind no more than a space: what cannot be a word
  kBasic,     // base64 of user:password
  kUserPass,  // user:password
  kKeyBlock,  // the base64 of a PEM block
  kAnything,  // never passes
};

/// Why a value is no secret; kNone: it is one.
enum class Allowed {
  kNone,
  kReference,    // names where the value comes from: $VAR, ${{ secrets.X }}, os.environ[...]
  kPlaceholder,  // your-key-here, ****, changeme, <token>
  kExample,      // published by a vendor or a standard as an example
  kRepetition,   // too few different characters to be random
  kWord,         // a word, a name or a sentence
  kCode,         // an expression or a type
  kTooShort,
  kDigest,  // a digest, or a value that its name says is public
  kName,    // the name says that it is not the secret itself: password_file, token_count
  kFormat,  // looks like it, but does not decode or has the wrong length
};

/// For people: "a placeholder", ...
std::string_view allowed_reason(Allowed allowed);

/// Judges `value`. `is_quoted`: it stood in quotes, so that it is no expression.
Allowed judge_value(std::string_view value, ValueTest test, bool is_quoted, double min_entropy);

/// True for a key that is public by design, known by how it begins: Stripe's pk_live_, ...
bool is_public_key(std::string_view token);

}  // namespace codexmem::privacy

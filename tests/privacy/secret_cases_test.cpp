// The secret policy against cases that were written without sight of its rules.

#include "privacy/secret_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "privacy/policy.h"

namespace codexmem::privacy {
namespace {

using testing::harmless_cases;
using testing::HarmlessCase;
using testing::secret_cases;
using testing::SecretCase;

// Names of the cases that fail, one a line, after how many of how many.
class Failures {
 public:
  void add(const std::string& name, const std::string& why) {
    if (names_.insert(name).second) text_ += "\n  " + name + ": " + why;
  }
  void expect_none(std::size_t total) const {
    EXPECT_TRUE(names_.empty()) << names_.size() << " of " << total << " fail:" << text_;
  }

 private:
  std::set<std::string> names_;
  std::string text_;
};

// A piece of `value`, `length` characters long and not within its first `prefix_size` bytes, that
// occurs in `text`; empty if not found.
std::string find_piece(const std::string& text, const std::string& value, std::size_t length,
                       std::size_t prefix_size) {
  std::vector<std::size_t> starts;  // of the characters, and the end
  for (std::size_t i = 0; i < value.size(); ++i) {
    if ((static_cast<unsigned char>(value[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  }
  starts.push_back(value.size());
  for (std::size_t i = 0; i + length < starts.size(); ++i) {
    if (starts[i + length] <= prefix_size) continue;
    std::string piece = value.substr(starts[i], starts[i + length] - starts[i]);
    if (text.find(piece) != std::string::npos) return piece;
  }
  return {};
}

std::string find_piece_of(const SecretCase& secret, const std::string& text, std::size_t length) {
  std::string piece = find_piece(text, secret.plain, length, secret.prefix_size);
  const std::size_t prefix_size = secret.value == secret.plain ? secret.prefix_size : 0;
  return piece.empty() ? find_piece(text, secret.value, length, prefix_size) : piece;
}

TEST(SecretCases, AreWellMade) {
  const std::vector<SecretCase> secrets = secret_cases();
  const std::vector<HarmlessCase> harmless = harmless_cases();
  EXPECT_GE(secrets.size(), 130U);
  EXPECT_GE(harmless.size(), 70U);
  std::set<std::string> names;
  for (const SecretCase& secret : secrets) {
    EXPECT_TRUE(names.insert(secret.name).second) << secret.name;
    EXPECT_NE(secret.text.find(secret.value), std::string::npos) << secret.name;
    EXPECT_GE(secret.plain.size(), 8U) << secret.name;
  }
  for (const HarmlessCase& plain : harmless) {
    EXPECT_TRUE(names.insert(plain.name).second) << plain.name;
  }
}

TEST(SecretCases, AreBlockedInEveryField) {
  const std::vector<SecretCase> secrets = secret_cases();
  Failures failures;
  for (const SecretCase& secret : secrets) {
    for (const std::string_view field : {"text", "title", "metadata.note"}) {
      const Field fields[] = {{"project", "shop"}, {field, secret.text}};
      const Result<void> checked = check_fields(fields);
      if (checked.ok()) {
        failures.add(secret.name, "not blocked as " + std::string(field));
      } else if (checked.error().code() != ErrorCode::kBlocked) {
        failures.add(secret.name, "another error: " + checked.error().message());
      }
    }
  }
  failures.expect_none(secrets.size());
}

TEST(SecretCases, ErrorsTellNothingOfTheValue) {
  const std::vector<SecretCase> secrets = secret_cases();
  Failures failures;
  for (const SecretCase& secret : secrets) {
    const Field fields[] = {{"text", secret.text}};
    const Result<void> checked = check_fields(fields);
    if (checked.ok()) continue;
    const std::string said = checked.error().message() + "\n" + checked.error().details();
    const std::string piece = find_piece_of(secret, said, 6);
    if (!piece.empty()) failures.add(secret.name, "\"" + piece + "\" in " + said);
  }
  failures.expect_none(secrets.size());
}

TEST(SecretCases, RedactingRemovesTheValue) {
  const std::vector<SecretCase> secrets = secret_cases();
  Failures failures;
  for (const SecretCase& secret : secrets) {
    const std::string redacted = redact(secret.text);
    const std::string piece = find_piece_of(secret, redacted, 8);
    if (!piece.empty()) failures.add(secret.name, "\"" + piece + "\" left in: " + redacted);
  }
  failures.expect_none(secrets.size());
}

TEST(HarmlessCases, AreNotBlocked) {
  const std::vector<HarmlessCase> harmless = harmless_cases();
  Failures failures;
  for (const HarmlessCase& plain : harmless) {
    for (const std::string_view field : {"text", "title", "metadata.note"}) {
      const Field fields[] = {{field, plain.text}};
      const Result<void> checked = check_fields(fields);
      if (!checked.ok()) failures.add(plain.name, checked.error().details() + " " + plain.text);
    }
  }
  failures.expect_none(harmless.size());
}

TEST(HarmlessCases, AreNotChangedByRedacting) {
  const std::vector<HarmlessCase> harmless = harmless_cases();
  Failures failures;
  for (const HarmlessCase& plain : harmless) {
    const std::string redacted = redact(plain.text);
    if (redacted != plain.text) failures.add(plain.name, redacted);
  }
  failures.expect_none(harmless.size());
}

}  // namespace
}  // namespace codexmem::privacy

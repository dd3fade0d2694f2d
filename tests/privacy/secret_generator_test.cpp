// The secret policy against as many generated texts as are asked for.
//
//     privacy_test --gtest_filter='Generated*'                   40 seeds
//     CODEXMEM_SECRET_SEEDS=1000-1039 privacy_test ...           others

#include "privacy/secret_generator.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <string_view>

#include "privacy/policy.h"

namespace codexmem::privacy {
namespace {

using testing::generate_look_alikes;
using testing::generate_secrets;
using testing::GeneratedSecret;
using testing::HarmlessCase;

constexpr std::size_t kSecretsOfSeed = 75, kLookAlikesOfSeed = 25;

struct Seeds {
  unsigned first = 1, last = 40;
};

Seeds seeds() {
  Seeds seeds;
  if (const char* asked = std::getenv("CODEXMEM_SECRET_SEEDS")) {
    const std::string_view text = asked;
    const std::size_t dash = text.find('-');
    std::from_chars(text.data(), text.data() + text.size(), seeds.first);
    seeds.last = seeds.first;
    if (dash != std::string_view::npos) {
      std::from_chars(text.data() + dash + 1, text.data() + text.size(), seeds.last);
    }
  }
  return seeds;
}

// True when a piece of `value` that would help to guess it is left in `text`.
bool is_left(const std::string& text, const std::string& value) {
  const std::size_t length = value.size() < 16 ? value.size() : value.size() * 3 / 4;
  for (std::size_t at = 0; at + length <= value.size(); ++at) {
    if (text.find(value.substr(at, length)) != std::string::npos) return true;
  }
  return false;
}

TEST(GeneratedSecrets, AreBlockedAndRedacted) {
  std::size_t count = 0;
  std::map<std::string, std::string> passed, left;
  for (unsigned seed = seeds().first; seed <= seeds().last; ++seed) {
    for (const GeneratedSecret& secret : generate_secrets(seed, kSecretsOfSeed)) {
      ++count;
      const std::string name =
          std::to_string(seed) + "/" + std::to_string(count) + " " + secret.kind;
      const Field fields[] = {{"text", secret.text}};
      if (check_fields(fields).ok()) passed[name] = secret.text;
      if (const std::string redacted = redact(secret.text); is_left(redacted, secret.value)) {
        left[name] = redacted;
      }
    }
  }
  for (const auto& [name, text] : passed) ADD_FAILURE() << name << " is not blocked: " << text;
  for (const auto& [name, text] : left) {
    if (passed.count(name) == 0) ADD_FAILURE() << name << " is left: " << text;
  }
  EXPECT_EQ(passed.size(), 0U) << "of " << count << " are not blocked";
  EXPECT_EQ(left.size(), 0U) << "of " << count << " are left in what is redacted";
}

TEST(GeneratedLookAlikes, AreNotBlocked) {
  std::size_t count = 0, blocked = 0;
  for (unsigned seed = seeds().first; seed <= seeds().last; ++seed) {
    for (const HarmlessCase& plain : generate_look_alikes(seed, kLookAlikesOfSeed)) {
      ++count;
      const Field fields[] = {{"text", plain.text}};
      const Result<void> checked = check_fields(fields);
      if (checked.ok()) continue;
      ++blocked;
      ADD_FAILURE() << plain.name << " " << checked.error().details() << ": " << plain.text;
    }
  }
  EXPECT_EQ(blocked, 0U) << "of " << count << " are blocked";
}

}  // namespace
}  // namespace codexmem::privacy

// Tested by embed/openai_embedder_test.cpp and observe/openai_provider_test.cpp.
#include "net/secret_text.h"

namespace codexmem::net {

std::string without_secret(std::string text, std::string_view secret) {
  constexpr std::string_view kHidden = "***";
  if (secret.empty()) return text;
  for (auto at = text.find(secret); at != std::string::npos;
       at = text.find(secret, at + kHidden.size())) {
    text.replace(at, secret.size(), kHidden);
  }
  return text;
}

}  // namespace codexmem::net

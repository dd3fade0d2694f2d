#include "app/settings/data_destinations.h"

#include <gtest/gtest.h>

#include <map>

namespace codexmem::app {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(DataDestinations, AreTheHostsThatWereChosen) {
  const std::pair<Variables, const char*> cases[] = {
      {{}, "nowhere: rules on this machine"},
      {{{"OPENAI_API_KEY", "k"}}, "nowhere: rules on this machine"},
      {{{"OPENAI_API_KEY", "k"}, {"CODEXMEM_PROVIDER", "openai"}}, "api.openai.com (observations)"},
      {{{"OPENAI_API_KEY", "k"}, {"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}},
       "api.openai.com (vectors)"},
      {{{"CODEXMEM_OPENAI_API_KEY", "k"}, {"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}},
       "api.openai.com (observations, vectors)"},
      {{{"CODEXMEM_OPENAI_BASE_URL", "http://user:pw@127.0.0.1:8080/v1"},
        {"CODEXMEM_OPENAI_MODEL", "m"},
        {"CODEXMEM_CHROMA_URL", "http://chroma.example:8000"},
        {"CODEXMEM_VECTOR_BACKEND", "hybrid"}},
       "127.0.0.1:8080 (observations), chroma.example:8000 (memories)"},
      {{{"CODEXMEM_CHROMA_URL", "http://chroma.example:8000"}}, "nowhere: rules on this machine"},
      {{{"CODEXMEM_FLEET_URL", "http://one.example:8000,https://two.example"}},
       "one.example:8000 (code that is pushed and words of searches), "
       "two.example (code that is pushed and words of searches)"},
  };
  for (const auto& [settings, want] : cases) {
    const auto setting = [&settings = settings](const char* name) {
      const auto found = settings.find(name);
      return found == settings.end() ? std::string() : found->second;
    };
    EXPECT_EQ(describe_data_destinations(setting), want);
  }
}

}  // namespace
}  // namespace codexmem::app

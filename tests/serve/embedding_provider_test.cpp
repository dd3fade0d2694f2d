#include "serve/embedding_provider.h"

#include <gtest/gtest.h>

#include <map>

namespace codexmem::serve {
namespace {

using Settings = std::map<std::string, std::string>;

EmbeddingProvider choose(const Settings& settings) {
  return choose_provider([&](const char* name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
  });
}

TEST(ChooseProvider, IsTheBuiltInModelUntilAModelIsNamed) {
  for (const Settings& settings :
       {Settings{},
        {{"OPENAI_API_KEY", "k"}},
        {{"CODEXMEM_OPENAI_API_KEY", "k"}},
        {{"CODEXMEM_OPENAI_BASE_URL", "http://localhost/v1"}},
        {{"CODEXMEM_EMBEDDING_PROVIDER", "builtin"}, {"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}}}) {
    const auto provider = choose(settings);
    EXPECT_TRUE(provider.is_built_in());
    EXPECT_EQ(provider.embedder, nullptr);
    EXPECT_TRUE(provider.problem.empty());
    EXPECT_TRUE(provider.search_options().use_vectors);
  }
}

TEST(ChooseProvider, AModelChoosesItsEndpoint) {
  const std::pair<Settings, const char*> cases[] = {
      {{{"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}, {"OPENAI_API_KEY", "k"}},
       "openai:api.openai.com/v1#m"},
      {{{"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"},
        {"CODEXMEM_OPENAI_BASE_URL", "https://gateway.example/v1"}},
       "openai:gateway.example/v1#m"},
      {{{"CODEXMEM_EMBEDDING_PROVIDER", "openai"},
        {"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"},
        {"CODEXMEM_OPENAI_BASE_URL", "https://gateway.example/v1"},
        {"CODEXMEM_OPENAI_EMBEDDING_BASE_URL", "http://localhost:11434/v1"}},
       "openai:localhost:11434/v1#m"},
  };
  for (const auto& [settings, want] : cases) {
    const auto provider = choose(settings);
    EXPECT_EQ(provider.name, "openai");
    ASSERT_NE(provider.embedder, nullptr) << provider.problem;
    EXPECT_EQ(provider.model(), want);
    EXPECT_EQ(provider.search_options().embedder, provider.embedder);
  }
}

TEST(ChooseProvider, TheSharedKeyIsTheLastOfThree) {
  Settings settings = {{"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"},
                       {"CODEXMEM_OPENAI_EMBEDDING_BASE_URL", "https://gateway.example/v1"},
                       {"OPENAI_API_KEY", "shared"}};
  EXPECT_EQ(choose(settings).api_key, "shared");
  settings["CODEXMEM_OPENAI_API_KEY"] = "ours";
  EXPECT_EQ(choose(settings).api_key, "ours");
  settings["CODEXMEM_OPENAI_EMBEDDING_API_KEY"] = "of embeddings";
  EXPECT_EQ(choose(settings).api_key, "of embeddings");
}

TEST(ChooseProvider, OnlyTheNamedProviderIsWishedForByName) {
  EXPECT_FALSE(choose({}).is_named);
  EXPECT_TRUE(choose({{"CODEXMEM_EMBEDDING_PROVIDER", "builtin"}}).is_named);
  index::IndexOptions options;
  choose({}).apply_to(&options);
  EXPECT_FALSE(options.replace_vectors || options.skip_embeddings);
  choose({{"CODEXMEM_EMBEDDING_PROVIDER", "builtin"}}).apply_to(&options);
  EXPECT_TRUE(options.replace_vectors);
}

TEST(ChooseProvider, OneThatCannotBeUsedIsReplacedByNone) {
  const std::pair<Settings, const char*> cases[] = {
      {{{"CODEXMEM_EMBEDDING_PROVIDER", "openai"}}, "CODEXMEM_OPENAI_EMBEDDING_MODEL is not set"},
      {{{"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}}, "OPENAI_API_KEY is not set"},
      {{{"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"},
        {"CODEXMEM_OPENAI_EMBEDDING_BASE_URL", "localhost:1234"}},
       "not an http:// or https:// address"},
      {{{"CODEXMEM_EMBEDDING_PROVIDER", "Cohere"}}, "builtin, openai or none"},
  };
  for (const auto& [settings, want] : cases) {
    const auto provider = choose(settings);
    EXPECT_NE(provider.problem.find(want), std::string::npos) << provider.problem;
    EXPECT_EQ(provider.embedder, nullptr);
    EXPECT_FALSE(provider.is_built_in());
    EXPECT_FALSE(provider.search_options().use_vectors);
    EXPECT_EQ(provider.search_options().why_no_vectors, provider.problem);
    EXPECT_EQ(provider.is_unknown, provider.name == "Cohere");
  }
}

TEST(ChooseProvider, NoneIsAsWished) {
  const auto provider =
      choose({{"CODEXMEM_EMBEDDING_PROVIDER", "none"}, {"CODEXMEM_OPENAI_EMBEDDING_MODEL", "m"}});
  EXPECT_TRUE(provider.problem.empty());
  EXPECT_FALSE(provider.search_options().use_vectors);
  EXPECT_TRUE(provider.search_options().why_no_vectors.empty());
}

}  // namespace
}  // namespace codexmem::serve

// Tested by git/rules_test.py.
#include "app/given_rules.h"

#include "ask/decision_rules.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"

namespace codexmem::app {

std::vector<index::GivenRule> read_given_rules(const std::filesystem::path& folder,
                                               std::vector<std::string>& unread) {
  const Settings settings = serve::load_settings(folder);
  const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
  const auto setup =
      serve::set_up_memory({.folder = folder, .is_at_shell = true}, provider, settings);
  auto rules = setup.ok() ? ask::list_decision_rules(*setup->memory)
                          : Result<ask::DecisionRules>(setup.error());
  if (!rules.ok()) {
    unread.push_back("rules of decisions: " + rules.error().message());
    return {};
  }
  for (const std::string& why : rules->unreadable) unread.push_back("a rule: " + why);
  return rules->given();
}

}  // namespace codexmem::app

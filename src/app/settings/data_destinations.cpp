// Tested by app/data_destinations_test.cpp and tests/worker/no_network_test.py.
#include "app/settings/data_destinations.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "serve/embedding_provider.h"
#include "net/http_client.h"
#include "observe/models/provider_choice.h"
#include "text/name_list.h"

namespace codexmem::app {
namespace {

// "api.example.com:8080" of a URL.
std::string host_and_port(std::string_view url) {
  const std::string address = net::address_of(url);
  return address.substr(0, address.find('/'));
}

}  // namespace

std::string describe_data_destinations(const ReadSetting& setting) {
  std::vector<std::pair<std::string, std::string>> hosts;  // and what goes there
  const auto add = [&](const std::string& url, std::string_view what) {
    const std::string host = host_and_port(url);
    if (host.empty()) return;
    for (auto& [known, all] : hosts) {
      if (known == host) {
        all += fmt::format(", {}", what);
        return;
      }
    }
    hosts.emplace_back(host, what);
  };
  if (const auto model = observe::choose_model(setting); model.is_used) {
    add(model.options.base_url, "observations");
  }
  add(serve::choose_provider(setting).base_url, "vectors");
  const std::string backend = setting("CODEXMEM_VECTOR_BACKEND");
  if (backend == "chroma" || backend == "hybrid") add(setting("CODEXMEM_CHROMA_URL"), "memories");
  for (const std::string& url : read_comma_list(setting("CODEXMEM_FLEET_URL"))) {
    add(url, "code that is pushed and words of searches");
  }
  std::string text;
  for (const auto& [host, what] : hosts) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", host, what);
  }
  return text.empty() ? "nowhere: rules on this machine" : text;
}

}  // namespace codexmem::app

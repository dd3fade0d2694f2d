// Who is talked to: the models, and Chroma. One small question each, with a deadline.
#include <fmt/core.h>

#include "app/doctor/doctor.h"
#include "app/embedding_provider.h"
#include "app/worker_client.h"
#include "base/json.h"
#include "base/text.h"
#include "embed/openai_embedder.h"
#include "net/http_client.h"

namespace codexmem::app::doctor {
namespace {

struct Endpoint {
  std::string url, key;
};

// What is wrong with an endpoint of OpenAI's kind; nothing: it answers, and takes the key.
std::optional<Finding> ask_endpoint(const Endpoint& endpoint, std::string_view whose) {
  std::string url = endpoint.url;
  while (url.ends_with('/')) url.pop_back();
  net::HttpRequest request{.url = url + "/models"};
  if (!endpoint.key.empty()) {
    request.headers.push_back({"Authorization", "Bearer " + endpoint.key});
  }
  request.connect_timeout = request.timeout = kAnswerLimit;
  net::HttpClient client;
  const auto answer = client.send(request);
  const std::string address = net::address_of(endpoint.url);
  if (!answer.ok()) {
    return Finding{
        CheckState::kTrouble,
        fmt::format("{} at {} cannot be reached: {}", whose, address, answer.error().message()),
        fmt::format("curl -sS {}://{}/models", endpoint.url.starts_with("https") ? "https" : "http",
                    address)};
  }
  if (answer->status == 401 || answer->status == 403) {
    return Finding{CheckState::kTrouble, fmt::format("{} at {} refuses the key", whose, address),
                   "codexmem config list --origin"};
  }
  if (answer->status >= 500) {
    return Finding{CheckState::kWarning,
                   fmt::format("{} at {} answers with {}", whose, address, answer->status),
                   "try again later"};
  }
  return std::nullopt;
}

// The first of the settings that is set.
std::string first_set(const Patient& patient, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::string value = patient.settings.value(name); !value.empty()) return value;
  }
  return {};
}

Endpoint endpoint_of(const Patient& patient, std::initializer_list<const char*> urls,
                     std::initializer_list<const char*> keys) {
  Endpoint endpoint{first_set(patient, urls), first_set(patient, keys)};
  if (endpoint.url.empty()) endpoint.url = embed::kOpenAiBaseUrl;
  const bool is_openai = net::host_of(endpoint.url) == net::host_of(embed::kOpenAiBaseUrl);
  if (endpoint.key.empty() && is_openai) endpoint.key = patient.settings.value("OPENAI_API_KEY");
  return endpoint;
}

}  // namespace

Finding check_embedding_provider(const Patient& patient) {
  const EmbeddingProvider provider = choose_provider(patient.settings.reader());
  if (!provider.problem.empty()) {
    return {CheckState::kTrouble, provider.problem + "; answers go by words and names",
            "codexmem config list --origin"};
  }
  if (provider.embedder == nullptr) return {CheckState::kOk, provider.name};
  const Endpoint endpoint =
      endpoint_of(patient, {"CODEXMEM_OPENAI_EMBEDDING_BASE_URL", "CODEXMEM_OPENAI_BASE_URL"},
                  {"CODEXMEM_OPENAI_EMBEDDING_API_KEY", "CODEXMEM_OPENAI_API_KEY"});
  if (auto trouble = ask_endpoint(endpoint, "the embedding model")) return *std::move(trouble);
  return {CheckState::kOk, provider.model()};
}

Finding check_observation_provider(const Patient& patient) {
  const std::string name = patient.settings.value("CODEXMEM_PROVIDER");
  if (name == "rule-based") return {CheckState::kOk, "by rules"};
  if (!name.empty() && name != "openai") {
    return {CheckState::kTrouble, "the provider must be openai or rule-based; rules are used",
            "codexmem config get provider --origin"};
  }
  const Endpoint endpoint =
      endpoint_of(patient, {"CODEXMEM_OPENAI_BASE_URL"}, {"CODEXMEM_OPENAI_API_KEY"});
  const bool is_openai = net::host_of(endpoint.url) == net::host_of(embed::kOpenAiBaseUrl);
  if (is_openai && endpoint.key.empty()) {
    if (name.empty()) return {CheckState::kOk, "by rules: no model is set"};
    return {CheckState::kTrouble, "the provider openai has no key; rules are used",
            "codexmem config set openaiApiKey ..."};
  }
  const std::string model = patient.settings.value("CODEXMEM_OPENAI_MODEL");
  if (!is_openai && model.empty()) {
    return {CheckState::kTrouble,
            fmt::format("openaiModel is not set, which {} needs; rules are used",
                        net::host_of(endpoint.url)),
            "codexmem config set openaiModel NAME"};
  }
  if (auto trouble = ask_endpoint(endpoint, "the model of observations")) {
    return *std::move(trouble);
  }
  return {CheckState::kOk, fmt::format("by {} at {}", model.empty() ? "OpenAI's model" : model,
                                       net::address_of(endpoint.url))};
}

Finding check_chroma(const Patient& patient) {
  const std::string backend = patient.settings.value("CODEXMEM_VECTOR_BACKEND");
  const std::string url = patient.settings.value("CODEXMEM_CHROMA_URL");
  if (backend.empty() || backend == "sqlite") return {CheckState::kOk, "not used"};
  if (backend != "chroma" && backend != "hybrid") {
    return {CheckState::kTrouble, "the vector backend must be sqlite, chroma or hybrid",
            "codexmem config get vectorBackend --origin"};
  }
  if (net::host_of(url).empty()) {
    return {CheckState::kTrouble,
            fmt::format("the vector backend {} needs the address of a Chroma server", backend),
            "codexmem config set chromaUrl http://127.0.0.1:8000"};
  }
  std::string heartbeat = url;
  while (heartbeat.ends_with('/')) heartbeat.pop_back();
  net::HttpRequest request{.url = heartbeat + "/api/v2/heartbeat"};
  if (const std::string token = patient.settings.value("CODEXMEM_CHROMA_TOKEN"); !token.empty()) {
    request.headers.push_back({"x-chroma-token", token});
  }
  request.connect_timeout = request.timeout = kAnswerLimit;
  net::HttpClient client;
  const auto answer = client.send(request);
  if (!answer.ok() || answer->status != 200) {
    return {CheckState::kTrouble,
            fmt::format("Chroma at {} {}", net::address_of(url),
                        answer.ok() ? fmt::format("answers with {}", answer->status)
                                    : "cannot be reached: " + answer.error().message()),
            "chroma run --host 127.0.0.1 --port 8000"};
  }
  return {CheckState::kOk, net::address_of(url)};
}

}  // namespace codexmem::app::doctor

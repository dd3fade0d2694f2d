// Checks of the models and Chroma. One small request each, with a deadline.
#include <fmt/core.h>

#include "app/settings/data_destinations.h"
#include "app/doctor/doctor.h"
#include "serve/embedding_provider.h"
#include "app/worker_client.h"
#include "base/text.h"
#include "net/http_client.h"
#include "observe/models/provider_choice.h"

namespace codexmem::app::doctor {
namespace {

// A finding if an OpenAI-compatible endpoint fails; nothing if it answers and accepts the key.
std::optional<Finding> ask_endpoint(const std::string& base_url, const std::string& key,
                                    std::string_view whose) {
  std::string url = base_url;
  while (url.ends_with('/')) url.pop_back();
  net::HttpRequest request{.url = url + "/models"};
  if (!key.empty()) request.headers.push_back({"Authorization", "Bearer " + key});
  request.connect_timeout = request.timeout = kAnswerLimit;
  net::HttpClient client;
  const auto answer = client.send(request);
  const std::string address = net::address_of(base_url);
  if (!answer.ok()) {
    return Finding{
        CheckState::kTrouble,
        fmt::format("{} at {} cannot be reached: {}", whose, address, answer.error().message()),
        fmt::format("curl -sS {}://{}/models", base_url.starts_with("https") ? "https" : "http",
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

}  // namespace

Finding check_embedding_provider(const Patient& patient) {
  const serve::EmbeddingProvider provider = serve::choose_provider(patient.settings.reader());
  if (!provider.problem.empty()) {
    return {CheckState::kTrouble, provider.problem + "; answers go by words and names",
            "codexmem config list --origin"};
  }
  if (provider.embedder == nullptr) return {CheckState::kOk, provider.name};
  if (auto trouble = ask_endpoint(provider.base_url, provider.api_key, "the embedding model")) {
    return *std::move(trouble);
  }
  return {CheckState::kOk, provider.model()};
}

Finding check_observation_provider(const Patient& patient) {
  const observe::ModelChoice choice = observe::choose_model(patient.settings.reader());
  if (!choice.problem.empty()) {
    return {CheckState::kTrouble, choice.problem, "codexmem config list --origin"};
  }
  if (!choice.is_used) {
    if (!choice.has_unused_key) return {CheckState::kOk, "by rules"};
    return {.found = fmt::format("by rules; {}", observe::kUnusedKeyHint), .is_news = true};
  }
  const observe::ModelOptions& model = choice.options;
  if (auto trouble = ask_endpoint(model.base_url, model.api_key, "the model of observations")) {
    return *std::move(trouble);
  }
  return {CheckState::kOk,
          fmt::format("by {} at {}", model.model, net::address_of(model.base_url))};
}

Finding check_data_destinations(const Patient& patient) {
  return {CheckState::kOk, describe_data_destinations(patient.settings.reader())};
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

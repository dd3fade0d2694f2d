// The state of the vectors, and copying earlier records to Chroma.
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "text/json.h"
#include "text/json_object.h"
#include "memory/transfer/chroma_mirror.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

net::ServedReply index_status(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  const auto vectors = memory.recall().vector_status();
  if (!vectors.ok()) return failure_reply(vectors.error());
  JsonText chroma = json_object("configured", false, "reachable", false, "collection", nullptr,
                                "count", 0, "problem", some(memory.missing_chroma()));
  if (memory::ChromaMirror* const mirror = memory.chroma(); mirror != nullptr) {
    const auto status = mirror->status({});
    if (!status.ok()) return failure_reply(status.error());
    const auto write = [](const auto& each) {
      return json_object("name", each.first, "count", each.second);
    };
    chroma = json_object("configured", true, "reachable", status->is_reachable, "collection",
                         mirror->collection_of(memory.project()), "count", status->rows,
                         "collections", json_list(status->collections, write), "pending",
                         status->pending, "problem", some(status->problem));
  }
  return json_reply(json_object(
      "backend", vector_backend_name(memory.vector_backend()), "sqlite",
      json_object("embeddings", vectors->embeddings, "pending", vectors->pending), "faiss",
      json_object("vectors", vectors->indexed, "type", json_or_null(vectors->index), "stale",
                  vectors->is_behind),
      "chroma", chroma, "model", json_or_null(vectors->model)));
}

// Why there is nothing to copy.
std::string why_skipped(const memory::Memory& memory) {
  if (memory.vectors().embedder() == nullptr) {
    return memory.missing_model().empty() ? "nothing is embedded" : memory.missing_model();
  }
  return memory.missing_chroma().empty() ? "CODEXMEM_CHROMA_URL is not set"
                                         : memory.missing_chroma();
}

net::ServedReply backfill(const RouteCall& call) {
  const auto text = body_object(call.request);
  if (!text.ok()) return failure_reply(text.error());
  const Json body = Json::parse(*text);
  std::string project;
  if (const auto at = body.find("project"); at != body.end() && !at->is_null()) {
    if (!at->is_string()) return error_reply(400, "project must be a string");
    project = at->get<std::string>();
  }
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  if (const auto at = body.find("limit"); at != body.end() && !at->is_null()) {
    if (!at->is_number_integer() || at->get<std::int64_t>() < 1) {
      return error_reply(400, "limit must be an integer of 1 or more");
    }
    limit = static_cast<std::size_t>(at->get<std::int64_t>());
  }
  memory::Memory& memory = call.worker.memory();
  memory::SentDocuments sent;
  Result<void> done;
  const bool is_skipped = memory.chroma() == nullptr || memory.vectors().embedder() == nullptr;
  if (!is_skipped)
    done = memory.chroma()->send_again(project, limit, &sent, call.worker.stopping());
  // An unreachable server is not an error of this request: report it, with the number sent before.
  return json_reply(json_object("success", done.ok(), "observations", sent.count[0], "summaries",
                                sent.count[1], "prompts", sent.count[2], "skipped", is_skipped,
                                "reason", json_if(is_skipped, why_skipped(memory)), "error",
                                done.ok() ? std::nullopt : std::optional(done.error().message())));
}

}  // namespace

std::span<const Route> vector_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/ops/index-status", index_status},
      Route{"POST", "/api/ops/backfill/chroma", backfill},
  };
  return kRoutes;
}

}  // namespace codexmem::serve

// The state of the vectors, and copying earlier records to Chroma.
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "text/json.h"
#include "memory/transfer/chroma_mirror.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

net::ServedReply index_status(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  const auto vectors = memory.recall().vector_status();
  if (!vectors.ok()) return failure_reply(vectors.error());
  Json answer = {{"backend", vector_backend_name(memory.vector_backend())},
                 {"sqlite", {{"embeddings", vectors->embeddings}, {"pending", vectors->pending}}},
                 {"faiss",
                  {{"vectors", vectors->indexed},
                   {"type", vectors->index.empty() ? Json() : Json(vectors->index)},
                   {"stale", vectors->is_behind}}}};
  Json chroma = {{"configured", memory.chroma() != nullptr},
                 {"reachable", false},
                 {"collection", nullptr},
                 {"count", 0}};
  if (memory::ChromaMirror* const mirror = memory.chroma(); mirror != nullptr) {
    const auto status = mirror->status({});
    if (!status.ok()) return failure_reply(status.error());
    chroma["reachable"] = status->is_reachable;
    chroma["collection"] = mirror->collection_of(memory.project());
    chroma["count"] = status->rows;
    chroma["collections"] = Json::array();
    for (const auto& [name, rows] : status->collections) {
      chroma["collections"].push_back({{"name", name}, {"count", rows}});
    }
    chroma["pending"] = status->pending;
    if (!status->problem.empty()) chroma["problem"] = status->problem;
  } else if (!memory.missing_chroma().empty()) {
    chroma["problem"] = memory.missing_chroma();
  }
  answer["chroma"] = std::move(chroma);
  answer["model"] = vectors->model.empty() ? Json() : Json(vectors->model);
  return json_reply(dump_json(answer));
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
  Json answer = {{"success", done.ok()},
                 {"observations", sent.count[0]},
                 {"summaries", sent.count[1]},
                 {"prompts", sent.count[2]},
                 {"skipped", is_skipped}};
  if (is_skipped) answer["reason"] = why_skipped(memory);
  if (!done.ok()) answer["error"] = done.error().message();
  return json_reply(dump_json(answer));
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

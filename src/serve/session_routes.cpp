// The routes for hooks, and the state of the queue. The same functions process the spool's lines
// (observe/intake/intake.h).
#include <fmt/core.h>

#include <array>
#include <string>

#include "text/json.h"
#include "text/json_object.h"
#include "base/log.h"
#include "observe/intake/intake.h"
#include "observe/work/processor.h"
#include "observe/intake/queue.h"
#include "serve/edit_guard.h"
#include "serve/routes.h"
#include "observe/intake/spool_drain.h"

namespace codexmem::serve {
namespace {

constexpr std::size_t kListedMessages = 100;

Result<observe::IntakeOutcome> take(const RouteCall& call) {
  CODEXMEM_ASSIGN(observe::IntakeRequest request,
                  observe::read_intake(call.request.path, call.request.body));
  // Earlier events of the same hooks are in the spool.
  if (const auto drained = call.worker.spool().drain(); !drained.ok()) {
    log_warn("the spool waits: {}", drained.error().message());
  }
  call.worker.edit_guard().note(request);
  return call.worker.intake().take(std::move(request));
}

net::ServedReply init(const RouteCall& call) {
  const auto outcome = take(call);
  if (!outcome.ok()) return failure_reply(outcome.error());
  return json_reply(json_object("sessionDbId", outcome->session, "promptNumber",
                                outcome->prompt_number, "skipped", !outcome->reason.empty(),
                                "reason", some(outcome->reason), "duplicate",
                                some(outcome->is_duplicate)));
}

net::ServedReply take_event(const RouteCall& call) {
  const auto outcome = take(call);
  if (!outcome.ok()) return failure_reply(outcome.error());
  switch (outcome->status) {
    case observe::IntakeStatus::kDeduped:
      return json_reply(R"({"status":"deduped"})");
    case observe::IntakeStatus::kSkipped:
      return json_reply(json_object("status", "skipped", "reason", outcome->reason).text);
    case observe::IntakeStatus::kCompleted:
      return json_reply(json_object("status", "completed", "sessionDbId", outcome->session));
    case observe::IntakeStatus::kStarted:
    case observe::IntakeStatus::kQueued:
      break;
  }
  return json_reply(R"({"status":"queued"})");
}

net::ServedReply processing_status(const RouteCall& call) {
  const auto depth = call.worker.queue().depth();
  if (!depth.ok()) return failure_reply(depth.error());
  const std::int64_t waiting = depth->pending + depth->processing;
  return json_reply(json_object("isProcessing", waiting > 0, "queueDepth", waiting).text);
}

JsonText message_json(const observe::QueuedMessage& message) {
  std::optional<std::string_view> error_class;
  if (message.failure) error_class = observe::failure_class_name(*message.failure);
  return json_object("id", message.id, "sessionDbId", message.session, "contentSessionId",
                     message.content_session_id, "project", message.project, "messageType",
                     observe::message_kind_name(message.kind), "status", message.status,
                     "promptNumber", message.prompt_number, "attempts", message.attempts,
                     "createdAt", message.created_at_ms, "happenedAt", message.happened_at_ms,
                     "notBefore", message.not_before_ms, "errorClass", error_class, "errorMessage",
                     json_if(message.failure.has_value(), message.failure_message), "failedAt",
                     message.failed_at_ms, "canRetry",
                     json_if(message.failed_at_ms.has_value(), message.has_payload));
}

net::ServedReply pending_queue(const RouteCall& call) {
  observe::Queue& queue = call.worker.queue();
  return reply_of([&]() -> Result<JsonText> {
    CODEXMEM_ASSIGN(const observe::QueueDepth depth, queue.depth());
    CODEXMEM_ASSIGN(const auto messages, queue.list(kListedMessages));
    CODEXMEM_ASSIGN(const auto sessions, queue.list_sessions());
    const auto done_json = [](const observe::DoneMessage& message) {
      return json_object("id", message.id, "sessionDbId", message.session, "messageType",
                         observe::message_kind_name(message.kind), "provider", message.provider,
                         "completedAt", message.at_ms);
    };
    // A claim that is not renewed expires by itself, so nothing gets stuck.
    const JsonText queued =
        json_object("messages", json_list(messages, message_json), "totalPending", depth.pending,
                    "totalProcessing", depth.processing, "totalFailed", depth.failed, "stuckCount",
                    0, "refused", queue.refused());
    return json_object("queue", queued, "recentlyProcessed",
                       json_list(call.worker.processor().recent(), done_json),
                       "sessionsWithPendingWork", sessions);
  }());
}

net::ServedReply retry_failed(const RouteCall& call) {
  const auto text = body_object(call.request);
  if (!text.ok()) return failure_reply(text.error());
  const Json body = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  std::optional<memory::SessionId> session;
  if (const auto at = body.find("sessionDbId"); at != body.end() && !at->is_null()) {
    if (!at->is_number_integer()) return error_reply(400, "sessionDbId must be an integer");
    session = static_cast<memory::SessionId>(at->get<std::int64_t>());
  }
  const auto retried = call.worker.queue().retry_failed(session);
  if (!retried.ok()) return failure_reply(retried.error());
  if (*retried > 0) call.worker.processor().wake();
  return json_reply(json_object("success", true, "retried", *retried).text);
}

}  // namespace

std::span<const Route> session_routes() {
  static constexpr std::array kRoutes = {
      Route{"POST", "/api/sessions/init", init},
      Route{"POST", "/api/sessions/observations", take_event},
      Route{"POST", "/api/sessions/summarize", take_event},
      Route{"POST", "/api/sessions/complete", take_event},
      Route{"GET", "/api/processing-status", processing_status},
      Route{"GET", "/api/pending-queue", pending_queue},
      Route{"POST", "/api/ops/retry-failed", retry_failed},
  };
  return kRoutes;
}

}  // namespace codexmem::serve

// Tested over HTTP by tests/worker/routes_test.py.
#include "serve/routes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "text/json.h"
#include "text/json_object.h"
#include "text/json_text.h"
#include "base/log.h"
#include "base/text.h"
#include "net/loopback.h"
#include "observe/intake/activity.h"
#include "observe/models/memory_use.h"

namespace codexmem::serve {
namespace {

constexpr std::array kTables = {
    health_routes,   event_routes,  session_routes, record_routes, ops_routes,  context_routes,
    decision_routes, viewer_routes, vector_routes,  mcp_routes,    code_routes, entry_routes,
};

// A link from another site to the page is allowed.
bool comes_from_another_site(const net::ServedRequest& request) {
  if (!net::is_of_another_site(request)) return false;
  const bool is_link = request.method == "GET" &&
                       request.header("Sec-Fetch-Mode") == std::string_view("navigate") &&
                       request.header("Sec-Fetch-Dest").value_or("document") == "document";
  return !is_link || (request.path != "/" && request.path != "/viewer");
}

// True for a body of a type that a page may send to any site without asking first.
bool is_form(const net::ServedRequest& head) {
  constexpr std::string_view kTypes[] = {"text/plain", "multipart/form-data",
                                         "application/x-www-form-urlencoded"};
  const std::string_view type = head.header("Content-Type").value_or("");
  const std::string media = to_lower_ascii(trim(type.substr(0, type.find(';'))));
  return head.method == "POST" && std::ranges::find(kTypes, media) != std::end(kTypes);
}

bool matches(const Route& route, std::string_view path) {
  if (route.pattern.size() > 1 && route.pattern.ends_with('/')) {
    return path.starts_with(route.pattern);
  }
  return path == route.pattern;
}

// Parameters that tools take as numbers.
constexpr std::array<std::string_view, 8> kNumbers = {"limit",       "offset",     "depth_before",
                                                      "depth_after", "max_tokens", "windowSec",
                                                      "bucketSec",   "sessionDbId"};

Json typed_value(std::string_view name, std::string_view text) {
  if (std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end()) {
    const std::string_view digits = trim(text);
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [read_to, error] = std::from_chars(digits.data(), end, number);
    if (error == std::errc() && read_to == end) return number;
  }
  return std::string(text);
}

net::ServedReply not_ready() {
  return json_reply(R"({"status":"initializing","message":"the worker is opening its store"})",
                    503);
}

// Why a request was refused, from its answer.
std::string reason_of(const net::ServedReply& reply) {
  const Json body = Json::parse(reply.body, nullptr, false);
  if (!body.is_object()) return {};
  const auto error = body.find("error");
  return error != body.end() && error->is_string() ? error->get<std::string>() : std::string();
}

net::ServedReply answer(Worker& worker, const net::ServedRequest& request) {
  std::string_view method = request.method;
  if (method == "HEAD") method = "GET";
  std::string allowed;
  for (const auto table : kTables) {
    for (const Route& route : table()) {
      if (!matches(route, request.path)) continue;
      if (route.method != method) {
        if (!allowed.empty()) allowed += ", ";
        allowed += route.method;
        continue;
      }
      if (!route.before_ready && !worker.is_ready()) return not_ready();
      const bool has_tail = route.pattern.ends_with('/');
      const std::string_view path = request.path;
      return route.handle(
          {worker, request, has_tail ? path.substr(route.pattern.size()) : std::string_view()});
    }
  }
  if (!allowed.empty()) {
    net::ServedReply reply = error_reply(405, fmt::format("this route takes {}", allowed));
    reply.headers.push_back({"Allow", allowed});
    return reply;
  }
  // A path that does not exist may exist later.
  if (request.path.starts_with("/api/") && !worker.is_ready()) return not_ready();
  return error_reply(404, "Not found");
}

}  // namespace

std::optional<net::ServedReply> refuse_strangers(const net::ServedRequest& head) {
  if (!net::is_of_this_machine(head) || comes_from_another_site(head)) {
    return error_reply(
        403, "only programs and pages of this machine may ask (Host, Origin, Sec-Fetch-Site)");
  }
  if (is_form(head))
    return error_reply(415,
                       "a form or plain text is not taken: Content-Type must be application/json");
  return std::nullopt;
}

net::ServedReply answer_request(Worker& worker, const net::ServedRequest& request) {
  // From here on, texts are repaired. MCP repairs its own, because it must return ids unchanged.
  if (request.path != "/mcp") {
    if (std::string whole = repair_json(request.body); whole != request.body) {
      net::ServedRequest mended = request;
      mended.body = std::move(whole);
      return answer_request(worker, mended);
    }
  }
  const observe::MemoryUse memory(request.body.size());
  net::ServedReply reply = answer(worker, request);
  if (reply.status >= 400) {
    const std::string reason = reason_of(reply);
    if (request.method == "POST" && request.path.starts_with("/api/sessions/")) {
      worker.activity().note_refused(reason);
    }
    // The path of an unknown route may contain anything.
    log_debug("worker: {} {}: {} {}", request.method, reply.status == 404 ? "?" : request.path,
              reply.status, reason);
  }
  return reply;
}

net::ServedReply json_reply(std::string json, int status) {
  return {.status = status,
          .body = std::move(json),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

net::ServedReply reply_of(const Result<JsonText>& made) {
  return made.ok() ? json_reply(made->text) : failure_reply(made.error());
}

net::ServedReply error_reply(int status, std::string_view message) {
  return json_reply(json_object("error", message).text, status);
}

net::ServedReply failure_reply(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
      return error_reply(400, error.message());
    case ErrorCode::kNotFound:
      return error_reply(404, error.message());
    case ErrorCode::kBlocked: {
      const Json details = Json::parse(error.details(), nullptr, false);
      return json_reply(json_object("error", error.message(), "code", "POLICY_BLOCKED", "details",
                                    JsonText{details.is_discarded() ? "{}" : dump_json(details)}),
                        400);
    }
    case ErrorCode::kCancelled:
      return error_reply(503, "the worker is stopping");
    default:
      return error_reply(500, error.message());
  }
}

std::string query_arguments(const net::ServedRequest& request) {
  Json arguments = Json::object();
  for (const auto& [name, text] : request.queries) {
    if (trim(text).empty()) continue;
    const Json value = typed_value(name, text);
    Json& there = arguments[name];
    if (there.is_null()) {
      there = value;
    } else if (there.is_array()) {
      there.push_back(value);
    } else {
      there = Json::array({there, value});
    }
  }
  return dump_json(arguments);
}

Result<std::string_view> body_object(const net::ServedRequest& request) {
  if (trim(request.body).empty()) return std::string_view("{}");
  if (is_too_deep(request.body)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the body is nested more than {} levels deep", kMaxJsonDepth)};
  }
  const Json body = Json::parse(request.body, nullptr, false);
  if (body.is_object()) return std::string_view(request.body);
  return Error{ErrorCode::kInvalidArgument, "the body must be a JSON object"};
}

}  // namespace codexmem::serve

// serve/routes.h - the table of the worker's routes, and functions shared by their handlers.
//
// A handler is a function of the call; many threads may call it at once, and it must not throw. To
// add a route, add a row to the table of its file; to add a file, add its function below and a line
// in routes.cpp. Design: docs/reference/routes.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_server.h"
#include "serve/worker.h"
#include "text/json_object.h"

namespace codexmem::serve {

struct RouteCall {
  Worker& worker;
  const net::ServedRequest& request;
  std::string_view tail;  // the rest after a pattern that ends in '/'
};

struct Route {
  std::string_view method;   // "GET", "POST"
  std::string_view pattern;  // a path, or with a final '/' the beginning of one
  net::ServedReply (*handle)(const RouteCall&);
  bool before_ready = false;  // does not need the store
};

/// The routes of each file.
std::span<const Route> health_routes();
std::span<const Route> event_routes();
std::span<const Route> session_routes();
std::span<const Route> decision_routes();
std::span<const Route> viewer_routes();
std::span<const Route> code_routes();
std::span<const Route> entry_routes();
std::span<const Route> record_routes();
std::span<const Route> ops_routes();
std::span<const Route> context_routes();
std::span<const Route> vector_routes();
std::span<const Route> mcp_routes();

/// The refusal (403) of requests from pages of another site, or under another name of this machine.
std::optional<net::ServedReply> refuse_strangers(const net::ServedRequest& head);

/// Answers a request that was not refused: checks the path (404), the method (405), and whether the
/// worker is ready (503).
net::ServedReply answer_request(Worker& worker, const net::ServedRequest& request);

/// A reply with the JSON text `json`.
net::ServedReply json_reply(std::string json, int status = 200);

/// A reply with the JSON that was made, or failure_reply() of its error.
net::ServedReply reply_of(const Result<JsonText>& made);

/// {"error": message}
net::ServedReply error_reply(int status, std::string_view message);

/// 400 for kInvalidArgument; 400 with code and details for kBlocked; 404 for kNotFound; 503 for
/// kCancelled; else 500.
net::ServedReply failure_reply(const Error& error);

/// The query as the text of a JSON object, for ask/arguments.h. A repeated parameter is
/// a list, an empty one is left out, and parameters with numeric names (limit, offset, ...) are
/// numbers if they can be read as such.
std::string query_arguments(const net::ServedRequest& request);

/// The body if it is a JSON object; an empty body is {}. Errors: kInvalidArgument.
Result<std::string_view> body_object(const net::ServedRequest& request);

}  // namespace codexmem::serve

// The page for users: one document that sends requests only to this worker.
//
// CMake joins its sources (serve/viewer). Each answer has a new nonce for the page's style and
// scripts; nothing else may run, and trusted types keep texts from becoming markup.
//
// Tested in a browser by tests/viewer.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/file.h"
#include "text/json_object.h"
#include "base/random.h"
#include "config/settings.h"
#include "base/text.h"
#include "serve/log_file.h"
#include "observe/models/provider_choice.h"
#include "serve/routes.h"

extern "C" const char codexmem_viewer_page[], codexmem_viewer_page_end[];

namespace codexmem::serve {
namespace {

constexpr std::string_view kNonceMark = "@nonce@";
constexpr std::size_t kLogLines = 200;
constexpr std::size_t kLogLineBytes = 2000;

net::ServedReply viewer(const RouteCall&) {
  const std::string nonce = random_hex(32);
  std::string page;
  std::string_view rest(codexmem_viewer_page, codexmem_viewer_page_end);
  for (std::size_t at; (at = rest.find(kNonceMark)) != std::string_view::npos;
       rest.remove_prefix(at + kNonceMark.size())) {
    page.append(rest.substr(0, at)).append(nonce);
  }
  page += rest;
  const std::string policy = fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      "require-trusted-types-for 'script'; trusted-types 'none'",
      nonce);
  return {.content_type = "text/html; charset=utf-8",
          .body = std::move(page),
          .headers = {{"Content-Security-Policy", policy},
                      {"Cache-Control", "no-store"},
                      {"Referrer-Policy", "no-referrer"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

net::ServedReply to_viewer(const RouteCall&) {
  return {.status = 302, .content_type = "text/plain", .headers = {{"Location", "/viewer"}}};
}

// The current provider, and today's usage.
net::ServedReply provider(const RouteCall& call) {
  const observe::ChosenProvider& chosen = call.worker.providers();
  std::vector<std::string> warnings = {chosen.problem, call.worker.memory().missing_model(),
                                       call.worker.memory().missing_chroma()};
  std::erase(warnings, "");
  observe::TokenUsage today;
  if (chosen.budget != nullptr) {
    const auto used = chosen.budget->today();
    if (!used.ok()) return failure_reply(used.error());
    today = *used;
  }
  return json_reply(
      json_object("provider", chosen.provider->name(), "model",
                  json_or_null(chosen.provider->model()), "fallsBack", chosen.falls_back, "problem",
                  json_or_null(chosen.problem), "hint", json_or_null(chosen.hint), "dataGoesTo",
                  json_or_null(call.worker.options().data_goes_to), "tokensToday", today.tokens,
                  "callsToday", today.calls, "tokenBudget", today.limit, "warnings", warnings));
}

// The settings of this worker, as shown by `codexmem config list`.
net::ServedReply settings(const RouteCall& call) {
  const auto write = [&](const SettingRow& row) {
    const std::string value = call.worker.options().setting(std::string(row.name).c_str());
    const std::string shown = value.empty() ? std::string(row.usual) : shown_setting(row, value);
    return json_object("name", row.name, "key", json_or_null(row.key), "value", json_or_null(shown),
                       "isSet", !value.empty(), "summary", row.summary);
  };
  return json_reply(json_object("settings", json_list(setting_rows(), write)));
}

// The last lines of the log, newest last; empty for a worker that logs to a terminal.
net::ServedReply log(const RouteCall& call) {
  const auto path = call.worker.options().directory / kLogName;
  std::vector<std::string> lines;
  if (const auto text = read_file(path); text.ok()) {
    std::vector<std::string_view> all = split(*text, '\n');
    if (!all.empty() && all.back().empty()) all.pop_back();
    const std::size_t first = all.size() - std::min(all.size(), kLogLines);
    for (std::size_t i = first; i < all.size(); ++i) {
      lines.push_back(repair_utf8(utf8_prefix(all[i], kLogLineBytes)));
    }
  }
  return json_reply(json_object("path", path.string(), "lines", lines));
}

}  // namespace

std::span<const Route> viewer_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/ops/log", log},           Route{"GET", "/api/ops/settings", settings},
      Route{"GET", "/api/ops/provider", provider}, Route{"GET", "/viewer", viewer, true},
      Route{"GET", "/", to_viewer, true},
  };
  return kRoutes;
}

}  // namespace codexmem::serve

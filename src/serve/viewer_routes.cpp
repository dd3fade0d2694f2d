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
#include "text/json.h"
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
  Json json = {{"provider", chosen.provider->name()},
               {"model", text_or_null(chosen.provider->model())},
               {"fallsBack", chosen.falls_back},
               {"problem", text_or_null(chosen.problem)},
               {"hint", text_or_null(chosen.hint)},
               {"dataGoesTo", text_or_null(call.worker.options().data_goes_to)},
               {"tokensToday", 0},
               {"callsToday", 0},
               {"tokenBudget", 0},
               {"warnings", Json::array()}};
  for (const std::string& warning : {chosen.problem, call.worker.memory().missing_model(),
                                     call.worker.memory().missing_chroma()}) {
    if (!warning.empty()) json["warnings"].push_back(warning);
  }
  if (chosen.budget != nullptr) {
    const auto today = chosen.budget->today();
    if (!today.ok()) return failure_reply(today.error());
    json["tokensToday"] = today->tokens;
    json["callsToday"] = today->calls;
    json["tokenBudget"] = today->limit;
  }
  return json_reply(dump_json(json));
}

// The settings of this worker, as shown by `codexmem config list`.
net::ServedReply settings(const RouteCall& call) {
  Json rows = Json::array();
  for (const SettingRow& row : setting_rows()) {
    const std::string value = call.worker.options().setting(std::string(row.name).c_str());
    rows.push_back({{"name", row.name},
                    {"key", text_or_null(row.key)},
                    {"value", text_or_null(value.empty() ? row.usual : shown_setting(row, value))},
                    {"isSet", !value.empty()},
                    {"summary", row.summary}});
  }
  return json_reply(dump_json(Json{{"settings", rows}}));
}

// The last lines of the log, newest last; empty for a worker that logs to a terminal.
net::ServedReply log(const RouteCall& call) {
  const auto path = call.worker.options().directory / kLogName;
  Json lines = Json::array();
  if (const auto text = read_file(path); text.ok()) {
    std::vector<std::string_view> all = split(*text, '\n');
    if (!all.empty() && all.back().empty()) all.pop_back();
    const std::size_t first = all.size() - std::min(all.size(), kLogLines);
    for (std::size_t i = first; i < all.size(); ++i) {
      lines.push_back(repair_utf8(utf8_prefix(all[i], kLogLineBytes)));
    }
  }
  return json_reply(json_object("path", path.string(), "lines", JsonText{dump_json(lines)}).text);
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

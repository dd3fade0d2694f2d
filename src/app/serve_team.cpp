#include "app/serve_team.h"

#include <fmt/core.h>

#include <cstdio>
#include <stop_token>

#include "app/signals.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/random.h"
#include "net/http_server.h"
#include "serve/listening.h"
#include "serve/team/team_file.h"
#include "serve/team/team_server.h"
#include "text/json_value.h"

namespace codexmem::app {

namespace {

// 256 bits: nobody guesses one, so their plain hash is enough.
constexpr std::size_t kTokenDigits = 64;

}  // namespace

ExitCode serve_team(const std::string& file, Console& console) {
  auto team = serve::TeamServer::open(file);
  if (!team.ok()) {
    // A file that is missing is a mistake, not an empty answer.
    return fail(console, {ErrorCode::kInvalidArgument, team.error().message()});
  }
  log_with_times();
  serve::TeamServer& served = **team;
  const StopOnSignal signals([&] {
    const auto read = served.reload();
    if (read.ok()) {
      console.note("codexmem: the team file was read again");
    } else {
      console.note(fmt::format("codexmem: the previous team file still applies: {}",
                               read.error().message()));
    }
  });
  serve::allow_files();
  net::HttpServer http([&](const net::ServedRequest& request) { return served.answer(request); },
                       served.http_options());
  const auto port = http.listen(served.port());
  if (!port.ok()) return fail(console, port.error());
  const std::string address = served.http_options().address;
  const bool is_six = address.find(':') != std::string::npos;
  console.print_line(
      fmt::format("http://{}{}{}:{}/mcp", is_six ? "[" : "", address, is_six ? "]" : "", *port));
  std::fflush(stdout);
  console.note("codexmem: MCP for a team; SIGHUP reads the file again, Ctrl-C ends it");
  const std::stop_callback on_signal(signals.token(), [&] {
    served.close();
    http.stop();
  });
  http.serve();
  return ExitCode::kFound;
}

ExitCode print_team_token(const std::string& name, Console& console) {
  const std::string token = "cm_" + random_hex(kTokenDigits);
  console.print_line(token);
  console.print_line(
      fmt::format(R"({{"name": {}, "sha256": "{}", "repositories": ["NAME"], "role": "viewer"}})",
                  json_quote(name), sha256_hex(token)));
  console.note(
      "codexmem: the first line is the token, which codexmem does not keep: give it to the person "
      "or program that will use it; the second line goes into \"tokens\" of the team file");
  return ExitCode::kFound;
}

}  // namespace codexmem::app

// The worker, and what waits for it.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/shell_word.h"
#include "app/render/console.h"
#include "app/doctor/doctor.h"
#include "app/worker_client.h"
#include "app/settings/worker_settings.h"
#include "text/counted.h"
#include "text/json.h"
#include "base/text.h"
#include "hook/refusals.h"
#include "serve/listening.h"
#include "serve/worker.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kRestart = "codexmem worker stop; codexmem worker start";
constexpr std::int64_t kManyEvents = 1'000;
constexpr std::chrono::hours kLongWait{1};
constexpr std::int64_t kRecentMs = 24 * 3'600 * std::int64_t{1'000};

Finding no_worker() { return {CheckState::kOk, "no worker runs"}; }

// True when a process listens on this port of this machine.
bool is_taken(int port) {
  const int connection = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Tests whether the port can be bound, not who answers on it.
  const int one = 1;
  ::setsockopt(connection, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  const bool is_free =
      ::bind(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(connection);
  return !is_free;
}

}  // namespace

Finding check_worker(const Patient& patient) {
  if (!patient.worker) {
    if (!patient.data.empty() && patient.data.is_absolute()) {
      const auto exists = serve::is_worker_there(patient.data);
      if (exists.ok() && *exists) {
        return {CheckState::kWarning, "a worker begins or ends right now, or hangs",
                "codexmem worker status"};
      }
    }
    return {CheckState::kOk,
            "none runs; hooks leave events in files until `codexmem worker start`"};
  }
  if (health_of(*patient.worker, kAnswerLimit) == WorkerHealth::kSilent) {
    return {CheckState::kTrouble,
            fmt::format("the worker (process {}) does not answer", patient.worker->pid),
            fmt::format("kill -9 {}; codexmem worker start", patient.worker->pid)};
  }
  if (patient.worker->version != patient.version) {
    return {CheckState::kWarning,
            fmt::format("the worker that runs has version {}, this program {}",
                        patient.worker->version, patient.version),
            std::string(kRestart)};
  }
  return {CheckState::kOk,
          fmt::format("{} (process {})", url_of(*patient.worker), patient.worker->pid)};
}

Finding check_worker_port(const Patient& patient) {
  int port = serve::kDefaultPort;
  if (const std::string text = patient.settings.value("CODEXMEM_WORKER_PORT"); !text.empty()) {
    const auto set = serve::parse_port(text);
    if (!set) {
      return {CheckState::kTrouble, "the worker's port must be a number from 0 to 65535",
              "codexmem config get workerPort --origin"};
    }
    port = *set;
  }
  if (port == 0) return {CheckState::kOk, "any free one"};
  if (patient.worker && patient.worker->port == port)
    return {CheckState::kOk, std::to_string(port)};
  if (!is_taken(port)) return {CheckState::kOk, std::to_string(port)};
  return {CheckState::kWarning,
          fmt::format("port {} is taken by another program; {}", port,
                      patient.worker ? fmt::format("the worker is at {}", patient.worker->port)
                                     : std::string("the worker will take the next free one")),
          fmt::format("codexmem config set workerPort {}", port + 100)};
}

Finding check_worker_settings(const Patient& patient) {
  if (!patient.worker) return no_worker();
  const auto changed = list_changed_settings(patient.data, *patient.worker);
  if (changed.empty()) return {CheckState::kOk, "the worker has those of the files"};
  return {
      CheckState::kWarning,
      fmt::format("settings were changed since the worker was started: {}", join(changed, ", ")),
      std::string(kRestart)};
}

Finding check_worker_queue(const Patient& patient) {
  if (!patient.worker) return no_worker();
  const auto answer = ask_worker(*patient.worker, "/api/pending-queue", kAnswerLimit);
  if (!answer || answer->status != 200) return {CheckState::kOk, "the worker does not say"};
  const Json body = Json::parse(answer->body, nullptr, false);
  const Json queue = body.is_object() ? body.value("queue", Json::object()) : Json::object();
  const auto count = [&](const char* name) {
    const auto found = queue.find(name);
    return found != queue.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  const std::int64_t failed = count("totalFailed");
  const std::string waiting = fmt::format("{} wait", with_thousands(count("totalPending")));
  if (failed == 0) return {CheckState::kOk, waiting};
  return {CheckState::kWarning,
          fmt::format("{} events could not be made observations of; {}", with_thousands(failed),
                      waiting),
          fmt::format("curl -X POST {}/api/ops/retry-failed", url_of(*patient.worker))};
}

Finding check_spool(const Patient& patient) {
  std::int64_t waiting = 0, bad = 0;
  auto oldest = fs::file_time_type::max();
  std::error_code failed;
  for (fs::directory_iterator file(patient.data / "spool", failed), end; !failed && file != end;
       file.increment(failed)) {
    if (file->path().extension() != ".json") continue;
    ++waiting;
    std::error_code gone;
    if (const auto time = file->last_write_time(gone); !gone) oldest = std::min(oldest, time);
  }
  for (fs::directory_iterator file(patient.data / "spool/bad", failed), end; !failed && file != end;
       file.increment(failed)) {
    ++bad;
  }
  const bool is_old = waiting > 0 && fs::file_time_type::clock::now() - oldest > kLongWait;
  if (is_old || waiting > kManyEvents) {
    return {CheckState::kWarning,
            fmt::format("{} events wait in files for a worker", with_thousands(waiting)),
            patient.worker ? std::string(kRestart) : std::string("codexmem worker start")};
  }
  if (bad > 0) {
    return {CheckState::kWarning,
            fmt::format("{} files in the spool could not be read as events", with_thousands(bad)),
            fmt::format("ls {}", shell_word((patient.data / "spool/bad").string()))};
  }
  return {CheckState::kOk, fmt::format("{} events wait", with_thousands(waiting))};
}

Finding check_refused_events(const Patient& patient) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  std::vector<std::string> messages;
  if (!patient.data.empty()) {
    for (const hook::Refused& each : hook::list_refusals(patient.data)) {
      if (now - each.last_at_ms > kRecentMs) continue;
      messages.push_back(fmt::format("{} {}", each.count, each.name));
    }
  }
  if (messages.empty()) return {CheckState::kOk, "none of the last day"};
  return {CheckState::kWarning,
          fmt::format("hooks refused events within the last day: {}", join(messages, ", ")),
          "codexmem worker status"};
}

}  // namespace codexmem::app::doctor

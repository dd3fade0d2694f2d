// Tested by config/worker_file_test.cpp.
#include "config/worker_file.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "base/access_token.h"
#include "base/file.h"
#include "text/json.h"
#include "base/text.h"

namespace codexmem {

std::int64_t process_start(int pid) {
  const auto text = read_file(fmt::format("/proc/{}/stat", pid), 4'096);
  if (!text.ok()) return 0;
  // The second field is the program's name in parentheses; the name may itself contain spaces and
  // parentheses.
  const std::size_t name_end = text->rfind(") ");
  if (name_end == std::string::npos) return 0;
  const std::vector<std::string_view> fields =
      split(std::string_view(*text).substr(name_end + 2), ' ');
  constexpr std::size_t kState = 0, kStart = 19;  // fields 3 and 22
  if (fields.size() <= kStart || fields[kState] == "Z" || fields[kState] == "X") return 0;
  std::int64_t start = 0;
  std::from_chars(fields[kStart].data(), fields[kStart].data() + fields[kStart].size(), start);
  return start;
}

bool is_alive(const WorkerAddress& address) {
  return address.process_start > 0 && process_start(address.pid) == address.process_start;
}

std::filesystem::path worker_file(const std::filesystem::path& directory) {
  return directory / "worker.json";
}

Result<void> write_worker_file(const std::filesystem::path& directory,
                               const WorkerAddress& address) {
  const Json json = {{"pid", address.pid},
                     {"port", address.port},
                     {"version", address.version},
                     {"started_at", address.started_at_ms},
                     {"process_start", address.process_start},
                     {"asks_for_token", !address.token.empty()}};
  return replace_file(worker_file(directory), dump_json(json) + "\n");
}

std::optional<WorkerAddress> read_worker_file(const std::filesystem::path& directory) {
  const auto text = read_file(worker_file(directory), 4'096);
  if (!text.ok()) return std::nullopt;
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto number = [&json](const char* name) -> std::int64_t {
    const auto found = json.find(name);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  const std::int64_t pid = number("pid"), port = number("port");
  if (pid <= 0 || pid > std::numeric_limits<int>::max() || port <= 0 || port > 65'535) {
    return std::nullopt;
  }
  WorkerAddress address{.pid = static_cast<int>(pid),
                        .port = static_cast<int>(port),
                        .started_at_ms = number("started_at"),
                        .process_start = number("process_start")};
  if (const auto version = json.find("version"); version != json.end() && version->is_string()) {
    address.version = version->get<std::string>();
  }
  if (const auto asks = json.find("asks_for_token"); asks != json.end() && *asks == true) {
    auto token = read_access_token(directory);
    if (token.ok()) address.token = *std::move(token);
  }
  return address;
}

std::optional<WorkerAddress> find_worker(const std::filesystem::path& directory) {
  auto address = read_worker_file(directory);
  if (address && !is_alive(*address)) address.reset();
  return address;
}

std::string viewer_url(const WorkerAddress& address) {
  return fmt::format("http://127.0.0.1:{}/viewer{}", address.port,
                     address.token.empty() ? "" : "?token=" + address.token);
}

}  // namespace codexmem

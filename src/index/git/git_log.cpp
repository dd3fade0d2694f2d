// Tested by tests/index/git_log_test.cpp.
#include "index/git/git_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/file.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxLogBytes = std::size_t{4} << 20;
constexpr std::size_t kIdDigits = 40;

bool is_id(std::string_view text) {
  return text.size() == kIdDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

GitLog parse_git_log(std::string_view text) {
  GitLog log;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view before = line.substr(0, kIdDigits);
    const std::string_view after =
        line.size() > kIdDigits ? line.substr(kIdDigits + 1, kIdDigits) : std::string_view();
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::size_t mail = line.rfind("> ", tab);
    if (!is_id(before) || !is_id(after) || mail == std::string_view::npos) continue;
    LogLine read{std::string(before), std::string(after), 0, {}};
    for (const char c : line.substr(mail + 2)) {
      if (c < '0' || c > '9' || read.time_s > INT64_MAX / 100) break;
      read.time_s = read.time_s * 10 + (c - '0');
    }
    if (tab < line.size()) read.message = line.substr(tab + 1);
    log.push_back(std::move(read));
  }
  return log;
}

GitLog read_git_log(const std::filesystem::path& path) {
  const auto text = read_file(path, kMaxLogBytes);
  return text.ok() ? parse_git_log(*text) : GitLog();
}

std::string birth_of(const GitLog& log) {
  if (log.empty() || log.front().before.find_first_not_of('0') != std::string::npos) return "";
  return fmt::format("{} {}", log.front().time_s, log.front().after);
}

bool is_new_commit(const LogLine& line) {
  constexpr std::array<std::string_view, 12> kOthers = {"cherry-pick",    "commit (cherry-pick)",
                                                        "commit (merge)", "merge",
                                                        "pull",           "reset",
                                                        "rebase",         "checkout",
                                                        "branch:",        "clone:",
                                                        "fetch",          "Branch: renamed"};
  return line.before != line.after && std::ranges::none_of(kOthers, [&](std::string_view begin) {
           return line.message.starts_with(begin);
         });
}

std::vector<std::string> branches_of(const GitLog& log) {
  constexpr std::string_view kMoving = "checkout: moving from ", kTo = " to ";
  std::vector<std::string> names(log.size());
  bool is_first = true;
  std::string now;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::string_view message = log[i].message;
    const std::size_t to = message.rfind(kTo);
    if (message.starts_with(kMoving) && to != std::string_view::npos) {
      const std::string left(message.substr(kMoving.size(), to - kMoving.size()));
      if (is_first) std::fill(names.begin(), names.begin() + static_cast<long>(i), left);
      is_first = false;
      now = message.substr(to + kTo.size());
    }
    names[i] = now;
  }
  return names;
}

}  // namespace codexmem::index

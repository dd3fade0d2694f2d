// As go/build reads them. Tested by graph/go_builds_test.cpp.
#include "graph/go/go_builds.h"

#include <algorithm>
#include <vector>

#include "base/path.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kSystems[] = {
    "aix",   "android", "darwin", "dragonfly", "freebsd", "hurd",    "illumos", "ios",     "js",
    "linux", "nacl",    "netbsd", "openbsd",   "plan9",   "solaris", "wasip1",  "windows", "zos"};
constexpr std::string_view kProcessors[] = {
    "386",     "amd64",  "amd64p32", "arm",       "arm64",       "arm64be", "armbe",   "loong64",
    "mips",    "mips64", "mips64le", "mips64p32", "mips64p32le", "mipsle",  "ppc",     "ppc64",
    "ppc64le", "riscv",  "riscv64",  "s390",      "s390x",       "sparc",   "sparc64", "wasm"};

struct Platform {
  std::string_view system, processor;
};

// What the name of a file says: x_linux.go, x_amd64.go, x_linux_amd64_test.go.
Platform platform_of(std::string_view path) {
  std::string_view name = file_name(path);
  name = name.substr(0, name.find('.'));
  const auto take_last = [&] {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos) return std::string_view();
    const std::string_view last = name.substr(at + 1);
    name = name.substr(0, at);
    return last;
  };
  std::string_view last = take_last();
  if (last == "test") last = take_last();
  if (is_one_of(last, kSystems)) return {last, {}};
  if (!is_one_of(last, kProcessors)) return {};
  const std::string_view before = take_last();
  return {is_one_of(before, kSystems) ? before : std::string_view(), last};
}

std::string joined(const std::vector<std::string>& parts, std::string_view by) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += by;
    const bool is_choice = by == " && " && parts.size() > 1 && part.find("||") != std::string::npos;
    text += is_choice ? "(" + part + ")" : part;
  }
  return text;
}

// "linux,cgo darwin" as linux && cgo || darwin.
std::string modern(std::string_view line) {
  std::vector<std::string> choices;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", begin), line.size());
    std::vector<std::string> all;
    for (std::string_view rest = line.substr(begin, at - begin); !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) all.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (!all.empty()) choices.push_back(joined(all, " && "));
  }
  return joined(choices, " || ");
}

// The build conditions before the package clause: line comments and empty lines, block comments.
std::vector<std::string> conditions_above(std::string_view text) {
  constexpr std::string_view kLine = "//go:build ", kOldLine = "+build ";
  std::vector<std::string> old;
  bool in_block = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    at = end + 1;
    if (in_block || line.starts_with("/*")) {
      in_block = line.find("*/") == std::string_view::npos;
      continue;
    }
    if (line.empty()) continue;
    if (!line.starts_with("//")) break;
    if (line.starts_with(kLine)) return {std::string(trim(line.substr(kLine.size())))};
    const std::string_view words = trim(line.substr(2));
    if (words.starts_with(kOldLine)) old.push_back(modern(words.substr(kOldLine.size())));
  }
  return old;
}

}  // namespace

std::string go_build_condition(std::string_view path, std::string_view text) {
  const Platform platform = platform_of(path);
  std::vector<std::string> parts;
  if (!platform.system.empty()) parts.emplace_back(platform.system);
  if (!platform.processor.empty()) parts.emplace_back(platform.processor);
  for (std::string& condition : conditions_above(text)) {
    if (std::ranges::find(parts, condition) == parts.end()) parts.push_back(std::move(condition));
  }
  if (text.find("\nimport \"C\"") != std::string_view::npos &&
      std::ranges::none_of(
          parts, [](const std::string& part) { return part.find("cgo") != std::string::npos; })) {
    parts.emplace_back("cgo");
  }
  return joined(parts, " && ");
}

bool may_build_together(std::string_view path, std::string_view other) {
  const auto may_be = [](std::string_view mine, std::string_view theirs) {
    if (mine.empty() || theirs.empty() || mine == theirs) return true;
    // These builds have the files of another system too.
    const auto is_also = [&](std::string_view system, std::string_view base) {
      return (mine == system && theirs == base) || (mine == base && theirs == system);
    };
    return is_also("android", "linux") || is_also("illumos", "solaris") || is_also("ios", "darwin");
  };
  const Platform mine = platform_of(path);
  const Platform theirs = platform_of(other);
  return may_be(mine.system, theirs.system) && may_be(mine.processor, theirs.processor);
}

}  // namespace codexmem::graph

// A repository of two files, whatever is in them: the links between and within them are found, or
// not, in bounded time. What facts alone (source_fuzz) do not show is how they are followed.
//
//     input := files text NUL text
//     files := language + 7 * second       the second file is m2 (0), or a manifest or header
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"
#include "index/run/indexer.h"
#include "questions.h"
#include "scratch.h"
#include "store/code/workspace.h"

using namespace codexmem;

namespace {

struct Language {
  std::string_view ending;
  std::array<std::string_view, 3> manifests;
};

constexpr std::array<Language, 9> kLanguages = {{
    {".js", {"package.json"}},
    {".ts", {"tsconfig.json", "package.json"}},
    {".tsx", {"tsconfig.json"}},
    {".py", {"pyproject.toml"}},
    {".go", {"go.mod", "go.work"}},
    {".java", {"pom.xml", "build.gradle", "settings.gradle"}},
    {".c", {"m.h"}},
    {".cpp", {"m.h"}},
    {".rs", {"Cargo.toml"}},
}};

// The names of the two files.
std::array<std::string, 2> files_of(std::uint8_t files) {
  const Language& language = kLanguages[files % kLanguages.size()];
  const std::size_t second = files / kLanguages.size();
  const bool is_manifest =
      second > 0 && second <= language.manifests.size() && !language.manifests[second - 1].empty();
  return {"m" + std::string(language.ending), is_manifest
                                                  ? std::string(language.manifests[second - 1])
                                                  : "m2" + std::string(language.ending)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const fuzz::Scratch scratch;
  static const auto workspace = [] {
    set_log_level(LogLevel::kOff);
    auto opened = store::Workspace::open(scratch.path());
    CODEXMEM_CHECK(opened.ok());
    return std::move(opened).value();
  }();
  const auto [name, second_name] = files_of(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t first = std::min(text.find('\0'), text.size());
  static std::array<std::string, 2> last;
  for (const std::string& old : last) {
    if (!old.empty()) std::filesystem::remove(scratch.path() / old);
  }
  last = {name, second_name};
  fuzz::overwrite(scratch.path() / name, text.substr(0, first));
  if (first < text.size()) fuzz::overwrite(scratch.path() / second_name, text.substr(first + 1));
  index::IndexOptions options;
  options.threads = 1;
  options.skip_embeddings = true;
  options.distrust_times = true;
  CODEXMEM_CHECK(index::index_repository(*workspace, options).ok());
  auto reader = workspace->reader();
  CODEXMEM_CHECK(reader.ok());
  fuzz::ask(**reader);
  return 0;
}

// Tested by git/pack_signature_test.py.
#include "serve/pack_signature.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/user_directory.h"

extern char** environ;

namespace codexmem::serve {
namespace fs = std::filesystem;
namespace {

// What a signature is good for: one of a commit or a login says nothing of a pack.
constexpr std::string_view kNamespace = "codexmem-pack";
constexpr std::size_t kMaxSigners = std::size_t{1} << 20;  // bytes of the file
constexpr std::size_t kMaxKey = std::size_t{64} << 10;
constexpr unsigned kOwnMode = 0600;

fs::path signers_file() {
  const fs::path directory = user_directory();
  return directory.empty() ? fs::path() : directory / "pack-signers";
}

// Empty without the file: nobody is trusted.
Result<std::string> read_signers() {
  const fs::path path = signers_file();
  if (path.empty()) return std::string();
  auto text = read_file(path, kMaxSigners);
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) return std::string();
  return text;
}

struct Ended {
  bool is_good = false;
  std::string output;
};

// Runs ssh-keygen with `input` as its standard input.
Result<Ended> run_keygen(std::vector<std::string> words, const fs::path& input) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Error{ErrorCode::kIo, std::strerror(errno)};
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  std::vector<char*> arguments;
  words.insert(words.begin(), "ssh-keygen");
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, to.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, to.get(), STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  to = FileDescriptor();
  if (failed == ENOENT) {
    return Error{ErrorCode::kNotFound, "signatures need ssh-keygen, of OpenSSH: install it"};
  }
  if (failed != 0)
    return Error{ErrorCode::kIo, fmt::format("ssh-keygen: {}", std::strerror(failed))};
  Ended ended;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = ::read(from.get(), block.data(), block.size())) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) ended.output.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ended.is_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ended.output = std::string(trim(ended.output));
  return ended;
}

}  // namespace

Result<void> sign_pack(const fs::path& pack, const fs::path& key) {
  std::error_code ignored;
  const fs::path path = fs::absolute(pack, ignored);
  fs::remove(path.string() + std::string(kSignatureSuffix), ignored);  // it asks before it replaces
  CODEXMEM_ASSIGN(const Ended ended,
                  run_keygen({"-Y", "sign", "-q", "-f", fs::absolute(key, ignored).string(), "-n",
                              std::string(kNamespace), path.string()},
                             "/dev/null"));
  if (ended.is_good) return {};
  return Error{ErrorCode::kInvalidArgument,
               "the pack is not signed: ssh-keygen: " + terminal_line(ended.output)};
}

Result<std::string> trust_pack_signer(const fs::path& key) {
  CODEXMEM_ASSIGN(const std::string text, read_file(key, kMaxKey));
  const std::vector<std::string_view> words = split(trim(text), ' ');
  const bool is_key = words.size() >= 2 && text.find('\n') >= trim(text).size() &&
                      words[1].starts_with("AAAA") &&
                      (words[0].starts_with("ssh-") || words[0].starts_with("ecdsa-") ||
                       words[0].starts_with("sk-"));
  if (!is_key) {
    return Error{ErrorCode::kInvalidArgument,
                 key.string() + " is not a public SSH key, such as ~/.ssh/id_ed25519.pub"};
  }
  std::string name(words.size() > 2 ? words[2] : words[1].substr(words[1].size() / 2));
  std::ranges::replace_if(
      name,
      [](char c) {
        return !is_alnum(c) && std::string_view("@._+-").find(c) == std::string_view::npos;
      },
      '-');
  const std::string line =
      fmt::format("{} namespaces=\"{}\" {} {}\n", name, kNamespace, words[0], words[1]);
  CODEXMEM_ASSIGN(const std::string signers, read_signers());
  if (signers.find(line) != std::string::npos) return name;
  if (signers_file().empty()) {
    return Error{ErrorCode::kInvalidArgument, "set HOME or CODEXMEM_DATA_DIR first"};
  }
  std::error_code failed;
  fs::create_directories(signers_file().parent_path(), failed);
  if (failed) return Error{ErrorCode::kIo, failed.message()};
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(signers_file(), kOwnMode));
  CODEXMEM_TRY(file.write(signers + line));
  CODEXMEM_TRY(file.commit());
  return name;
}

Result<bool> trusts_pack_signers() {
  CODEXMEM_ASSIGN(const std::string signers, read_signers());
  return !trim(signers).empty();
}

Result<std::string> find_pack_signer(const fs::path& pack, const fs::path& signature) {
  const std::string signers = signers_file().string();
  const Error untrusted{ErrorCode::kInvalidArgument, "it is not signed by anybody in " + signers +
                                                         ": `codexmem pack --trust "
                                                         "KEY.pub` trusts its maker"};
  std::error_code ignored;
  if (!fs::exists(signature, ignored)) return untrusted;
  CODEXMEM_ASSIGN(
      const Ended found,
      run_keygen({"-Y", "find-principals", "-s", signature.string(), "-f", signers}, "/dev/null"));
  const std::string name(found.output.substr(0, found.output.find('\n')));
  if (!found.is_good || name.empty()) return untrusted;
  CODEXMEM_ASSIGN(const Ended verified,
                  run_keygen({"-Y", "verify", "-q", "-f", signers, "-I", name, "-n",
                              std::string(kNamespace), "-s", signature.string()},
                             pack));
  if (verified.is_good) return name;
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("its signature by {} is of other bytes: it was changed", terminal_line(name))};
}

}  // namespace codexmem::serve

// Paths in a compile_commands.json are of the machine that wrote it. Which part of them is the
// repository's root follows from its sources: their paths end like paths of files here.
//
// Tested by graph/c_test.cpp.
#include "graph/c/compile_commands.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/path.h"
#include "text/json.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxFolders = 1000;                      // of one command
constexpr std::size_t kMaxListBytes = std::size_t{64} << 20U;  // of all lists
constexpr std::string_view kBuildFolders[] = {"",
                                              "build",
                                              "out",
                                              "_build",
                                              "builddir",
                                              "cmake-build-debug",
                                              "cmake-build-release",
                                              "build/debug",
                                              "build/release",
                                              "build/Debug",
                                              "build/Release",
                                              "build/dev",
                                              "build/default",
                                              "out/Debug",
                                              "out/Release"};

// A flag that names a folder of headers, in the same word or before it.
constexpr std::string_view kFolderFlags[] = {"-I", "-iquote", "-isystem", "-idirafter", "/I"};

// The words of a command, split as a POSIX shell does.
std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      is_word = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      is_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word) words.push_back(std::move(word));
  return words;
}

std::string string_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A list of objects with texts or lists of texts as values: deeper values are skipped.
Json parse_entries(std::string_view text) {
  const auto keep = [](int depth, Json::parse_event_t, const Json&) { return depth < 4; };
  return Json::parse(text, keep, /*allow_exceptions=*/false);
}

// `path` seen from `folder`, without "." and "..".
std::string absolute(std::string_view folder, std::string_view path) {
  return (std::filesystem::path(folder) / path).lexically_normal().generic_string();
}

// The folders that the flags `words` name, seen from `directory`.
std::vector<std::string> folders_of(const std::vector<std::string>& words,
                                    std::string_view directory) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto* const flag = std::ranges::find_if(
        kFolderFlags, [&](std::string_view each) { return word.starts_with(each); });
    if (flag == std::end(kFolderFlags)) continue;
    std::string_view folder = word.substr(flag->size());
    if (folder.empty() && i + 1 < words.size()) folder = words[++i];
    if (folder.empty() || folder.size() > kMaxPathBytes) continue;
    folders.push_back(absolute(directory, folder));
    if (folders.size() == kMaxFolders) break;
  }
  return folders;
}

// Where the path of an indexed file begins in the absolute path `file`; npos if it does not end
// with one.
std::size_t begin_of_indexed(const ProjectTree& tree, std::string_view file) {
  for (std::size_t slash = file.find('/'); slash != file.npos; slash = file.find('/', slash + 1)) {
    if (tree.find(file.substr(slash + 1)) != nullptr) return slash + 1;
  }
  return file.npos;
}

}  // namespace

CompileCommands::CompileCommands(ProjectTree& tree) {
  std::vector<std::string> paths;
  for (const std::string_view folder : kBuildFolders)
    paths.push_back(in_folder(folder, kCompileCommands));
  for (const std::string_view path : tree.list_configs(kCompileCommands)) paths.emplace_back(path);
  for (const std::string& path : paths) {
    const std::optional<std::string> text = tree.read(path);
    if (text && read(tree, *text)) return;
  }
}

bool CompileCommands::read(const ProjectTree& tree, std::string_view text) {
  const Json entries = parse_entries(text);
  if (!entries.is_array()) return false;
  std::vector<std::pair<std::string, std::size_t>> sources;  // absolute, and their lists
  std::map<std::vector<std::string>, std::size_t> known;     // lists of absolute paths
  std::map<std::string, std::size_t> roots;                  // and how many sources imply it
  std::size_t list_bytes = 0;
  for (const Json& entry : entries) {
    if (!entry.is_object()) continue;
    const std::string directory = string_member(entry, "directory");
    const std::string source = string_member(entry, "file");
    if (directory.size() + source.size() > kMaxPathBytes) continue;
    std::string file = absolute(directory, source);
    const std::size_t begin = begin_of_indexed(tree, file);
    if (begin == file.npos) continue;
    ++roots[file.substr(0, begin)];
    std::vector<std::string> words;
    if (const auto arguments = entry.find("arguments"); arguments != entry.end()) {
      for (const Json& word : *arguments) {
        words.push_back(word.is_string() ? word.get<std::string>() : std::string());
      }
    } else {
      words = shell_words(string_member(entry, "command"));
    }
    const auto [list, is_new] = known.try_emplace(folders_of(words, directory), known.size());
    sources.emplace_back(std::move(file), list->second);
    for (const std::string& folder : list->first) list_bytes += is_new ? folder.size() : 0;
    if (list_bytes > kMaxListBytes) break;
  }
  const auto root = std::ranges::max_element(
      roots, [](const auto& a, const auto& b) { return a.second < b.second; });
  if (root == roots.end()) return false;
  lists_.resize(known.size());
  for (const auto& [folders, list] : known) {
    for (const std::string& folder : folders) {
      if (!(folder + "/").starts_with(root->first)) continue;
      lists_[list].push_back(
          folder.size() < root->first.size() ? "" : folder.substr(root->first.size()));
    }
  }
  for (const auto& [file, list] : sources) {
    if (!file.starts_with(root->first)) continue;
    const std::string source = file.substr(root->first.size());
    list_of_.try_emplace(source, list);
    list_of_.try_emplace(std::string(folder_of(source)), list);
  }
  return true;
}

std::span<const std::string> CompileCommands::include_folders(std::string_view source) const {
  if (lists_.empty()) return {};
  for (std::string_view path = source;; path = folder_of(path)) {
    const auto list = list_of_.find(std::string(path));
    if (list != list_of_.end()) return lists_[list->second];
    if (path.empty()) return {};
  }
}

}  // namespace codexmem::graph

// Resolves the includes of C: in the includer's folder, then in the folders that
// compile_commands.json names, else the file whose path ends with the include's path. Of several
// files the one nearest to the includer is taken; the folders of files found this way are roots.
// Tested by graph/c_test.cpp.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/path.h"
#include "graph/c/c_files.h"
#include "graph/c/compile_commands.h"
#include "graph/core/files_by_name.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {
namespace {

// Headers of C, POSIX and Windows. In angle brackets they are the system's, except those in a
// folder that the repository has, too.
constexpr std::string_view kSystemHeaders[] = {
    "assert.h",    "complex.h", "ctype.h",    "dirent.h",   "dlfcn.h",    "errno.h",  "fcntl.h",
    "fenv.h",      "float.h",   "fnmatch.h",  "getopt.h",   "glob.h",     "grp.h",    "iconv.h",
    "inttypes.h",  "iso646.h",  "langinfo.h", "libgen.h",   "limits.h",   "locale.h", "math.h",
    "netdb.h",     "poll.h",    "pthread.h",  "pwd.h",      "regex.h",    "sched.h",  "search.h",
    "semaphore.h", "setjmp.h",  "signal.h",   "spawn.h",    "stdalign.h", "stdarg.h", "stdatomic.h",
    "stdbool.h",   "stddef.h",  "stdint.h",   "stdio.h",    "stdlib.h",   "string.h", "strings.h",
    "syslog.h",    "termios.h", "threads.h",  "time.h",     "uchar.h",    "unistd.h", "utime.h",
    "wchar.h",     "wctype.h",  "windows.h",  "winsock2.h", "ws2tcpip.h", "malloc.h", "memory.h"};

bool is_system_header(std::string_view path) {
  return std::ranges::find(kSystemHeaders, path) != std::end(kSystemHeaders);
}

class CModuleFinder final : public ModuleFinder {
 public:
  explicit CModuleFinder(ProjectTree& tree) : tree_(tree) {
    const parse::Family c = family_of("c");
    for (const ProjectFile& file : tree.files()) {
      if (share_names(c, file.family)) by_name_.add(file);
    }
    if (!by_name_.empty()) commands_.emplace(tree);
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts&,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    std::string_view path = import.path;
    const bool is_angled = path.starts_with('<') && path.ends_with('>');
    if (is_angled) path = path.substr(1, path.size() - 2);
    const ProjectFile* file = find(source, path, is_angled);
    if (file != nullptr) {
      resolved.targets.push_back({file->id, file->path, "", {}});
    } else if (is_angled) {
      resolved.is_external = true;
      resolved.package = path;
    }
    return resolved;
  }

 private:
  const ProjectFile* find(std::string_view source, std::string_view path, bool is_angled) const {
    if (!is_angled) {
      const std::optional<std::string> nearby = join_path(folder_of(source), path);
      if (const ProjectFile* file = nearby ? tree_.find(*nearby) : nullptr) return file;
    }
    if (commands_) {
      for (const std::string& folder : commands_->include_folders(source)) {
        const std::optional<std::string> there = join_path(folder, path);
        if (const ProjectFile* file = there ? tree_.find(*there) : nullptr) return file;
      }
    }
    if (path.starts_with("../") || path.empty() || (is_angled && is_system_header(path))) {
      return nullptr;
    }
    if (path.starts_with("./")) path.remove_prefix(2);
    return by_name_.nearest(path, source);
  }

  ProjectTree& tree_;
  FilesByName by_name_;
  std::optional<CompileCommands> commands_;  // where there are files of C
};

}  // namespace

std::unique_ptr<ModuleFinder> IncludingSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<CModuleFinder>(tree);
}

}  // namespace codexmem::graph

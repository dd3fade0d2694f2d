// The index says how the repository is built (graph/stored/repository_map.h); what is written
// in it says why (stated_purpose.h, project_files.h). Only the texts of a bounded number of files
// are read, all of them from the index: it has taken the care that reading others' files needs.
//
// Tested by git/overview_test.py; tried on real repositories in bench/overview.md.
#include "ask/code/repository_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ask/code/code_answer.h"
#include "ask/code/list_routes.h"
#include "ask/code/overview_answer.h"
#include "ask/code/stated_purpose.h"
#include "ask/code/tests_to_run.h"
#include "ask/fresh.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/imports/packages.h"
#include "graph/routes/entry_points.h"
#include "text/counted.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxProjectFiles = 60;  // that are read
constexpr std::size_t kMaxFolders = 60;       // whose purpose is looked for
constexpr std::size_t kMaxStarts = 100, kMaxHot = 20, kMaxTestFolders = 12, kMaxApis = 3,
                      kMaxPages = 10;
constexpr std::size_t kFolderNames = 4, kEntryNames = 12;
constexpr std::size_t kSummaryBytes = 400, kRunsBytes = 80;

// Files of a folder that may say what it is for, best first; and the modules of a folder, by name.
constexpr std::string_view kReadmes[] = {"README.md",       "readme.md",  "Readme.md",
                                         "README.rst",      "README.txt", "README",
                                         "README.markdown", "README.adoc"};
constexpr std::string_view kHeads[] = {"doc.go", "package-info.java", "__init__.py", "mod.rs",
                                       "lib.rs", "index.ts",          "index.js",    "index.tsx"};

std::string file_in(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

std::size_t depth_of(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

class Overview {
 public:
  Overview(const Context& context, const RepositoryOverviewParams& params,
           store::CodeReader& reader)
      : context_(context), params_(params), reader_(reader) {}

  Result<RepositoryOverviewAnswer> run() {
    graph::FactsCache& facts = context_.code().facts;
    CODEXMEM_ASSIGN(files_, facts.files(reader_));
    CODEXMEM_ASSIGN(answer_.map,
                    graph::map_repository(facts, reader_, {.depth = params_.depth}, context_.stop));
    for (const graph::LanguageSize& language : answer_.map.languages) {
      answer_.files += language.files;
      answer_.lines += language.lines;
    }
    CODEXMEM_TRY(read_project_files());
    CODEXMEM_TRY(add_summary());
    CODEXMEM_TRY(read_pages());
    CODEXMEM_TRY(add_folders());
    CODEXMEM_ASSIGN(answer_.starts, graph::find_program_starts(facts, reader_, kMaxStarts));
    std::erase_if(answer_.starts, [](const graph::ProgramStart& start) {
      return file_name(start.path) == "build.rs";  // a part of the build
    });
    sort_starts();
    CODEXMEM_TRY(add_routes());
    CODEXMEM_TRY(add_entry_points());
    CODEXMEM_TRY(add_api());
    CODEXMEM_TRY(add_tests());
    CODEXMEM_TRY(add_hot());
    if (answer_.map.parts_left_out > 0) {
      answer_.not_seen.push_back(
          fmt::format("layers of {}: only the largest are compared",
                      counted(answer_.map.parts_left_out, "smaller folder")));
    }
    if (files_->skipped() > 0) {
      answer_.not_seen.push_back(fmt::format("{} not indexed: ignored, binary or too large",
                                             counted(files_->skipped(), "path")));
    }
    return std::move(answer_);
  }

 private:
  // The program that is called as the repository or a package first, its developers' programs last.
  void sort_starts() {
    const std::string& main = answer_.map.main_folder;
    std::set<std::string> names{
        to_lower_ascii(file_name(context_.code().workspace.root().string()))};
    for (const OverviewPackage& each : answer_.packages) {
      names.insert(to_lower_ascii(file_name(each.name)));
    }
    std::ranges::stable_sort(answer_.starts, {}, [&](const graph::ProgramStart& start) {
      bool is_for_developers = false, is_named = false;
      for (const std::string_view part : split(folder_of(start.path), '/')) {
        const std::string word = to_lower_ascii(part);
        is_for_developers |= is_one_of(
            word, {"script", "scripts", "tool", "tools", "hack", "dev", "ci", "build", "bench",
                   "benchmarks", "contrib", "util", "utils", "helpers", "infra", "packaging"});
        is_named |= names.contains(word);
      }
      is_named |= names.contains(to_lower_ascii(file_stem(start.path)));
      const bool is_apart = !main.empty() && !start.path.starts_with(main + "/");
      return std::tuple(is_for_developers, !is_named, is_apart, depth_of(start.path));
    });
  }

  // How many routes each file declares; those below `params_.routes` one by one.
  Result<void> add_routes() {
    CODEXMEM_ASSIGN(const graph::Routes found,
                    graph::find_routes(context_.code().facts, reader_, context_.stop));
    std::map<std::pair<std::string, std::string>, std::size_t> counts;  // by framework and file
    for (const graph::Route& each : found.routes) {
      ++counts[{each.framework, each.file}];
      if (!params_.routes.empty() && is_below(each, params_.routes)) {
        answer_.route_list.push_back(each);
      }
    }
    for (const auto& [place, count] : counts) {
      answer_.routes.push_back({place.first, place.second, count});
    }
    std::ranges::stable_sort(answer_.routes, std::ranges::greater(), &OverviewRoutes::count);
    for (const std::string& each : found.not_read) answer_.not_seen.push_back("routes: " + each);
    return {};
  }

  Result<void> add_entry_points() {
    CODEXMEM_ASSIGN(const auto found,
                    graph::find_entry_points(context_.code().facts, reader_, context_.stop));
    if (!found.not_read.empty()) {
      answer_.not_seen.push_back("commands and tasks: " + found.not_read);
    }
    for (const graph::EntryPoint& each : found.list) {
      auto& all = answer_.entry_points;
      if (all.empty() || all.back().kind != each.kind || all.back().framework != each.framework) {
        all.push_back({each.kind, each.framework, each.file, 0, {}});
      }
      OverviewEntryPoints& group = all.back();
      while (group.path != each.file && !each.file.starts_with(group.path + "/") &&
             !group.path.empty()) {
        group.path = folder_of(group.path);
      }
      ++group.count;
      if (group.names.size() < kEntryNames || !params_.routes.empty()) {
        group.names.push_back(each.name);
      }
    }
    return {};
  }

  Result<std::string> text_of(const store::FileRow& row) {
    CODEXMEM_ASSIGN(auto text, reader_.find_content(row.id));
    return std::move(text).value_or("");
  }

  // What the README says, else the description of the package that holds most code.
  Result<void> add_summary() {
    std::string name(file_name(context_.code().workspace.root().string()));
    std::string about;
    const std::string main = answer_.map.main_folder + "/";
    for (const OverviewPackage& package : answer_.packages) {
      const bool is_around = package.folder == "." || main.starts_with(package.folder + "/");
      if (!is_around) continue;
      if (!package.about.empty()) about = package.about;
      if (!package.name.empty()) name = file_name(package.name);
    }
    CODEXMEM_ASSIGN(const std::string readme, readme_of("", name));
    answer_.summary = first_sentences(readme.empty() ? about : readme, kSummaryBytes);
    return {};
  }

  // What the README of a folder says first; `name` is what the folder holds.
  Result<std::string> readme_of(std::string_view folder, std::string_view name) {
    for (const std::string_view file : kReadmes) {
      const store::FileRow* const row = files_->find(file_in(folder, file));
      if (row == nullptr) continue;
      CODEXMEM_ASSIGN(const std::string text, text_of(*row));
      // Of a folder the title and a first part: what follows is seldom about all of it.
      const std::size_t most_headings = folder.empty() ? kWholePage : 2;
      if (std::string said = readme_purpose(text, name, most_headings); !said.empty()) return said;
    }
    return std::string();
  }

  Result<void> read_project_files() {
    std::vector<const store::FileRow*> found;
    for (const store::FileRow& row : files_->rows()) {
      if (is_project_file(row.path) && graph::is_main_file(row)) found.push_back(&row);
    }
    std::ranges::stable_sort(found, {},
                             [](const store::FileRow* row) { return depth_of(row->path); });
    if (found.size() > kMaxProjectFiles) {
      omit("packages", found.size() - kMaxProjectFiles);
      found.resize(kMaxProjectFiles);
    }
    std::set<std::string> has_commands;  // kinds
    for (const store::FileRow* row : found) {
      CODEXMEM_ASSIGN(const std::string text, text_of(*row));
      ProjectFile file = read_project_file(row->path, text);
      const std::string folder = graph::package_path(folder_of(row->path));
      // Two files of a kind speak of one package: setup.cfg and pyproject.toml.
      const auto known = std::ranges::find_if(answer_.packages, [&](const OverviewPackage& each) {
        return each.folder == folder && each.kind == file.kind;
      });
      if (known != answer_.packages.end()) {
        if (known->name.empty()) known->name = file.name;
        if (known->about.empty()) known->about = file.about;
      } else if (!file.name.empty() && (file.kind != "cmake" || folder == ".")) {
        answer_.packages.push_back({folder, file.kind, file.name, file.about});
      }
      for (NamedCommand& program : file.programs) {
        const bool is_known = std::ranges::any_of(answer_.programs, [&](const auto& each) {
          return each.program.name == program.name && each.program.runs == program.runs;
        });
        if (is_known) continue;  // of each package of a workspace
        answer_.programs.push_back({std::move(program), row->path});
      }
      if (!file.entry.empty()) entries_.emplace(folder, file_in(folder_of(row->path), file.entry));
      // A workspace is worked on from its root.
      if (depth_of(row->path) > 0 && has_commands.contains(file.kind)) continue;
      if (file.commands.empty()) continue;
      has_commands.insert(file.kind);
      for (NamedCommand& command : file.commands) {
        if (folder != ".")
          command.name = fmt::format("(cd {} && {})", shell_word(folder), command.name);
        command.runs = shortened_line(command.runs, kRunsBytes);
        answer_.commands.push_back({std::move(command), row->path});
      }
    }
    // The most frequent first.
    std::ranges::stable_sort(answer_.commands, {}, [](const OverviewCommand& each) {
      constexpr std::string_view kUsual[] = {"test",  "build", "lint",   "dev",   "start",
                                             "check", "type",  "format", "style", "docs"};
      for (std::size_t i = 0; i < std::size(kUsual); ++i) {
        if (each.command.name.ends_with(kUsual[i])) return i;
      }
      return std::size(kUsual);
    });
    return {};
  }

  // Pages that describe the folders of a repository have such names everywhere.
  Result<void> read_pages() {
    std::vector<const store::FileRow*> pages;
    for (const store::FileRow& row : files_->rows()) {
      const std::string name = to_lower_ascii(file_name(row.path));
      if (!name.ends_with(".md") && !name.ends_with(".rst")) continue;
      const bool is_near = depth_of(row.path) < 2;
      if (name.find("architecture") != std::string::npos ||
          (is_near && (name.starts_with("readme") || name.starts_with("contributing") ||
                       name.starts_with("agents") || name.starts_with("claude") ||
                       name.starts_with("hacking") || name.starts_with("development")))) {
        pages.push_back(&row);
      }
    }
    std::ranges::stable_sort(pages, {},
                             [](const store::FileRow* row) { return depth_of(row->path); });
    pages.resize(std::min(pages.size(), kMaxPages));
    for (const store::FileRow* page : pages) {
      CODEXMEM_ASSIGN(const std::string text, text_of(*page));
      for (auto& [path, about] : described_folders(text)) {
        described_.emplace(std::move(path), std::move(about));
      }
    }
    return {};
  }

  // What a page says of a folder, by its path or the end of it.
  std::string described(std::string_view folder) const {
    while (!folder.empty()) {
      if (const auto found = described_.find(folder); found != described_.end()) {
        return found->second;
      }
      const std::size_t slash = folder.find('/');
      folder = slash == std::string_view::npos ? std::string_view() : folder.substr(slash + 1);
    }
    return {};
  }

  Result<std::string> purpose_of(const graph::MappedFolder& folder) {
    for (const OverviewPackage& package : answer_.packages) {
      if (package.folder == graph::package_path(folder.path) && !folder.path.empty() &&
          package.about.find(' ') != std::string::npos) {  // and not only its name
        return package.about;
      }
    }
    if (!folder.path.empty()) {
      CODEXMEM_ASSIGN(std::string said, readme_of(folder.path, file_name(folder.path)));
      if (!said.empty()) return said;
    }
    if (std::string said = described(folder.path); !said.empty()) return said;
    if (folder.is_secondary) return std::string();
    const auto head_of = [&](const store::FileRow* row) -> Result<std::string> {
      if (row == nullptr) return std::string();
      CODEXMEM_ASSIGN(const std::string text, text_of(*row));
      return module_purpose(row->path, text);
    };
    for (const std::string_view name : kHeads) {
      CODEXMEM_ASSIGN(std::string said, head_of(files_->find(file_in(folder.path, name))));
      if (!said.empty()) return said;
    }
    // The file that is called as its folder: gin.go, click.h.
    const std::string_view name = file_name(folder.path);
    for (const std::string_view extension : {".go", ".h", ".hpp", ".rs", ".ts", ".js"}) {
      if (name.empty()) break;
      CODEXMEM_ASSIGN(
          std::string said,
          head_of(files_->find(file_in(folder.path, fmt::format("{}{}", name, extension)))));
      if (!said.empty()) return said;
    }
    return std::string();
  }

  Result<void> add_folders() {
    auto& folders = answer_.map.folders;
    if (folders.size() > kMaxFolders) {
      omit("folders", folders.size() - kMaxFolders);
      folders.resize(kMaxFolders);
    }
    for (const graph::MappedFolder& folder : folders) {
      CODEXMEM_ASSIGN(std::string about, purpose_of(folder));
      OverviewFolder shown{folder, first_sentence(about, kAboutBytes), {}};
      if (about.empty() && !folder.is_secondary) {
        CODEXMEM_ASSIGN(shown.names,
                        graph::find_used_names(context_.code().facts, reader_, folder.path,
                                               /*only_in_it=*/folder.level == 0, kFolderNames));
        std::erase_if(shown.names, [](const std::string& name) {  // what has none: "new class"
          return name.find(' ') != std::string::npos;
        });
      }
      answer_.folders.push_back(std::move(shown));
    }
    folders.clear();
    return {};
  }

  // What the largest packages offer; of one around it, the folder where most code is.
  Result<void> add_api() {
    std::map<std::string_view, std::size_t> lines;
    for (const OverviewPackage& package : answer_.packages) {
      if (package.kind != "cmake" && package.folder != ".") lines.emplace(package.folder, 0);
    }
    for (const store::FileRow& row : files_->rows()) {
      if (lines.empty() || !graph::is_main_file(row)) continue;
      std::string_view folder = row.path;
      while (!(folder = folder_of(folder)).empty()) {
        const auto package = lines.find(folder);
        if (package == lines.end()) continue;
        package->second += row.line_count;
        break;
      }
    }
    std::vector<std::pair<std::size_t, std::string>> largest;
    for (const auto& [folder, count] : lines) largest.emplace_back(count, folder);
    std::ranges::stable_sort(largest, std::ranges::greater(),
                             &std::pair<std::size_t, std::string>::first);
    const std::string& main = answer_.map.main_folder;
    std::vector<std::string> folders;
    for (const auto& [count, folder] : largest) {
      folders.push_back(main.starts_with(folder + "/") ? main : folder);
    }
    if (std::ranges::find(folders, main) == folders.end()) folders.insert(folders.begin(), main);
    folders.resize(std::min(folders.size(), kMaxApis));
    std::set<std::string> seen;
    for (const std::string& folder : folders) {
      const auto entry = entries_.find(graph::package_path(folder));
      CODEXMEM_ASSIGN(auto names, graph::find_public_names(
                                      context_.code().facts, reader_, folder,
                                      entry == entries_.end() ? std::string() : entry->second));
      if (!names.names.empty() && seen.insert(names.path).second) {
        answer_.api.push_back(std::move(names));
      }
    }
    return {};
  }

  Result<void> add_tests() {
    std::map<std::string, std::pair<std::size_t, std::string>> folders;  // files, the first
    for (const store::FileRow& row : files_->rows()) {
      if (!is_runnable_test(row.path)) continue;
      const std::string folder(test_folder(row.path));
      auto& [count, first] = folders[folder];
      // A test of a whole system needs more than most people have.
      if (count++ == 0 || (is_of_system(first) && !is_of_system(row.path))) first = row.path;
    }
    std::vector<std::pair<std::string, std::pair<std::size_t, std::string>>> sorted(folders.begin(),
                                                                                    folders.end());
    std::ranges::stable_sort(sorted, std::ranges::greater(),
                             [](const auto& each) { return each.second.first; });
    if (sorted.size() > kMaxTestFolders) {
      omit("tests", sorted.size() - kMaxTestFolders);
      sorted.resize(kMaxTestFolders);
    }
    for (const auto& [folder, tests] : sorted) {
      answer_.tests.push_back({graph::package_path(folder), tests.first});
      if (answer_.run_tests.size() >= 3) continue;
      CODEXMEM_ASSIGN(const auto commands, test_commands(reader_, {tests.second}));
      for (const std::string& command : commands) {
        const std::string runner = command.substr(0, command.find_last_of(' '));
        const bool is_known = std::ranges::any_of(
            answer_.run_tests, [&](const std::string& each) { return each.starts_with(runner); });
        if (!is_known) answer_.run_tests.push_back(command);
      }
    }
    if (sorted.empty()) answer_.not_seen.emplace_back("tests: no file has the name of one");
    return {};
  }

  static bool is_of_system(std::string_view path) {
    const std::string lower = to_lower_ascii(path);
    for (const std::string_view word : {"e2e", "acceptance", "integration", "end-to-end"}) {
      if (lower.find(word) != std::string::npos) return true;
    }
    return false;
  }

  // The folder of a test that says that it holds tests; else its first two names.
  static std::string_view test_folder(std::string_view path) {
    std::size_t end = 0, names = 0, shown = 0;
    while ((end = path.find('/', end + 1)) != std::string_view::npos) {
      const std::string_view folder = path.substr(0, end);
      if (is_test_path(std::string(folder) + "/x")) return folder;
      if (++names <= 2) shown = end;
    }
    return path.substr(0, shown);
  }

  Result<void> add_hot() {
    // A person waits for git's history; an agent is answered at once, and may ask again.
    CODEXMEM_ASSIGN(const auto counts, context_.code().history->count(std::chrono::milliseconds(
                                           context_.whole_lists ? 2000 : 50)));
    const auto not_seen = [&](std::string_view why) {
      answer_.not_seen.push_back(fmt::format("which files change most: {}", why));
    };
    if (counts.is_unfinished) {
      not_seen("git's history is still being read; ask again");
      return {};
    }
    if (counts.looked_at == 0) {
      not_seen("this is not a git repository with commits");
      return {};
    }
    if (counts.is_shallow) not_seen("the clone has no older commits");
    answer_.commits = counts.looked_at;
    for (const auto& [path, commits] : counts.commits) {
      const store::FileRow* const row = files_->find(path);
      if (row == nullptr || commits < 2 || !graph::is_main_file(*row)) continue;
      if (std::ranges::none_of(answer_.map.languages, [&](const graph::LanguageSize& each) {
            return each.language == row->language;
          })) {
        continue;
      }
      answer_.hot.push_back({path, commits});
    }
    std::ranges::sort(answer_.hot, [](const HotFile& a, const HotFile& b) {
      return std::tie(b.commits, a.path) < std::tie(a.commits, b.path);
    });
    answer_.hot.resize(std::min(answer_.hot.size(), kMaxHot));
    return {};
  }

  void omit(const char* list, std::size_t count) { answer_.omitted.emplace_back(list, count); }

  const Context& context_;
  const RepositoryOverviewParams& params_;
  store::CodeReader& reader_;
  std::shared_ptr<const graph::FileTable> files_;
  std::map<std::string, std::string> entries_;  // modules, by the folders of their packages
  std::map<std::string, std::string, std::less<>> described_;  // paths, and what pages say of them
  RepositoryOverviewAnswer answer_;
};

constexpr Param kRepositoryOverviewParams[] = {
    {.name = "depth",
     .type = ParamType::kWhole,
     .listed = false,
     .least = 1,
     .most = 5,
     .default_json = "2",
     .option = "-d,--depth",
     .help = "Levels of folders (1 to 5, default 2)",
     .into = into<&RepositoryOverviewParams::depth>},
    {.name = "routes", .listed = false, .into = into<&RepositoryOverviewParams::routes>},
    one_repository_param(),
    max_tokens_param(into_by<read_bytes, &RepositoryOverviewParams::max_bytes>, "2000", "8000"),
};

}  // namespace

Result<RepositoryOverviewAnswer> run(const Context& context,
                                     const RepositoryOverviewParams& params) {
  CODEXMEM_ASSIGN(
      RepositoryOverviewAnswer answer,
      answer_fresh<RepositoryOverviewAnswer>(
          context, {},
          [&](store::CodeReader& reader) { return Overview(context, params, reader).run(); },
          [](const RepositoryOverviewAnswer& made, std::set<std::string>& paths) {
            for (const graph::ProgramStart& start : made.starts) paths.insert(start.path);
            for (const graph::Inversion& each : made.map.inversions) paths.insert(each.path);
            for (const OverviewRoutes& each : made.routes) paths.insert(each.path);
            for (const OverviewCommand& each : made.commands) paths.insert(each.path);
            for (const OverviewProgram& each : made.programs) paths.insert(each.path);
          }));
  cut_overview(answer, params.max_bytes);
  return answer;
}

constinit const Question kRepositoryOverview = {
    .name = "repository_overview",
    .title = "Overview of the repository",
    .description = "Overview: layers, entry points, central files, tests, commands.",
    .groups = "code",
    .params = kRepositoryOverviewParams,
    .output_schema = R"json({"type":"object","properties":{
"summary":{"type":"string"},"languages":{"type":"array","items":{"type":"object"}},"packages":{"type":"array","items":{"type":"object"}},
"folders":{"type":"array","items":{"type":"object"}},"routes":{"type":"array","items":{"type":"object"}},"routeList":{"type":"array","items":{"type":"object"}},"entryPoints":{"type":"array","items":{"type":"object"}},"programs":{"type":"array","items":{"type":"object"}},"starts":{"type":"array","items":{"type":"object"}},
"api":{"type":"array","items":{"type":"object"}},"layers":{"type":"array","items":{"type":"array","items":{"type":"string"}}},
"inversions":{"type":"array","items":{"type":"object"}},"cycles":{"type":"array","items":{"type":"array","items":{"type":"string"}}},
"central":{"type":"array","items":{"type":"object"}},"hot":{"type":"array","items":{"type":"object"}},"tests":{"type":"array","items":{"type":"object"}},
"runTests":{"type":"array","items":{"type":"string"}},"commands":{"type":"array","items":{"type":"object"}},
"notSeen":{"type":"array","items":{"type":"string"}},"files":{"type":"integer"},"lines":{"type":"integer"},"commits":{"type":"integer"},
"omitted":{"type":"object"},"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["files","lines"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<RepositoryOverviewParams>};

}  // namespace codexmem::ask

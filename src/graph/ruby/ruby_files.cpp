// Resolves the imports of Ruby to files and gems: the path of a file, as it is written; any other
// path belongs to the gem of a Gemfile or gemspec around that the path begins with.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/paths/path_semantics.h"
#include "graph/ruby/ruby_semantics.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kRubyEndings[] = {".rb", ""};
constexpr PathRules kRubyRules = {.family = "ruby",
                                  .endings = kRubyEndings,
                                  .looks_anywhere = true,
                                  .includes_are_relative = true};
constexpr std::string_view kNamesGem[] = {"gem", "add_dependency", "add_runtime_dependency",
                                          "add_development_dependency"};

// "active_support/core_ext", "activesupport" and "active-support" begin alike.
std::string plain_letters(std::string_view name) {
  std::string text = to_lower_ascii(name);
  std::erase_if(text, [](char c) { return c == '_' || c == '-' || c == '/'; });
  return text;
}

// The names behind the words of kNamesGem in a Gemfile or gemspec.
std::set<std::string> gems_named(const std::string& text) {
  std::set<std::string> gems;
  for (std::string_view line : split(text, '\n')) {
    line = line.substr(0, line.find('#'));
    const std::size_t quote = line.find_first_of("\"'");
    if (quote == std::string_view::npos) continue;
    std::string_view word = trim(line.substr(0, quote));
    while (word.ends_with('(') || word.ends_with(' ')) word.remove_suffix(1);
    const bool names_gem = std::ranges::any_of(kNamesGem, [&](std::string_view each) {
      return word == each || word.ends_with("." + std::string(each));
    });
    const std::size_t end = line.find(line[quote], quote + 1);
    if (!names_gem || end == std::string_view::npos) continue;
    gems.emplace(line.substr(quote + 1, end - quote - 1));
  }
  return gems;
}

class RubyModuleFinder final : public ModuleFinder {
 public:
  explicit RubyModuleFinder(ProjectTree& tree) : paths_(make_path_finder(kRubyRules, tree)) {
    for (const std::string_view name :
         {std::string_view("Gemfile"), std::string_view("*.gemspec")}) {
      for (const std::string_view path : tree.list_configs(name)) {
        const auto text = tree.read(path);
        if (text) manifests_.push_back({std::string(folder_of(path)), gems_named(*text)});
      }
    }
    std::ranges::stable_sort(manifests_, std::greater<>(),
                             [](const Manifest& each) { return each.folder.size(); });
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved = paths_->resolve(source, facts, import);
    if (!resolved.is_external || import.path.starts_with('/')) return resolved;
    if (const std::string gem = gem_of(source, import.path); !gem.empty()) resolved.package = gem;
    return resolved;
  }

 private:
  struct Manifest {
    std::string folder;
    std::set<std::string> gems;
  };

  // Of the gems that the path begins like, the one with the longest name; the nearest manifest's.
  std::string gem_of(std::string_view source, std::string_view path) const {
    for (const Manifest& manifest : manifests_) {
      const bool is_around = manifest.folder.empty() || source.starts_with(manifest.folder + "/");
      if (!is_around) continue;
      for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
           end = path.rfind('/', end - 1)) {
        const std::string begin = plain_letters(path.substr(0, end));
        for (const std::string& gem : manifest.gems) {
          if (plain_letters(gem) == begin) return gem;
        }
      }
    }
    return {};
  }

  std::unique_ptr<ModuleFinder> paths_;
  std::vector<Manifest> manifests_;  // the innermost first
};

}  // namespace

std::unique_ptr<ModuleFinder> RubySemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<RubyModuleFinder>(tree);
}

}  // namespace codexmem::graph

// The matcher against git itself: random ignore files over random trees, each path's deciding line
// compared with `git check-ignore -v --no-index`.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/discovery/ignore.h"
#include "index/discovery/root_directory.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  std::string name() {
    static const std::vector<std::string> kNames = {
        "a",  "b",    "ab",   "abc",   "a.o", "b.o", "foo",  "bar", "foobar", "A",
        "AB", "a b",  "b ",   "#x",    "!x",  "x*y", "[a]",  "a-b", "a]b",    "1",
        "a1", "x\\y", ".dot", "aaaaa", "a?b", "z",   "foo.", "-",   "^",      "\xC3\xA9"};
    return pick(kNames);
  }

  std::string piece() {
    static const std::vector<std::string> kPieces = {"a",
                                                     "b",
                                                     "c",
                                                     "foo",
                                                     "bar",
                                                     ".o",
                                                     "x",
                                                     "*",
                                                     "*",
                                                     "*",
                                                     "**",
                                                     "**",
                                                     "***",
                                                     "?",
                                                     "?",
                                                     "[ab]",
                                                     "[!a]",
                                                     "[^b]",
                                                     "[a-z]",
                                                     "[]a]",
                                                     "[a-]",
                                                     "[[:alpha:]]",
                                                     "[[:upper:]x]",
                                                     "[[:bad:]]",
                                                     "[a",
                                                     "[\\]]",
                                                     "[[:",
                                                     "[!]a]",
                                                     "\\a",
                                                     "\\*",
                                                     "\\?",
                                                     "\\[",
                                                     "\\\\",
                                                     " ",
                                                     "\\ ",
                                                     "#",
                                                     "!",
                                                     "/",
                                                     "/",
                                                     "-",
                                                     "A",
                                                     "1",
                                                     "\xC3\xA9",
                                                     "[z-a]",
                                                     "[--0]",
                                                     "[a-\\c]",
                                                     "[/]",
                                                     "\\/",
                                                     "[A-C]"};
    return pick(kPieces);
  }

  std::string pattern() {
    if (below(4) == 0) {  // near to real ones
      static const std::vector<std::string> kForms = {
          "%",     "/%",  "%/",  "/%/",  "*%",  "%*",  "**/%",    "%/**",   "%/*",
          "!%",    "!/%", "!%/", "/*",   "*",   "!*/", "**/%/**", "%/**/%", "foo**/%",
          "/**/%", "%**", "**%", "%/%/", "\\%", "*/%", "**/",     "/**",    "!**/%"};
      std::string form = pick(kForms);
      for (std::size_t at = form.find('%'); at != std::string::npos; at = form.find('%', at + 1)) {
        const std::string with = name();
        form.replace(at, 1, with);
        at += with.size() - 1;
      }
      return form;
    }
    std::string out = below(5) == 0 ? "!" : "";
    const std::size_t count = 1 + below(5);
    for (std::size_t i = 0; i < count; ++i) out += piece();
    if (below(6) == 0) out += "/";
    if (below(12) == 0) out += "  ";
    if (below(20) == 0) out += "\\";
    if (below(20) == 0) out += "\t";
    return out;
  }

  std::string ignore_file(std::size_t lines) {
    std::string out = below(8) == 0 ? "\xEF\xBB\xBF" : "";
    const bool crlf = below(5) == 0;
    for (std::size_t i = 0; i < lines; ++i) {
      out += below(12) == 0 ? "# comment" : below(12) == 0 ? "" : pattern();
      if (i + 1 != lines || below(2) == 0) out += crlf ? "\r\n" : "\n";
    }
    return out;
  }

 private:
  std::mt19937 random_;
};

// path -> "source:line" as git says it, for paths that a line decides.
std::map<std::string, std::string> ask_git(const TemporaryTree& tree,
                                           const std::set<std::string>& paths) {
  std::string input;
  for (const std::string& path : paths) input += path + '\0';
  tree.write(".git/paths", input);
  const std::string out = tree.git("check-ignore -v -z --no-index --stdin < .git/paths");
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin < out.size();) {
    const std::size_t end = out.find('\0', begin);
    fields.push_back(out.substr(begin, end - begin));
    begin = end + 1;
  }
  std::map<std::string, std::string> answers;
  for (std::size_t i = 0; i + 3 < fields.size(); i += 4) {
    answers[fields[i + 3]] = fields[i] + ":" + fields[i + 1];
  }
  return answers;
}

TEST(IgnoreAgainstGit, EveryPathIsDecidedByTheSameLine) {
  std::size_t compared = 0, decided = 0, negated = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Generator make(seed);
    const TemporaryTree tree;
    tree.git("init -q");
    if (seed % 5 == 0) tree.git("config core.ignoreCase true");
    tree.git("config core.excludesFile .git/global");
    std::set<std::string> files, folders{""};
    for (int i = 0; i < 200; ++i) {
      std::string path;
      const std::size_t depth = 1 + make.below(4);
      for (std::size_t d = 0; d < depth; ++d) {
        const std::string name = make.name();
        path += (d == 0 ? "" : "/") + name;
        if (d + 1 < depth) folders.insert(path);
      }
      files.insert(path);
    }
    std::set<std::string> paths;
    for (const std::string& folder : folders) {
      if (folder.empty()) continue;
      std::filesystem::create_directories(tree.root() / folder);
      files.erase(folder);
      paths.insert(folder);
    }
    for (const std::string& file : files) {
      tree.write(file, "");
      paths.insert(file);
    }
    for (const std::string& folder : folders) {
      if (!folder.empty() && make.below(6) != 0) continue;
      tree.write(folder.empty() ? ".gitignore" : folder + "/.gitignore",
                 make.ignore_file(1 + make.below(10)));
    }
    tree.write(".git/info/exclude", make.ignore_file(make.below(4)));
    tree.write(".git/global", make.ignore_file(make.below(4)));

    const auto want = ask_git(tree, paths);
    auto root = RootDirectory::open(tree.root());
    ASSERT_TRUE(root.ok());
    IgnoreTree rules(*root);
    for (const std::string& path : paths) {
      const IgnoreVerdict verdict = rules.judge_from_root(path, folders.contains(path));
      const std::string got = verdict.rule == nullptr ? ""
                                                      : verdict.list->source() + ":" +
                                                            std::to_string(verdict.rule->line());
      const auto found = want.find(path);
      EXPECT_EQ(got, found == want.end() ? "" : found->second)
          << "seed " << seed << ", path '" << path << "', rule '"
          << (verdict.rule == nullptr ? "" : verdict.rule->text()) << "'";
      ++compared;
      if (verdict.rule != nullptr) ++decided;
      if (verdict.rule != nullptr && verdict.rule->negated()) ++negated;
    }
    if (HasFailure()) break;
  }
  // The generator must produce cases worth comparing.
  EXPECT_GT(compared, 2000U);
  EXPECT_GT(decided, compared / 4);
  EXPECT_LT(decided, compared * 9 / 10);
  EXPECT_GT(negated, 50U);
}

}  // namespace
}  // namespace codexmem::index

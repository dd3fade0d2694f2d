#include "app/help/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/help/manual.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> words_after(std::vector<std::string> words) {
  std::vector<std::string> all;
  for (const Candidate& candidate : complete(words).candidates) all.push_back(candidate.word);
  return all;
}

TEST(Completion, OfNothingIsEveryCommand) {
  const auto all = words_after({""});
  for (const CommandRow& row : commands()) EXPECT_THAT(all, Contains(std::string(row.name)));
  EXPECT_THAT(all, Contains("help"));
}

TEST(Completion, ContinuesTheTypedText) {
  const struct {
    std::vector<std::string> words;
    std::vector<std::string> want;
  } cases[] = {
      {{"sea"}, {"search"}},
      {{"-C", "/", "sea"}, {"search"}},
      {{"help", "sea"}, {"search"}},
      {{"memory", "sea"}, {"search"}},
      {{"help", "memory", "sea"}, {"search"}},
      {{"search", "--te"}, {"--tests"}},
      {{"search", "word", "--te"}, {"--tests"}},
      {{"search", "--tests", "o"}, {"only"}},
      {{"search", "--tests=o"}, {"--tests=only"}},
      {{"search", "--kind", "met"}, {"method"}},
      {{"search", "--kind", "class,met"}, {"class,method"}},
      {{"search", "--kind=class,met"}, {"--kind=class,method"}},
      {{"search", "--language", "pyth"}, {"python"}},
      {{"search", "--json", "--js"}, {}},  // is there already
      {{"search", "--", "--js"}, {}},      // words alone behind it
      {{"search", "--limit", ""}, {}},     // any number
      {{"completion", "z"}, {"zsh"}},
      {{"completion", "zsh", "z"}, {}},
      {{"hook", "cod"}, {"codex"}},
      {{"hook", "codex", "obs"}, {"observation"}},
      {{"serch", ""}, {}},
      {{"context", "--jso"}, {"--json"}},
      {{"symbol", "--type", "inter"}, {"interface"}},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(words_after(one.words), one.want) << ::testing::PrintToString(one.words);
  }
}

TEST(Completion, LeavesFilesAndFoldersToTheShell) {
  const auto with = [](std::vector<std::string> words) { return complete(words); };
  EXPECT_TRUE(with({"deps", "src/"}).files);
  EXPECT_TRUE(with({"index", ""}).files);
  EXPECT_TRUE(with({"deps", "a.ts", "--repo", ""}).folders);
  EXPECT_TRUE(with({"-C", ""}).folders);
  EXPECT_FALSE(with({"deps", "a.ts", ""}).files);
  EXPECT_FALSE(with({"deps", "--depth", ""}).files);
}

TEST(Completion, AListOfOptionsHasTheirHelp) {
  for (const Candidate& candidate : complete(std::vector<std::string>{"search", "-"}).candidates) {
    EXPECT_THAT(candidate.summary, Not(IsEmpty())) << candidate.word;
  }
}

TEST(Completion, EachShellHasAScript) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(std::string(completion_script(shell)), HasSubstr("completion words"));
  }
  EXPECT_THAT(std::string(completion_script("csh")), IsEmpty());
}

// All rows, including rows in groups, with their full names.
void for_each_command(std::span<const CommandRow> rows, const std::string& group,
                      const std::function<void(const std::string&, const CommandRow&)>& visit) {
  for (const CommandRow& row : rows) {
    const std::string name = group + std::string(row.name);
    visit(name, row);
    if (row.subcommands != nullptr) for_each_command(row.subcommands(), name + " ", visit);
  }
}

TEST(CommandTable, HelpFitsInEightyColumns) {
  for_each_command(commands(), "", [](const std::string& name, const CommandRow& row) {
    if (row.make == nullptr) return;
    const auto command = row.make();
    Arguments arguments(name, row.summary, row.examples);
    command->declare(arguments);
    const std::string help = arguments.help();
    for (const std::string_view line : split(help, '\n')) {
      EXPECT_LE(column_count(line), 80U) << name << ": " << line;
    }
  });
}

TEST(CommandTable, OptionsOfACommandHaveNamesOfTheirOwnAndHelp) {
  for_each_command(commands(), "", [](const std::string& name, const CommandRow& row) {
    if (row.make == nullptr) return;
    const auto command = row.make();
    Arguments arguments(name, row.summary, row.examples);
    command->declare(arguments);
    std::set<std::string> seen;
    for (const ArgumentFacts& argument : arguments.facts()) {
      EXPECT_FALSE(argument.help.empty()) << name;
      for (const std::string& one : argument.names) {
        EXPECT_TRUE(seen.insert(one).second) << name << " " << one;
      }
    }
  });
}

TEST(ManualPage, NamesEveryCommandAndOption) {
  std::string page = manual_page("codexmem");
  for (std::size_t at = 0; (at = page.find("\\-", at)) != std::string::npos;) page.erase(at, 1);
  for_each_command(commands(), "", [&](const std::string& name, const CommandRow& row) {
    EXPECT_THAT(page, HasSubstr("codexmem " + name)) << name;
    if (row.make == nullptr) return;
    const auto command = row.make();
    Arguments arguments(name, row.summary, row.examples);
    command->declare(arguments);
    for (const ArgumentFacts& argument : arguments.facts()) {
      EXPECT_THAT(page, HasSubstr(argument.names.back())) << name;
    }
  });
  EXPECT_THAT(manual_page("codexmem-hook"), HasSubstr("codexmem\\-hook"));
}

}  // namespace
}  // namespace codexmem::app

#include "ask/code/project_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem::ask {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> lines(const std::vector<NamedCommand>& commands) {
  std::vector<std::string> list;
  for (const NamedCommand& each : commands) {
    list.push_back(each.name + (each.runs.empty() ? "" : ": " + each.runs));
  }
  return list;
}

TEST(ProjectFiles, PackageJson) {
  const ProjectFile file = read_project_file(
      "web/package.json",
      R"({"name":"@a/web","description":"A web","bin":{"web":"./bin/web.js"},"packageManager":"pnpm@9",
          "scripts":{"pretest":"x","test":"vitest","build":"tsc","prepare":"husky","prebuilt":"y"}})");
  EXPECT_EQ(file.kind, "npm");
  EXPECT_EQ(file.name, "@a/web");
  EXPECT_EQ(file.about, "A web");
  EXPECT_THAT(lines(file.programs), ElementsAre("web: ./bin/web.js"));
  EXPECT_THAT(lines(file.commands),
              ElementsAre("pnpm test: vitest", "pnpm run build: tsc", "pnpm run prebuilt: y"));
  EXPECT_THAT(
      lines(read_project_file("package.json", R"({"scripts":{"a;b":"x","t:y":"z"}})").commands),
      ElementsAre("npm run 'a;b': x", "npm run t:y: z"));
  EXPECT_THAT(lines(read_project_file("package.json", R"({"name":"@a/b","bin":"b.js"})").programs),
              ElementsAre("b: b.js"));
}

TEST(ProjectFiles, Python) {
  const ProjectFile file =
      read_project_file("pyproject.toml",
                        "[project]\nname = \"black\"  # it\ndescription = 'Formats'\nreadme = "
                        "\"\"\"\nname = 'no'\n\"\"\"\n"
                        "[project.scripts]\nblack = "
                        "\"black:main\"\n[tool.hatch.envs.docs.scripts]\nserve = \"mkdocs\"\n"
                        "[tool.tox.env.style]\ndescription = \"checks\"\n");
  EXPECT_EQ(file.name, "black");
  EXPECT_EQ(file.about, "Formats");
  EXPECT_THAT(lines(file.programs), ElementsAre("black: black:main"));
  EXPECT_THAT(lines(file.commands), ElementsAre("hatch run docs:serve: mkdocs",
                                                "tox -e style: checks", "pip install -e ."));
  const ProjectFile old =
      read_project_file("setup.cfg",
                        "[metadata]\nname = a\n[options.entry_points]\nconsole_scripts =\n  a = "
                        "a.cli:main\n  b = b:c\n");
  EXPECT_EQ(old.name, "a");
  EXPECT_THAT(lines(old.programs), ElementsAre("a: a.cli:main", "b: b:c"));
  EXPECT_THAT(lines(read_project_file("tox.ini",
                                      "[testenv]\n[testenv:py{1,2}]\n[testenv:lint]\n"
                                      "description = looks\n  closely\n")
                        .commands),
              ElementsAre("tox -e lint: looks closely"));
  EXPECT_THAT(lines(read_project_file("noxfile.py",
                                      "@nox.session(python=1)\ndef tests(s):\n  pass\n"
                                      "def other():\n  pass\n")
                        .commands),
              ElementsAre("nox -s tests"));
}

TEST(ProjectFiles, Others) {
  const ProjectFile cargo = read_project_file(
      "Cargo.toml", "[package]\nname = \"rg\"\n[[bin]]\nname = \"rg\"\npath = \"src/m.rs\"\n");
  EXPECT_EQ(cargo.name, "rg");
  EXPECT_THAT(lines(cargo.programs), ElementsAre("rg: src/m.rs"));
  EXPECT_EQ(read_project_file("go.mod", "module example.org/x\n\ngo 1.20\n").name, "example.org/x");
  const ProjectFile pom = read_project_file(
      "pom.xml",
      "<project><parent><artifactId>p</artifactId></parent><artifactId>a</artifactId>"
      "<description>An\n  a</description></project>");
  EXPECT_EQ(pom.name, "a");
  EXPECT_EQ(pom.about, "An a");
  EXPECT_THAT(lines(read_project_file("Makefile",
                                      "CC := gcc\nall: a.o ## everything\na.o: a.c\n"
                                      "\tcc a.c\n.PHONY: all\n%.x: y\nlint:\n")
                        .commands),
              ElementsAre("make all: everything", "make lint"));
  EXPECT_THAT(
      lines(read_project_file("justfile", "# Runs it\nrun arg=\"x\": build\n  echo\nbuild:\n")
                .commands),
      ElementsAre("just run: Runs it", "just build"));
  EXPECT_THAT(lines(read_project_file("CMakePresets.json",
                                      R"({"workflowPresets":[{"name":"dev","description":"all"}],
                                  "configurePresets":[{"name":"dev"}]})")
                        .commands),
              ElementsAre("cmake --workflow --preset dev: all"));
  const ProjectFile cmake = read_project_file(
      "CMakeLists.txt",
      "cmake_minimum_required(VERSION 3)\nproject(a VERSION 1 DESCRIPTION \"An a\")\n");
  EXPECT_EQ(cmake.name, "a");
  EXPECT_EQ(cmake.about, "An a");
}

TEST(ProjectFiles, UnknownPartsAreLeftOut) {
  for (const char* path : {"package.json", "pyproject.toml", "setup.cfg", "Cargo.toml", "go.mod",
                           "pom.xml", "CMakeLists.txt", "CMakePresets.json", "Makefile", "justfile",
                           "tox.ini", "noxfile.py", "build.gradle"}) {
    EXPECT_TRUE(is_project_file(path)) << path;
    for (const char* text : {"", "[", "{", "[[[\n=\n", "<description>", "\nproject(", ":", " : ",
                             "def ", "[]\n", "module "}) {
      EXPECT_THAT(read_project_file(path, text).programs, IsEmpty()) << path << ": " << text;
    }
  }
  EXPECT_FALSE(is_project_file("src/makefile.py"));
}

}  // namespace
}  // namespace codexmem::ask

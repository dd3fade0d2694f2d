// Packages that one repository publishes and another imports.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "graph/across/published.h"
#include "graph/across/version_range.h"
#include "graph/imports/cross_imports.h"
#include "graph/uses/references.h"
#include "store/code/united_reader.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

struct RangeCase {
  Ecosystem ecosystem;
  std::string range, version;
  std::optional<bool> want;
};

TEST(VersionRange, AllowsWhatManifestsSay) {
  const std::vector<RangeCase> cases = {
      {Ecosystem::kNpm, "^3.20.0", "3.25.76", true},
      {Ecosystem::kNpm, "^3.20.0", "4.1.0", false},
      {Ecosystem::kNpm, "^3.25.0 || ^4.0.0", "4.1.0", true},
      {Ecosystem::kNpm, "^0.2.3", "0.3.0", false},
      {Ecosystem::kNpm, "^0.2.3", "0.2.9", true},
      {Ecosystem::kNpm, "~1.2.3", "1.2.9", true},
      {Ecosystem::kNpm, "~1.2.3", "1.3.0", false},
      {Ecosystem::kNpm, "3.22.3", "3.22.4", false},
      {Ecosystem::kNpm, "3.x", "3.9.0", true},
      {Ecosystem::kNpm, "3", "4.0.0", false},
      {Ecosystem::kNpm, "1.2.3 - 2.3", "2.3.9", true},
      {Ecosystem::kNpm, ">=1.0.0 <2.0.0", "2.0.0-rc.1", false},
      {Ecosystem::kNpm, "^2.0.0", "3.0.0-beta.1", false},
      {Ecosystem::kNpm, ">=2.0.0-rc.2", "2.0.0-rc.10", true},
      {Ecosystem::kNpm, "workspace:*", "1.0.0", true},
      {Ecosystem::kNpm, "workspace:^1.0.0", "2.0.0", false},
      {Ecosystem::kNpm, "npm:zod@^3", "4.0.0", false},
      {Ecosystem::kNpm, "*", "4.0.0", true},
      {Ecosystem::kNpm, "latest", "4.0.0", true},
      {Ecosystem::kNpm, "github:a/b#main", "4.0.0", std::nullopt},
      {Ecosystem::kNpm, "catalog:", "4.0.0", std::nullopt},
      {Ecosystem::kNpm, "^1", "", std::nullopt},
      {Ecosystem::kPython, ">=2,<3", "2.9.1", true},
      {Ecosystem::kPython, ">=2,<3", "3.0", false},
      {Ecosystem::kPython, "~=1.4.2", "1.5.0", false},
      {Ecosystem::kPython, "~=1.4", "1.9", true},
      {Ecosystem::kPython, "==1.4.*", "1.4.7", true},
      {Ecosystem::kPython, "!=1.5", "1.5.0", false},
      {Ecosystem::kGo, "v1.8.1", "v1.9.0", true},
      {Ecosystem::kCargo, "0.3", "0.3.9", true},
      {Ecosystem::kCargo, "0.3", "0.4.0", false},
      {Ecosystem::kCargo, "=1.0.1", "1.0.2", false},
      {Ecosystem::kComposer, "~1.2", "1.9.0", true},
      {Ecosystem::kComposer, "^7.0|^8.0", "8.1.0", true},
      {Ecosystem::kComposer, "dev-main", "8.1.0", std::nullopt},
      {Ecosystem::kGem, "~> 2.1", "2.9", true},
      {Ecosystem::kGem, "~> 2.1.0", "2.2.0", false},
      {Ecosystem::kGem, ">= 1.0, < 3", "2.0", true},
      {Ecosystem::kHex, "~> 1.0 or ~> 2.0", "2.4.0", true},
      {Ecosystem::kMaven, "[1.0,2.0)", "1.5", true},
      {Ecosystem::kMaven, "[1.0,2.0)", "2.0", false},
      {Ecosystem::kMaven, "(,1.0],[2.0,)", "2.1", true},
      {Ecosystem::kMaven, "33.0-jre", "33.0", true},
      {Ecosystem::kMaven, "${version}", "1.0", std::nullopt},
      {Ecosystem::kNuget, "6.0.0", "7.1.0", true},
      {Ecosystem::kCmake, "1.0", "1.2.0", true},
  };
  for (const RangeCase& c : cases) {
    EXPECT_EQ(allows_version(c.ecosystem, c.range, c.version), c.want)
        << ecosystem_name(c.ecosystem) << " \"" << c.range << "\" " << c.version;
  }
}

struct AcrossCase {
  std::string name;
  std::map<std::string, std::string> library, app;
  std::vector<std::string> links;  // "source import -> target"
  std::vector<std::string> uses;   // "ecosystem package required version agrees"
};

void PrintTo(const AcrossCase& c, std::ostream* out) { *out << c.name; }

class Across : public ::testing::TestWithParam<AcrossCase> {};

TEST_P(Across, ImportsOfAnotherRepositoryAreLinked) {
  const AcrossCase& c = GetParam();
  testing::CodeFixture app(c.app);
  testing::CodeFixture library(c.library);
  auto app_lease = app.workspace().reader();
  auto library_lease = library.workspace().reader();
  ASSERT_TRUE(app_lease.ok() && library_lease.ok());
  const auto reader = store::UnitedReader::make({{"app", &**app_lease}, {"lib", &**library_lease}});
  const auto linked = link_imports(*reader, {});
  ASSERT_TRUE(linked.ok()) << linked.error().message();
  std::vector<std::string> links;
  for (const store::DependencyRow& row : linked->rows) {
    const auto source = reader->find_file(row.source);
    const auto target = reader->find_file(*row.target);
    ASSERT_TRUE(source.ok() && *source && target.ok() && *target);
    links.push_back((*source)->path + " " + row.import_path + " -> " + (*target)->path);
    EXPECT_FALSE(row.is_external);
  }
  EXPECT_EQ(links, c.links);
  std::vector<std::string> uses;
  for (const CrossUse& use : linked->uses) {
    EXPECT_EQ(use.importer, "app");
    EXPECT_EQ(use.publisher, "lib");
    uses.push_back(std::string(ecosystem_name(use.ecosystem)) + " " + use.package + " " +
                   (use.required.empty() ? "-" : use.required) + " " +
                   (use.version.empty() ? "-" : use.version) +
                   (!use.agrees   ? " unknown"
                    : *use.agrees ? " agrees"
                                  : " differs"));
  }
  EXPECT_EQ(uses, c.uses);
}

const std::string kZodManifest = R"({"name": "zod", "version": "4.1.0",
    "exports": {".": {"types": "./dist/index.d.ts"}, "./mini": "./dist/mini.js"}})";

const AcrossCase kAcrossCases[] = {
    {"npm",
     {{"package.json", kZodManifest},
      {"src/index.ts", "export class ZodString {}\n"},
      {"src/mini.ts", "export const mini = 1;\n"}},
     {{"package.json", R"({"name": "app", "dependencies": {"zod": "^3.20.0"}})"},
      {"src/a.ts",
       "import { ZodString } from 'zod';\nimport { mini } from 'zod/mini';\n"
       "import other from 'other';\nimport { x } from './missing';\n"}},
     {"app:/src/a.ts zod -> lib:/src/index.ts", "app:/src/a.ts zod/mini -> lib:/src/mini.ts"},
     {"npm zod ^3.20.0 4.1.0 differs"}},
    {"npm_own_package_wins",
     {{"package.json", kZodManifest}, {"src/index.ts", "export class ZodString {}\n"}},
     {{"package.json", R"({"name": "app", "workspaces": ["packages/*"]})"},
      {"packages/zod/package.json", R"({"name": "zod", "main": "index.ts"})"},
      {"packages/zod/index.ts", "export class ZodString {}\n"},
      {"packages/a/package.json", R"({"name": "a"})"},
      {"packages/a/a.ts", "import { ZodString } from 'zod';\n"}},
     {},
     {}},
    {"npm_private_package",
     {{"package.json", R"({"name": "site", "private": true, "main": "index.ts"})"},
      {"index.ts", "export const a = 1;\n"}},
     {{"package.json", R"({"name": "app", "dependencies": {"site": "^1.0.0"}})"},
      {"a.ts", "import { a } from 'site';\n"}},
     {},
     {}},
    {"npm_package_without_version",
     {{"package.json", R"({"name": "zod", "main": "index.ts"})"},
      {"index.ts", "export const a = 1;\n"}},
     {{"package.json", R"({"name": "app", "dependencies": {"zod": "^1.0.0"}})"},
      {"a.ts", "import { a } from 'zod';\n"}},
     {},
     {}},
    {"npm_private_package_asked_for",
     {{"package.json", R"({"name": "site", "private": true, "main": "index.ts"})"},
      {"index.ts", "export const a = 1;\n"}},
     {{"package.json", R"({"name": "app", "dependencies": {"site": "file:../site"}})"},
      {"a.ts", "import { a } from 'site';\n"}},
     {"app:/a.ts site -> lib:/index.ts"},
     {"npm site file:../site - unknown"}},
    {"python",
     {{"pyproject.toml", "[project]\nname = \"Acme.Core\"\nversion = \"2.1\"\n"},
      {"src/acme_core/__init__.py", "def run(): pass\n"},
      {"src/acme_core/inner.py", "def deep(): pass\n"},
      {"utils.py", "def helper(): pass\n"}},
     {{"pyproject.toml",
       "[project]\nname = \"app\"\ndependencies = [\n  \"acme-core[fast]>=2,<3; "
       "python_version > '3'\",\n]\n"},
      {"main.py", "from acme_core import run\nimport acme_core.inner\nimport utils\n"}},
     {"app:/main.py acme_core -> lib:/src/acme_core/__init__.py",
      "app:/main.py acme_core.inner -> lib:/src/acme_core/inner.py"},
     {"Python acme-core >=2,<3 2.1 agrees"}},
    {"python_setup",
     {{"setup.py", "from setuptools import setup\nsetup(name='acme', version='1.0')\n"},
      {"acme/__init__.py", "def run(): pass\n"},
      {"helpers/__init__.py", "def helper(): pass\n"}},
     {{"requirements.txt", "acme==2.0  # pinned\n"}, {"main.py", "import acme\nimport helpers\n"}},
     {"app:/main.py acme -> lib:/acme/__init__.py"},
     {"Python acme ==2.0 1.0 differs"}},
    {"go",
     {{"go.mod", "module example.com/lib/v2\n\ngo 1.22\n"},
      {"lib.go", "package lib\n\nfunc Run() {}\n"},
      {"inner/a.go", "package inner\n\nfunc A() {}\n"}},
     {{"go.mod", "module example.com/app\n\nrequire example.com/lib/v2 v2.0.1\n"},
      {"go.work", "use .\n"},
      {"main.go",
       "package main\n\nimport (\n\t\"example.com/lib/v2\"\n"
       "\t\"example.com/lib/v2/inner\"\n\t\"example.com/library\"\n)\n"}},
     {"app:/main.go example.com/lib/v2 -> lib:/lib.go",
      "app:/main.go example.com/lib/v2/inner -> lib:/inner/a.go"},
     {"Go example.com/lib/v2 v2.0.1 - unknown"}},
    {"maven",
     {{"pom.xml",
       "<project><parent><groupId>org.acme</groupId><version>1.2.0</version></parent>"
       "<artifactId>core</artifactId></project>"},
      {"src/main/java/org/acme/core/Thing.java", "package org.acme.core;\npublic class Thing {}\n"},
      {"src/test/java/org/acme/core/Help.java", "package org.acme.core;\npublic class Help {}\n"}},
     {{"pom.xml",
       "<project><groupId>org.app</groupId><artifactId>app</artifactId><dependencies>"
       "<dependency><groupId>org.acme</groupId><artifactId>core</artifactId>"
       "<version>[1.0,2.0)</version></dependency></dependencies></project>"},
      {"src/main/java/org/app/Main.java",
       "package org.app;\nimport org.acme.core.Thing;\nimport org.acme.core.Help;\n"
       "class Main { Thing thing; }\n"}},
     {"app:/src/main/java/org/app/Main.java org.acme.core.Thing -> "
      "lib:/src/main/java/org/acme/core/Thing.java"},
     {"Maven org.acme:core [1.0,2.0) 1.2.0 agrees"}},
    {"gradle",
     {{"build.gradle.kts", "group = \"org.acme\"\nversion = \"1.0.0\"\n"},
      {"settings.gradle.kts", "rootProject.name = \"core\"\n"},
      {"src/main/kotlin/org/acme/core/run.kt", "package org.acme.core\n\nfun run() {}\n"}},
     {{"build.gradle.kts", "dependencies { implementation(\"org.acme:core:1.1.0\") }\n"},
      {"src/main/kotlin/app/Main.kt",
       "package app\n\nimport org.acme.core.run\n\nfun main() { run() }\n"}},
     {"app:/src/main/kotlin/app/Main.kt org.acme.core.run -> "
      "lib:/src/main/kotlin/org/acme/core/run.kt"},
     {"Maven org.acme:core 1.1.0 1.0.0 differs"}},
    {"cargo",
     {{"Cargo.toml", "[package]\nname = \"acme-core\"\nversion = \"0.3.1\"\n"},
      {"src/lib.rs", "pub struct Thing;\n"}},
     {{"Cargo.toml",
       "[package]\nname = \"app\"\n\n[dependencies]\nacme-core = { version = \"0.3\" }\n"},
      {"src/main.rs", "use acme_core::Thing;\n\nfn main() { let _ = Thing; }\n"}},
     {"app:/src/main.rs acme_core::Thing -> lib:/src/lib.rs"},
     {"Cargo acme-core 0.3 0.3.1 agrees"}},
    {"composer",
     {{"composer.json",
       R"({"name": "acme/core", "version": "1.4.0", "autoload": {"psr-4": {"Acme\\Core\\": "src/"}}})"},
      {"src/Thing.php", "<?php\nnamespace Acme\\Core;\nclass Thing {}\n"}},
     {{"composer.json", R"({"name": "acme/app", "require": {"acme/core": "^1.0|^2.0"}})"},
      {"app.php", "<?php\nuse Acme\\Core\\Thing;\nuse Other\\Thing as B;\nnew Thing();\n"}},
     {"app:/app.php Acme\\Core\\Thing -> lib:/src/Thing.php"},
     {"Composer acme/core ^1.0|^2.0 1.4.0 agrees"}},
    {"gem",
     {{"acme.gemspec",
       "Gem::Specification.new do |s|\n  s.name = \"acme\"\n  s.version = Acme::VERSION\nend\n"},
      {"lib/acme.rb", "module Acme\nend\n"},
      {"lib/acme/version.rb", "module Acme\n  VERSION = \"2.3.0\"\nend\n"},
      {"spec/helper.rb", "x = 1\n"}},
     {{"Gemfile", "gem \"acme\", \"~> 2.0\", require: false\n"},
      {"app.rb", "require \"acme\"\nrequire \"helper\"\n"}},
     {"app:/app.rb acme -> lib:/lib/acme.rb"},
     {"RubyGems acme ~> 2.0 2.3.0 agrees"}},
    {"hex",
     {{"mix.exs",
       "defmodule Acme.MixProject do\n  use Mix.Project\n\n  @version \"1.1.0\"\n\n"
       "  def project, do: [app: :acme, version: @version]\nend\n"},
      {"lib/acme/store.ex", "defmodule Acme.Store do\n  def get, do: 1\nend\n"}},
     {{"mix.exs",
       "defmodule App.MixProject do\n  use Mix.Project\n\n"
       "  def project, do: [app: :app, version: \"0.1.0\", deps: deps()]\n\n"
       "  defp deps, do: [{:acme, \"~> 1.0\"}, {:other, \"~> 1.0\"}]\nend\n"},
      {"lib/app.ex", "defmodule App do\n  alias Acme.Store\n\n  def run, do: Store.get()\nend\n"}},
     {"app:/lib/app.ex Acme.Store -> lib:/lib/acme/store.ex"},
     {"Hex acme ~> 1.0 1.1.0 agrees"}},
    {"nuget",
     {{"Acme.Core.csproj",
       "<Project><PropertyGroup><Version>3.0.0</Version></PropertyGroup></Project>"},
      {"Thing.cs", "namespace Acme.Core { public class Thing {} }\n"},
      {"Tests/Tests.csproj",
       "<Project><PropertyGroup><IsTestProject>true</IsTestProject>"
       "</PropertyGroup></Project>"},
      {"Tests/Help.cs", "namespace Acme.Help { public class Help {} }\n"}},
     {{"App.csproj",
       "<Project><ItemGroup><PackageReference Include=\"Acme.Core\" "
       "Version=\"2.0.0\" /></ItemGroup></Project>"},
      {"Main.cs", "using Acme.Core;\nusing Acme.Help;\nclass Main { Thing thing; }\n"}},
     {"app:/Main.cs Acme.Core -> lib:/Thing.cs"},
     {"NuGet Acme.Core 2.0.0 3.0.0 agrees"}},
    {"cmake",
     {{"CMakeLists.txt",
       "project(acme VERSION 1.2.0 LANGUAGES C)\nadd_library(acme src/a.c)\n"
       "target_include_directories(acme PUBLIC\n  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/"
       "api> PRIVATE src)\n"},
      {"api/acme/a.h", "int acme_run(void);\n"},
      {"api/plain.h", "int acme_plain(void);\n"},
      {"include/acme/b.h", "int acme_b(void);\n"},
      {"src/inner/c.h", "int acme_c(void);\n"}},
     {{"CMakeLists.txt", "project(app)\nfind_package(acme 1.0 REQUIRED)\n"},
      {"main.c",
       "#include <acme/a.h>\n#include <acme/b.h>\n#include <inner/c.h>\n"
       "#include \"plain.h\"\n"}},
     {"app:/main.c <acme/a.h> -> lib:/api/acme/a.h",
      "app:/main.c <acme/b.h> -> lib:/include/acme/b.h", "app:/main.c plain.h -> lib:/api/plain.h"},
     {"CMake acme 1.0 1.2.0 agrees"}},
};

INSTANTIATE_TEST_SUITE_P(Packages, Across, ::testing::ValuesIn(kAcrossCases),
                         [](const auto& tested) { return tested.param.name; });

// The whole way: a use in another repository is found once the links are there, and only then.
TEST(AcrossReferences, UsesInAnotherRepositoryAreFound) {
  testing::CodeFixture app({{"package.json", R"({"name": "app"})"},
                            {"a.ts", "import { z } from 'zod';\n\nz.string();\n"}});
  testing::CodeFixture library(
      {{"package.json", R"({"name": "zod", "version": "4.1.0", "main": "dist/index.js"})"},
       {"src/index.ts", "export * as z from './schemas.js';\n"},
       {"src/schemas.ts", "export function string(): string { return ''; }\n"}});
  auto app_lease = app.workspace().reader();
  auto library_lease = library.workspace().reader();
  ASSERT_TRUE(app_lease.ok() && library_lease.ok());
  const auto reader = store::UnitedReader::make({{"app", &**app_lease}, {"lib", &**library_lease}});
  ReferenceQuery query;
  query.symbol = "string";
  query.file_path = "lib:/src/schemas.ts";
  const auto places = [&] {
    FactsCache cache;
    std::vector<std::string> found;
    auto answer = find_references(cache, *reader, query);
    EXPECT_TRUE(answer.ok());
    if (!answer.ok()) return found;
    for (const ReferenceItem& item : answer->items) {
      if (item.is_definition || item.confidence != Confidence::kResolved) continue;
      found.push_back(item.path + ":" + std::to_string(item.position.line));
    }
    return found;
  };
  EXPECT_TRUE(places().empty());
  auto linked = link_imports(*reader, {});
  ASSERT_TRUE(linked.ok());
  reader->set_links(std::make_shared<store::CrossLinks>(std::move(linked->rows)));
  EXPECT_EQ(places(), std::vector<std::string>{"app:/a.ts:3"});
}

}  // namespace
}  // namespace codexmem::graph

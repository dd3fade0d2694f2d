#include "graph/imports/import_resolver.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "text/json_comments.h"
#include "graph/ecma/package_json.h"

namespace codexmem::graph {
namespace {

ProjectFile project_file(const std::string& path, store::FileId id = {},
                         std::string_view text = "") {
  const parse::Language* const language = parse::detect_language(path, text);
  return {id, path, language ? parse::family_of(*language) : parse::Family::kNone};
}

// A repository in memory: path to text.
class Tree : public ConfigSource {
 public:
  explicit Tree(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {
    std::int64_t id = 0;
    for (const auto& [path, text] : texts_) {
      files_.push_back(project_file(path, store::FileId{++id}, text));
    }
  }
  std::optional<std::string> read(std::string_view path) override {
    const auto found = texts_.find(std::string(path));
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::vector<ProjectFile>& files() const { return files_; }

 private:
  std::map<std::string, std::string> texts_;
  std::vector<ProjectFile> files_;
};

parse::FileFacts import_of(const std::string& path, const std::vector<std::string>& names = {},
                           bool from_import = false, bool is_require = false) {
  parse::FileFacts facts;
  facts.names = names;
  parse::Import import;
  import.path = path;
  import.from_import = from_import;
  if (is_require) import.kind = parse::ImportKind::kRequire;
  for (std::uint32_t i = 0; i < names.size(); ++i) import.names.push_back({i, i, 0, false});
  facts.imports.push_back(import);
  return facts;
}

// "path path" of the targets, "external PACKAGE", or "" when nothing is found.
std::string resolve(Tree& tree, const std::string& source, const std::string& specifier,
                    const std::vector<std::string>& names = {}, bool is_require = false) {
  ImportResolver resolver(tree.files(), tree);
  const ResolvedImport resolved = resolver.resolve(
      project_file(source), import_of(specifier, names, !names.empty(), is_require), 0);
  if (resolved.is_external) return "external " + resolved.package;
  std::string text;
  for (const ImportTarget& target : resolved.targets) {
    if (!text.empty()) text += ' ';
    text += target.path;
  }
  return text;
}

struct Case {
  std::string source, specifier, want;
  std::vector<std::string> names = {};
  bool is_require = false;
};

void expect_all(Tree& tree, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(resolve(tree, c.source, c.specifier, c.names, c.is_require), c.want)
        << c.source << " imports " << c.specifier;
  }
}

TEST(EcmaScriptImports, RelativeSpecifiersProbeFilesThenFolders) {
  Tree tree({{"src/a.ts", ""},
             {"src/b.tsx", ""},
             {"src/c.d.ts", ""},
             {"src/d.mts", ""},
             {"src/f.js", ""},
             {"src/data.json", ""},
             {"src/folder/index.ts", ""},
             {"src/both.ts", ""},
             {"src/both/index.ts", ""},
             {"src/manifest/package.json", R"({"main": "./code/start.js"})"},
             {"src/manifest/code/start.ts", ""},
             {"src/tool.py", ""},
             {"index.js", ""},
             {"style.css", ""}});
  expect_all(tree, {{"src/a.ts", "./b", "src/b.tsx"},
                    {"src/a.ts", "./b.js", "src/b.tsx"},
                    {"src/a.ts", "./b.jsx", "src/b.tsx"},
                    {"src/a.ts", "./c", "src/c.d.ts"},
                    {"src/a.ts", "./d.mjs", "src/d.mts"},
                    {"src/a.ts", "./f.js", "src/f.js"},
                    {"src/a.ts", "./data.json", "src/data.json"},
                    {"src/a.ts", "./folder", "src/folder/index.ts"},
                    {"src/a.ts", "./folder/", "src/folder/index.ts"},
                    {"src/a.ts", "./both", "src/both.ts"},
                    {"src/a.ts", "./both/", "src/both/index.ts"},
                    {"src/folder/index.ts", "..", ""},
                    {"src/folder/index.ts", "../..", "index.js"},
                    {"src/a.ts", "./manifest", "src/manifest/code/start.ts"},
                    {"src/a.ts", "../style.css?inline", "style.css"},
                    {"src/a.ts", "./tool.py", ""},
                    {"src/a.ts", "./tool", ""},
                    {"src/a.ts", "../../outside", ""},
                    {"src/a.ts", "./missing", ""}});
}

TEST(EcmaScriptImports, TypeScriptGetsDeclarationsAndJavaScriptGetsJavaScript) {
  Tree tree({{"fastify.js", ""},
             {"fastify.d.ts", ""},
             {"both.ts", ""},
             {"both.js", ""},
             {"module.mjs", ""},
             {"module.d.mts", ""},
             {"folder/index.js", ""},
             {"folder/index.d.ts", ""},
             {"test/types/a.ts", ""},
             {"test/types/a.js", ""}});
  for (const std::string importer : {"a.ts", "a.tsx", "a.mts", "a.d.ts"}) {
    const std::string source = "test/types/" + importer;
    expect_all(tree, {{source, "../../fastify.js", "fastify.d.ts"},
                      {source, "../../fastify", "fastify.d.ts"},
                      {source, "../../both.js", "both.ts"},
                      {source, "../../module.mjs", "module.d.mts"},
                      {source, "../../folder", "folder/index.d.ts"},
                      {source, "../../folder/index.js", "folder/index.d.ts"}});
  }
  for (const std::string importer : {"a.js", "a.jsx", "a.mjs", "a.cjs"}) {
    const std::string source = "test/types/" + importer;
    expect_all(tree, {{source, "../../fastify.js", "fastify.js"},
                      {source, "../../fastify", "fastify.js"},
                      {source, "../../both", "both.ts"},
                      {source, "../../module.mjs", "module.mjs"},
                      {source, "../../folder", "folder/index.js"},
                      {source, "../../folder/index.js", "folder/index.js"}});
  }
  // One resolver, files of one folder.
  ImportResolver resolver(tree.files(), tree);
  const auto facts = import_of("../../fastify.js");
  EXPECT_EQ(resolver.resolve(project_file("test/types/a.js"), facts, 0).targets.at(0).path,
            "fastify.js");
  EXPECT_EQ(resolver.resolve(project_file("test/types/a.ts"), facts, 0).targets.at(0).path,
            "fastify.d.ts");
}

TEST(EcmaScriptImports, PackagesAndBuiltInsAreExternal) {
  Tree tree({{"src/a.ts", ""}, {"util/index.ts", ""}, {"package.json", "{}"}});
  expect_all(tree, {{"src/a.ts", "lodash/merge", "external lodash"},
                    {"src/a.ts", "@scope/name/sub", "external @scope/name"},
                    {"src/a.ts", "node:fs/promises", "external fs"},
                    {"src/a.ts", "fs", "external fs"},
                    {"src/a.ts", "util", "external util"},
                    {"src/a.ts", "https://esm.sh/x", "external https://esm.sh/x"}});
}

TEST(EcmaScriptImports, TsconfigPathsFollowExtendsAndComments) {
  Tree tree(
      {{"tsconfig.base.json", R"(/* shared */ {"compilerOptions": {
                 "baseUrl": ".", // the root
                 "paths": {"@lib/*": ["packages/lib/src/*", "fallback/*"], "@exact": ["one.ts"],},
               },})"},
       {"packages/app/tsconfig.json", R"({"extends": "../../tsconfig.base"})"},
       {"packages/app/main.ts", ""},
       {"packages/lib/src/x.ts", ""},
       {"fallback/y.ts", ""},
       {"one.ts", ""},
       {"shared/deep.ts", ""},
       {"other/tsconfig.json", R"({"extends": ["./a.json", "./b.json"], "compilerOptions": {}})"},
       {"other/a.json", R"({"compilerOptions": {"paths": {"~/*": ["./wrong/*"]}}})"},
       {"other/b.json", R"({"compilerOptions": {"paths": {"~/*": ["./right/*"]}}})"},
       {"other/right/z.ts", ""},
       {"other/wrong/z.ts", ""},
       {"other/main.ts", ""},
       {"vite/tsconfig.json", R"({"files": [], "references": [{"path": "./tsconfig.app.json"}]})"},
       {"vite/tsconfig.app.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}}})"},
       {"vite/src/view.tsx", ""},
       {"bundled/package.json", "{}"},
       {"bundled/src/part.ts", ""},
       {"loop/tsconfig.json", R"({"extends": "./tsconfig.json"})"},
       {"loop/main.ts", ""}});
  expect_all(tree, {{"packages/app/main.ts", "@lib/x", "packages/lib/src/x.ts"},
                    {"packages/app/main.ts", "@lib/y", "fallback/y.ts"},
                    {"packages/app/main.ts", "@exact", "one.ts"},
                    {"packages/app/main.ts", "shared/deep", "shared/deep.ts"},
                    {"other/main.ts", "~/z", "other/right/z.ts"},
                    {"vite/src/main.tsx", "@/view", "vite/src/view.tsx"},
                    {"bundled/src/main.ts", "@/part", "bundled/src/part.ts"},
                    {"loop/main.ts", "@lib/x", "external @lib/x"}});
}

TEST(EcmaScriptImports, WorkspacePackagesLeadToSources) {
  Tree tree({{"package.json", R"({"workspaces": ["packages/*", "!packages/hidden"]})"},
             {"packages/one/package.json",
              R"({"name": "@acme/one", "main": "dist/index.js", "types": "./dist/index.d.ts"})"},
             {"packages/one/src/index.ts", ""},
             {"packages/two/package.json", R"({"name": "two", "exports": {
                 ".": {"types": "./dist/esm/main.d.ts", "default": "./dist/cjs/main.cjs"},
                 "./locales/*": "./build/locales/*.js",
                 "./source": {"@acme/source": "./src/special.ts", "default": "./dist/s.js"}},
                 "imports": {"#internal/*": "./dist/internal/*.js", "#ext": "lodash"}})"},
             {"packages/two/src/main.ts", ""},
             {"packages/two/src/locales/en.ts", ""},
             {"packages/two/src/special.ts", ""},
             {"packages/two/src/internal/a.ts", ""},
             {"packages/built/package.json", R"({"name": "built", "main": "out/x.js"})"},
             {"packages/built/tsconfig.json",
              R"({"compilerOptions": {"outDir": "out", "rootDir": "code"}})"},
             {"packages/built/code/x.ts", ""},
             {"apps/web/package.json", R"({"name": "web"})"},
             {"apps/web/main.ts", ""},
             {"packages/one/test/fixtures/react/package.json", R"({"name": "react"})"},
             {"packages/one/test/fixtures/react/index.js", ""}});
  expect_all(tree,
             {{"apps/web/main.ts", "@acme/one", "packages/one/src/index.ts"},
              {"apps/web/main.ts", "two", "packages/two/src/main.ts"},
              {"apps/web/main.ts", "two/locales/en", "packages/two/src/locales/en.ts"},
              {"apps/web/main.ts", "two/source", "packages/two/src/special.ts"},
              {"apps/web/main.ts", "built", "packages/built/code/x.ts"},
              {"packages/two/src/main.ts", "#internal/a", "packages/two/src/internal/a.ts"},
              {"packages/two/src/main.ts", "#ext", "external lodash"},
              {"packages/two/src/main.ts", "two/locales/en", "packages/two/src/locales/en.ts"},
              {"apps/web/main.ts", "two/missing", ""},
              {"apps/web/main.ts", "react", "external react"}});
}

TEST(EcmaScriptImports, JavaScriptGetsWhatAManifestRuns) {
  Tree tree({{"package.json",
              R"({"name": "fastify", "main": "fastify.js", "types": "types/index.d.ts"})"},
             {"fastify.js", ""},
             {"types/index.d.ts", ""},
             {"types/described.d.ts", ""},
             {"types/described.js", ""},
             {"inner/package.json", R"({"types": "./described.d.ts"})"},
             {"inner/described.d.ts", ""},
             {"inner/index.js", ""},
             {"test/a.js", ""},
             {"test/a.ts", ""},
             {"test/data.json", ""}});
  expect_all(tree, {{"test/a.js", "..", "fastify.js"},
                    {"test/a.ts", "..", "types/index.d.ts"},
                    {"test/a.js", "fastify", "fastify.js"},
                    {"test/a.js", "../types/described", "types/described.js"},
                    {"test/a.ts", "../types/described", "types/described.d.ts"},
                    {"test/a.js", "../inner/index", "inner/index.js"},
                    {"test/a.js", "./data", "test/data.json"},
                    {"test/a.ts", "./data", ""}});
}

TEST(EcmaScriptImports, ConditionsAreThoseOfTheImporter) {
  Tree tree({{"package.json", R"({"name": "grid", "exports": {
                 ".": {"types": {"require": "./index.d.cts", "default": "./index.d.ts"},
                       "browser": "./browser.js",
                       "default": {"require": "./dist/node/grid.cjs", "default": "./index.js"}},
                 "./dual": {"require": "./dual.cjs", "import": "./dual.mjs"},
                 "./features/": "./src/features/",
                 "./typed": {"types": "./types/typed.d.ts", "default": "./src/untyped.js"},
                 "./kept": "./dist/kept.js"},
               "imports": {"#dual": {"require": "./dual.cjs", "default": "./dual.mjs"}}})"},
             {"index.js", ""},
             {"index.d.ts", ""},
             {"index.d.cts", ""},
             {"browser.js", ""},
             {"dist/node/grid.cjs", ""},
             {"dist/kept.js", ""},
             {"dual.cjs", ""},
             {"dual.mjs", ""},
             {"src/features/one.ts", ""},
             {"src/untyped.js", ""},
             {"types/typed.d.ts", ""},
             {"test/a.js", ""},
             {"test/a.ts", ""}});
  expect_all(tree, {{"test/a.js", "grid", "index.js"},
                    {"test/a.js", "grid", "index.js", {}, true},
                    {"test/a.ts", "grid", "index.js"},
                    {"test/a.ts", "grid", "index.js", {}, true},
                    {"test/a.js", "grid/dual", "dual.mjs"},
                    {"test/a.js", "grid/dual", "dual.cjs", {}, true},
                    {"test/a.ts", "#dual", "dual.mjs"},
                    {"test/a.ts", "#dual", "dual.cjs", {}, true},
                    {"test/a.ts", "grid/features/one.js", "src/features/one.ts"},
                    {"test/a.ts", "grid/typed", "types/typed.d.ts"},
                    {"test/a.js", "grid/typed", "src/untyped.js"},
                    {"test/a.js", "grid/kept", "dist/kept.js"}});
}

TEST(EcmaScriptImports, LinkedPackagesAreSeenThoughTheyAreExamples) {
  Tree tree({{"package.json", R"({"name": "root"})"},
             {"examples/app/package.json", R"({"dependencies": {"api": "link:./src/api"}})"},
             {"examples/app/src/api/package.json", R"({"name": "api", "main": "client.ts"})"},
             {"examples/app/src/api/client.ts", ""},
             {"examples/app/src/page.ts", ""},
             {"src/main.ts", ""}});
  expect_all(tree, {{"examples/app/src/page.ts", "api", "examples/app/src/api/client.ts"},
                    {"src/main.ts", "api", "external api"}});
}

TEST(EcmaScriptImports, ConfigurationsAreReadAsTheCompilerDoes) {
  Tree tree(
      {// A base that speaks of the folder of what extends it.
       {"config/base.json", R"({"compilerOptions": {"baseUrl": "${configDir}",
                  "paths": {"@app/*": ["${configDir}/code/*"]}}})"},
       {"one/tsconfig.json", R"({"extends": "../config/base.json"})"},
       {"one/code/a.ts", ""},
       {"one/react.json", ""},
       {"one/shared/b.ts", ""},
       {"config/shared/b.ts", ""},
       // A baseUrl of the file that extends moves the paths of the base.
       {"two/tsconfig.json",
        R"({"extends": "./paths.json", "compilerOptions": {"baseUrl": "in"}})"},
       {"two/paths.json", R"({"compilerOptions": {"paths": {"x/*": ["y/*"]}}})"},
       {"two/in/y/c.ts", ""},
       {"two/y/c.ts", ""},
       // Of the configurations of one folder, the one that includes the file.
       {"three/tsconfig.json", R"({"files": [], "references": [
                  {"path": "./tsconfig.test.json"}, {"path": "./tsconfig.app.json"},
                  {"path": "./configs/extra.json"}]})"},
       {"three/tsconfig.app.json",
        R"({"include": ["src"], "compilerOptions": {"paths": {"~/*": ["./src/*"]}}})"},
       {"three/tsconfig.test.json",
        R"({"include": ["test/**/*"], "compilerOptions": {"paths": {"~/*": ["./test/*"]}}})"},
       {"three/configs/extra.json",
        R"({"include": ["../extra"], "compilerOptions": {"paths": {"~/*": ["../extra/*"]}}})"},
       {"three/src/d.ts", ""},
       {"three/test/d.ts", ""},
       {"three/extra/d.ts", ""},
       // Folders that are one.
       {"four/tsconfig.json", R"({"compilerOptions": {"rootDirs": ["src", "generated"]}})"},
       {"four/src/views/e.ts", ""},
       {"four/generated/views/f.ts", ""},
       // Packages that are not part of the repository.
       {"five/tsconfig.json", R"({"extends": "@acme/config"})"},
       {"node_modules/@acme/config/tsconfig.json",
        R"({"compilerOptions": {"paths": {"five/*": ["${configDir}/lib/*"]}}})"},
       {"five/lib/g.ts", ""},
       {"endless/tsconfig.json", R"({"extends": ["./tsconfig.json", "./tsconfig.json"]})"}});
  expect_all(tree, {{"one/main.ts", "@app/a", "one/code/a.ts"},
                    {"one/main.ts", "shared/b", "one/shared/b.ts"},
                    {"one/main.ts", "react", "external react"},
                    {"two/main.ts", "x/c", "two/in/y/c.ts"},
                    {"three/src/main.ts", "~/d", "three/src/d.ts"},
                    {"three/test/main.ts", "~/d", "three/test/d.ts"},
                    {"three/extra/main.ts", "~/d", "three/extra/d.ts"},
                    {"four/src/views/main.ts", "./f", "four/generated/views/f.ts"},
                    {"four/generated/views/main.ts", "./e", "four/src/views/e.ts"},
                    {"five/main.ts", "five/g", "five/lib/g.ts"},
                    {"endless/main.ts", "x", "external x"}});
}

TEST(EcmaScriptImports, BundlersFindPlatformFilesAndComponents) {
  Tree tree({{"src/button.ios.tsx", ""}, {"src/App.vue", ""}, {"src/main.ts", ""}});
  expect_all(tree, {{"src/main.ts", "./button", "src/button.ios.tsx"},
                    {"src/main.ts", "./App", "src/App.vue"}});
}

TEST(EcmaScriptImports, SvelteKitCallsItsSourcesLib) {
  Tree tree({{"web/package.json", "{}"},
             {"web/src/lib/Card.svelte", ""},
             {"web/src/lib/state.svelte.ts", ""},
             {"web/src/lib/index.ts", ""},
             {"web/src/routes/+page.svelte", ""}});
  const char* page = "web/src/routes/+page.svelte";
  expect_all(tree, {{page, "$lib/Card.svelte", "web/src/lib/Card.svelte"},
                    {page, "$lib", "web/src/lib/index.ts"},
                    {page, "$lib/state.svelte", "web/src/lib/state.svelte.ts"},
                    {page, "$app/stores", "external $app"}});
}

TEST(EcmaScriptImports, PnpmWorkspacesAreRead) {
  Tree tree({{"package.json", "{}"},
             {"pnpm-workspace.yaml", "packages:\n  - 'libs/**'  # all\ncatalog:\n  - other\n"},
             {"libs/deep/one/package.json", R"({"name": "one"})"},
             {"libs/deep/one/index.ts", ""},
             {"main.ts", ""}});
  expect_all(tree, {{"main.ts", "one", "libs/deep/one/index.ts"}});
}

TEST(PythonImports, AbsoluteNamesStartAtTheLikelyRoots) {
  Tree tree({{"pyproject.toml", ""},
             {"src/pkg/__init__.py", ""},
             {"src/pkg/core.py", ""},
             {"src/pkg/sub/__init__.py", ""},
             {"src/pkg/sub/leaf.py", ""},
             {"src/pkg/typed.pyi", ""},
             {"src/pkg/types.py", ""},
             {"tests/__init__.py", ""},
             {"tests/util.py", ""},
             {"tests/test_core.py", ""},
             {"scripts/run.py", ""},
             {"scripts/helper.py", ""},
             {"namespace/inner/thing.py", ""},
             {"test/data.py", ""},
             {"web/app.ts", ""}});
  expect_all(tree, {{"tests/test_core.py", "pkg", "src/pkg/__init__.py"},
                    {"tests/test_core.py", "pkg.core", "src/pkg/core.py"},
                    {"tests/test_core.py", "pkg.sub.leaf", "src/pkg/sub/leaf.py"},
                    {"tests/test_core.py", "pkg.typed", "src/pkg/typed.pyi"},
                    {"tests/test_core.py", "tests.util", "tests/util.py"},
                    {"scripts/run.py", "helper", "scripts/helper.py"},
                    {"scripts/run.py", "namespace.inner.thing", "namespace/inner/thing.py"},
                    {"src/pkg/core.py", "types", "external types"},
                    {"src/pkg/core.py", "test", "external test"},
                    {"src/pkg/core.py", "os.path", "external os"},
                    {"src/pkg/core.py", "numpy.linalg", "external numpy"},
                    {"src/pkg/core.py", "pkg._speedups", ""},
                    {"src/pkg/core.py", "web", "external web"}});
}

TEST(PythonImports, FromImportsLeadToSubmodulesToo) {
  Tree tree({{"pkg/__init__.py", ""},
             {"pkg/a.py", ""},
             {"pkg/b/__init__.py", ""},
             {"pkg/b/c.py", ""},
             {"spaces/x.py", ""}});
  expect_all(tree, {{"pkg/a.py", "pkg", "pkg/__init__.py pkg/b/__init__.py", {"b", "name"}},
                    {"pkg/a.py", ".", "pkg/__init__.py pkg/b/__init__.py", {"b"}},
                    {"pkg/b/c.py", "..", "pkg/__init__.py pkg/a.py", {"a"}},
                    {"pkg/b/c.py", "..a", "pkg/a.py", {"name"}},
                    {"pkg/b/c.py", ".", "pkg/b/__init__.py", {"*"}},
                    {"pkg/a.py", "spaces", "spaces/x.py", {"x"}},
                    {"pkg/a.py", "...", "", {"x"}}});
}

TEST(PythonImports, ProjectsNameTheirPackageFolders) {
  Tree tree({{"one/setup.cfg", "[options]\npackage_dir =\n    = code\n"},
             {"one/code/alpha/__init__.py", ""},
             {"two/setup.py", "setup(package_dir={'': 'py'})\n"},
             {"two/py/beta.py", ""},
             {"three/pyproject.toml", "[tool.setuptools.packages.find]\nwhere = [\"srcs\"]\n"},
             {"three/srcs/gamma/__init__.py", ""},
             {"four/pyrightconfig.json", R"({"extraPaths": ["more"], // here too
                  "executionEnvironments": [{"root": "env", "extraPaths": ["env/deep"]},]})"},
             {"four/more/delta.py", ""},
             {"four/env/epsilon.py", ""},
             {"four/env/deep/zeta.py", ""},
             {"five/pytest.ini", "[pytest]\npythonpath = helpers util\n"},
             {"five/util/eta.py", ""},
             {"six/pyproject.toml", "packages = [\"backend/theta\"]\n"},
             {"six/backend/theta/__init__.py", ""},
             {"one/tests/t.py", ""}});
  expect_all(tree, {{"four/t.py", "delta", "four/more/delta.py"},
                    {"four/t.py", "epsilon", "four/env/epsilon.py"},
                    {"four/t.py", "zeta", "four/env/deep/zeta.py"},
                    {"five/t.py", "eta", "five/util/eta.py"},
                    {"six/t.py", "theta", "six/backend/theta/__init__.py"},
                    {"one/tests/t.py", "alpha", "one/code/alpha/__init__.py"},
                    {"one/tests/t.py", "beta", "two/py/beta.py"},
                    {"one/tests/t.py", "gamma", "three/srcs/gamma/__init__.py"}});
}

TEST(PythonImports, AModuleOfAPackageIsNotTheLibraryOfItsName) {
  Tree tree(
      {{"pkg/__init__.py", ""}, {"pkg/yaml.py", ""}, {"pkg/script.py", ""}, {"pkg/helper.py", ""}});
  expect_all(tree, {{"pkg/yaml.py", "yaml", "external yaml"},
                    {"pkg/yaml.py", "yaml.cyaml", "external yaml"},
                    {"pkg/yaml.py", "pkg.yaml", "pkg/yaml.py"},
                    {"pkg/script.py", "helper", "pkg/helper.py"}});
}

TEST(PythonImports, WhatIsRunInAFolderAboveIsFound) {
  Tree tree({{"backend/app/core/config.py", ""},
             {"backend/app/main.py", ""},
             {"backend/redis/dump.txt", ""},
             {"backend/lib/__init__.py", ""},
             {"backend/lib/yaml/__init__.py", ""},
             {"backend/lib/yaml/dumper.py", ""}});
  expect_all(tree, {{"backend/app/main.py", "app.core.config", "backend/app/core/config.py"},
                    {"backend/lib/yaml/dumper.py", "yaml", "external yaml"},
                    {"backend/app/main.py", "redis", "external redis"}});
}

TEST(PythonImports, ProjectsOfTestsAreSeenFromInsideAlone) {
  Tree tree({{"tests/data/project/pyproject.toml", ""},
             {"tests/data/project/a.py", ""},
             {"tests/data/project/b.py", ""},
             {"tests/test_it.py", ""}});
  expect_all(tree, {{"tests/test_it.py", "a", "external a"},
                    {"tests/data/project/b.py", "a", "tests/data/project/a.py"}});
}

TEST(ImportResolver, AScriptWithoutAnExtensionImportsAsItsLanguageDoes) {
  Tree tree({{"bin/tool", "#!/usr/bin/env python3\n"},
             {"bin/run", "#!/usr/bin/env node\n"},
             {"bin/help.py", ""},
             {"bin/help.js", ""}});
  ImportResolver resolver(tree.files(), tree);
  const auto& files = tree.files();  // by path: help.js, help.py, run, tool
  EXPECT_EQ(resolver.resolve(files[3], import_of("help"), 0).targets.at(0).path, "bin/help.py");
  EXPECT_EQ(resolver.resolve(files[2], import_of("./help"), 0).targets.at(0).path, "bin/help.js");
  EXPECT_TRUE(resolver.resolve(project_file("a.go"), import_of("./help"), 0).targets.empty());
}

TEST(ImportResolver, RowsSayWhichNameComesFromWhere) {
  Tree tree({{"pkg/__init__.py", ""}, {"pkg/a.py", ""}, {"main.py", ""}});
  ImportResolver resolver(tree.files(), tree);
  parse::FileFacts facts = import_of("pkg", {"a", "name"}, true);
  facts.imports.push_back(import_of("os").imports[0]);
  const std::vector<std::uint32_t> lines = {3, 4};
  const auto rows =
      resolver.make_dependencies(project_file("main.py", store::FileId{1}), facts, lines);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].symbols, std::vector<std::string>{"name"});
  EXPECT_EQ(rows[0].package, "pkg");
  EXPECT_EQ(rows[1].symbols, std::vector<std::string>{"a"});
  EXPECT_EQ(rows[1].package, "pkg.a");
  EXPECT_EQ(rows[1].import_index, 0U);
  EXPECT_EQ(rows[1].line, 3U);
  EXPECT_TRUE(rows[2].is_external);
  EXPECT_EQ(rows[2].package, "os");
}

TEST(GoImports, ModulesWorkspacesReplacedAndVendored) {
  Tree tree({{"go.mod",
              "module example.com/m // the root\n\nrequire (\n\tgithub.com/x/y v1.2.3\n"
              "\texample.com/other v0.1.0\n\texample.com/far v0.1.0\n)\n"
              "replace example.com/other => ./forks/other\n"},
             {"go.work", "use (\n\t.\n\t./tools\n)\n"},
             {"a_test.go", ""},
             {"b.go", ""},
             {"in/in_test.go", ""},
             {"in/z.go", ""},
             {"in/only/only_test.go", ""},
             {"forks/other/o.go", ""},
             {"far/go.mod", "module example.com/far\n"},
             {"far/f.go", ""},
             {"tools/go.mod", "module example.com/tools\nrequire example.com/m v0.0.1\n"},
             {"tools/t.go", ""},
             {"vendor/github.com/v/w/w.go", ""}});
  const Case cases[] = {
      {"b.go", "example.com/m/in", "in/z.go"},
      {"b.go", "example.com/m", "b.go"},
      {"b.go", "example.com/m/in/only", "in/only/only_test.go"},
      {"b.go", "example.com/m/gone", ""},
      {"b.go", "example.com/other", "forks/other/o.go"},
      {"b.go", "example.com/far", "external example.com/far@v0.1.0"},
      {"b.go", "example.com/tools", "tools/t.go"},
      {"tools/t.go", "example.com/m/in", "in/z.go"},
      {"b.go", "github.com/v/w", "vendor/github.com/v/w/w.go"},
      {"b.go", "github.com/x/y/z", "external github.com/x/y@v1.2.3"},
      {"b.go", "net/http", "external net/http"},
      {"b.go", "github.com/q/r", "external github.com/q/r"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(resolve(tree, each.source, each.specifier), each.want)
        << each.source << " " << each.specifier;
  }
}

TEST(JsonComments, StringsKeepWhatLooksLikeComments) {
  EXPECT_EQ(strip_json_comments("{\"a\": \"/* b */ // c\", /* d */ }"),
            "{\"a\": \"/* b */ // c\"    }");
}

TEST(Workspaces, GlobsMatchWithinComponents) {
  EXPECT_TRUE(glob_matches("packages/*", "packages/a"));
  EXPECT_FALSE(glob_matches("packages/*", "packages/a/b"));
  EXPECT_TRUE(glob_matches("packages/**", "packages/a/b"));
  EXPECT_TRUE(glob_matches("{apps,libs}/*", "libs/b"));
  EXPECT_FALSE(glob_matches("packages/*-x", "packages/a"));
}

TEST(ImportResolver, ArtifactsOfJava) {
  Tree tree(
      {{"pom.xml",
        "<project><properties><lang.version>3.14.0</lang.version></properties>\n"
        "<!-- <dependency><groupId>org.gone</groupId><artifactId>gone</artifactId>"
        "<version>1</version></dependency> -->\n"
        "<dependencyManagement><dependencies><dependency><groupId>org.apache.commons</groupId>"
        "<artifactId>commons-lang3</artifactId><version>${lang.version}</version></dependency>"
        "</dependencies></dependencyManagement></project>"},
       {"core/pom.xml",
        "<project><dependencies>\n"
        "<dependency><groupId>org.apache.commons</groupId>"
        "<artifactId>commons-lang3</artifactId></dependency>\n"
        "<dependency><groupId>org.apache.commons</groupId>"
        "<artifactId>commons-text</artifactId><version>1.12</version></dependency>\n"
        "<dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
        "<version>4.13.2</version></dependency>\n"
        "</dependencies></project>"},
       {"core/src/main/java/a/A.java", "package a;"},
       {"app/build.gradle.kts",
        "// don't\ndependencies { implementation(\"com.squareup.moshi:moshi:1.15.0\") }"},
       {"app/src/main/java/b/B.java", "package b;"}});
  const std::string core = "core/src/main/java/a/A.java";
  EXPECT_EQ(resolve(tree, core, "org.apache.commons.lang3.StringUtils"),
            "external org.apache.commons:commons-lang3@3.14.0");
  EXPECT_EQ(resolve(tree, core, "org.apache.commons.text.WordUtils"),
            "external org.apache.commons:commons-text@1.12");
  EXPECT_EQ(resolve(tree, core, "org.junit.Test"), "external junit:junit@4.13.2");
  EXPECT_EQ(resolve(tree, core, "org.gone.Gone"), "external org.gone.Gone");
  EXPECT_EQ(resolve(tree, core, "java.util.List"), "external java.util.List");
  EXPECT_EQ(resolve(tree, "app/src/main/java/b/B.java", "com.squareup.moshi.Moshi"),
            "external com.squareup.moshi:moshi@1.15.0");
  EXPECT_EQ(resolve(tree, "app/src/main/java/b/B.java", "org.junit.Test"),
            "external org.junit.Test");
}

TEST(ImportResolver, ClassesOfPhp) {
  Tree tree({{"composer.json",
              R"({"autoload": {"psr-4": {"Acme\\Core\\": "src/"}, "psr-0": {"Old_": "lib/"},
                  "files": ["src/functions_include.php"]},
                  "autoload-dev": {"psr-4": {"Acme\\Tests\\": ["tests/", "more"]}},
                  "require": {"php": ">=8", "psr/log": "^3", "guzzlehttp/guzzle": "^7",
                  "symfony/console": "*"}, "require-dev": {"phpunit/phpunit": "^11"}})"},
             {"src/A.php", "<?php namespace Acme\\Core;"},
             {"src/Text/Words.php", "<?php namespace Acme\\Core\\Text;"},
             {"src/functions.php", "<?php namespace Acme\\Core; function go() {}"},
             {"src/functions_include.php", "<?php require __DIR__ . '/functions.php';"},
             {"lib/Old/Way.php", "<?php class Old_Way {}"},
             {"more/ATest.php", "<?php namespace Acme\\Tests;"},
             {"plain/Shop/Cart.php", "<?php namespace Shop;"}});
  const std::string from = "src/A.php";
  EXPECT_EQ(resolve(tree, from, "Acme\\Core\\Text\\Words"), "src/Text/Words.php");
  EXPECT_EQ(resolve(tree, from, "Acme\\Tests\\ATest"), "more/ATest.php");
  EXPECT_EQ(resolve(tree, from, "Old_Way"), "lib/Old/Way.php");
  EXPECT_EQ(resolve(tree, from, "Shop\\Cart"), "plain/Shop/Cart.php");
  EXPECT_EQ(resolve(tree, from, "Psr\\Log\\LoggerInterface"), "external psr/log");
  EXPECT_EQ(resolve(tree, from, "GuzzleHttp\\Client"), "external guzzlehttp/guzzle");
  EXPECT_EQ(resolve(tree, from, "Symfony\\Component\\Console\\Command"),
            "external symfony/console");
  EXPECT_EQ(resolve(tree, from, "PHPUnit\\Framework\\TestCase"), "external phpunit/phpunit");
  EXPECT_EQ(resolve(tree, from, "DateTime"), "external php");
}

TEST(ImportResolver, NamespacesOfCSharp) {
  Tree tree({{"src/Core/Core.csproj",
              "<Project><PropertyGroup><RootNamespace>Acme.Core</RootNamespace></PropertyGroup>"
              "<ItemGroup><PackageReference Include=\"Some.Logging\" />\n"
              "<PackageReference Include=\"Some\" Version=\"1.2\" /></ItemGroup></Project>"},
             {"Directory.Packages.props",
              "<Project><PackageVersion Include=\"Some.Logging\" Version=\"3.1\" /></Project>"},
             {"src/Core/A.cs", "namespace Acme.Core;"},
             {"src/Core/Text/Words.cs", "namespace Acme.Core.Text;"},
             {"src/Acme.Other/B.cs", "namespace Acme.Other;"}});
  const std::string from = "src/Core/A.cs";
  EXPECT_EQ(resolve(tree, from, "Acme.Core.Text"), "src/Core/Text/Words.cs");
  EXPECT_EQ(resolve(tree, from, "Acme.Core.Text.Words"), "src/Core/Text/Words.cs");
  EXPECT_EQ(resolve(tree, from, "Acme.Other"), "src/Acme.Other/B.cs");
  EXPECT_EQ(resolve(tree, from, "Some.Logging.Sinks"), "external Some.Logging@3.1");
  EXPECT_EQ(resolve(tree, from, "Some.Text"), "external Some@1.2");
  EXPECT_EQ(resolve(tree, from, "System.Linq"), "external System.Linq");
}

}  // namespace
}  // namespace codexmem::graph

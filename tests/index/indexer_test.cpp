#include "index/dump_lines.h"
#include "index/run/indexer.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "embed/vector_index.h"
#include "index/discovery/file_reader.h"
#include "index/run/ordered_pipeline.h"
#include "index/run/run_lock.h"
#include "store/code/own_database.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;
using store::Workspace;

// A small repository whose files are older than any clock's grain.
class Repository : public TemporaryTree {
 public:
  void put(const std::string& path, std::string_view bytes) {
    write(path, bytes);
    age(path);
  }

  // Gives the file a time of its own, a while ago.
  void age(const std::string& path) {
    fs::last_write_time(root() / path, fs::file_time_type::clock::now() - std::chrono::hours(1) +
                                           std::chrono::microseconds(++ticks_));
  }

  void remove(const std::string& path) { fs::remove_all(root() / path); }

  void move(const std::string& from, const std::string& to) {
    fs::create_directories((root() / to).parent_path());
    fs::rename(root() / from, root() / to);
  }

  std::unique_ptr<Workspace> open() const {
    auto workspace = Workspace::open(root());
    EXPECT_TRUE(workspace.ok()) << (workspace.ok() ? "" : workspace.error().message());
    return *std::move(workspace);
  }

 private:
  int ticks_ = 0;
};

void add_project(Repository& tree) {
  tree.put("src/util.ts",
           "/** Adds. */\nexport function add(a: number, b: number) { return a + b; }\n");
  tree.put("src/app.ts",
           "import { add } from './util';\nimport fs from 'fs';\nimport './missing';\n"
           "export class App {\n  run() { return add(1, 2); }\n}\n");
  tree.put("pkg/__init__.py", "");
  tree.put("pkg/core.py",
           "from . import helper\n\ndef main():\n    \"\"\"Runs.\"\"\"\n    helper.go()\n");
  tree.put("pkg/helper.py", "def go():\n    pass\n");
  tree.put("README.md", "# Project\n\nAdds numbers.\n");
  tree.put("logo.png", "\x89PNG");
  tree.put(".gitignore", "dist/\n");
  tree.put("dist/app.js", "var a;");
}

IndexReport run(Workspace& workspace, const IndexOptions& options = {}) {
  auto report = index_repository(workspace, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
  return report.ok() ? *std::move(report) : IndexReport{};
}

// FTS5's own check that the full-text index agrees with the texts.
void expect_full_text_is_sound(Workspace& workspace) {
  auto writer = workspace.writer();
  ASSERT_TRUE(writer.ok());
  const auto checked = (*writer)->execute(
      "INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('integrity-check', 1)");
  EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : checked.error().message());
}

std::optional<std::string> meta(Workspace& workspace, std::string_view key) {
  auto lease = workspace.reader();
  auto value = (*lease)->find_meta(key);
  return value.ok() ? *value : std::nullopt;
}

std::int64_t generation(Workspace& workspace) { return *(*workspace.reader())->generation(); }

std::optional<store::FileRow> find_file(Workspace& workspace, const std::string& path) {
  return *(*workspace.reader())->find_file(path);
}

TEST(IndexRepository, FillsTheTables) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.files_processed, 7U);
  EXPECT_EQ(report.added, 7U);
  EXPECT_EQ(report.unchanged, 0U);
  EXPECT_GE(report.symbols_extracted, 5U);
  EXPECT_GT(report.embeddings_generated, 7U);
  EXPECT_TRUE(report.vectors_rebuilt);
  EXPECT_EQ(report.skipped, (std::map<std::string, std::uint64_t>{{"binary", 1}, {"ignored", 1}}));
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_FALSE(meta(*workspace, "run").has_value());
  EXPECT_TRUE(meta(*workspace, "last_run").has_value());

  auto reader = workspace->reader();
  auto add = (*reader)->list_symbols_named("add");
  ASSERT_EQ(add->size(), 1U);
  ASSERT_TRUE((*reader)->read_texts(*add).ok());
  EXPECT_EQ(add->front().docstring, "Adds.");
  EXPECT_EQ(add->front().start.line, 2U);
  const auto method = (*reader)->list_symbols_named("run");
  ASSERT_EQ(method->size(), 1U);
  EXPECT_EQ(method->front().qualified_name(), "App.run");
  ASSERT_TRUE(method->front().parent.has_value());
  EXPECT_EQ((*(*reader)->find_symbol(*method->front().parent))->name, "App");

  const auto app = find_file(*workspace, "src/app.ts");
  const auto dependencies = (*reader)->list_dependencies(app->id);
  ASSERT_EQ(dependencies->size(), 3U);
  EXPECT_EQ(dependencies->at(0).target, find_file(*workspace, "src/util.ts")->id);
  EXPECT_EQ(dependencies->at(0).line, 1U);
  EXPECT_TRUE(dependencies->at(1).is_external);
  EXPECT_FALSE(dependencies->at(2).target.has_value());
  const auto core = (*reader)->list_dependencies(find_file(*workspace, "pkg/core.py")->id);
  EXPECT_TRUE(std::any_of(core->begin(), core->end(), [&](const store::DependencyRow& row) {
    return row.target == find_file(*workspace, "pkg/helper.py")->id;
  }));
  expect_full_text_is_sound(*workspace);
}

TEST(IndexRepository, ARepeatedRunWritesNothing) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  const auto before = dump_lines(*workspace);
  const std::int64_t generation_before = generation(*workspace);
  const auto last_run = meta(*workspace, "last_run");
  auto watcher = workspace->reader();  // one connection: data_version shows other writers
  const auto version = (*watcher)->database().find_integer("PRAGMA data_version");
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.files_processed, 0U);
  EXPECT_EQ(report.unchanged, 7U);
  EXPECT_EQ(report.skipped.at("binary"), 1U);
  EXPECT_EQ(generation(*workspace), generation_before);
  EXPECT_EQ(meta(*workspace, "last_run"), last_run);
  EXPECT_EQ(*(*watcher)->database().find_integer("PRAGMA data_version"), *version);
  EXPECT_EQ(dump_lines(*workspace), before);
}

TEST(IndexRepository, AChangedTimeAloneIsNotAChange) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  const auto before = dump_lines(*workspace);
  tree.age("src/app.ts");
  EXPECT_EQ(run(*workspace).files_processed, 0U);
  EXPECT_EQ(dump_lines(*workspace), before);
  const std::int64_t noted = generation(*workspace);
  run(*workspace);
  EXPECT_EQ(generation(*workspace), noted);
}

TEST(IndexRepository, AFileWrittenTwiceWithinTheClocksGrainIsNoticed) {
  Repository tree;
  tree.write("a.ts", "export const one = 1;\n");
  // As good as now, whatever time the test takes.
  const auto time = fs::file_time_type::clock::now() + std::chrono::hours(1);
  fs::last_write_time(tree.root() / "a.ts", time);
  const auto workspace = tree.open();
  run(*workspace);
  tree.write("a.ts", "export const two = 2;\n");  // the same size
  fs::last_write_time(tree.root() / "a.ts", time);
  EXPECT_EQ(run(*workspace).changed, 1U);
  tree.write("a.ts", std::string_view("export const two = 2\0\n", 22));
  fs::last_write_time(tree.root() / "a.ts", time);
  EXPECT_EQ(run(*workspace).skipped.at("binary"), 1U);
  tree.write("a.ts", "export const six = 6;\n");
  fs::last_write_time(tree.root() / "a.ts", time);
  EXPECT_EQ(run(*workspace).added, 1U);
}

TEST(IndexRepository, AMovedFileKeepsItsRows) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  const auto before = find_file(*workspace, "src/util.ts");
  tree.move("src/util.ts", "src/lib/sums.ts");
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.renamed, 1U);
  EXPECT_EQ(report.added + report.deleted + report.changed, 0U);
  EXPECT_EQ(find_file(*workspace, "src/lib/sums.ts")->id, before->id);
  EXPECT_FALSE(find_file(*workspace, "src/util.ts").has_value());
  // The import leads nowhere now, until it is rewritten.
  const auto app = find_file(*workspace, "src/app.ts");
  EXPECT_FALSE((*workspace->reader())->list_dependencies(app->id)->at(0).target.has_value());
  expect_full_text_is_sound(*workspace);
}

TEST(IndexRepository, EqualFilesMoveByTheirNames) {
  Repository tree;
  tree.put("a/x.ts", "export const same = 1;\n");
  tree.put("a/y.ts", "export const same = 1;\n");
  const auto workspace = tree.open();
  run(*workspace);
  const auto x = find_file(*workspace, "a/x.ts")->id, y = find_file(*workspace, "a/y.ts")->id;
  tree.move("a/x.ts", "b/z/x.ts");
  tree.move("a/y.ts", "b/a/y.ts");
  EXPECT_EQ(run(*workspace).renamed, 2U);
  EXPECT_EQ(find_file(*workspace, "b/z/x.ts")->id, x);
  EXPECT_EQ(find_file(*workspace, "b/a/y.ts")->id, y);
}

TEST(IndexRepository, ANewFileGivesOldImportsTheirTarget) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  tree.put("src/missing.ts", "export {};\n");
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.added, 1U);
  EXPECT_EQ(report.dependencies_written, 1U);
  const auto app = find_file(*workspace, "src/app.ts");
  EXPECT_EQ((*workspace->reader())->list_dependencies(app->id)->at(2).target,
            find_file(*workspace, "src/missing.ts")->id);
  tree.remove("src/missing.ts");
  run(*workspace);
  EXPECT_FALSE((*workspace->reader())->list_dependencies(app->id)->at(2).target.has_value());
}

TEST(IndexRepository, AMovedDeclarationTakesTheImportsThatNameItAlong) {
  Repository tree;
  tree.put("src/a/A.kt", "package a\nfun go() {}\n");
  tree.put("src/a/B.kt", "package a\nfun stop() {}\n");
  tree.put("src/use.kt", "package c\nimport a.go\nfun run() = go()\n");
  tree.put("src/other.kt", "package c\nimport a.stop\nfun halt() = stop()\n");
  const auto workspace = tree.open();
  run(*workspace);
  const auto target = [&](const std::string& path) {
    return (*workspace->reader())->list_dependencies(find_file(*workspace, path)->id)->at(0).target;
  };
  EXPECT_EQ(target("src/use.kt"), find_file(*workspace, "src/a/A.kt")->id);
  EXPECT_EQ(target("src/other.kt"), find_file(*workspace, "src/a/B.kt")->id);
  tree.put("src/a/A.kt", "package a\nfun come() {}\n");
  tree.put("src/a/B.kt", "package a\nfun stop() {}\nfun go() {}\n");
  EXPECT_EQ(run(*workspace).dependencies_written, 1U);
  EXPECT_EQ(target("src/use.kt"), find_file(*workspace, "src/a/B.kt")->id);
  tree.put("src/a/B.kt", "package a\nfun stop() {}\n");
  EXPECT_EQ(run(*workspace).dependencies_written, 1U);
  EXPECT_NE(target("src/use.kt"), find_file(*workspace, "src/a/B.kt")->id);
  EXPECT_EQ(target("src/other.kt"), find_file(*workspace, "src/a/B.kt")->id);
}

TEST(IndexRepository, AChangedConfigurationResolvesAllImportsAgain) {
  Repository tree;
  tree.put("tsconfig.json",
           "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"one/*\"]}}}");
  tree.put("one/a.ts", "export const a = 1;\n");
  tree.put("two/a.ts", "export const a = 2;\n");
  tree.put("main.ts", "import { a } from '@/a';\n");
  const auto workspace = tree.open();
  run(*workspace);
  const auto target = [&] {
    const auto main = find_file(*workspace, "main.ts");
    return (*workspace->reader())->list_dependencies(main->id)->at(0).target;
  };
  EXPECT_EQ(target(), find_file(*workspace, "one/a.ts")->id);
  tree.put("tsconfig.json",
           "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"two/*\"]}}}");
  EXPECT_EQ(run(*workspace).dependencies_written, 1U);
  EXPECT_EQ(target(), find_file(*workspace, "two/a.ts")->id);
}

TEST(IndexRepository, ConfigurationsAreTrackedWhateverTheirNamesAndWhereverTheyAre) {
  struct Case {
    const char* path;  // that tsconfig.json extends
    const char* ignored;
  };
  const Case cases[] = {
      {"conf/base.json", ""}, {"conf/base.json", "*.json"}, {".generated/tsconfig.json", ".gen*/"}};
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.path) + " " + each.ignored);
    Repository tree;
    const auto points_to = [](const std::string& folder) {
      return "{\"compilerOptions\": {\"paths\": {\"~lib/*\": [\"../" + folder + "/*\"]}}}";
    };
    tree.put(".gitignore", std::string(each.ignored) + "\n!/tsconfig.json\n");
    tree.put("tsconfig.json", std::string("{\"extends\": \"./") + each.path + "\"}");
    tree.put("one/a.ts", "export const a = 1;\n");
    tree.put("two/a.ts", "export const a = 2;\n");
    tree.put("app.ts", "import { a } from '~lib/a';\n");
    const auto workspace = tree.open();
    run(*workspace);
    const auto target = [&] {
      const auto app = find_file(*workspace, "app.ts");
      const auto rows = (*workspace->reader())->list_dependencies(app->id);
      if (!rows->at(0).target) return std::string();
      return (*(*workspace->reader())->find_file(*rows->at(0).target))->path;
    };
    EXPECT_EQ(target(), "") << "it is not there yet";
    tree.put(each.path, points_to("one"));
    run(*workspace);
    EXPECT_EQ(target(), "one/a.ts");
    tree.put(each.path, points_to("two"));
    // Also when a run is about another file alone.
    tree.put("other.py", "x = 1\n");
    run(*workspace, {.only = {"other.py"}});
    EXPECT_EQ(target(), "two/a.ts");
    EXPECT_EQ(run(*workspace).dependencies_written, 0U);
    tree.remove(each.path);
    run(*workspace);
    EXPECT_EQ(target(), "");
  }
}

TEST(IndexRepository, ConfigurationsThatAreIgnoredAreObeyed) {
  Repository tree;
  tree.put(".codexmemignore", "*.json\n*.toml\n");
  tree.put("one/a.ts", "export const a = 1;\n");
  tree.put("two/a.ts", "export const a = 2;\n");
  tree.put("app.ts", "import { a } from '~lib/a';\n");
  tree.put("packages/core/src/index.ts", "export const core = 1;\n");
  tree.put("main.ts", "import { core } from '@own/core';\n");
  const auto workspace = tree.open();
  run(*workspace);
  const auto target = [&](const char* path) {
    const auto rows = (*workspace->reader())->list_dependencies(find_file(*workspace, path)->id);
    if (!rows->at(0).target) return std::string();
    return (*(*workspace->reader())->find_file(*rows->at(0).target))->path;
  };
  EXPECT_EQ(target("app.ts"), "");
  tree.put("tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"~lib/*\": [\"./one/*\"]}}}");
  tree.put("packages/core/package.json", "{\"name\": \"@own/core\"}");
  run(*workspace, {.only = {"tsconfig.json", "packages/core/package.json"}});
  EXPECT_EQ(target("app.ts"), "one/a.ts");
  EXPECT_EQ(target("main.ts"), "packages/core/src/index.ts");
  tree.put("tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"~lib/*\": [\"./two/*\"]}}}");
  run(*workspace);
  EXPECT_EQ(target("app.ts"), "two/a.ts");
  EXPECT_EQ(run(*workspace).dependencies_written, 0U);
  tree.put("app.ts", "import { a } from '~lib/a';\n\n");
  run(*workspace, {.only = {"app.ts"}});
  EXPECT_EQ(target("app.ts"), "two/a.ts") << "also when only some imports are resolved";
  tree.remove("packages/core/package.json");
  run(*workspace);
  EXPECT_EQ(target("main.ts"), "");
}

TEST(IndexRepository, NewIgnoreRulesTakeFilesOut) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  tree.put(".codexmemignore", "pkg/\n");
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.deleted, 3U);
  EXPECT_EQ(report.skipped.at("ignored"), 2U);
  EXPECT_FALSE(find_file(*workspace, "pkg/core.py").has_value());
  tree.remove(".codexmemignore");
  EXPECT_EQ(run(*workspace).added, 3U);
}

TEST(IndexRepository, ReadsTextInOtherEncodings) {
  Repository tree;
  const std::string source = "export function hello() { return 1; }\n";
  std::string wide = "\xFF\xFE";
  for (const char c : source) wide += {c, '\0'};
  tree.put("utf16.ts", wide);
  tree.put("bom.ts", "\xEF\xBB\xBF" + source);
  tree.put("crlf.py", "def one():\r\n    return 1\r\n");
  tree.put("latin1.py", "# caf\xE9\ndef two():\n    return 2\n");
  tree.put("data.ts", std::string("a\0b", 3));
  tree.put("script", "#!/usr/bin/env python3\ndef three():\n    return 3\n");
  tree.put("notes.xyz", "what is this\n");
  const auto workspace = tree.open();
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.files_processed, 5U);
  EXPECT_EQ(report.skipped,
            (std::map<std::string, std::uint64_t>{{"binary", 1}, {"unknown_type", 1}}));
  for (const char* name : {"one", "two", "three"}) {
    EXPECT_EQ((*workspace->reader())->list_symbols_named(name)->size(), 1U) << name;
  }
  EXPECT_EQ((*workspace->reader())->list_symbols_named("hello")->size(), 2U);
  EXPECT_EQ(find_file(*workspace, "script")->language, "python");
  EXPECT_EQ(find_file(*workspace, "latin1.py")->flags, store::kFileRepaired);
  EXPECT_EQ(find_file(*workspace, "utf16.ts")->flags, store::kFileRepaired);
  EXPECT_EQ(find_file(*workspace, "utf16.ts")->size, static_cast<std::int64_t>(wide.size()));
  EXPECT_EQ(find_file(*workspace, "bom.ts")->flags, 0U);
  EXPECT_EQ(run(*workspace).files_processed, 0U);
}

TEST(IndexRepository, GeneratedFilesHaveSymbolsButNoVectors) {
  Repository tree;
  tree.put("gen.ts", "// @generated\nexport function made() {}\n");
  tree.put("hand.ts", "export function written() {}\n");
  const auto workspace = tree.open();
  EXPECT_EQ(run(*workspace).embeddings_generated, 2U);  // hand.ts: its chunk and itself
  EXPECT_EQ((*workspace->reader())->list_symbols_named("made")->size(), 1U);
  EXPECT_EQ(find_file(*workspace, "gen.ts")->flags, store::kFileGenerated);
}

TEST(IndexRepository, VectorsLeftOutAreMadeLater) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  EXPECT_EQ(run(*workspace, {.skip_embeddings = true}).embeddings_generated, 0U);
  const IndexReport later = run(*workspace);
  EXPECT_EQ(later.files_processed, 0U);
  EXPECT_GT(later.embeddings_generated, 7U);
  EXPECT_TRUE(later.vectors_rebuilt);
  tree.put("src/util.ts", "export function sub(a: number, b: number) { return a - b; }\n");
  EXPECT_EQ(run(*workspace, {.skip_embeddings = true}).changed, 1U);
  const IndexReport missing = run(*workspace);
  EXPECT_EQ(missing.embeddings_generated, 2U);
  EXPECT_FALSE(missing.vectors_rebuilt);
  EXPECT_EQ(run(*workspace).embeddings_generated, 0U);
  const auto counts = (*workspace->reader())->counts();
  EXPECT_EQ(counts->vectors, counts->chunks + counts->files);
}

// The bytes of all vectors: they differ with the words.
std::vector<std::string> vector_bytes(Workspace& workspace) {
  auto lease = workspace.reader();
  auto query = (*lease)->database().statement(
      "SELECT f.path || '|' || e.chunk_index || '|' || hex(e.embedding) FROM embeddings AS e"
      " JOIN files AS f ON f.id = e.file_id ORDER BY f.path, e.chunk_index");
  EXPECT_TRUE(query.ok());
  std::vector<std::string> out;
  while (*query->step()) out.emplace_back(query->text(0));
  return out;
}

TEST(IndexRepository, AMovedFileGetsVectorsOfItsNewPath) {
  Repository tree;
  add_project(tree);
  tree.put("src/invoice/payment.ts", "export function total() { return 1; }\n");
  auto workspace = tree.open();
  run(*workspace);
  tree.move("src/invoice/payment.ts", "src/order/customer.ts");
  // A run that makes no vectors leaves none of the old path.
  EXPECT_EQ(run(*workspace, {.skip_embeddings = true}).renamed, 1U);
  const auto counts = (*workspace->reader())->counts();
  EXPECT_LT(counts->vectors, counts->chunks + counts->files);
  EXPECT_EQ(run(*workspace).embeddings_generated, 2U);
  const auto moved = vector_bytes(*workspace);
  tree.remove(".codexmem");
  workspace = tree.open();
  run(*workspace);
  EXPECT_EQ(moved, vector_bytes(*workspace));
}

TEST(IndexRepository, ARunWithoutVectorsKeepsWhatABrokenOffRunOwes) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  std::stop_source stop;
  const auto report = index_repository(
      *workspace, {},
      [&](const IndexProgress& now) {
        if (now.phase == IndexPhase::kResolving) stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(report.ok());
  // It finds nothing to write, and the mark goes.
  EXPECT_EQ(run(*workspace, {.skip_embeddings = true}).files_processed, 0U);
  EXPECT_FALSE(meta(*workspace, "run").has_value());
  run(*workspace);
  const auto counts = (*workspace->reader())->counts();
  EXPECT_EQ(counts->vectors, counts->chunks + counts->files);
}

TEST(IndexRepository, VectorsOfOtherFilesStayWhenTheRepositoryGrows) {
  Repository tree;
  tree.put("a.ts", "export function alpha() {}\n");
  const auto workspace = tree.open();
  run(*workspace);
  for (int i = 0; i < 20; ++i) {
    tree.put(fmt::format("b{}.ts", i), fmt::format("export function beta{}() {{}}\n", i));
  }
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.embeddings_generated, 40U);
  EXPECT_FALSE(report.vectors_rebuilt);
}

TEST(IndexRepository, TheVectorsFileFollowsTheStore) {
  Repository tree;
  for (int i = 0; i < 200; ++i) {
    tree.put(fmt::format("a{}.ts", i), fmt::format("export function alpha{}() {{}}\n", i));
  }
  const auto workspace = tree.open();
  run(*workspace, {.skip_embeddings = true});
  EXPECT_FALSE(fs::exists(workspace->vectors_path()));
  run(*workspace);
  const auto size = [&] {
    const auto index = embed::VectorIndex::load(workspace->vectors_path());
    EXPECT_TRUE(index.ok());
    return index.ok() ? (*index)->size() : 0;
  };
  EXPECT_EQ(size(), 400U);
  // A few files more are left to the search that reads the file.
  tree.put("b.ts", "export const b = 1;\n");
  run(*workspace);
  EXPECT_EQ(size(), 400U);
  for (int i = 0; i < 35; ++i) {
    tree.put(fmt::format("c{}.ts", i), fmt::format("export function gamma{}() {{}}\n", i));
  }
  run(*workspace);
  EXPECT_EQ(size(), 472U);
  fs::remove(workspace->vectors_path());
  run(*workspace);
  EXPECT_EQ(size(), 472U);
}

TEST(IndexRepository, ForceReadsEverythingAgainAndChangesNothing) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  const auto before = dump_lines(*workspace);
  EXPECT_EQ(run(*workspace, {.force = true}).changed, 7U);
  EXPECT_EQ(dump_lines(*workspace), before);
  expect_full_text_is_sound(*workspace);
}

TEST(IndexRepository, AScopeLeavesTheRestAlone) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  tree.put("src/util.ts", "export const changed = 1;\n");
  tree.put("src/new.png", "x");
  tree.put("pkg/helper.py", "def changed():\n    pass\n");
  tree.remove("pkg/core.py");
  IndexReport report = run(*workspace, {.path = "src"});
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.deleted, 0U);
  EXPECT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ((*workspace->reader())->list_skipped()->size(), 3U);  // those outside are still known
  report = run(*workspace, {.only = {"pkg/core.py", "nowhere.ts"}});
  EXPECT_EQ(report.deleted, 1U);
  EXPECT_EQ(report.changed, 0U);
  report = run(*workspace, {.path = (tree.root() / "pkg").string()});
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(index_repository(*workspace, {.path = "../x"}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(index_repository(*workspace, {.path = "nowhere"}).error().code(), ErrorCode::kNotFound);
}

TEST(IndexRepository, EditingThenIndexingEqualsIndexingFromScratch) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    Repository tree;
    std::set<std::string> paths;
    const auto source = [&](bool python) {
      std::string out;
      for (int i = below(4); i > 0; --i) {
        out += python ? fmt::format("from d{}.m{} import f{}\n", below(3), below(6), below(9))
                      : fmt::format("import {{ f{} }} from '../d{}/m{}';\n", below(9), below(3),
                                    below(6));
      }
      for (int i = below(5); i > 0; --i) {
        out += python ? fmt::format("def f{}(x):\n    return g{}(x)\n", below(9), below(9))
                      : fmt::format("export function f{}(x) {{ return g{}(x); }}\n", below(9),
                                    below(9));
      }
      return out;
    };
    const auto put = [&] {
      const bool python = below(2) == 0;
      const std::string path = fmt::format("d{}/m{}.{}", below(3), below(6), python ? "py" : "ts");
      tree.put(path, source(python));
      paths.insert(path);
    };
    const auto some_path = [&] {
      return *std::next(paths.begin(), below(static_cast<int>(paths.size())));
    };
    for (int i = 0; i < 12; ++i) put();
    const auto workspace = tree.open();
    run(*workspace);
    for (int round = 0; round < 6; ++round) {
      for (int i = 1 + below(4); i > 0; --i) {
        switch (below(5)) {
          case 0:
          case 1:
            put();
            break;
          case 2:
            if (paths.size() > 3) {
              const std::string path = some_path();
              tree.remove(path);
              paths.erase(path);
            }
            break;
          case 3: {
            const std::string from = some_path();
            const std::string to =
                fmt::format("d{}/m{}{}", below(3), below(6), from.substr(from.rfind('.')));
            if (!paths.contains(to)) {
              tree.move(from, to);
              paths.erase(from);
              paths.insert(to);
            }
            break;
          }
          case 4:
            tree.put(".gitignore", below(2) == 0 ? "" : fmt::format("m{}.*\n", below(6)));
            break;
        }
      }
      run(*workspace);
    }
    const auto incremental = dump_lines(*workspace);
    expect_full_text_is_sound(*workspace);
    tree.remove(".codexmem");
    const auto scratch = tree.open();
    run(*scratch);
    EXPECT_EQ(incremental, dump_lines(*scratch)) << "seed " << seed;
  }
}

// Kills a process in the middle of its run.
void index_and_die(const fs::path& root, std::uint64_t after_files, IndexPhase phase) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto workspace = Workspace::open(root);
    (void)index_repository(**workspace, {.threads = 2}, [&](const IndexProgress& now) {
      if (now.phase == phase && now.files_done >= after_files) ::raise(SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(IndexRepository, AKilledRunIsContinued) {
  Repository tree;
  for (int i = 0; i < 700; ++i) {
    tree.put(fmt::format("m{}.ts", i),
             fmt::format(
                 "import {{ f{0} }} from './m{0}';\nexport function f{1}() {{ return f{0}(); }}\n",
                 (i + 1) % 700, i));
  }
  for (const IndexPhase phase :
       {IndexPhase::kParsing, IndexPhase::kResolving, IndexPhase::kEmbedding}) {
    tree.remove(".codexmem");
    index_and_die(tree.root(), phase == IndexPhase::kParsing ? 600 : 0, phase);
    const auto workspace = tree.open();
    EXPECT_TRUE(meta(*workspace, "run").has_value()) << index_phase_name(phase);
    const IndexReport report = run(*workspace);
    EXPECT_GE(report.unchanged, 256U);
    EXPECT_FALSE(meta(*workspace, "run").has_value());
    const auto continued = dump_lines(*workspace);
    tree.remove(".codexmem");
    const auto scratch = tree.open();
    run(*scratch);
    EXPECT_EQ(continued, dump_lines(*scratch)) << index_phase_name(phase);
  }
}

TEST(IndexRepository, ACancelledRunKeepsWholeFiles) {
  Repository tree;
  for (int i = 0; i < 300; ++i) {
    tree.put(fmt::format("m{}.ts", i), fmt::format("export function f{}() {{}}\n", i));
  }
  const auto workspace = tree.open();
  std::stop_source stop;
  const auto report = index_repository(
      *workspace, {},
      [&](const IndexProgress& now) {
        if (now.phase == IndexPhase::kResolving) stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code(), ErrorCode::kCancelled);
  EXPECT_TRUE(meta(*workspace, "run").has_value());
  EXPECT_EQ((*workspace->reader())->counts()->files, 300);
  run(*workspace);
  EXPECT_FALSE(meta(*workspace, "run").has_value());
  const auto counts = (*workspace->reader())->counts();
  EXPECT_EQ(counts->vectors, 600);
}

TEST(IndexRepository, SaysWhyAPathAskedForByNameGivesNothing) {
  Repository tree;
  add_project(tree);
  tree.git("init -q");
  fs::create_directories(tree.root() / "empty");
  const auto workspace = tree.open();
  run(*workspace);
  struct Case {
    const char *path, *warning;
  };
  const Case cases[] = {
      {".git/config", ".git/config is not indexed: it belongs to version control or to this index"},
      {".git", ".git is not indexed: it belongs to version control or to this index"},
      {"dist", "dist is not indexed: ignored (.gitignore:1: dist/)"},
      {"dist/app.js", "dist/app.js is not indexed: ignored (.gitignore:1: dist/)"},
      {"logo.png", "logo.png is not indexed: binary (by its name)"},
      {"empty", "empty: there is nothing to index here"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(run(*workspace, {.path = c.path}).warnings, std::vector<std::string>{c.warning});
  }
  EXPECT_TRUE(run(*workspace, {.path = "src"}).warnings.empty());
  EXPECT_TRUE(run(*workspace, {.path = "src/app.ts"}).warnings.empty());
  EXPECT_TRUE(run(*workspace, {.only = {"dist/app.js"}}).warnings.empty());
}

TEST(IndexRepository, OnlyARunOverEverythingMakesTheIndexComplete) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  const auto complete = [&] { return *has_complete_index(**workspace->reader()); };
  run(*workspace, {.path = "src"});
  run(*workspace, {.only = {"pkg/core.py"}});
  EXPECT_FALSE(complete());
  run(*workspace);
  EXPECT_TRUE(complete());
}

TEST(IndexRepository, WhenNothingIsLeftARunOverEverythingStillMakesTheIndexComplete) {
  Repository tree;
  tree.put("src/a.ts", "export const a = 1;\n");
  const auto workspace = tree.open();
  run(*workspace, {.path = "src"});
  EXPECT_EQ(run(*workspace).files_processed, 0U);
  EXPECT_TRUE(*has_complete_index(**workspace->reader()));
}

TEST(IndexRepository, APartialRunKeepsTheMarkOfABrokenOffRun) {
  Repository tree;
  for (int i = 0; i < 40; ++i) {
    tree.put(fmt::format("m{}.ts", i), fmt::format("export function f{}() {{}}\n", i));
  }
  const auto workspace = tree.open();
  std::stop_source stop;
  const auto report = index_repository(
      *workspace, {},
      [&](const IndexProgress& now) {
        if (now.phase == IndexPhase::kResolving) stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(report.ok());
  const auto mark = meta(*workspace, "run");
  ASSERT_TRUE(mark.has_value());
  tree.put("m1.ts", "export function changed() {}\n");
  EXPECT_EQ(run(*workspace, {.only = {"m1.ts"}}).changed, 1U);
  EXPECT_EQ(meta(*workspace, "run"), mark);
  EXPECT_FALSE(*has_complete_index(**workspace->reader()));
  run(*workspace);
  EXPECT_FALSE(meta(*workspace, "run").has_value());
  EXPECT_TRUE(*has_complete_index(**workspace->reader()));
}

TEST(IndexRepository, CancellingARunOfOneFileKeepsItsRow) {
  Repository tree;
  std::string source;
  for (int i = 0; i < 12'000; ++i) source += fmt::format("export function f{}() {{}}\n", i);
  tree.put("a.ts", source);
  const auto workspace = tree.open();
  run(*workspace);
  for (const int delay_ms : {1, 10, 30}) {  // while it parses
    tree.put("a.ts", source += "// more\n");
    std::stop_source stop;
    std::jthread stopper;
    const auto report = index_repository(
        *workspace, {},
        [&](const IndexProgress& now) {
          if (now.phase != IndexPhase::kParsing || stopper.joinable()) return;
          stopper = std::jthread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
            stop.request_stop();
          });
        },
        stop.get_token());
    stopper.join();
    EXPECT_TRUE(report.ok() || report.error().code() == ErrorCode::kCancelled) << delay_ms;
    EXPECT_TRUE(find_file(*workspace, "a.ts").has_value()) << delay_ms;
    EXPECT_EQ((*workspace->reader())->list_symbols_named("f1")->size(), 1U) << delay_ms;
  }
  run(*workspace);
  EXPECT_EQ(find_file(*workspace, "a.ts")->size, static_cast<std::int64_t>(source.size()));
}

TEST(RunOrdered, ASingleOutputMadeWhileAStopWasRequestedIsNotTaken) {
  std::stop_source stop;
  bool taken = false;
  const auto done = run_ordered<int>(
      {.count = 1},
      [&]() -> std::function<int(std::size_t)> {
        return [&](std::size_t) {
          stop.request_stop();
          return 1;
        };
      },
      [&](int) -> Result<void> {
        taken = true;
        return {};
      },
      stop.get_token());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kCancelled);
  EXPECT_FALSE(taken);
}

TEST(RunOrdered, AWorkerThatThrowsIsAnError) {
  for (const std::size_t count : {1U, 50U}) {
    const auto done = run_ordered<int>(
        {.count = count, .threads = 2},
        []() -> std::function<int(std::size_t)> {
          return [](std::size_t i) -> int {
            if (i == 0) throw std::bad_alloc();
            return 1;
          };
        },
        [](int) { return Result<void>(); }, std::stop_token());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code(), ErrorCode::kIo);
  }
}

TEST(FileReader, AStopIsAFailureAndNoSkippedFile) {
  Repository tree;
  tree.put("a.ts", "export const a = 1;\n");
  const auto workspace = tree.open();
  const auto root = RootDirectory::open(workspace->root());
  std::stop_source stop;
  stop.request_stop();
  StoredNames stored_names;
  const FileReaderContext context{.root = *root,
                                  .workspace = *workspace,
                                  .stored_names = stored_names,
                                  .max_file_bytes = 1000,
                                  .embedder = nullptr,
                                  .stop = stop.get_token()};
  const FileOutcome outcome = FileReader(context).read({.found = {.path = "a.ts"}, .known = {}});
  EXPECT_EQ(outcome.kind, FileOutcome::Kind::kFailed);
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_EQ(outcome.failure->code(), ErrorCode::kCancelled);
}

TEST(IndexRepository, AFailureOfTheStoreKeepsTheOldRow) {
  Repository tree;
  tree.put("a.ts", "export function first() {}\n");
  const auto workspace = tree.open();
  run(*workspace);
  tree.put("a.ts", "export function second() {}\n");
  const auto rename_table = [&](const char* sql) {
    const auto done = (*workspace->writer())->execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  };
  rename_table("ALTER TABLE file_facts RENAME TO hidden_facts");
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.deleted, 0U);
  EXPECT_TRUE(report.skipped.empty());
  EXPECT_EQ((*workspace->reader())->list_symbols_named("first")->size(), 1U);
  rename_table("ALTER TABLE hidden_facts RENAME TO file_facts");
  EXPECT_EQ(run(*workspace).changed, 1U);
  EXPECT_EQ((*workspace->reader())->list_symbols_named("second")->size(), 1U);
}

// Makes the facts of a file unreadable.
void damage_facts(Workspace& workspace, const std::string& path) {
  const auto done = (*workspace.writer())
                        ->execute(
                            "UPDATE file_facts SET facts = x'00' WHERE file_id ="
                            " (SELECT id FROM files WHERE path = '" +
                            path + "')");
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message());
}

TEST(IndexRepository, WhatReplacesAFileOfDamagedFactsLeavesNoStaleNames) {
  Repository tree;
  add_project(tree);
  auto workspace = tree.open();
  run(*workspace);
  for (const char* path : {"src/app.ts", "pkg/core.py", "README.md"}) {
    damage_facts(*workspace, path);
  }
  tree.put("src/app.ts", "export function other() {}\n");
  tree.remove("pkg/core.py");
  run(*workspace);
  run(*workspace, {.force = true});
  const auto repaired = dump_lines(*workspace);
  expect_full_text_is_sound(*workspace);
  tree.remove(".codexmem");
  workspace = tree.open();
  run(*workspace);
  EXPECT_EQ(repaired, dump_lines(*workspace));
}

TEST(IndexRepository, DamagedFactsThatARunMeetsAreMadeAgainByTheNext) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  run(*workspace);
  const auto before = dump_lines(*workspace);
  damage_facts(*workspace, "src/app.ts");
  tree.put("new.ts", "export {};\n");  // all imports are resolved again
  run(*workspace);
  tree.remove("new.ts");
  EXPECT_EQ(run(*workspace).changed, 1U);
  EXPECT_EQ(dump_lines(*workspace), before);
}

TEST(IndexRepository, OneRunAtATime) {
  Repository tree;
  add_project(tree);
  const auto workspace = tree.open();
  auto held = take_run_lock(workspace->lock_path(), true, {}, {});
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(index_repository(*workspace, {.wait = false}).error().code(), ErrorCode::kBusy);
  std::stop_source stop;
  int waited = 0;
  const auto report = index_repository(
      *workspace, {},
      [&](const IndexProgress& now) {
        EXPECT_EQ(now.phase, IndexPhase::kWaiting);
        ++waited;
        stop.request_stop();
      },
      stop.get_token());
  EXPECT_EQ(report.error().code(), ErrorCode::kCancelled);
  EXPECT_GE(waited, 1);
}

TEST(IndexRepository, ManyRunsAtOnceAreOneAfterTheOther) {
  Repository tree;
  add_project(tree);
  tree.open();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto workspace = tree.open();
      run(*workspace);
    });
  }
  threads.clear();
  const auto workspace = tree.open();
  EXPECT_EQ((*workspace->reader())->counts()->files, 7);
}

TEST(IndexRepository, UnreadableFilesAreSkippedAndTheRestGoesOn) {
  // Root may read everything: be somebody else meanwhile.
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  struct Return {
    bool is_root;
    ~Return() { EXPECT_TRUE(!is_root || ::seteuid(0) == 0); }
  } const back{is_root};
  Repository tree;
  add_project(tree);
  ::chmod((tree.root() / "src/util.ts").c_str(), 0);
  const auto workspace = tree.open();
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.skipped.at("unreadable"), 1U);
  EXPECT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.files_processed, 6U);
}

TEST(ListStagedFiles, ListsWhatTheCommitWouldChange) {
  Repository tree;
  tree.git("init -q");
  tree.write("a/kept.ts", "1");
  tree.write("a/gone.ts", "2");
  tree.git("add .");
  EXPECT_EQ(*list_staged_files(tree.root(), tree.root()),
            (std::vector<std::string>{"a/gone.ts", "a/kept.ts"}));
  tree.git("commit -qm x");
  EXPECT_TRUE(list_staged_files(tree.root(), tree.root())->empty());
  tree.write("a/kept.ts", "3");
  tree.write("new.ts", "4");
  tree.git("add new.ts a/kept.ts && git rm -q a/gone.ts");
  tree.write("unstaged.ts", "5");
  EXPECT_EQ(*list_staged_files(tree.root(), tree.root()),
            (std::vector<std::string>{"a/gone.ts", "a/kept.ts", "new.ts"}));
  EXPECT_EQ(*list_staged_files(tree.root() / "a", tree.root() / "a"),
            (std::vector<std::string>{"gone.ts", "kept.ts"}));
}

TEST(ExplainPath, KnowsEachState) {
  Repository tree;
  add_project(tree);
  tree.put("gen.ts", "// @generated\n");
  tree.put("gone.ts", "export const gone = 1;\n");
  const auto workspace = tree.open();
  run(*workspace);
  tree.remove("gone.ts");
  tree.put("src/app.ts", "export const changed = 1;\n");
  tree.put("new.py", "x = 1\n");
  tree.put("new.weird", "x");
  struct Case {
    const char *path, *state, *reason, *detail;
  };
  const Case cases[] = {
      {"src/util.ts", "indexed", "", ""},
      {"src/app.ts", "outdated", "", ""},
      {"new.py", "pending", "", ""},
      {"gone.ts", "deleted", "", ""},
      {"nowhere.ts", "missing", "", ""},
      {"dist/app.js", "skipped", "ignored", ".gitignore:1: dist/"},
      {"dist", "skipped", "ignored", ".gitignore:1: dist/"},
      {"logo.png", "skipped", "binary", "by its name"},
      {"new.weird", "skipped", "unknown_type", "no language is known by its name or first line"},
      {"src", "folder", "", ""},
      {"", "folder", "", ""},
  };
  for (const Case& c : cases) {
    const auto got = explain_path(*workspace, c.path);
    ASSERT_TRUE(got.ok()) << c.path;
    EXPECT_EQ(path_state_name(got->state), c.state) << c.path;
    EXPECT_EQ(got->reason, c.reason) << c.path;
    EXPECT_EQ(got->detail, c.detail) << c.path;
  }
  EXPECT_EQ(explain_path(*workspace, "src")->files, 2U);
  EXPECT_EQ(explain_path(*workspace, "gen.ts")->notes.size(), 1U);
  EXPECT_EQ(explain_path(*workspace, (tree.root() / "src/util.ts").string())->language,
            "typescript");
  EXPECT_FALSE(explain_path(*workspace, "/etc/passwd").ok());
}

TEST(FormatElapsed, IsShort) {
  using std::chrono::milliseconds;
  EXPECT_EQ(format_elapsed(milliseconds(850)), "850 ms");
  EXPECT_EQ(format_elapsed(milliseconds(2'449)), "2.4s");
  EXPECT_EQ(format_elapsed(milliseconds(59'960)), "1m 0s");
  EXPECT_EQ(format_elapsed(milliseconds(154'000)), "2m 34s");
  EXPECT_EQ(format_elapsed(milliseconds(3'720'000)), "1h 2m");
}

// Overwrites the pages of the database from `page` on (counted from 0) with noise.
void damage(const fs::path& root, std::size_t page, std::size_t pages) {
  std::fstream file(root / ".codexmem/index.db", std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(page * 4096));
  std::mt19937 noise(7);
  for (std::size_t i = 0; i < pages * 4096; ++i) file.put(static_cast<char>(noise()));
  ASSERT_TRUE(file.good());
}

TEST(IndexDamage, ARunRebuildsADamagedStoreAndSaysSo) {
  Repository tree;
  add_project(tree);
  std::vector<std::string> whole;
  std::size_t pages = 0, scanned = 0;  // `scanned` is a page that each run reads
  {
    auto workspace = tree.open();
    run(*workspace);
    whole = dump_lines(*workspace);
    scanned = static_cast<std::size_t>(
        **(*workspace->writer())
              ->find_integer("SELECT rootpage - 1 FROM sqlite_schema WHERE name = 'meta'"));
  }
  pages = fs::file_size(tree.root() / ".codexmem/index.db") / 4096;
  const std::pair<std::size_t, std::size_t> places[] = {{0, 1}, {1, pages - 1}, {scanned, 1}};
  for (const bool force : {false, true}) {
    for (const auto& [page, count] : places) {
      damage(tree.root(), page, count);
      auto workspace = tree.open();
      IndexOptions options;
      options.force = force;
      const IndexReport report = run(*workspace, options);
      ASSERT_FALSE(report.warnings.empty()) << page;
      EXPECT_NE(report.warnings[0].find("index.db.damaged-"), std::string::npos)
          << report.warnings[0];
      EXPECT_EQ(dump_lines(*workspace), whole) << page;
      EXPECT_FALSE(workspace->damage().has_value());
      EXPECT_TRUE(workspace->writer().value()->find_damage().value().empty());
    }
  }
}

TEST(IndexDamage, ARunForSomeFilesRefusesADamagedStore) {
  Repository tree;
  add_project(tree);
  run(*tree.open());
  damage(tree.root(), 0, 1);
  auto workspace = tree.open();
  IndexOptions options;
  options.only = {"src/util.ts"};
  const auto report = index_repository(*workspace, options);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(report.error().message().find("`codexmem index`"), std::string::npos);
}

TEST(IndexDamage, AStoreDeletedMeanwhileIsRebuilt) {
  Repository tree;
  add_project(tree);
  auto workspace = tree.open();
  run(*workspace);
  const auto whole = dump_lines(*workspace);
  fs::remove_all(tree.root() / ".codexmem");
  EXPECT_EQ(run(*workspace).added, 7U);
  EXPECT_EQ(dump_lines(*workspace), whole);
  EXPECT_TRUE(fs::exists(workspace->vectors_path()));
  EXPECT_TRUE(fs::exists(tree.root() / ".codexmem/.gitignore"));
}

TEST(IndexDamage, AVectorsFileOfAnotherStoreIsRewritten) {
  Repository tree;
  add_project(tree);
  auto workspace = tree.open();
  run(*workspace);
  const auto path = workspace->vectors_path();
  const auto good = embed::VectorIndex::load_head(path).value();
  for (const char* bytes : {"", "garbage that is longer than a head, so that all of it is read"}) {
    tree.write(".codexmem/vectors.faiss", bytes);
    run(*workspace);
    ASSERT_TRUE(embed::VectorIndex::load(path).ok());
    EXPECT_EQ(embed::VectorIndex::load_head(path)->generation, good.generation);
    EXPECT_EQ(embed::VectorIndex::load_head(path)->model_id, good.model_id);
  }
}

TEST(EarlierStores, VectorsOfAnotherReleasesModelAreMadeAgainThoughNoFileChanged) {
  Repository tree;
  add_project(tree);
  auto workspace = tree.open();
  const IndexReport first = run(*workspace);
  const auto want = dump_lines(*workspace);
  const auto done = workspace->writer().value()->execute(
      "UPDATE embedding_models SET name = 'code-static-128d-0badcafe'");
  ASSERT_TRUE(done.ok()) << done.error().message();
  workspace = tree.open();
  const IndexReport report = run(*workspace);
  EXPECT_EQ(report.changed, 0U);
  EXPECT_TRUE(report.vectors_rebuilt);
  EXPECT_EQ(report.embeddings_generated, first.embeddings_generated);
  EXPECT_EQ(dump_lines(*workspace), want);
  EXPECT_EQ(run(*workspace).embeddings_generated, 0U);
}

// testdata/stores has the store of a small repository as each earlier version wrote it.
TEST(EarlierStores, ARunLeavesWhatAnIndexFromNothingHas) {
  const fs::path stores = CODEXMEM_SOURCE_DIR "/testdata/stores";
  Repository clean;
  fs::copy(stores / "small", clean.root(), fs::copy_options::recursive);
  auto fresh = clean.open();
  run(*fresh);
  const auto want = dump_lines(*fresh);
  for (const auto& entry : fs::directory_iterator(stores)) {
    if (entry.path().extension() != ".db") continue;
    SCOPED_TRACE(entry.path().filename());
    Repository tree;
    fs::copy(stores / "small", tree.root(), fs::copy_options::recursive);
    fs::create_directory(tree.root() / ".codexmem");
    const fs::path database = tree.root() / ".codexmem/index.db";
    fs::copy_file(entry.path(), database);
    ASSERT_TRUE(store::adopt(database, store::workspace_kind()).ok());
    auto workspace = tree.open();
    run(*workspace);
    EXPECT_EQ(dump_lines(*workspace), want);
    IndexOptions again;
    again.force = true;
    run(*workspace, again);
    EXPECT_EQ(dump_lines(*workspace), want);
  }
}

}  // namespace
}  // namespace codexmem::index

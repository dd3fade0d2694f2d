#include "config/path_kind.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(PathKind, TestsByFolderOrName) {
  for (const char* path : {"tests/app.py", "src/__tests__/a.ts", "src/app.test.ts",
                           "src/app_test.py", "src/test_app.py", "src/AppTest.ts", "conftest.py",
                           "src/a.test-d.ts", "Spec/a.rb", "a/test_data/b.json"}) {
    EXPECT_TRUE(is_test_path(path)) << path;
    EXPECT_TRUE(is_secondary_path(path)) << path;
  }
  for (const char* path : {"src/app.py", "src/flask/testing.py", "src/contest.py", "latest/a.ts",
                           "src/test", "docs/a.py"}) {
    EXPECT_FALSE(is_test_path(path)) << path;
  }
}

TEST(PathKind, SetsOfSourcesAndProjectsOfTests) {
  for (const char* path :
       {"src/commonTest/kotlin/A.kt", "core/src/jvmTest/kotlin/A.kt", "src/androidTest/A.kt",
        "Orders.Tests/A.cs", "OrdersTests/A.swift", "OrdersUITests/A.swift", "a/Orders.Test/A.cs",
        "tests/project/src/main/java/A.java"}) {
    EXPECT_TRUE(is_test_path(path)) << path;
    EXPECT_FALSE(is_test_by_name(path)) << path;
  }
  for (const char* path : {"src/commonMain/kotlin/A.kt", "src/latest/A.kt", "src/Contest/A.kt",
                           "Contests/A.cs", "loadTest/A.kt", "Tester/A.cs", ".Test/A.cs"}) {
    EXPECT_FALSE(is_test_path(path)) << path;
  }
}

TEST(PathKind, BuiltCodeIsNotATest) {
  for (const char* path :
       {"src/main/scala/io/testing/CodecTests.scala", "testing/src/main/java/org/RuleTest.java",
        "a/testing/shared/src/main/scala/test/A.scala", "src/main/test_a.py"}) {
    EXPECT_FALSE(is_test_path(path)) << path;
    EXPECT_FALSE(is_test_by_name(path)) << path;
  }
  EXPECT_TRUE(is_test_path("testing/src/test/java/A.java"));
  EXPECT_TRUE(is_test_path("testing/mysrc/main/A.java"));
}

TEST(PathKind, ACommandIsNoTestByItsName) {
  EXPECT_FALSE(is_test_path("libexec/exec-test"));
  EXPECT_FALSE(is_test_path("bin/test_all"));
  EXPECT_TRUE(is_test_path("test/exec-test"));
  EXPECT_TRUE(is_test_by_name("lib/test_all.sh"));
  EXPECT_TRUE(is_test_by_name("app_test.go"));
  EXPECT_FALSE(is_test_by_name("tests/app_test.go")) << "the folder says so too";
}

TEST(PathKind, ExamplesAndInstalledPackagesAreSecondary) {
  for (const char* path :
       {"examples/a.py", "docs/conf.py", "bench/run.cpp", "node_modules/a/b.js"}) {
    EXPECT_TRUE(is_secondary_path(path)) << path;
  }
  EXPECT_FALSE(is_secondary_path("src/example.py"));
  EXPECT_EQ(example_folder("a/Docs/b.py"), "docs");
  EXPECT_EQ(example_folder("a/b.py"), "");
  EXPECT_EQ(legacy_folder("third_party/a.c"), "third_party");
}

TEST(PathKind, WhatProgramsWrite) {
  EXPECT_EQ(generated_name("a/package-lock.json"), "lock file");
  EXPECT_EQ(generated_name("Cargo.lock"), "lock file");
  EXPECT_EQ(generated_name("a/b.min.js"), "minified");
  EXPECT_EQ(generated_name("a/b_pb2.py"), "generated");
  EXPECT_EQ(generated_name("a/b.test.ts.snap"), "generated");
  EXPECT_EQ(generated_name("a/block.py"), "");
}

TEST(PathKind, ListsOfChanges) {
  for (const char* path :
       {"CHANGELOG.md", "a/Web_Changelog.md", "NEWS", "docs/release-notes.rst"}) {
    EXPECT_TRUE(is_changelog(path)) << path;
  }
  for (const char* path : {"src/history.ts", "news/today.md", "changelog.py", "README.md"}) {
    EXPECT_FALSE(is_changelog(path)) << path;
  }
}

}  // namespace
}  // namespace codexmem

// Go: which builds a file is a part of, and what a name means that several files declare.
#include "graph/go/go_builds.h"

#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

TEST(GoBuilds, AreToldByNamesAndComments) {
  struct BuildCase {
    std::string path, text, want;
  };
  const BuildCase cases[] = {
      {"a.go", "package a\n", ""},
      {"a_linux.go", "package a\n", "linux"},
      {"linux.go", "package a\n", ""},
      {"b/a_windows_arm64_test.go", "package a\n", "windows && arm64"},
      {"a_amd64.go", "package a\n", "amd64"},
      {"a_other.go", "package a\n", ""},
      {"a.go", "// Copyright\n\n//go:build !windows && (amd64 || arm64)\n\npackage a\n",
       "!windows && (amd64 || arm64)"},
      {"a.go", "/* Copyright\n */\n// +build linux,!cgo darwin\n// +build amd64\n\npackage a\n",
       "(linux && !cgo || darwin) && amd64"},
      {"a_linux.go", "//go:build linux\n\npackage a\n", "linux"},
      {"a_linux.go", "//go:build cgo || x\npackage a\n", "linux && (cgo || x)"},
      {"a.go", "package a\n\n//go:build linux\n", ""},
      {"a.go", "package a\n\n// int x;\nimport \"C\"\n", "cgo"},
  };
  for (const BuildCase& each : cases) {
    EXPECT_EQ(go_build_condition(each.path, each.text), each.want) << each.path << each.text;
  }
}

TEST(GoBuilds, OfTwoSystemsHaveNothingInCommon) {
  EXPECT_FALSE(may_build_together("a_linux.go", "b_windows.go"));
  EXPECT_FALSE(may_build_together("a_linux_amd64.go", "b_linux_arm64.go"));
  EXPECT_TRUE(may_build_together("a_linux.go", "b_arm64.go"));
  EXPECT_TRUE(may_build_together("a_linux.go", "b_android.go"));
  EXPECT_TRUE(may_build_together("a_linux.go", "b.go"));
}

class GoAlternatives : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(GoAlternatives, AreMeantWhereABuildHasThem) { testing::expect_marked(GetParam()); }

const MarkedCase kBuildCases[] = {
    {"Functions",
     {{"a.go", "package m\n\nfunc f() { <>open() }\n"},
      {"open_linux.go", "package m\n\nfunc <!>open() {}\n"},
      {"open_windows.go", "package m\n\nfunc open() {}\n"},
      {"use_linux.go", "package m\n\nfunc g() { <>open() }\n"},
      {"use_windows.go", "package m\n\nfunc g() { open() }\n"}}},
    {"CodeOfC",
     {{"a.go",
       "package m\n\n// static int add(int a) { return a; }\nimport \"C\"\n\n"
       "func <!>add(n int) int { return int(C.add(1)) + <>add(n) }\n"}}},
    {"Methods",
     {{"a.go", "package m\n\ntype T struct{}\n\nfunc f(t T) { t.<>Open() }\n"},
      {"open_linux.go", "package m\n\nfunc (T) <!>Open() {}\n"},
      {"open_windows.go", "package m\n\nfunc (T) Open() {}\nfunc g(t T) { t.Open() }\n"},
      {"use_linux.go", "package m\n\nfunc g(t T) { t.<>Open() }\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Go, GoAlternatives, ::testing::ValuesIn(kBuildCases), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

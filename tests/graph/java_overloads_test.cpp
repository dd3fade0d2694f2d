// Which of several Java methods of a name a call means.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

struct OverloadCase {
  std::string name;
  std::vector<std::string> overloads;  // declarations, each on a line of its own
  std::string call;                    // a statement that calls one of them
  // The number of the overload that is meant; of several that may be, more than one.
  std::vector<std::size_t> meant;
};

class JavaOverloads : public ::testing::TestWithParam<OverloadCase> {};

TEST_P(JavaOverloads, AreToldByTheArguments) {
  const OverloadCase& c = GetParam();
  std::string text = "package a;\nimport java.util.*;\nimport java.lang.reflect.Type;\nclass A {\n";
  const std::size_t first_line = 5;
  for (const std::string& overload : c.overloads) text += "  " + overload + "\n";
  const std::size_t call_line = first_line + c.overloads.size();
  text +=
      "  void use(int i, long l, Integer boxed, String s, String[] all, List<String> list, B b) "
      "{ " +
      c.call + " }\n}\n";
  testing::CodeFixture fixture(
      {{"a/A.java", text},
       {"a/B.java", "package a;\nclass B extends Base implements Mark {}\n"},
       {"a/Base.java", "package a;\nclass Base {}\n"},
       {"a/Mark.java", "package a;\ninterface Mark { void one(int a); }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < c.overloads.size(); ++i) {
    ReferenceQuery query;
    query.symbol = "go";
    query.file_path = "a/A.java";
    query.line = static_cast<std::uint32_t>(first_line + i);
    query.min_confidence = Confidence::kPossible;
    auto answer = find_references(cache, **lease, query);
    ASSERT_TRUE(answer.ok());
    for (const ReferenceItem& item : answer->items) {
      if (item.is_definition) continue;
      EXPECT_EQ(item.position.line, call_line);
      meant.push_back(i);
      // (Of two, each is wrong as often as not.)
      EXPECT_EQ(item.confidence, c.meant.size() == 1 ? Confidence::kResolved : Confidence::kPossible);
    }
  }
  EXPECT_EQ(meant, c.meant);
}

const OverloadCase kOverloadCases[] = {
    {"Literals",
     {"void go(String a) {}", "void go(Object a) {}", "void go(B a) {}"},
     "go(\"x\");",
     {0}},
    {"NumbersAsTheyAre",
     {"void go(int a) {}", "void go(long a) {}", "void go(Object a) {}"},
     "go(1);",
     {0}},
    {"SuffixesOfNumbers",
     {"void go(int a) {}", "void go(long a) {}", "void go(float a) {}"},
     "go(1L);",
     {1}},
    {"WiderBeforeBoxed",
     {"void go(long a) {}", "void go(Integer a) {}", "void go(Object a) {}"},
     "go(i);",
     {0}},
    {"TheNarrowestOfTheWider", {"void go(double a) {}", "void go(long a) {}"}, "go(i);", {1}},
    {"BoxedBeforeAnyNumber", {"void go(Object a) {}", "void go(int... a) {}"}, "go(i);", {0}},
    {"Unboxed", {"void go(String a) {}", "void go(int a) {}"}, "go(boxed);", {1}},
    {"Sums",
     {"void go(int a) {}", "void go(long a) {}", "void go(String a) {}"},
     "go(i + l);",
     {1}},
    {"SumsWithText",
     {"void go(int a) {}", "void go(Object a) {}", "void go(String a) {}"},
     "go(i + s);",
     {2}},
    {"Comparisons", {"void go(int a) {}", "void go(boolean a) {}"}, "go(i < l && i > 1);", {1}},
    {"Characters", {"void go(int a) {}", "void go(String a) {}"}, "go('x');", {0}},
    {"ResultsOfTheLibrary", {"void go(int a) {}", "void go(String a) {}"}, "go(s.length());", {0}},
    {"SupertypesByNearness",
     {"void go(Base a) {}", "void go(Object a) {}", "void go(String a) {}"},
     "go(b);",
     {0}},
    {"TwoSupertypesStayOpen", {"void go(Base a) {}", "void go(Mark a) {}"}, "go(b);", {0, 1}},
    {"NothingOnlyAsObject",
     {"void go(int a) {}", "void go(String a) {}", "void go(Object a) {}"},
     "go(null);",
     {1}},
    {"ClassesAsValues",
     {"<T> T go(String a, Class<T> b) { return null; }",
      "<T> T go(String a, Type b) { return null; }"},
     "go(s, B.class);",
     {0}},
    {"ListsByTheirElements",
     {"void go(int[] a) {}", "void go(String[] a) {}", "void go(Object[] a) {}"},
     "go(all);",
     {1}},
    {"ListsAsTheRest", {"void go(String... a) {}", "void go(int a) {}"}, "go(all);", {0}},
    {"FunctionsByTheirParameters",
     {"void go(Mark a) {}", "void go(Runnable a) {}", "void go(String a) {}"},
     "go(x -> {});",
     {0}},
    {"TypeParametersComeBehind", {"<T> void go(T a) {}", "void go(String a) {}"}, "go(s);", {1}},
    {"BoundsOfTypeParameters",
     {"<T extends Base> void go(T a) {}", "<T extends List<String>> void go(T a) {}"},
     "go(list);",
     {1}},
    {"TwoArguments",
     {"void go(Object a, String b) {}", "void go(String a, Object b) {}",
      "void go(String a, String b) {}"},
     "go(s, s);",
     {2}},
    {"TheVeryTypeBeforeWhatIsNotKnown",
     {"void go(String a) {}", "void go(far.Away a) {}"},
     "go(s);",
     {0}},
};

INSTANTIATE_TEST_SUITE_P(Java, JavaOverloads, ::testing::ValuesIn(kOverloadCases),
                         [](const auto& info) { return info.param.name; });

TEST(JavaOverload, WhatIsPrivateIsNotCalledFromOtherFiles) {
  testing::CodeFixture fixture(
      {{"a/A.java",
        "package a;\nclass A {\n  void go(Object a) {}\n  private void go(String a) {}\n"
        "  void own() { go(\"x\"); }\n}\n"},
       {"a/Use.java", "package a;\nclass Use { void use(A a) { a.go(\"x\"); } }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  for (const auto& [line, want] : {std::pair(3U, "a/Use.java"), std::pair(4U, "a/A.java")}) {
    ReferenceQuery query;
    query.symbol = "go";
    query.file_path = "a/A.java";
    query.line = line;
    auto answer = find_references(cache, **lease, query);
    ASSERT_TRUE(answer.ok());
    std::vector<std::string> paths;
    for (const ReferenceItem& item : answer->items) {
      if (!item.is_definition) paths.push_back(item.path);
    }
    EXPECT_EQ(paths, std::vector<std::string>{want});
  }
}

}  // namespace
}  // namespace codexmem::graph

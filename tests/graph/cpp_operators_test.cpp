// C++: operators by their signs.
#include <gtest/gtest.h>

#include <string>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

constexpr char kHeader[] =
    "struct Inner { int size; };\n"                   // 1
    "struct Grid {\n"                                 // 2
    "  int& operator[](int i);\n"                     // 3
    "  bool operator==(const Grid& other) const;\n"   // 4
    "  int operator()(int a) const;\n"                // 5
    "  Inner* operator->();\n"                        // 6
    "  Grid operator-() const;\n"                     // 7
    "  Grid operator-(const Grid& other) const;\n"    // 8
    "  Grid& operator++();\n"                         // 9
    "  int own;\n"                                    // 10
    "};\n"                                            // 11
    "struct Out { int a; };\n"                        // 12
    "Out& operator<<(Out& out, const Grid& grid);\n"  // 13
    "Grid make();\n";                                 // 14

struct OperatorCase {
  std::string name;
  std::uint32_t line = 0;  // of the header
  std::string body;        // of a function with Grid a, const Grid& b, Grid* p, int n, Out out
  std::string want;        // "column confidence"
};

class CppOperators : public ::testing::TestWithParam<OperatorCase> {};

TEST_P(CppOperators, AreUsedBySigns) {
  const OperatorCase& c = GetParam();
  codexmem::testing::CodeFixture fixture(
      {{"grid.hpp", kHeader},
       {"use.cpp",
        "#include \"grid.hpp\"\ntemplate <typename T> void f(Grid a, "
        "const Grid& b, Grid* p, int n, Out out, T t) {\n" +
            c.body + "\n}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  ReferenceQuery query;
  const std::string_view header = kHeader;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < c.line; ++line) begin = header.find('\n', begin) + 1;
  begin = header.find("operator", begin);
  query.symbol = header.substr(begin, header.find('(', begin + sizeof("operator(") - 1) - begin);
  query.file_path = "grid.hpp";
  query.line = c.line;
  query.min_confidence = Confidence::kPossible;
  const auto answer = find_references(cache, **lease, query);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  std::string found;
  for (const ReferenceItem& item : answer->items) {
    if (item.is_definition || item.path != "use.cpp") continue;
    found += std::to_string(item.position.column) + " " +
             std::string(confidence_name(item.confidence)) + "\n";
  }
  EXPECT_EQ(found, c.want);
}

const OperatorCase kOperators[] = {
    {"Items", 3, "  a[0] = p[1].own + n[p];", "3 likely\n"},
    {"Comparisons", 4, "  a == b; p == p; n == 1; t == 2;", "3 likely\n27 possible\n"},
    {"Calls", 5, "  a(1); make()(2); n = f(3);", "3 likely\n9 possible\n"},
    {"Arrows", 6, "  a->size; p->own; a.own;", "3 likely\n"},
    {"Prefixes", 7, "  -a; a - b; -n;", "4 likely\n"},
    {"Differences", 8, "  -a; a - b; n - 1;", "7 likely\n"},
    {"Steps", 9, "  ++a; ++n; ++p;", "5 likely\n"},
    {"Streams", 13, "  out << a << b; out << n; 1 << n;", "3 likely\n15 likely\n"},
    {"NotOfTypes", 3, "  Grid many[2]; new Grid[3]; static_cast<Grid*>(p);", ""},
    {"NotInStrings", 3, "  \"a[0]\"; /* a[0] */ // a[0]", ""},
};

INSTANTIATE_TEST_SUITE_P(All, CppOperators, ::testing::ValuesIn(kOperators),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace codexmem::graph

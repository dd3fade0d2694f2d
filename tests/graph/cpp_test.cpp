// C++: namespaces, classes, overloads, templates, what the library's types give.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CppNames : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CppNames, LeadToWhatTheyMean) { testing::expect_marked(GetParam()); }

const MarkedCase kCpp[] = {
    {"NamespacesAreOpen",
     {{"a.h", "namespace n { int <!>f(int a); }\n"},
      {"a.cpp", "#include \"a.h\"\nnamespace n { int f(int a) { return <>f(a); } }\n"},
      {"b.cpp",
       "#include \"a.h\"\nint g() { return n::<>f(1) + ::n::<>f(2); }\n"
       "namespace m { int f(int); int h() { return f(1); } }\n"}}},
    {"InnerNamesHideOuterOnes",
     {{"a.cpp",
       "int x;\nnamespace n {\nint <!>x;\nint f() { return <>x + ::x; }\n"
       "int g(int x) { return x; }\nnamespace m { int h() { return <>x; } }\n}\n"}}},
    {"NestedNamespaces",
     {{"a.h", "namespace n::m { struct <!>A { }; }\nnamespace n { m::<>A a; }\n"},
      {"b.cpp", "#include \"a.h\"\nnamespace n::o { m::<>A a; }\nn::m::<>A b;\n"},
      {"c.cpp", "#include \"a.h\"\nnamespace n::m { <>A c; struct B { struct A { }; A d; }; }\n"}}},
    {"InlineNamespacesAreNone",
     {{"a.h", "namespace n { inline namespace v1 { struct <!>A { int x; }; } }\n"},
      {"b.cpp", "#include \"a.h\"\nn::<>A a;\nnamespace n { <>A b; }\n"}}},
    {"Using",
     {{"a.h", "namespace n { struct <!>A { }; namespace m { struct B { }; } }\n"},
      {"b.cpp", "#include \"a.h\"\nusing n::<>A;\n<>A a;\n"},
      {"c.cpp", "#include \"a.h\"\nvoid f() { using namespace n; <>A a; }\n"}}},
    {"MembersOutsideOfTheirClass",
     {{"a.h",
       "namespace n {\nclass A {\n public:\n  A();\n  void run(int times);\n private:\n"
       "  int <!>count_ = 0;\n};\n}\n"},
      {"a.cpp",
       "#include \"a.h\"\nnamespace n {\nA::A() : <>count_(1) {}\n"
       "void A::run(int times) { <>count_ += times; this-><>count_++; }\n}\n"},
      {"b.cpp", "struct B { int count_; int f() { return count_; } };\n"}}},
    {"ANamespaceThatAMacroOpensIsAround",
     {{"a.h",
       "#define LIB_BEGIN namespace lib { inline namespace v1 { namespace impl {\n"
       "#define LIB_END } } }\nnamespace lib { const int <!>flag = 1; }\n"
       "namespace apart { const int flag = 1; }\n"},
      {"a.cpp",
       "#include \"a.h\"\nLIB_BEGIN\nint f(int a) { return a & lib::<>flag; }\n"
       "int g(int a) { return a & <>flag; }\nLIB_END\n"}}},
    {"ANamespaceThatAMacroOpensQualifies",
     {{"a.h",
       "#define OPEN(name) namespace name {\n#define CLOSE(name) }\nOPEN(lib)\n"
       "int <!>far(int a);\nCLOSE(lib)\n"},
      {"a.cpp", "#include \"a.h\"\nint g() { return lib::<>far(1); }\n"}}},
    {"ACaseHasNoNameOfItsOwn",
     {{"a.h", "namespace lib { const int <!>flag = 1; }\n#define DEFINE(name) int name()\n"},
      {"a.cpp",
       "#include \"a.h\"\nusing namespace lib;\nTEST(flag) { CHECK(<>flag); }\n"
       "TEST(suite, flag) { CHECK(<>flag); }\n"}}},
    {"AMacrosArgumentMayNameAFunction",
     {{"a.h", "#define DEFINE(name) int name()\n"},
      {"a.cpp", "#include \"a.h\"\nDEFINE(<!>run) { return 1; }\nint g() { return <>run(); }\n"}}},
    {"BehindAMacroMembersOfAnArgument",
     {{"a.h",
       "namespace n {\nstruct Fixture { int <!>count; };\nstruct Other { int count; };\n}\n"
       "using namespace n;\n"},
      {"a.cpp",
       "#include \"a.h\"\nTEST_CASE_METHOD(Fixture, \"it (counts\", \"[x]\") {\n"
       "  if (<>count > 2) { CHECK(<>count == 3); }\n}\n"
       "BOOST_FIXTURE_TEST_CASE(counts, Fixture) { CHECK(<>count); }\n"
       "TEST_CASE(\"other\") { int count = 1; CHECK(count); }\n"},
      {"b.cpp", "#include \"a.h\"\nTEST_CASE_METHOD(Other, \"x\") { CHECK(count); }\n"}}},
    {"BehindAMacroVariablesThatItDeclares",
     {{"a.h",
       "struct A { int <!>size(); };\nstruct B { int size(); };\n"
       "#define INNER(name) struct fixture_##name { \\\n  const A *it; \\\n  void run(); }; \\\n"
       "  void fixture_##name::run()\n#define CASE(name, text) INNER(name)\n"},
      {"a.cpp",
       "#include \"a.h\"\nCASE(one, \"<a>\") { CHECK(it-><>size()); }\n"
       "CASE(two, \"b\") { B* it = 0; it->size(); }\n"}}},
    {"APrototypeInAClassMeansTheDefinition",
     {{"a.hpp", "struct A { void run(int times); void run(const char* name); };\n"},
      {"a.cpp",
       "#include \"a.hpp\"\nvoid A::<!>run(int times) {}\nvoid A::run(const char* name) {}\n"},
      {"b.cpp", "#include \"a.hpp\"\nvoid f(A& a) { a.<~>run(1); }\n"}}},
    {"OverloadsByNumberOfArguments",
     {{"a.hpp", "int <!>f(int a, int b = 2);\nint f();\nint f(int a, int b, int c);\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nint g() { return <>f(1) + <>f(1, 2) + f() + f(1, 2, 3); }\n"}}},
    {"OverloadsByClass",
     {{"a.hpp",
       "struct A {};\nstruct B {};\nstruct C : B {};\nvoid f(const A& a);\nvoid <!>f(const B& "
       "b);\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid g(A a, B* b, C c) { f(a); <>f(*b); <>f(c); <>f(C{}); }\n"}}},
    {"BasesHaveMembers",
     {{"a.hpp",
       "struct Base { void <!>go(); };\nstruct Mid : public Base { };\n"
       "template <typename T> struct Leaf : T, Mid { void f() { <>go(); this-><>go(); } };\n"},
      {"b.cpp", "#include \"a.hpp\"\nvoid g(Mid* mid) { mid-><>go(); mid->Base::<>go(); }\n"}}},
    {"TypesFromValues",
     {{"a.hpp",
       "struct A { int <!>x; };\nstruct B { int x; A a; A* next(); static A make(); };\n"
       "template <typename T> struct Box { T* operator->(); T get() const; T held; };\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nint f(Box<A>& box, B b) {\n  auto a = b.next();\n  const auto& other = "
       "B::make();\n"
       "  auto l = [](const A& in) { return in.<>x; };\n  A local(l(b.a));\n"
       "  return a-><>x + other.<>x + box-><>x + box.get().<>x + box.held.<>x + b.x + local.<>x +\n"
       "         static_cast<A*>(nullptr)-><>x + (new A)-><>x + A{}.<>x;\n}\n"}}},
    {"TypesOfTheLibrary",
     {{"b.cpp",
       "#include <map>\n#include <vector>\nstruct A { int <!>x; };\n"
       "int f(std::vector<A>& all, std::map<int, A> named, std::unique_ptr<A> owned) {\n"
       "  int sum = all[0].<>x + all.back().<>x + owned-><>x + (*owned).<>x + owned.get()-><>x;\n"
       "  for (const auto& a : all) sum += a.<>x;\n  for (auto& entry : named) sum += "
       "entry.second.<>x;\n"
       "  auto found = named.find(1);\n  auto made = std::make_shared<A>();\n"
       "  return sum + found->second.<>x + named[2].<>x + made-><>x;\n}\n"}}},
    {"StructuredBindings",
     {{"b.cpp",
       "#include <map>\nstruct A { int <!>x; };\nstruct Two { A first; int x; static int count; "
       "};\n"
       "std::pair<int, A> make();\n"
       "int f(std::map<int, A>& all, Two two) {\n  int sum = 0;\n"
       "  for (auto& [key, value] : all) sum += value.<>x;\n"
       "  const auto& [number, made] = make();\n  auto [a, x] = two;\n"
       "  return sum + made.<>x + a.<>x + x;\n}\n"}}},
    {"VariablesThatLookLikeFunctions",
     {{"b.cpp",
       "struct A { A(char* b, unsigned long n); void <!>add(); };\n"
       "void f() { char buffer[9]; A a(buffer, sizeof(buffer)); a.<>add(); }\n"}}},
    {"Enumerators",
     {{"a.hpp",
       "enum class Color { <!>kRed };\nstruct A { enum Kind { kRed }; };\n"
       "int f() { return (int)Color::<>kRed + A::kRed; }\n"}}},
    {"EnumeratorsAreOfTheScopeAround",
     {{"a.hpp", "struct A { enum Kind { <!>kOne }; int f() { return <>kOne; } };\n"},
      {"b.cpp", "#include \"a.hpp\"\nint g() { return A::<>kOne + A::Kind::<>kOne; }\n"}}},
    {"ScopedEnumeratorsStayInside",
     {{"a.hpp",
       "int <!>Open();\nstruct A { enum class State { Open }; int f() { return <>Open(); } };\n"
       "enum struct Door { Open };\nint g() { return <>Open() + (int)Door::Open; }\n"}}},
    {"EnumeratorsOfANamespace",
     {{"a.hpp", "namespace n { enum Color { <!>kRed }; int f() { return <>kRed; } }\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nint g() { return n::<>kRed; }\nint h(int kRed) { return kRed; }\n"}}},
    {"AGuessIsLikely",
     {{"a.h", "namespace n { struct A {}; void <!>swap(A a); void swap_all(); }\n"},
      {"b.cpp", "#include \"a.h\"\nvoid f(n::A a) { <?>swap(a); }\n"}}},
    {"AGuessWithoutArgumentsIsLikely",
     {{"a.h", "namespace n { void <!>abort(); }\n"},
      {"b.cpp", "#include \"a.h\"\nvoid f() { <?>abort(); }\n"},
      {"c.cpp", "void f() { <?>abort(); }\n"},
      {"d.cpp", "void f() { int abort = 1; g(abort); }\n"}}},
    {"MembersOfATypeParameterAreLikely",
     {{"a.hpp",
       "struct A { static A <!>create(); };\n"
       "template <typename T> T make() { return T::<?>create(); }\nA a = A::<>create();\n"}}},
    {"AStructElsewhereIsNotThisNamespace",
     {{"a.h", "struct node { int <!>next; };\nint f(struct node* n) { return n-><>next; }\n"},
      {"b.cpp", "namespace node { int next; int g() { return next; } }\n"}}},
    {"ProgramsHaveTheirOwn",
     {{"a.cpp",
       "void <!>usage();\nvoid usage() {}\nint main() { <>usage(); }\n"
       "struct App { void run(); };\nvoid App::run() {}\n"},
      {"b.cpp",
       "void usage();\nvoid usage() {}\nint main() { usage(); }\n"
       "struct App { void run(); };\nvoid App::run() {}\n"}}},
    {"NamespacesWithoutANameAreOfTheirFile",
     {{"a.cpp", "namespace {\nint <!>helper() { return 1; }\n}\nint f() { return <>helper(); }\n"},
      {"b.cpp",
       "namespace n {\nnamespace {\nint helper() { return 2; }\n}\n"
       "int g() { return helper(); }\n}\n"},
      {"c.cpp", "int h() { return helper(); }\n"}}},
    {"UsingHoldsInItsFunction",
     {{"a.h", "namespace n { struct <!>A { }; }\nnamespace m { struct A { }; }\n"},
      {"b.cpp",
       "#include \"a.h\"\nvoid f() { using n::<>A; <>A a; }\nvoid g() { using m::A; A a; }\n"}}},
    {"FieldsMayBeCalledAsKeywordsBegin",
     {{"a.hpp", "struct friend_list { int <!>size; };\nstruct A { friend_list friends; };\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nint f(A a) { friend_list mine; return a.friends.<>size + mine.<>size; "
       "}\n"}}},
    {"WhatAHeaderDeclaresInAdvance",
     {{"common.hpp",
       "#include <memory>\nnamespace n {\nnamespace m { class A; }\n"
       "using A_ptr = std::shared_ptr<m::A>;\nclass B;\nB* make();\n}\n"},
      {"a.hpp",
       "#include \"common.hpp\"\nnamespace n { namespace m { class A { public: void <!>log(); }; "
       "}\n"
       "class B { public: m::A a; }; }\n"},
      {"b.cpp",
       "#include \"a.hpp\"\n#include <vector>\n"
       "void f(std::vector<n::A_ptr>& all) { for (auto& each : all) each-><>log(); }\n"
       "void g() { n::make()->a.<>log(); }\n"},
      {"other.hpp", "namespace o { namespace m { class A { void log(); }; } class B {}; }\n"}}},
    {"NamesOfC",
     {{"a.h", "struct point { int <!>x; };\nint area(struct point p);\n"},
      {"b.cpp", "#include \"a.h\"\nnamespace n { int f(point p) { return p.<>x + area(p); } }\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Cpp, CppNames, ::testing::ValuesIn(kCpp), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

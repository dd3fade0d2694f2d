#include "parse/preprocess/macros.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "support/growth.h"

namespace codexmem::parse {
namespace {

TEST(BlankMacros, LeavesWhatADeclarationNeeds) {
  const struct {
    const char* text;
    const char* want;  // "" for the text itself; blanked bytes are dots
  } cases[] = {
      {"API_EXPORT int f(void);", ".......... int f(void);"},
      {"API_EXPORT const char* f(void);", ".......... const char* f(void);"},
      {"int API_CALL f(void) {}", "int ........ f(void) {}"},
      {"API std::string f();", "... std::string f();"},
      {"API std::vector<int> f();", "... std::vector<int> f();"},
      {"template <typename T> API T f();", "template <typename T> ... T f();"},
      {"class API A {", "class ... A {"},
      {"class API A final : public B {", "class ... A final : public B {"},
      {"class Bar Q_DECL_FINAL : public B {", "class Bar ............ : public B {"},
      {"class API Bar MACRO_AFTER {", "class ... Bar ........... {"},
      {"void f() { emit changed(1); }", "void f() { .... changed(1); }"},
      {"void f() { if (a) emit b->done(); else Q_EMIT x.c::d(); }",
       "void f() { if (a) .... b->done(); else ...... x.c::d(); }"},
      {"class A {\nsignals:\n  void f();\npublic Q_SLOTS:\n  void g();\n};",
       "class A {\n.......:\n  void f();\npublic .......:\n  void g();\n};"},
      {"void f() { emit(1); int emit = 1; emit x; a = emit * (b); }", ""},
      {"class A { int signals; int slots; };", ""},
      {"class GLUE FINAL : public B {", "class GLUE ..... : public B {"},
      {"class GLUE {", ""},
      {"T* const x GUARDED_BY(mu);", "T* const x ..............;"},
      {"T x PT_GUARDED_BY(mu) LAST(a.b()) = f(1);", "T x ................. ........... = f(1);"},
      {"map<int, T> x GUARDED_BY(mu){1};", "map<int, T> x ..............{1};"},
      {"int x[3] ALIGNED(8);", "int x[3] ..........;"},
      {"void f(int a) const EXCLUDES(mu);", "void f(int a) const ............;"},
      {"T* f() REQUIRES(mu) { return x; }", "T* f() ............ { return x; }"},
      {"static T F1(int a);", ""},
      {"extern const T F1(T& a);", ""},
      {"if (a) CHECK(b);", ""},
      {"class A1 {\n  OBJECT\n\n public:\n  enum B1 { C1 };",
       "class A1 {\n  ......\n\n public:\n  enum B1 { C1 };"},
      {"struct A1 { DWORD a : 3; };", ""},
      {"else if (a) CHECK(b);", ""},
      {"enum class COLOR_FINAL {", ""},
      {"enum class COLOR : int {", ""},
      {"struct FOO BAR;", ""},
      {"BEGIN_NS\nnamespace a {", "........\nnamespace a {"},
      {"BEGIN_NS\ntemplate <int N> class A;", "........\ntemplate <int N> class A;"},
      {"int x;\nEND_NS\n#endif", "int x;\n......\n#endif"},
      {"DEPRECATED(\"x\") void f();", "............... void f();"},
      {"EXPORT(int) f(int a);", ".......int. f(int a);"},
      {"DWORD f(HANDLE h);", ""},
      {"static DWORD x = FOO;", ""},
      {"BOOL WINAPI f(IN HANDLE h)", ".... WINAPI f(.. HANDLE h)"},
      {"struct FOO x = { BAR };", ""},
      {"enum { A1, B1\n#if X\n, C1\n#endif\n};", ""},
      {"TEST_IMPL(name) {", ""},
      {"x = (int) FOO;", ""},
      {"#define API EXPORT \\\n  API int x\nint y;", ""},
      {"char* s = \"A1 B1 c d\"; // A1 B1 c d", ""},
      {"auto s = R\"(A1 B1 c d)\";", ""},
      {"CHECK(x);\nint y;", ""},
      {"API void f();\nAPI A1a(int x);\nAPI ~A1a();",
       "... void f();\n... A1a(int x);\n... ~A1a();"},
      {"API A1::A1(int x) {}\nAPI n::B1::~B1() {}", "... A1::A1(int x) {}\n... n::B1::~B1() {}"},
      {"class A1 {\n USED A1(int x);\n USED B1(int x); };",
       "class A1 {\n .... A1(int x);\n USED B1(int x); };"},
      {"class API(\"x\") A1 : B1 {};", "class ........ A1 : B1 {};"},
      {"template <typename T, ENABLE_IF(a<T>::b)>\nvoid f();",
       "template <typename T, .........(a<T>::b)>\nvoid f();"},
      {"void f() { a(); TRY { b(); } CATCH (const E&) { c(); } }",
       "void f() { a(); ... { b(); } ................ { c(); } }"},
      {"class A1 { int a;\n PRIVATE_UNLESS_TESTED: int b; };",
       "class A1 { int a;\n ...................... int b; };"},
      {"void f() {\n#if X\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}",
       "void f() {\n.....\n  if (a) {\n.......................\n  }\n}"},
      {"#if X\nextern \"C\" {\n#endif\nint f();\n#if X\n}\n#endif", ""},
      {"#if X\nint f() {\n}\n#else\nint f() {\n}\n#endif", ""},
      {"class A1 {\n int a;\n NO_COPY (A1)\n};", "class A1 {\n int a;\n ............\n};"},
      {"enum { A1(x) };", ""},
      {"class API OLD(\"x\") A1 : B1 {};", "class ... ........ A1 : B1 {};"},
      {"A1(A1 o)\n : a(o.a)\n#if X\n , b(o.b)\n#endif\n{ }",
       "A1(A1 o)\n : a(o.a)\n.....\n , b(o.b)\n......\n{ }"},
      {"struct A1 { const char* f() const API override;\n Abc() API : a(1) {}\n void g() API {} };",
       "struct A1 { const char* f() const ... override;\n Abc() ... : a(1) {}\n void g() ... {} "
       "};"},
      {"int g() { return (int) FOO; }", ""},
      {"int x = a ? (int) FOO : 1;", ""},
      {"void f(unsigned char x API, int y) {}", "void f(unsigned char x ..., int y) {}"},
      {"extern template void f<A>(int);", "...... template void f<A>(int);"},
      {"void f() {\n#if X\n if (a) {\n#endif\n b();\n#if X\n }\n#endif\n}",
       "void f() {\n.....\n if (a) {\n......\n b();\n.....\n }\n......\n}"},
      {"#define END \\\n } /* a */ \\\n } // b\n", "#define END \\\n } ....... \\\n } // b\n"},
      {"void f() { g(typename a<b>::c{}, 1); typename T::x y; }",
       "void f() { g(........ a<b>::c{}, 1); typename T::x y; }"},
      {"PRAGMA(x y)\n\n// a\nclass A {", "...........\n\n// a\nclass A {"},
      {"typedef uint16_t type UNALIGNED;", "typedef uint16_t type .........;"},
      {"static int x UNUSED = 3;", "static int x ...... = 3;"},
      {"typedef unsigned int UINT;", ""},
      {"struct a {\n FIELDS\n};", "struct a {\n ......\n};"},
      {"enum a { ONE };", ""},
      {"int a[] = { ONE };", ""},
      {"typedef struct _SESSION SESSION;", ""},
      {"static Type NAME;", ""},
      {"bool f() { return a and FOO; }", ""},
      {"f(a,\n#if X\n b,\n#endif\n c);", "f(a,\n.....\n b,\n......\n c);"},
      {"#if X\nint f(int a)\n#else\nint f(long a)\n#endif\n{ }",
       ".....\nint f(int a)\n..........................\n{ }"},
      {"DWORD WINAPI f(int x);\nDWORD g(int x);", "..... WINAPI f(int x);\nDWORD g(int x);"},
      {"{ ASSIGN(const auto a, f(\"x\"), more); }", "{ .......const auto a. f(\"x\").......; }"},
      {"{ ASSIGN(std::map<int, a::b>& c, f([] { g(); })); }",
       "{ .......std::map<int, a::b>& c. f([] { g(); }).; }"},
      {"{ return\n#if X\n a() &&\n#endif\n b(); }", "{ return\n.....\n a() &&\n......\n b(); }"},
      {"{ ASSIGN(auto [a, b], f()); }", "{ .......auto [a, b]. f().; }"},
      {"{ CHECK_EQ(sizeof a, 3); CHECK_EQ(a * b, c()); }", ""},
      {"class A {\nQ_OBJECT\nQ_PROPERTY(int size READ size)\nQ_ENUMS(Kind)\npublic:",
       "class A {\n.......................................\n.............\npublic:"},
      {"class A {\nQ_OBJECT\npublic:\nA();\npublic slots:",
       "class A {\n........\npublic:\nA();\npublic .....:"},
      {"class A {\nNO_COPY(A)\nA();", "class A {\n..........\nA();"},
      {"struct A {\nAPI(int)\nf();", "struct A {\n....int.\nf();"},
      {"DWORD\nGET_SIZE(int x) {", ""},
      {"PER_CPU(struct foo, a); PER_CPU(unsigned long, a); PER_CPU(n::a, b); X(a b, c) {}", ""},
      {"", ""},
  };
  for (const auto& c : cases) {
    const auto blanked = blank_macros(c.text);
    const std::string text = c.text;
    const std::string want = *c.want == '\0' ? text : c.want;
    std::string got = text;
    std::string unblanked = blanked ? blanked->text : text;
    if (blanked) {
      ASSERT_EQ(unblanked.size(), text.size());
      for (const ByteRange& range : blanked->blanked) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) got[i] = '.';
        std::string left = unblanked.substr(range.begin, range.end - range.begin);
        if (left.starts_with("int=")) left.erase(0, 4);
        if (left.starts_with("public")) left.erase(0, 6);
        if (left == "=") left.clear();
        EXPECT_EQ(left.find_first_not_of(" \n"), std::string::npos) << left;
        unblanked.replace(range.begin, range.end - range.begin,
                          text.substr(range.begin, range.end - range.begin));
      }
    }
    EXPECT_EQ(got, want);
    EXPECT_EQ(unblanked, text);
  }
}

TEST(BlankMacros, TakesTimeThatGrowsWithTheText) {
  const struct {
    const char* head;
    const char* part;
    const char* tail = "";
  } cases[] = {
      {"", ";AB(\\\"\n"},
      {"", "R\""},
      {"class ", "A1_FINAL ", "{"},
      {"", "AB(AB("},
      {"", "template <AB("},
      {"", ";AB(c d,"},
      {"#if A\n{\n#else\n", "aa b "},
      {"class ", "AA ", "AA()"},
      {"", "#if A\n{\n#else\n"},
  };
  for (const auto& c : cases) {
    const auto text_of = [&](std::size_t size) {
      return testing::repeated(c.head, c.part, size) +
             testing::repeated("", c.tail, *c.tail ? size : 0);
    };
    const double growth =
        testing::growth_of_time(text_of, [](const std::string& text) { (void)blank_macros(text); });
    EXPECT_LT(growth, testing::kMaxLinearGrowth) << c.head << c.part << c.tail;
  }
}

}  // namespace
}  // namespace codexmem::parse

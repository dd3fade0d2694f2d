#include "parse/macros.h"

#include <gtest/gtest.h>

#include <string>

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
      {"class GLUE FINAL : public B {", "class GLUE ..... : public B {"},
      {"class GLUE {", ""},
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
      {"f(a,\n#if X\n b,\n#endif\n c);", "f(a,\n.....\n b,\n......\n c);"},
      {"#if X\nint f(int a)\n#else\nint f(long a)\n#endif\n{ }",
       ".....\nint f(int a)\n..........................\n{ }"},
      {"DWORD WINAPI f(int x);\nDWORD g(int x);", "..... WINAPI f(int x);\nDWORD g(int x);"},
      {"", ""},
  };
  for (const auto& c : cases) {
    const auto blanked = blank_macros(c.text);
    std::string got = c.text;
    if (blanked) {
      for (const ByteRange& range : blanked->blanked) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) got[i] = '.';
      }
    }
    EXPECT_EQ(got, *c.want == '\0' ? c.text : c.want);
    EXPECT_EQ(blanked ? blanked->text.size() : got.size(), got.size());
  }
}

}  // namespace
}  // namespace codexmem::parse

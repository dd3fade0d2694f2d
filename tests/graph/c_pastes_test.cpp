// C and C++: names that macros make of what they are given.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CPastes : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CPastes, AreUses) { testing::expect_marked(GetParam()); }

const MarkedCase kPastes[] = {
    {"BehindAPrefix",
     {{"a.h", "#define CMD(n) { #n, cmd_##n }\n"},
      {"a.c",
       "#include \"a.h\"\nstatic int <!>cmd_add(int a) { return a; }\n"
       "static int cmd_sub(int a) { return a; }\nstruct entry { char *name; int (*run)(int); };\n"
       "static struct entry all[] = { CMD(<?>add), CMD(sub) };\nint add(int a) { return a; }\n"}}},
    {"BeforeASuffix",
     {{"a.h", "#define HOOK(n) extern int n ## _hook (int)\n"},
      {"a.c", "#include \"a.h\"\nint <!>open_hook(int a) { return a; }\nint close_hook(int a);\n"},
      {"b.c", "#include \"a.h\"\nHOOK(<?>open);\nHOOK(close);\n"}}},
    {"ThroughOtherMacros",
     {{"cat.h",
       "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n#define NAME(x) CAT(mod_, x)\n"},
      {"a.c",
       "#include \"cat.h\"\nint <!>mod_init(void) { return 1; }\nint mod_exit(void) { return 1; }\n"
       "int f(void) { return NAME(<?>init)() + NAME(exit)() + CAT(mod_, <?>init)(); }\n"}}},
    {"OfTwoParameters",
     {{"a.c",
       "#define METHOD(type, name) type##_##name\nint <!>list_size(void) { return 1; }\n"
       "int f(void) { return METHOD(list, <?>size)() + METHOD(list, last)(); }\n"}}},
    {"ByNumbers",
     {{"a.c",
       "#define LEVEL(n) level##n()\nint <!>level2(void) { return 1; }\n"
       "int f(void) { return LEVEL(1) + <?>LEVEL(2); }\n"}}},
    {"OfAListOfThem",
     {{"a.c",
       "enum code { <!>CODE_one, CODE_two };\n#define CODES(X) X(<?>one) X(two)\n"
       "#define X(n) CODE_##n,\nenum code all[] = { CODES(X) };\n#undef X\n"}}},
    {"MembersToo",
     {{"a.cpp",
       "struct Tank {\n  void <!>set_size(int a);\n  void set_name(int a);\n};\n"
       "#define SET(x, v) set_##x(v)\nvoid f(Tank& t) { t.SET(<?>size, 1); t.SET(name, 1); }\n"}}},
    {"MacrosThatMakeTheNameOfADefinition",
     {{"a.c",
       "#define OWN(x) own_##x\nstatic int OWN(<!>start)(int a) { return a; }\n"
       "const int *OWN(table)[] = { 0 };\nint f(void) { return OWN(<>start)(1); }\n"}}},
    {"ByMacrosInsideAnEnum",
     {{"a.h",
       "#define CODES(XX) \\\n  XX(<?>one, \"1\") \\\n  XX(two, \"2\")\n"
       "typedef enum {\n#define XX(code, _) CODE_ ## code = OWN__ ## code,\n  CODES(XX)\n#undef "
       "XX\n"
       "  CODE_LAST = 9\n} code_t;\n#define <!>OWN__one 1\n#define OWN__two 2\n"}}},
    {"WhichAreUsesOfTheMacro",
     {{"a.c",
       "#define <!>OWN(x) own_##x\nstatic int <>OWN(start)(int a) { return a; }\n"
       "const int *<>OWN(table)[] = { 0 };\n"}}},
};

INSTANTIATE_TEST_SUITE_P(All, CPastes, ::testing::ValuesIn(kPastes),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace codexmem::graph

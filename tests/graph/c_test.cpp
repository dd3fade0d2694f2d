// C: includes, name spaces, members, declarations of one thing in several files.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CNames : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CNames, LeadToWhatTheyMean) { testing::expect_marked(GetParam()); }

const MarkedCase kC[] = {
    {"PrototypesMeanTheDefinition",
     {{"lib/a.h", "int f(int a);\n"},
      {"lib/a.c", "#include \"a.h\"\nint <!>f(int a) { return a ? <>f(0) : 0; }\n"},
      {"b.c", "#include \"lib/a.h\"\nint g(void) { return <>f(1); }\nint (*p)(int) = <>f;\n"},
      {"c.c", "static int f(int a) { return a; }\nint h(void) { return f(1); }\n"}}},
    {"APrototypeMeansTheDefinition",
     {{"lib/a.h", "int <!>f(int a);\n"},
      {"lib/a.c", "#include \"a.h\"\nint f(int a) { return a ? <>f(0) : 0; }\n"},
      {"b.c", "#include <a.h>\nint g(void) { return <>f(1); }\n"}}},
    {"CompileCommandsSayWhereHeadersAre",
     {{"one/mode.h", "#define MODE 1\n"},
      {"two/mode.h", "#define <!>MODE 2\n"},
      {"two/more.h", "#include <mode.h>\nenum { more = <>MODE };\n"},
      {"src/a.c", "#include \"mode.h\"\nint mode = <>MODE;\n"},
      {"src/deep/b.c", "#include <mode.h>\nint other = MODE;\n"},
      {"build/compile_commands.json",
       R"([{"directory": "/elsewhere/p/build", "file": "../src/a.c",
            "command": "cc -DX='a \"b' -I /usr/include -I../two -c ../src/a.c"},
           {"directory": "/elsewhere/p", "file": "/elsewhere/p/src/deep/b.c",
            "arguments": ["cc", "-isystem", "one", "-c", "src/deep/b.c"]},
           {"directory": 1, "file": "a.c"}, "no entry"])"}}},
    {"BrokenCompileCommandsSayNothing",
     {{"one/mode.h", "#define <!>MODE 1\n"},
      {"src/a.c", "#include \"mode.h\"\nint mode = <>MODE;\n"},
      {"compile_commands.json", "[{\"directory\": \"/p\", \"file\": \"/p/src/a.c\","}}},
    {"DeclaredWithoutAHeader",
     {{"a.c", "int <!>shared;\nint f(int a) { return a + <>shared; }\n"},
      {"b.c", "int g(void) { extern int <>shared; return <>shared; }\n"}}},
    {"AlternativesShareAHeader",
     {{"a.h", "int open_it(void);\n"},
      {"unix.c", "#include \"a.h\"\nint <!>open_it(void) { return 1; }\n"},
      {"win.c", "#include \"a.h\"\nint open_it(void) { return 2; }\n"},
      {"b.c", "#include \"a.h\"\nint g(void) { return <>open_it(); }\n"}}},
    {"ProgramsHaveTheirOwn",
     {{"a.c", "int <!>run(void) { return 1; }\nint main(void) { return <>run(); }\n"},
      {"b.c", "int run(void) { return 1; }\nint main(void) { return run(); }\n"}}},
    {"HeadersRelyOnTheirIncluders",
     {{"types.h", "typedef int <!>number;\n"},
      {"uses.h", "<>number half(<>number of);\n"},
      {"a.c", "#include \"types.h\"\n#include \"uses.h\"\n<>number n;\n"}}},
    {"MembersByTheTypeOfTheReceiver",
     {{"a.h",
       "struct a { int <!>x; struct a *next; };\ntypedef struct a a_t, *a_p;\n"
       "struct b { int x; a_t list[4]; a_p (*make)(int); };\n"},
      {"a.c",
       "#include \"a.h\"\na_t *get(struct b *b) { return &b->list[1]; }\n"
       "int f(struct b *b, void *any, a_p p) {\n  struct b *other = b, many[2];\n"
       "  b->x = 1;\n  b->list[0].<>x = get(b)-><>x + get(b)->next-><>x;\n"
       "  ((struct a *)any)-><>x++;\n  (*p).<>x = many[1].x + other->x + other->make(1)-><>x;\n"
       "  return (&(a_t){ .<>x = 1 })-><>x + (p ? p : any)-><>x + (p + 1)-><>x;\n}\n"}}},
    {"DesignatedInitialisers",
     {{"a.c",
       "struct in { int <!>x; };\nstruct out { int x; struct in in; };\n"
       "struct out o = { .x = 1, .in = { .<>x = 2 } };\n"
       "static struct in many[] = { { .<>x = 1 }, [3] = { .<>x = 2 } };\n"
       "void f(void) { struct in i = { .<>x = o.x }; (void)i; }\n"}}},
    {"TagsHaveTheirOwnNameSpace",
     {{"a.c",
       "struct <!>node { struct <>node *next; };\ntypedef struct other { int x; } node;\n"
       "struct <>node *first;\nnode *second;\nint f(void) { int node = 1; return node; }\n"}}},
    {"Typedefs",
     {{"a.c",
       "struct node { int x; };\ntypedef struct { int x; } <!>node;\n"
       "struct node *first;\n<>node *second;\nint f(<>node *n) { return (int)sizeof(<>node); "
       "}\n"}}},
    {"TablesOfFunctions",
     {{"a.c",
       "struct ops { int (*open)(int a); };\nstatic int <!>my_open(int a) { return a; }\n"
       "static const struct ops ops = { .open = <>my_open };\nint f(void) { return ops.open(1); "
       "}\n"}}},
    {"HeadersAreWrittenForTheirIncluder",
     {{"body.h", "static int run(int a) { return <?>round_of(a); }\n"},
      {"a.c",
       "static int <!>round_of(int a) { return a; }\n#include \"body.h\"\nint f(void) { return "
       "run(1); }\n"},
      {"b.c",
       "static int round_of(int a) { return a; }\n#include \"body.h\"\nint g(void) { return "
       "run(1); }\n"}}},
    {"TagsInArgumentsOfMacros",
     {{"a.c",
       "#define EXTRA(type, p) ((type *)(p))\n#define ALL(p) EXTRA(struct <>foo, p)\n"
       "struct <!>foo { int x; };\nint foo;\nvoid *f(void *p) { return EXTRA(struct <>foo, p); "
       "}\n"}}},
    {"Macros",
     {{"a.h",
       "#define <!>LIMIT 10\n#define TWICE(LIMIT) (LIMIT + LIMIT)\n#define MORE (<>LIMIT + 1)\n"},
      {"a.c",
       "#include \"a.h\"\n#ifdef <>LIMIT\nint a[<>LIMIT];\n#endif\n#if defined(<>LIMIT) && <>LIMIT "
       "> 2\n"
       "int b = TWICE(<>LIMIT);\n#endif\n"}}},
    {"LocalsHide",
     {{"a.c",
       "int <!>count;\nint f(int count) { return count; }\nint g(void) {\n  int a = <>count;\n"
       "  for (int count = 0; count < 2; count++) a += count;\n  {\n    int count = 1;\n    a = "
       "count;\n  }\n"
       "  return a + <>count;\n}\nint h(int (*count)(int a));\n"}}},
    {"EnumConstants",
     {{"a.h", "enum color { <!>RED, GREEN = <>RED + 1 };\ntypedef enum { BLUE } more;\n"},
      {"a.c", "#include \"a.h\"\nint f(enum color c) { return c == <>RED; }\n"}}},
    {"UnnamedStructsShareTheirMembers",
     {{"a.c",
       "struct a {\n  union { int <!>x; long y; };\n  struct { int x; } named;\n};\n"
       "int f(struct a *a) { return a-><>x + a->named.x; }\n"}}},
    {"MembersOfWhatHasATypeWithoutAName",
     {{"a.c",
       "struct a {\n  int x;\n  struct { int <!>x; } in;\n};\nstatic struct { int x; } table[2];\n"
       "int f(struct a *a) { return a->x + a->in.<>x + table[0].x; }\n"}}},
    {"CppUsesFunctionsOfC",
     {{"a.h", "int f(void);\n"},
      {"a.c", "#include \"a.h\"\nint <!>f(void) { return 1; }\n"},
      {"b.cpp", "extern \"C\" {\n#include \"a.h\"\n}\nint g() { return <>f(); }\n"}}},
    {"AlternativesAreLikely",
     {{"a.h", "#ifdef X\n#define <!>number int\n#else\ntypedef long number;\n#endif\n"},
      {"a.c", "#include \"a.h\"\n<?>number f(void);\n"}}},
    {"FieldsThatMacrosMake",
     {{"a.c",
       "struct a {\n  int x;\n  FLAG(<!>ready);\n  LIST_ENTRY(a) next;\n};\n"
       "int f(struct a *a) { return a-><>ready + (a->next ? 1 : 0); }\n"}}},
    {"DeclarationsInMacros",
     {{"a.c",
       "int <!>timer;\n#define FIELDS int x; struct a *timer; \n#define GET (<>timer)\n"
       "struct a { FIELDS };\nint f(void) { return <>timer; }\n"}}},
    {"Offsetof",
     {{"a.c",
       "#include <stddef.h>\nstruct a { int <!>x; };\nstruct b { int x; };\n"
       "int n = offsetof(struct a, <>x) + offsetof(struct b, x);\n"}}},
};

INSTANTIATE_TEST_SUITE_P(C, CNames, ::testing::ValuesIn(kC), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

// C: macros that are redefined, and macros that cast.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CMacros : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CMacros, LeadToWhatTheyMean) { testing::expect_marked(GetParam()); }

const MarkedCase kMacros[] = {
    {"ANewDefinitionHasWhatFollows",
     {{"a.c",
       "#define <!>STEP 1\nint a = <>STEP;\n#undef <>STEP\n#define STEP 2\nint b = STEP;\n"}}},
    {"TheNewOne",
     {{"a.c",
       "#define STEP 1\nint a = STEP;\n#undef STEP\n#define <!>STEP 2\nint b = <>STEP;\n"
       "int f(void) { return <>STEP; }\n"}}},
    {"OfAHeaderUpToTheFilesOwn",
     {{"a.h", "#define <!>STEP 1\nint a[<>STEP];\n"},
      {"a.c", "#include \"a.h\"\nint b = <>STEP;\n#undef <>STEP\n#define STEP 2\nint c = STEP;\n"},
      {"b.c", "#include \"a.h\"\nint d = <>STEP;\n"}}},
    {"BranchesAreAlternatives",
     {{"a.c",
       "#ifdef WIDE\n#define <!>STEP 8\n#else\n#define STEP 4\n#endif\nint a = <?>STEP;\n"}}},
    {"BehindTheBranchesOneIsLeft",
     {{"a.c",
       "#ifdef WIDE\n#define STEP 8\n#else\n#define STEP 4\n#endif\n#undef STEP\n"
       "#define <!>STEP 2\nint a = <>STEP;\n"}}},
    {"OfAHeaderTheLastIsLeft",
     {{"a.h", "#define STEP 1\n#undef STEP\n#define <!>STEP 2\n"},
      {"b.c", "#include \"a.h\"\nint a = <>STEP;\n"}}},
    {"AListIsReadByEachOfItsIncluders",
     {{"list.h", "<?>ITEM(a);\n"},
      {"a.c",
       "#define <!>ITEM(x) int x\n#include \"list.h\"\n#undef <>ITEM\n"
       "#define ITEM(x) long x##_\n#include \"list.h\"\n#undef ITEM\n"}}},
    {"MembersThroughCasts",
     {{"a.h",
       "struct node { struct node *next; };\nstruct item { int <!>size; struct node node; };\n"
       "struct other { int size; };\n#define TO_ITEM(p) ((struct item *)(p))\n"
       "#define TO_OTHER(p) ((struct other *) p)\n"
       "#define item_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))\n"
       "#define as_item(p) item_of(p, struct item, node)\n"
       "#define SIZE(p) (TO_ITEM(p)->node)\n#define NEXT(p) ((struct item *)(p))->node.next\n"
       "#define last_of(ptr, type) ({ void *at = (ptr); \\\n    ((type *)(at)); })\n"},
      {"a.c",
       "#include \"a.h\"\nint f(struct node *n) {\n"
       "  return TO_ITEM(n)-><>size + TO_OTHER(n)->size + item_of(n, struct item, node)-><>size +\n"
       "         item_of(n, struct other, node)->size + as_item(n)-><>size +\n"
       "         last_of(n, struct item)-><>size + SIZE(n)-><~>size + NEXT(n)-><~>size;\n}\n"}}},
    {"CastsToNamedTypes",
     {{"a.h",
       "typedef struct { int <!>size; } Item;\n#define ITEM(p) ((Item *)(p))\n"
       "#define CAST(p, T) ((T *)(p))\n"},
      {"a.c",
       "#include \"a.h\"\nint f(void *p) { return ITEM(p)-><>size + CAST(p, Item)-><>size; }\n"},
      {"b.cpp",
       "#include \"a.h\"\n#define AS_ITEM(p) static_cast<Item*>(p)\n"
       "int g(void *p) { return AS_ITEM(p)-><>size; }\n"}}},
    {"WhatTestsDefineForThemselves",
     {{"src/a.c", "int f(void) { return wipe_all(1); }\n"},
      {"tests/fake.c",
       "int <!>wipe_all(int n) { return n; }\nint g(void) { return <>wipe_all(2); }\n"}}},
    {"WhatIsThereAlreadyIsKept",
     {{"a.h", "#define <!>STEP 1\n"},
      {"b.c", "#include \"a.h\"\n#ifndef <>STEP\n#define STEP 2\n#endif\nint a = <?>STEP;\n"},
      {"c.c", "#ifndef STEP\n#define STEP 3\n#endif\nint b = STEP;\n"}}},
    {"ASourceIsReadByItsIncluders",
     {{"a.c",
       "#define <!>ITEM(x) x##_a\n#include \"part.c\"\n#undef <>ITEM\n#define ITEM(x) x##_b\n"
       "#include \"part.c\"\n"},
      {"part.c", "int f(int a) { return <?>ITEM(a); }\n"}}},
    {"AMacroBeforeReturn",
     {{"a.c",
       "#define <!>TEXT(x) x\n#define END_TRY }\nconst char *f(void) {\n  END_TRY\n"
       "  return <>TEXT(\"a\");\n}\n"}}},
};

INSTANTIATE_TEST_SUITE_P(C, CMacros, ::testing::ValuesIn(kMacros), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

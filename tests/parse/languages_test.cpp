#include "parse/rules/languages.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace codexmem::parse {
namespace {

TEST(Languages, NamesExtensionsAndFileNamesAreUnique) {
  std::set<std::string_view> names, extensions, files, interpreters;
  for (const Language& language : languages()) {
    EXPECT_TRUE(names.insert(language.name).second) << language.name;
    EXPECT_FALSE(language.family.empty()) << language.name;
    EXPECT_EQ(find_language(language.name), &language);
    for (std::string_view alias : language.aliases) {
      EXPECT_TRUE(names.insert(alias).second) << alias;
    }
    for (std::string_view extension : language.extensions) {
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
      EXPECT_EQ(extension.front(), '.') << extension;
    }
    for (std::string_view file : language.file_names) {
      EXPECT_TRUE(files.insert(file).second) << file;
    }
    for (std::string_view interpreter : language.interpreters) {
      EXPECT_TRUE(interpreters.insert(interpreter).second) << interpreter;
    }
  }
}

struct DetectCase {
  const char* path;
  const char* head;
  const char* want;  // "" for none
};

TEST(Languages, AFileIsRecognisedByNameThenExtensionThenInterpreter) {
  const DetectCase cases[] = {
      {"src/a.ts", "", "typescript"},
      {"types/index.d.ts", "", "typescript"},
      {"a.d.mts", "", "typescript"},
      {"App.TSX", "", "tsx"},
      {"a.test.jsx", "", "javascript"},
      {"lib.min.js", "", "javascript"},
      {"a/b.pyi", "", "python"},
      {"CMakeLists.txt", "", "cmake"},
      {"notes.txt", "", "text"},
      {"README", "", "text"},
      {"docs/README.md", "", "markdown"},
      {"Makefile", "", "make"},
      {"package-lock.json", "", "json"},
      {".prettierrc", "", "json"},
      {"a.unknown", "", ""},
      {"image.png", "", ""},
      {"dir.py/tool", "", ""},
      {".py", "", ""},
      {"bin/tool", "#!/usr/bin/env python3.11\nprint()", "python"},
      {"bin/tool", "#!/usr/bin/env -S node --no-warnings\r\n", "javascript"},
      {"bin/tool", "#! /bin/sh -e", "shell"},
      {"bin/tool", "#!/usr/bin/env", ""},
      {"bin/tool", "#!/opt/strange", ""},
      {"tool.unknown", "#!/usr/bin/python", "python"},
      {"tool.fish", "", "fish"},
      {"tool.sh", "#!/usr/bin/python", "shell"},
      {"a.h", "", "c"},
      {"a.h", "#ifndef A\n#define A\nint f(int class);\n// a::b\n#endif", "c"},
      {"a.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nchar* s = \"a::b\";", "c"},
      {"a.h", "#define X \\\n  class A\nint x;", "c"},
      {"a.h", "#define X 1 /* begins\n using them */\nint x;", "c"},
      {"a.h", "#if defined(__cplusplus) && X\n#if Y\n#endif\nclass A;\n#endif\nint x;", "c"},
      {"a.h", "#ifndef __cplusplus\nint x;\n#else\nclass A;\n#endif", "cpp"},
      {"a.h", "namespace a {\n}", "cpp"},
      {"a.h", "#pragma once\ntemplate <typename T> T f();", "cpp"},
      {"a.h", "class A;", "cpp"},
      {"a.h", "void f(std::string s);", "cpp"},
      {"a.h", "struct A {\n private:\n  int x;\n};", "cpp"},
      {"a.h", "@interface A : NSObject\n@end", "objectivec"},
      {"a.hpp", "int x;", "cpp"},
      {"a.ts", "let x = <string>y;", "typescript"},
      {"a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS/>", "xml"},
      {"a.ts", "<!DOCTYPE TS>\n<TS/>", "xml"},
      {"main.ui", "<ui/>", "xml"},
      {"", "", ""},
  };
  for (const DetectCase& c : cases) {
    const Language* language = detect_language(c.path, c.head);
    EXPECT_EQ(language == nullptr ? "" : language->name, c.want) << c.path << " " << c.head;
  }
}

TEST(Languages, AFamilyIsANumberForEachNameOfAFamily) {
  const auto number = [](std::string_view name) { return family_of(*find_language(name)); };
  EXPECT_EQ(number("typescript"), Family::kEcmaScript);
  EXPECT_EQ(number("javascript"), Family::kEcmaScript);
  EXPECT_EQ(number("python"), Family::kPython);
  EXPECT_EQ(number("json"), Family::kNone);
  for (const Language& one : languages()) {
    for (const Language& other : languages()) {
      if (!one.has_grammar || !other.has_grammar) continue;
      EXPECT_EQ(family_of(one) == family_of(other), one.family == other.family)
          << one.name << " " << other.name;
    }
  }
}

}  // namespace
}  // namespace codexmem::parse

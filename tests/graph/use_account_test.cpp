#include "graph/core/use_account.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using Texts = std::map<std::string, std::string>;

ReferenceAnswer ask(const Texts& files, const std::string& symbol, const std::string& file = {}) {
  testing::CodeFixture fixture(files);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  EXPECT_TRUE(lease.ok());
  ReferenceQuery query;
  query.symbol = symbol;
  if (!file.empty()) query.file_path = file;
  query.min_confidence = Confidence::kName;
  auto answer = find_references(cache, **lease, query);
  EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message());
  return std::move(answer).value();
}

struct AccountCase {
  std::string name;
  Texts files;
  std::string symbol, file;
  std::string want;
};

class UseAccountTest : public ::testing::TestWithParam<AccountCase> {};

TEST_P(UseAccountTest, PutsEachPlaceOfTheNameIntoOneDrawer) {
  const AccountCase& c = GetParam();
  const ReferenceAnswer answer = ask(c.files, c.symbol, c.file);
  EXPECT_EQ(account_text(answer.account), c.want);
  // Each place but the definitions is an item too.
  EXPECT_EQ(answer.usages,
            answer.account.total() - answer.account[Drawer::kDefinition] + answer.account.renamed);
}

const AccountCase kAccountCases[] = {
    {"CommentsAndStringsAreText",
     {{"a.py", "def run():\n    \"\"\"run it\"\"\"\n    return 'run'  # run, runs\n\nrun()\n"}},
     "run",
     "",
     "1 definition, 1 certain; 3 in text = 5 places"},
    {"AFieldIsNotCalledAsAMethodIs",
     {{"src/lib.rs",
       "pub struct P { pub config: u8 }\nfn f(p: &P, r: &dyn Other) -> u8 {\n"
       "  r.config();\n  p.config\n}\n"}},
     "P.config",
     "",
     "1 definition, 1 certain; 1 of something else = 3 places"},
    {"ALabelIsSomethingElse",
     {{"a.go",
       "package a\n\nfunc Loop() {\nLoop:\n\tfor {\n\t\tbreak Loop\n\t}\n}\n\n"
       "func f() { Loop() }\n"},
      {"b.c", "void Loop(void);\nvoid g(void) {\n  goto Loop;\nLoop: // here\n  Loop();\n}\n"}},
     "Loop",
     "a.go",
     "1 definition, 1 certain; 6 of something else (1 other definition of that name) = 8 places"},
    {"ABareNameOfPythonIsNoMember",
     {{"a.py", "class Console:\n    def print(self, x):\n        self.x = x\n"},
      {"b.py", "print(1)\n\n\ndef f():\n    return print\n"}},
     "Console.print",
     "",
     "1 definition, 0 certain; 2 of something else = 3 places"},
    {"AModuleOfAnImportIsNoMember",
     {{"style.py", "class Style:\n    pass\n"},
      {"a.py",
       "from style import Style\nfrom .style import Style as S\n\n\nclass Row:\n"
       "    def __init__(self):\n        self.style = 1\n"}},
     "Row.style",
     "",
     "1 definition, 0 certain; 2 of something else = 3 places"},
    {"AKeywordIsNoFieldOfAClassThatListsItsOwn",
     {{"a.py",
       "class A:\n    def __init__(self, url):\n        self.url = url\n        self.auth = 1\n\n\n"
       "def f(g, **kw):\n    g(auth=2)\n"}},
     "A.auth",
     "",
     "1 definition, 0 certain; 1 of something else = 2 places"},
    {"SuperReachesWhatSubtypesCombine",
     {{"a.py",
       "class Base:\n    def go(self):\n        super().go()\n\n\n"
       "class Side:\n    def go(self):\n        pass\n\n\n"
       "class Other:\n    def go(self):\n        pass\n\n\n"
       "class Both(Base, Side):\n    pass\n"}},
     "Side.go",
     "",
     "1 definition, 1 certain; 2 of something else (2 other definitions of that name) = 4 places"},
    {"SuperReachesNothingElse",
     {{"a.py",
       "class Base:\n    def __init__(self):\n        super().__init__()\n\n\n"
       "class Other:\n    def __init__(self):\n        pass\n"}},
     "Other.__init__",
     "",
     "1 definition, 0 certain; 2 of something else (1 other definition of that name) = 3 places"},
    {"APackageIsNoFunction",
     {{"a/log/A.java", "package a.log;\n\nclass A {\n  void log() {}\n  void b() { log(); }\n}\n"}},
     "A.log",
     "",
     "1 definition, 1 certain; 1 of something else = 3 places"},
    {"AHeaderIsNoFunction",
     {{"a.c", "#  include <wait.h>\nvoid wait(void) {}\n"}},
     "wait",
     "",
     "1 definition, 0 certain; 1 of something else = 2 places"},
    {"AParameterThatIsOnlyAnnouncedIsSomethingElse",
     {{"a.c", "struct s { int pos; };\nint f(int pos);\nint g(struct s *p) { return p->pos; }\n"}},
     "s.pos",
     "",
     "1 definition, 1 certain; 1 of something else = 3 places"},
    {"AMapIsNoOwnType",
     {{"a.ts",
       "export class Own { set(a: string) {} }\nconst map = new Map();\nmap.set('b');\n"
       "const proxy = new Proxy(x, {});\nproxy.set('c');\n"}},
     "Own.set",
     "",
     "1 definition, 0 certain, 1 possible; 1 of something else = 3 places"},
    {"ARegularExpressionIsText",
     {{"a.js", "export function select() {}\nselect(/^(?:input|select)$/);\n"}},
     "select",
     "",
     "1 definition, 1 certain; 1 in text = 3 places"},
    {"AKeyOfATypeInQuotesIsLikely",
     {{"a.ts",
       "export interface U { id: number }\nexport type P = Pick<U, 'id'>;\n"
       "export const f = (u: U) => u.id;\nexport const g = () => 'id';\n"}},
     "id",
     "",
     "1 definition, 1 certain, 1 likely, 1 possible = 4 places"},
    {"APathInQuotesIsLikely",
     {{"pkg/__init__.py", ""},
      {"pkg/m.py", "def work():\n    pass\n"},
      {"t.py", "def test(mock):\n    mock.patch('pkg.m.work')\n    mock.patch('other.work')\n"}},
     "work",
     "",
     "1 definition, 0 certain, 1 likely; 1 in text = 3 places"},
    {"ATextThatCodeReachesByIsPossible",
     {{"a.py",
       "class A:\n    def work(self):\n        pass\n\ndef f(x):\n    return getattr(x, 'work')\n"},
      {"b.py", "print('work')\n"}},
     "work",
     "",
     "1 definition, 0 certain, 1 possible; 1 in text = 3 places"},
    {"SignsOfOperatorsAreWritten",
     {{"a.cs",
       "class V { public static V operator +(V a, V b) { return a; } }\n"
       "class P { V F(V a, V b) { return a + b; } int G(int a) { return a + 1; } }\n"}},
     "+",
     "",
     "1 definition, 1 certain; 1 of something else = 3 places"},
    {"OtherTextsAreText",
     {{"a.go", "package a\n\nfunc Run() {}\n"},
      {"README.md", "Call Run, not Runner.\n"},
      {"ci.json", "{\"do\": \"Run\"}\n"}},
     "Run",
     "",
     "1 definition, 0 certain; 2 in text = 3 places"},
    {"OtherDefinitionsAndLocalsAreSomethingElse",
     {{"a.ts", "export function run() {}\nrun();\n"},
      {"b.ts", "function run() {}\nfunction f(run: number) { return run; }\n"}},
     "run",
     "a.ts",
     "1 definition, 1 certain; 3 of something else (1 other definition of that name) = 5 places"},
    {"UnknownReceiversArePossible",
     {{"a.py",
       "class A:\n    def get(self): pass\nclass B:\n    def get(self): pass\n"
       "def f(x):\n    return x.get()\n"}},
     "A.get",
     "",
     "1 definition, 0 certain, 1 possible; 1 of something else (1 other definition of that name)"
     " = 3 places"},
    {"OtherLanguagesMeanSomethingElse",
     {{"a.py", "def run(): pass\n"}, {"b.rb", "def run; end\nrun\n"}},
     "run",
     "a.py",
     "1 definition, 0 certain; 2 of something else (1 other definition of that name) = 3 places"},
    {"LanguagesWithoutAGrammarAreUnread",
     {{"sum.c", "int native_sum(int a) { return a; }\n"},
      {"Bridge.m", "int f(void) { return native_sum(1); }\n"}},
     "native_sum",
     "",
     "1 definition, 0 certain; 1 unread = 2 places"},
    {"OtherNamesOfItAreBesideTheSum",
     {{"a.ts", "export function run() {}\n"},
      {"b.ts", "import { run as go } from './a';\ngo();\n"}},
     "run",
     "",
     "1 definition, 1 certain = 2 places, and 2 uses that do not write the name"},
    {"NamesThatMacrosMakeAreBesideTheSum",
     {{"a.c",
       "#define CMD(n) cmd_##n\nint cmd_add(int a) { return a; }\nint (*run)(int) = CMD(add);\n"}},
     "cmd_add",
     "",
     "1 definition, 0 certain = 1 place, and 1 use that does not write the name"},
    {"PartsOfLongerWordsAreNoPlaces",
     {{"a.js", "function user_name() {}\n// user_names, a_user_name, $user_name\nuser_name();\n"}},
     "user_name",
     "",
     "1 definition, 1 certain; 1 in text = 3 places"},
};

INSTANTIATE_TEST_SUITE_P(All, UseAccountTest, ::testing::ValuesIn(kAccountCases),
                         [](const auto& case_of) { return case_of.param.name; });

TEST(UseAccount, SaysWhyAPlaceIsPossibleOrUnread) {
  const ReferenceAnswer answer = ask({{"sum.c", "int native_sum(int a) { return a; }\n"},
                                      {"ios/Bridge.m", "int f(void) { return native_sum(1); }\n"}},
                                     "native_sum");
  ASSERT_EQ(answer.coverage.unread.size(), 1U);
  EXPECT_EQ(answer.coverage.unread[0].path, "ios/Bridge.m");
  EXPECT_EQ(answer.coverage.unread[0].doubt, Doubt::kNoGrammar);
  EXPECT_FALSE(answer.account.is_complete());
}

TEST(UseAccount, SaysWhatAPlaceMeansInstead) {
  const ReferenceAnswer answer =
      ask({{"a.ts", "export function run() {}\n"}, {"b.ts", "export function run() {}\nrun();\n"}},
          "run", "a.ts");
  ASSERT_EQ(answer.items.size(), 3U);
  EXPECT_EQ(answer.items[1].means, "the definition of 'run'");
  EXPECT_EQ(answer.items[2].means, "'run' of b.ts");
  EXPECT_TRUE(answer.account.is_complete());
}

}  // namespace
}  // namespace codexmem::graph

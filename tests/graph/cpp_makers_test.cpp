// C++: what making an object calls, and the forms in which a class is named.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CppMakers : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CppMakers, LeadToWhatTheyMean) { testing::expect_marked(GetParam()); }

const MarkedCase kMakers[] = {
    {"ObjectsAreMadeByConstructors",
     {{"a.hpp",
       "struct Tank {\n  Tank();\n  explicit <!>Tank(int litres);\n  Tank(int a, int b);\n};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(Tank* out) {\n  <>Tank a(1);\n  <>Tank b{2};\n  Tank c(1, 2);\n"
       "  Tank d;\n  auto e = <>Tank(4);\n  *out = <>Tank{5};\n  delete new <>Tank(6);\n"
       "  static const <>Tank g = {7};\n  Tank* none = nullptr;\n  Tank& same = a;\n}\n"
       "<>Tank global(8);\nTank make(int);\nextern Tank far;\n"}}},
    {"WithoutArguments",
     {{"a.hpp", "struct Tank {\n  <!>Tank();\n  Tank(int litres);\n};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f() { <>Tank a; <>Tank b{}; "
       "new <>Tank; new <>Tank(); Tank c(1); }\n"
       "Tank g();\nvoid h(Tank d, Tank* e);\n"}}},
    {"ByWhatTheyAreGiven",
     {{"a.hpp",
       "struct Key {};\nstruct Tank {\n  <!>Tank(const Key& key);\n  Tank(int litres);\n};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(Key key, int n) { <>Tank a(key); Tank b(n); Tank c(b); }\n"}}},
    {"ACopyIsMadeByNoneThatIsWritten",
     {{"a.hpp", "struct Tank {\n  <!>Tank(int litres);\n};\nstruct Small : Tank {};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(Tank a, Small s) { Tank b(a); Tank c{s}; <>Tank d(3); }\n"
       "template <typename T> void g(T t) { <?>Tank b(t); }\n"}}},
    {"BasesAndDelegates",
     {{"a.hpp",
       "struct Base {\n  <!>Base(int a);\n  Base();\n};\nstruct Tank : Base {\n  int size_;\n"
       "  Tank(int a) : <>Base(a), size_(a) {}\n  Tank();\n  Tank(int a, int b);\n};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nTank::Tank() : Base() {}\nTank::Tank(int a, int b) : Tank(a) {}\n"}}},
    {"ADelegateUsesAnotherOfItsClass",
     {{"a.hpp",
       "struct Tank {\n  <!>Tank(int a);\n  Tank(int a, int b) : <>Tank(a + b) {}\n};\n"}}},
    {"DefinedElsewhere",
     {{"a.hpp", "namespace n { struct Tank {\n  Tank(int a);\n  Tank();\n}; }\n"},
      {"a.cpp", "#include \"a.hpp\"\nnamespace n {\nTank::<!>Tank(int a) {}\nTank::Tank() {}\n}\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nn::<>Tank a(1);\nvoid f() { n::Tank b; new n::<>Tank{2}; }\n"}}},
    {"AClassInEveryForm",
     {{"a.hpp",
       "class <!>Tank {\n public:\n  Tank(int a);\n  ~<>Tank();\n  operator int() const;\n};\n"
       "class Other {\n  friend class <>Tank;\n  operator <>Tank() const;\n};\n"
       "template <typename T> struct Of {};\ntemplate < > struct Of<<>Tank> {};\n"
       "extern template struct Of<<>Tank*>;\n"},
      {"a.cpp",
       "#include \"a.hpp\"\nclass <>Tank;\n<>Tank::Tank(int a) {}\n<>Tank::~<>Tank() {}\n"
       "<>Tank::operator int() const { return 1; }\n"
       "Other::operator <>Tank() const { return <>Tank(1); }\n"
       "void drop(<>Tank* t, <>Tank& u) { t->~<>Tank(); u.~<>Tank(); t-><>Tank::~<>Tank(); }\n"
       "struct Big : <>Tank { using <>Tank::<>Tank; };\n"}}},
    {"DestructorsOfOthers",
     {{"a.hpp", "namespace n { struct <!>Tank { ~<>Tank(); }; }\nstruct Tank { ~Tank(); };\n"},
      {"a.cpp",
       "#include \"a.hpp\"\nn::<>Tank::~<>Tank() {}\nTank::~Tank() {}\n"
       "void drop(n::<>Tank* a, Tank* b) { a->~<>Tank(); b->~Tank(); }\n"}}},
    {"AConstructorIsNotItsOwnClass",
     {{"db.h", "class Db {\n public:\n  Db();\n  int <!>open();\n};\n"},
      {"db.cpp", "#include \"db.h\"\nDb::Db() { <>open(); }\nint Db::open() { return 1; }\n"},
      {"b.cpp", "#include \"db.h\"\nint f() { Db db; return db.<>open(); }\n"}}},
    {"MacrosAmongMembers",
     {{"a.h",
       "class <!>Tank : public QObject {\n  Q_OBJECT\n  Q_PROPERTY(int size READ size)\n"
       "  Q_ENUMS(Kind)\n  Q_DISABLE_COPY(<>Tank)\n public:\n  Tank(int a);\n"
       "  DECLARE_THING(<>Tank, 3);\n"
       "  int size() const;\n};\n"},
      {"b.cpp", "#include \"a.h\"\nint f(<>Tank* t) { return t->size(); }\n"}}},
    {"InPlace",
     {{"a.hpp",
       "struct Tank {\n  explicit <!>Tank(int litres);\n  Tank(const char* name, int "
       "litres);\n};\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(std::vector<Tank>& all, std::list<int>& numbers) {\n"
       "  auto a = std::make_unique<<?>Tank>(3);\n  auto b = std::make_shared<Tank>(\"b\", 3);\n"
       "  all.<?>emplace_back(3);\n  all.emplace_back(\"c\", 3);\n  numbers.emplace_back(3);\n"
       "  std::optional<Tank> some;\n  some.<?>emplace(2);\n}\n"}}},
    {"Inherited",
     {{"a.hpp",
       "struct Base {\n  explicit <!>Base(int a);\n  Base(const char* name, int a);\n};\n"
       "struct Tank : Base {\n  using Base::Base;\n};\nstruct Other : Base { Other(int a); };\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f() {\n  <?>Tank a(3);\n  Tank b(\"b\", 3);\n  Other c(3);\n"
       "  auto d = std::make_unique<<?>Tank>(3);\n}\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Cpp, CppMakers, ::testing::ValuesIn(kMakers), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

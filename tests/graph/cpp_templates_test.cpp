// C++: members through pointers and containers, of the repository and of libraries that it lacks.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class CppTemplates : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(CppTemplates, LeadToWhatTheyHold) { testing::expect_marked(GetParam()); }

constexpr char kA[] = "struct A { void <!>go(); int n; };\n";

const MarkedCase kTemplateCases[] = {
    {"PointersOfOtherLibraries",
     {{"a.hpp", kA},
      {"b.cpp",
       "#include <QSharedPointer>\n#include \"a.hpp\"\n"
       "void f(QSharedPointer<A> p, boost::scoped_ptr<A>& q, std::vector<scoped_refptr<A>> all) {\n"
       "  p-><?>go();\n  (*q).<?>go();\n  for (auto& each : all) each-><?>go();\n"
       "  auto& held = *p;\n  held.<?>go();\n  gsl::not_null<std::unique_ptr<A>> two = g();\n"
       "  two-><?>go();\n}\n"}}},
    {"ADotIsOfThePointer",
     {{"a.hpp", kA},
      {"b.cpp",
       "#include \"a.hpp\"\nstruct B { void go(); void stop(); };\nstruct C { void go(); };\n"
       "struct D { void go(); };\nvoid f(Handle<A> p) { p.go(); p->stop(); }\n"}}},
    {"ContainersOfOtherLibraries",
     {{"a.hpp", kA},
      {"b.cpp",
       "#include \"a.hpp\"\n"
       "void f(QList<A>& all, QHash<int, A*> named, boost::optional<QVector<A>> some) {\n"
       "  for (auto& each : all) each.<?>go();\n  for (A& each : all) each.<>go();\n"
       "  all.first().<?>go();\n  all[0].<?>go();\n  auto it = all.begin();\n"
       "  it-><?>go();\n  (*it).<?>go();\n  QHash<int, A*>::const_iterator at = named.find(1);\n"
       "  at.value()-><?>go();\n  for (auto& [key, value] : named) value-><?>go();\n"
       "  for (auto& each : *some) each.<?>go();\n  named.value(2)-><?>go();\n}\n"}}},
    {"BasesOfOtherLibraries",
     {{"a.hpp", kA},
      {"b.hpp",
       "#include \"a.hpp\"\nclass Ref : public QPointer<A> {};\nclass List : public QList<A> "
       "{};\n"},
      {"b.cpp",
       "#include \"b.hpp\"\nvoid f(Ref ref, List& list) {\n  ref-><?>go();\n"
       "  for (auto& each : list) each.<?>go();\n  list.last().<?>go();\n}\n"}}},
    {"FunctionsThatNameOneType",
     {{"a.hpp", kA},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(QObject* o) {\n  qobject_cast<A*>(o)-><?>go();\n"
       "  auto made = boost::make_shared<A>();\n  made-><?>go();\n"
       "  o->findChild<A*>(\"x\")-><?>go();\n  static_cast<A*>(o)-><>go();\n"
       "  QSharedPointer<A>::create(1)-><?>go();\n}\n"}}},
    {"WhatFollowsFromAGuessIsOne",
     {{"a.hpp", "struct B { void <!>stop(); };\nstruct A { B* b; B make(); };\n"},
      {"b.cpp",
       "#include \"a.hpp\"\nvoid f(Handle<A> p) { p->b-><?>stop(); p->make().<?>stop(); }\n"}}},
    {"FieldsOfOtherLibraries",
     {{"a.hpp", kA},
      {"b.cpp", "#include \"a.hpp\"\nvoid f(Ui::Window* ui) { ui->panel-><~>go(); ui->go(); }\n"}}},
    {"PointersOfTheRepository",
     {{"a.hpp", kA},
      {"b.hpp",
       "#include \"a.hpp\"\n#define API\n"
       "template <typename T> class Base { public: API T* operator->() const { return p; } T* p; "
       "};\n"
       "template <typename T> class Ref : public Base<T> { public: T& operator*() const; T* get(); "
       "};\n"
       "template <typename T> using Shared = Ref<T>;\n"},
      {"b.cpp",
       "#include \"b.hpp\"\nvoid f(Ref<A> p, Shared<A> q) {\n  p-><>go();\n  (*p).<>go();\n"
       "  q-><>go();\n  p.get()-><>go();\n  auto& held = *q;\n  held.<>go();\n}\n"}}},
    {"ContainersOfTheRepository",
     {{"a.hpp", kA},
      {"b.hpp",
       "#include \"a.hpp\"\ntemplate <typename T> class Vec {\n public:\n"
       "  struct Iterator { T& operator*() const; T* operator->() const; };\n"
       "  typedef T* Pointer;\n  using value_type = T;\n"
       "  Iterator begin() const;\n  Iterator end() const;\n  Pointer data();\n"
       "  T& operator[](int i);\n};\n"
       "class Shop { public: Vec<A>::Iterator begin() const; };\n"},
      {"b.cpp",
       "#include \"b.hpp\"\nvoid f(Vec<A>& all, Shop shop) {\n"
       "  for (auto& each : all) each.<>go();\n  auto it = all.begin();\n  it-><>go();\n"
       "  (*it).<>go();\n  Vec<A>::Iterator at = all.begin();\n  at-><>go();\n"
       "  all[1].<>go();\n  all.data()-><>go();\n  Vec<A>::value_type one;\n  one.<>go();\n"
       "  for (auto& each : shop) each.<>go();\n}\n"}}},
    {"TypesInTemplatesOfTheLibrary",
     {{"a.hpp", kA},
      {"b.cpp",
       "#include <map>\n#include <vector>\n#include \"a.hpp\"\n"
       "void f(std::vector<A>& all, std::map<int, A>& named, A* p) {\n"
       "  for (std::vector<A>::iterator it = all.begin(); it != all.end(); ++it) it-><>go();\n"
       "  std::map<int, A>::const_iterator at = named.find(1);\n  at->second.<>go();\n"
       "  std::move(all[0]).<>go();\n  std::as_const(all[0]).<>go();\n}\n"}}},
    {"MembersOfTemplatesOutsideOfThem",
     {{"a.hpp",
       "template <typename T> class A { public: void go(); void <!>stop(); T* held; };\n"
       "template <typename T> void A<T>::go() { <>stop(); this-><>stop(); }\n"}}},
    {"MembersBehindAnnotations",
     {{"a.hpp",
       "#define GUARDED_BY(x)\n#define REQUIRES(x)\nstruct A { void <!>go(); };\n"
       "class B {\n  void f() REQUIRES(mutex_) { one_.<>go(); two_-><>go(); }\n"
       "  void g(int a) const REQUIRES(mutex_);\n"
       "  A one_ GUARDED_BY(mutex_);\n  A* const two_ GUARDED_BY(mutex_) = nullptr;\n"
       "  std::vector<A> all_ GUARDED_BY(mutex_);\n  int mutex_;\n};\n"},
      {"b.cpp", "#include \"a.hpp\"\nvoid B::g(int a) const { all_[a].<>go(); one_.<>go(); }\n"}}},
    {"TheMacroOfAnAnnotation",
     {{"a.hpp",
       "#define <!>GUARDED_BY(x)\n"
       "class B { int one_ <>GUARDED_BY(mutex_) = 1; int two_ <>GUARDED_BY(mutex_); int mutex_; "
       "};\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Cpp, CppTemplates, ::testing::ValuesIn(kTemplateCases), testing::case_name);

// What may be a member of something else all the same.
TEST(CppTemplateNames, AreKeptWhereTheTypeIsNotTheRepositorys) {
  testing::CodeFixture fixture(
      {{"a.hpp",
        "struct A { int data(); };\nclass Window : public Frame { int x; };\n"
        "class Known { DECLARE_ALL(Known) };\n"},
       {"b.cpp",
        "#include \"a.hpp\"\nvoid f(Handle<A> p, Window* w, Known k, QString text) {\n"
        "  p.data();\n  w->data();\n  k.data();\n  text.data();\n}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  ReferenceQuery query;
  query.symbol = "data";
  query.min_confidence = Confidence::kPossible;
  const auto answer = find_references(cache, **lease, query);
  ASSERT_TRUE(answer.ok());
  std::vector<std::uint32_t> lines;
  for (const ReferenceItem& item : answer->items) {
    if (item.is_definition) continue;
    EXPECT_EQ(item.confidence, Confidence::kPossible);
    lines.push_back(item.position.line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{3, 5}));
}

}  // namespace
}  // namespace codexmem::graph

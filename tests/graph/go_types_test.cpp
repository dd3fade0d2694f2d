// Go: references through packages, scopes and types.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class GoTypes : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(GoTypes, LeadToTheMember) { testing::expect_marked(GetParam()); }

// Other types with the same member, so that a guess by name would be wrong.
const std::string kOtherTypes =
    "type Other struct{}\nfunc (Other) Run() {}\ntype More struct{}\nfunc (More) Run() {}\n"
    "type Most struct{}\nfunc (Most) Run() {}\n";

const MarkedCase kGo[] = {
    {"NamesOfThePackage",
     {{"go.mod", "module example.com/m\n"},
      {"a.go", "package m\n\nfunc <!>Run() {}\n\nfunc f() { <>Run() }\n"},
      {"b.go", "package m\n\nfunc g() { <>Run() }\nfunc h(Run func()) { Run() }\n"},
      {"b_test.go", "package m\n\nfunc k() { <>Run() }\n"},
      {"x_test.go",
       "package m_test\n\nimport \"example.com/m\"\n\nfunc Run() {}\n"
       "func k() { m.<>Run(); Run() }\n"},
      {"sub/c.go",
       "package sub\n\nimport other \"example.com/m\"\n\nfunc Run() {}\n"
       "func k() { other.<>Run(); Run() }\n"}}},
    {"NamesOfTestsStayInTests",
     {{"go.mod", "module example.com/m\n"},
      {"a_test.go", "package m\n\nfunc <!>Run() {}\n"},
      {"b_test.go", "package m\n\nfunc f() { <>Run() }\n"},
      {"c.go", "package m\n\nfunc f() { Run() }\n"}}},
    {"ShadowingByPlace",
     {{"a.go",
       "package m\n\nvar <!>x = 1\n\nfunc f() int {\n\ty := <>x\n\tx := <>x + y\n\tx++\n\t{\n"
       "\t\tx := x\n\t\t_ = x\n\t}\n\tif x := x; x > 0 {\n\t\treturn x\n\t}\n\treturn x\n}\n"
       "func g(x int) int { return x }\nfunc h() (x int) { return x }\nfunc k() int { return <>x "
       "}\n"
       "func l(m map[int]int) {\n\tfor x := range m {\n\t\t_ = x\n\t}\n\t_ = <>x\n}\n"}}},
    {"ParametersAndFieldsAreNotTheTypes",
     {{"a.go",
       "package m\n\ntype <!>client struct{ n int }\n\n"
       "type handler func(a int, client *<>client, other *<>client)\n\n"
       "type I interface{ Do(client *<>client, other <>client) }\n\n"
       "func f(client *<>client, other *<>client) {}\n\nfunc g() {\n"
       "\tfor _, test := range []struct {\n\t\tclient int\n\t\tother <>client\n\t}{{client: 1}} {\n"
       "\t\t_ = test.client\n\t}\n\tvar g func(client <>client)\n\t_ = g\n}\n"}}},
    {"FieldsThroughLiteralsAndPointers",
     {{"a.go",
       "package m\n\ntype A struct {\n\t<!>Name string\n\tinner struct{ Name int }\n}\n"
       "type B struct{ Name string }\n\nvar Name = \"k\"\n\nfunc f(p *A, q []*A, r map[string]A) "
       "{\n"
       "\tp.<>Name = \"\"\n\tq[0].<>Name = r[\"a\"].<>Name\n\tp.inner.Name = 1\n"
       "\t_ = A{<>Name: \"\"}\n\t_ = &A{<>Name: \"\"}\n\t_ = []A{{<>Name: \"\"}}\n"
       "\t_ = map[string]*A{Name: {<>Name: Name}}\n\t_ = B{Name: \"\"}\n"
       "\tfor _, a := range q {\n\t\t_ = a.<>Name\n\t}\n\tfor k, a := range r {\n\t\t_, _ = k, "
       "a.<>Name\n"
       "\t}\n}\n"}}},
    {"SeveralResults",
     {{"a.go",
       "package m\n\ntype A struct{}\n\nfunc (a *A) <!>Run() {}\n" + kOtherTypes +
           "func make1() (*A, error) { return nil, nil }\nfunc make2() (o Other, a A) { return }\n"
           "func f(m map[string]A, c chan A, v interface{}) {\n\ta, err := make1()\n\ta.<>Run()\n"
           "\to, b := make2()\n\to.Run()\n\tb.<>Run()\n\tif x, ok := m[\"a\"]; ok "
           "{\n\t\tx.<>Run()\n\t}\n"
           "\ty, ok := <-c\n\ty.<>Run()\n\tz, ok := v.(A)\n\tz.<>Run()\n\ta, err = make1()\n"
           "\tw, u := A{}, Other{}\n\tw.<>Run()\n\tu.Run()\n\t(<-c).<>Run()\n\t_, _ = err, ok\n"
           "\tselect {\n\tcase s := <-c:\n\t\ts.<>Run()\n\t}\n\tfor s := range c "
           "{\n\t\ts.<>Run()\n\t}\n}\n"}}},
    {"TypeSwitches",
     {{"a.go", "package m\n\ntype A struct{}\n\nfunc (a A) <!>Run() {}\n" + kOtherTypes +
                   "func f(v interface{}) {\n\tswitch v := v.(type) {\n\tcase A:\n\t\tv.<>Run()\n"
                   "\tcase *Other:\n\t\tv.Run()\n\tcase nil:\n\tdefault:\n\t\t_ = v\n\t}\n}\n"}}},
    {"EmbeddedTypes",
     {{"a.go", "package m\n\ntype A struct{}\n\nfunc (a *A) <!>Run() {}\n" + kOtherTypes +
                   "type B struct{ *A }\ntype C struct {\n\tB\n\tn int\n}\ntype D struct "
                   "{\n\tC\n\tOther\n}\n"
                   "type E struct{ C }\nfunc (E) Run() {}\n"
                   "func f(b B, c C, d D, e E) "
                   "{\n\tb.<>Run()\n\tc.<>Run()\n\tc.A.<>Run()\n\td.Run()\n\te.Run()\n"
                   "\td.C.B.<>Run()\n}\n"}}},
    {"MethodsInOtherFiles",
     {{"go.mod", "module example.com/m\n"},
      {"a/a.go", "package a\n\ntype A struct{ Next *A }\n\nfunc New() *A { return nil }\n"},
      {"a/b.go", "package a\n\nfunc (a *A) <!>Run() *A { return a }\n" + kOtherTypes},
      {"c/c.go",
       "package c\n\nimport \"example.com/m/a\"\n\ntype H struct{ *a.A }\n\nfunc f(h H) {\n"
       "\ta.New().<>Run().<>Run()\n\th.<>Run()\n\th.Next.<>Run()\n\tvar o a.Other\n\to.Run()\n"
       "\tg := (*a.A).<>Run\n\t_ = g\n}\n"}}},
    {"DeclaredTypes",
     {{"a.go",
       "package m\n\ntype List []*A\ntype A struct{}\n\nfunc (a *A) <!>Run() {}\n" + kOtherTypes +
           "type Func func() *A\ntype Map map[string]List\ntype Same = A\ntype Copy A\n"
           "func (c Copy) Run() {}\n"
           "func f(l List, g Func, m Map, s Same, c Copy) {\n\tl[0].<>Run()\n\tg().<>Run()\n"
           "\tfor _, a := range m[\"x\"] "
           "{\n\t\ta.<>Run()\n\t}\n\ts.<>Run()\n\tc.Run()\n\tA(c).<>Run()\n}\n"}}},
    {"Generics",
     {{"a.go",
       "package m\n\ntype A struct{}\n\nfunc (a A) <!>Run() {}\n" + kOtherTypes +
           "type Box[T any] struct{ value T }\n\nfunc (b *Box[E]) Get() E { return b.value }\n"
           "func Map[T, U any](l []T, f func(T) U) []U { return nil }\n"
           "func First[T any](l ...T) T { return l[0] }\ntype Runner interface{ Run() }\n"
           "func f(b *Box[A], o Box[Other]) "
           "{\n\tb.Get().<>Run()\n\tb.value.<>Run()\n\to.Get().Run()\n"
           "\tfor _, a := range Map([]Other{}, func(o Other) A { return A{} }) "
           "{\n\t\ta.<>Run()\n\t}\n"
           "\tFirst(A{}, A{}).<>Run()\n\tFirst[A]().<>Run()\n}\n"}}},
    {"ExplicitTypeArguments",
     {{"go.mod", "module example.com/m\n"},
      {"a/a.go", "package a\n\ntype A struct{}\n\nfunc (a A) <!>Run() {}\n" + kOtherTypes +
                     "type Chain[T any] struct{ last T }\n\n"
                     "func (c Chain[T]) Where(n int) Chain[T] { return c }\n"
                     "func (c Chain[T]) Take() T { return c.last }\n"
                     "func G[T any](n int) Chain[T] { return Chain[T]{} }\n"
                     "func Two[K, V any](k int, v int) V { panic(0) }\ntype Wrap[T any] []T\n"},
      {"b/b.go",
       "package b\n\nimport \"example.com/m/a\"\n\n"
       "func f(fs []func(int) a.A, i int, r []a.A) {\n\ta.G[a.A](1).Where(1).Take().<>Run()\n"
       "\ta.G[a.Other](1).Where(1).Take().Run()\n\ta.G[*a.A](1).Take().<>Run()\n"
       "\ta.Two[int, a.A](1, 2).<>Run()\n\ta.Two[a.A, a.Other](1, 2).Run()\n"
       "\tfs[i](1).<>Run()\n\tfs[0](1).<>Run()\n\ta.Wrap[a.A](r)[0].<>Run()\n}\n"}}},
    {"Constants",
     {{"a.go",
       "package m\n\ntype Kind int\n\nconst (\n\tOne Kind = iota\n\tTwo\n)\n\n"
       "func (k Kind) <!>Run() {}\n" +
           kOtherTypes + "func f() {\n\tOne.<>Run()\n\tTwo.<>Run()\n\tKind(3).<>Run()\n}\n"}}},
    {"TheLibrary",
     {{"a.go",
       "package m\n\nimport (\n\t\"bufio\"\n\t\"net/http\"\n\t\"os\"\n)\n\ntype A struct{}\n\n"
       "func (a A) <!>Close() error { return nil }\n\nfunc f(r *http.Response, a A) {\n"
       "\tr.Body.Close()\n\tos.Stdin.Close()\n\tbufio.NewScanner(r.Body).Err().Error()\n"
       "\ta.<>Close()\n}\n"}}},
    {"Iterators",
     {{"a.go",
       "package m\n\nimport (\n\t\"iter\"\n\t\"maps\"\n\t\"slices\"\n)\n\ntype A struct{}\n\n"
       "func (a A) <!>Run() {}\n" +
           kOtherTypes +
           "func all() iter.Seq[A] { return nil }\nfunc pairs() iter.Seq2[Other, *A] { return nil "
           "}\n"
           "func f(l []A, m map[string]A) {\n\tfor a := range all() {\n\t\ta.<>Run()\n\t}\n"
           "\tfor o, a := range pairs() {\n\t\to.Run()\n\t\ta.<>Run()\n\t}\n"
           "\tfor a := range slices.Values(l) {\n\t\ta.<>Run()\n\t}\n"
           "\tfor _, a := range maps.All(m) {\n\t\ta.<>Run()\n\t}\n}\n"}}},
    {"DotImports",
     {{"go.mod", "module example.com/m\n"},
      {"a/a.go", "package a\n\nfunc <!>Run() {}\n"},
      {"b/b.go", "package b\n\nimport . \"example.com/m/a\"\n\nfunc f() { <>Run() }\n"}}},
    {"PackagesOfAnotherName",
     {{"go.mod", "module example.com/m\n"},
      {"go-a/a.go", "package named\n\nfunc <!>Run() {}\n"},
      {"b/b.go", "package b\n\nimport \"example.com/m/go-a\"\n\nfunc f() { named.<>Run() }\n"}}},
    {"AllThatACallGives",
     {{"go.mod", "module example.com/m\n"},
      {"a.go",
       "package m\n\nimport \"iter\"\n\ntype A struct{}\n\nfunc (*A) <!>Run() {}\n\n" + kOtherTypes +
           "func all() (iter.Seq[*A], func() error) { return nil, nil }\n"
           "func zip[T any](seq iter.Seq[T], f func() error) iter.Seq2[T, error] { return nil }\n"
           "func must[T any](v T, err error) T { return v }\nfunc open() (*A, error) { return nil, "
           "nil }\nfunc f() {\n\tfor a, err := range zip(all()) { a.<>Run() }\n"
           "\tmust(open()).<>Run()\n}\n"}}},
    {"WhatIsForeignMayGiveOurs",
     {{"go.mod", "module example.com/m\n\nrequire example.org/lo v1.0.0\n"},
      {"a.go",
       "package m\n\nimport \"example.org/lo\"\n\ntype A struct{}\n\nfunc (*A) <!>Run() {}\n\n"
       "func f(as []*A, m lo.Map[string, *A], n lo.Map[string, int], x lo.X) {\n"
       "\tfor _, a := range lo.Filter(as, nil) { a.<~>Run() }\n\tlo.First(as).<~>Run()\n"
       "\tm.Get().<~>Run()\n\tlo.New[*A]().<~>Run()\n\tn.Get().Run()\n\tx.Run()\n"
       "\tlo.Parse(\"\").Run()\n}\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Go, GoTypes, ::testing::ValuesIn(kGo), testing::case_name);

}  // namespace
}  // namespace codexmem::graph

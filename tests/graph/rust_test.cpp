// Rust: modules, use, members through blocks, traits and pointers, patterns, macros.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/uses/neighbours.h"
#include "graph/uses/symbol_search.h"
#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class RustNames : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(RustNames, LeadToWhatTheyMean) { testing::expect_marked(GetParam()); }

const MarkedCase kRust[] = {
    {"ThroughModulesAndReexports",
     {{"src/lib.rs", "mod a;\npub use crate::a::<>f;\nfn f2() { a::<>f(); <>f(); }\n"},
      {"src/a/mod.rs", "mod b;\npub use self::b::<>f;\nfn g() { super::f2(); }\n"},
      {"src/a/b.rs",
       "pub fn <!>f() {}\nfn h() { crate::a::<>f(); super::<>f(); let f = 1; f; }\n"}}},
    {"RenamedAndByStars",
     {{"src/lib.rs",
       "mod a;\nuse a::<>f as <>g;\nfn h() { <>g(); }\nmod t { use super::*; fn i() { <>g(); } "
       "}\n"},
      {"src/a.rs", "pub fn <!>f() {}\n"}}},
    {"ModulesThatMacrosDeclare",
     {{"src/lib.rs", "macros::mod_pub!(a r#in);\nfn f() { crate::a::<>g(); a::<>g(); }\n"},
      {"src/a.rs", "pub fn <!>g() {}\n"},
      {"src/in.rs", "use super::a;\nfn h() { a::<>g(); crate::r#in::g(); }\nfn g() {}\n"}}},
    {"ArgumentsThatMayFail",
     {{"src/lib.rs",
       "struct A; struct B; struct C;\nimpl From<A> for C { fn <!>from(x: A) -> C { C } }\n"
       "impl From<B> for C { fn from(x: B) -> C { C } }\n"
       "fn f(a: Option<A>) -> Option<C> { Some(C::<>from(a?)) }\n"}}},
    {"NamesThatMacrosPutTogether",
     {{"src/lib.rs",
       "mod spark;\nmacro_rules! spark {\n  ($($layer:ident)? : $name:ident) => {\n"
       "    paste::paste! { crate::spark::Spark::[<$($layer:camel)* $name:camel>] }\n  };\n}\n"
       "fn f() { spark!(:<?>open_it); spark!(tasks:<?>open_it); spark!(:close); other!(open_it); "
       "}\n"},
      {"src/spark.rs", "pub enum Spark { <!>OpenIt, TasksClose }\n"}}},
    {"PathsInAttributes",
     {{"src/lib.rs",
       "#[derive(Deserialize)]\nstruct A {\n  #[serde(default, deserialize_with = \"<>read\")]\n"
       "  a: u8,\n  #[serde(with = \"m\", rename = \"read\")]\n  b: u8,\n}\n"
       "fn <!>read() {}\nmod m { fn f() { super::<>read(); } }\n"}}},
    {"QuotedCodeIsOfAnotherPlace",
     {{"src/lib.rs",
       "fn <!>make() {}\nfn f() { let make2 = 1; quote! { make(#make2) }; <>make(); }\n"}}},
    {"NamesOfModulesThatMacrosDeclare",
     {{"src/lib.rs", "macros::mod_flat!(\n\tflat, other\n);\nfn f() { A::<>make(); }\n"},
      {"src/flat.rs", "pub struct A;\nimpl A { pub fn <!>make() {} }\n"},
      {"src/other.rs", "fn f() { crate::A::<>make(); super::flat::A::<>make(); }\n"}}},
    {"PackagesOfTheWorkspace",
     {{"Cargo.toml", "[workspace]\n"},
      {"one-a/Cargo.toml", "[package]\nname = \"one-a\"\n"},
      {"one-a/src/lib.rs", "pub struct <!>A;\n"},
      {"two/Cargo.toml",
       "[package]\nname = \"two\"\n[dependencies]\none-a = { path = \"../one-a\" }\n"},
      {"two/src/lib.rs",
       "use one_a::<>A;\nfn f(a: <>A, b: one_a::<>A) {}\nmod m { struct A; fn g(a: A) {} }\n"}}},
    {"MethodsByTheTypeOfTheReceiver",
     {{"src/lib.rs",
       "mod a;\nuse a::A;\nstruct B { a: A, list: Vec<A> }\nimpl B { fn run(&self) {} }\n"
       "fn f(b: &B, o: Option<Box<A>>) -> Option<()> {\n  b.run(); b.a.<>run(); A::new().<>run();\n"
       "  for a in b.list.iter() { a.<>run(); }\n  b.list.iter().map(|a| a.<>run());\n"
       "  if let Some(a) = &o { a.<>run(); }\n  o?.<>run();\n  None\n}\n"},
      {"src/a.rs",
       "pub struct A;\nimpl A { pub fn new() -> Self { A } pub fn <!>run(&self) {} }\n"}}},
    {"TraitsAndBounds",
     {{"src/lib.rs",
       "trait T { fn <!>go(&self) { } }\nstruct A; struct B;\nimpl T for A {}\nimpl B { fn "
       "go(&self) {} }\n"
       "fn f<X: T, Y>(x: X, y: Y, d: &dyn T, i: impl T) where Y: T {\n"
       "  x.<>go(); y.<>go(); d.<>go(); i.<>go(); A.<>go(); B.go();\n}\n"}}},
    {"FieldsAndPatterns",
     {{"src/lib.rs",
       "struct A { <!>x: u32 }\nstruct B { x: u32 }\nenum E { V(A), W { a: A } }\n"
       "fn f(e: E, x: u32) -> A {\n  match e {\n    E::V(A { <>x }) => { x; }\n    E::W { a } => { "
       "a.<>x; }\n"
       "  }\n  let b = B { x };\n  b.x;\n  A { <>x }\n}\n"}}},
    {"ThroughDeref",
     {{"src/lib.rs",
       "use std::ops::Deref;\nstruct A; impl A { fn <!>run(&self) {} }\nstruct P(A);\n"
       "impl Deref for P { type Target = A; fn deref(&self) -> &A { &self.0 } }\n"
       "fn f(p: P, q: std::sync::Arc<std::sync::Mutex<A>>) { p.<>run(); q.lock().unwrap().<>run(); "
       "}\n"}}},
    {"MacrosAndWhatTheyAreGiven",
     {{"src/lib.rs",
       "fn <!>f() -> u32 { 1 }\nmacro_rules! m { () => {}; }\ncfg_x! {\n  fn g() { m!(); "
       "assert_eq!(<>f(), 1); }\n}\n"}}},
    {"ModulesInBlocks",
     {{"src/lib.rs",
       "pub trait A: sealed::<>S {}\nimpl<T> sealed::<>S for T {}\nfn f<T: self::sealed::<>S>(x: "
       "&dyn sealed::<>S) {}\nmod sealed { pub trait <!>S {} fn g(x: &dyn <>S) {} }\n"}}},
    {"ModulesInBlocksHoldFunctions",
     {{"src/lib.rs",
       "fn f() { variant::<>now(); }\nmod variant { pub fn <!>now() {} }\nmod other { pub fn now() "
       "{} fn g() { now(); super::variant::<>now(); } }\n"}}},
    {"FunctionsNamedAsTheirModule",
     {{"src/lib.rs", "mod fs;\nfn f() { fs::<>read(); crate::fs::<>read(); }\n"},
      {"src/fs/mod.rs", "mod read;\npub use self::read::<>read;\n"},
      {"src/fs/read.rs", "pub fn <!>read() {}\n"}}},
    {"ModulesBesideATest",
     {{"src/lib.rs", ""},
      {"tests/a.rs", "mod support { pub mod x; }\nfn f() { support::x::<>g(); }\n"},
      {"tests/support/x.rs", "pub fn <!>g() {}\n"}}},
    {"WhatACrateImportsIsItsOwn",
     {{"Cargo.toml", "[workspace]\n"},
      {"one/Cargo.toml", "[package]\nname = \"one\"\n"},
      {"one/src/lib.rs", "mod a;\nuse a::E::<>V;\npub fn g() { <>V; }\n"},
      {"one/src/a.rs", "pub enum E { <!>V }\n"},
      {"two/Cargo.toml",
       "[package]\nname = \"two\"\n[dependencies]\none = { path = \"../one\" }\n"},
      {"two/src/lib.rs", "use one::V;\nfn f(v: V) {}\n"}}},
    {"MacrosOfAnotherCrate",
     {{"Cargo.toml", "[workspace]\n"},
      {"one/Cargo.toml", "[package]\nname = \"one\"\n"},
      {"one/src/lib.rs", "mod macros;\n"},
      {"one/src/macros.rs", "#[macro_export]\nmacro_rules! <!>m { () => {} }\n"},
      {"two/Cargo.toml",
       "[package]\nname = \"two\"\n[dependencies]\none = { path = \"../one\" }\n"},
      {"two/src/lib.rs", "use one::{<>m};\nfn f() { <>m!(); one::<>m!(); }\n"}}},
    {"PathsThatBeginWithACrate",
     {{"Cargo.toml", "[package]\nname = \"one\"\n"},
      {"src/lib.rs", "pub struct <!>A;\n"},
      {"tests/a.rs",
       "use ::one::<>A;\nfn f(a: <>A) {}\nmod one { pub struct A; fn g(a: A) {} }\n"}}},
    {"MacrosAroundItems",
     {{"src/lib.rs",
       "macro_rules! <!>cfg_x { ($($item:item)*) => { $($item)* } }\n<>cfg_x! {\n  fn f() {}\n}\n"
       "mod m { <>cfg_x! { pub struct A; } }\n"}}},
    {"ItemsOfMacros",
     {{"src/lib.rs",
       "thread_local!(static <!>CURRENT: u32 = const { 1 });\nfn f() { <>CURRENT.with(|x| x); "
       "}\n"}}},
    {"WhatMacrosMake",
     {{"src/lib.rs",
       "macro_rules! make { ($name:ident, $x:expr) => { pub fn $name() { $x } } }\n"
       "make!(<!>first, 1);\nmake!(second, 2);\nfn f() { <>first(); second(); }\nmod a;\n"},
      {"src/a.rs", "use super::{<>first, second};\n"}}},
    {"PathsOfModulesInMethods",
     {{"src/lib.rs",
       "mod a;\nstruct S;\nimpl S { fn f(&self) { use self::a::<>g; self::a::<>g(); self.g(); } fn "
       "g(&self) {} }\n"},
      {"src/a.rs", "pub fn <!>g() {}\n"}}},
    {"ViewsOfPinnedFields",
     {{"src/lib.rs",
       "use std::pin::Pin;\ntrait Write { fn <!>poll(self: Pin<&mut Self>); }\n"
       "impl<P> Write for Pin<P> { fn poll(self: Pin<&mut Self>) {} }\n"
       "pin_project! { struct S<W> { #[pin] inner: W } }\n"
       "impl<W: Write> S<W> { fn f(self: Pin<&mut Self>) { self.project().inner.<>poll(); } }\n"
       "fn g<T: Write>(x: Pin<&mut T>) { x.<>poll(); }\n"}}},
    {"TraitsForSeveralTypes",
     {{"src/lib.rs",
       "struct A;\nimpl From<String> for A { fn <!>from(x: String) -> A { A } }\n"
       "impl From<Vec<u8>> for A { fn from(x: Vec<u8>) -> A { A } }\n"
       "impl From<&str> for A { fn from(x: &str) -> A { A } }\n"
       "impl From<&[u8]> for A { fn from(x: &[u8]) -> A { A } }\n"
       "fn f() { A::<>from(String::new()); A::from(vec![1]); A::from(\"a\"); A::from(&b\"a\"[..]); "
       "}\n"}}},
    {"MembersOfTuples",
     {{"src/lib.rs",
       "trait T { fn go(self); }\nstruct A; struct B;\nimpl T for () { fn go(self) {} }\n"
       "impl T for (A, B) { fn <!>go(self) {} }\nimpl<X> T for (B, X) { fn go(self) {} }\n"
       "fn f() { ().go(); (A, B).<>go(); (B, B).go(); (B, A).go(); let x = (A, B); x.<>go(); "
       "}\n"}}},
    {"FieldsAreNotCalled",
     {{"src/lib.rs",
       "struct A { <!>get: u32 }\nstruct B;\nimpl A { fn get(&self) { } }\n"
       "fn f(a: A) { a.get(); a.<>get; A { <>get: 1 }; }\n"}}},
    {"NamesOfAttributes",
     {{"Cargo.toml", "[workspace]\n"},
      {"one/Cargo.toml", "[package]\nname = \"one\"\n"},
      {"one/src/lib.rs", "#[proc_macro_attribute]\npub fn <!>check(a: A, b: A) -> A { a }\n"},
      {"two/Cargo.toml",
       "[package]\nname = \"two\"\n[dependencies]\none = { path = \"../one\" }\n"},
      {"two/src/lib.rs",
       "pub use one::<>check as <>test;\n#[one::<>check]\nfn f() {}\n#[crate::<>test(a = 1)]\nfn "
       "g() "
       "{}\n#[test]\nfn h() {}\n"}}},
    {"AlternativesUnderOneName",
     {{"src/lib.rs",
       "mod a;\n#[cfg(x)]\npub use a::one;\n#[cfg(not(x))]\npub use a::<>two as <>one;\nfn f() { "
       "<?>one(); }\n"},
      {"src/a.rs", "pub fn one() {}\npub fn <!>two() {}\n"}}},
    {"ViewsOfPinnedTypes",
     {{"src/lib.rs",
       "pin_project! {\n  #[project = <!>View]\n  enum E { A { x: u32 } }\n}\n"
       "fn f(e: E) { match e.project() { <>View::A { x } => {} } }\n"}}},
    {"MacrosOfOtherCratesAreNoneOfOurs",
     {{"src/lib.rs", "mod a;\nmacro_rules! <!>error { () => {} }\nfn f() { <>error!(); }\n"},
      {"src/a.rs", "use tracing::error;\nfn f() { error!(); }\n"}}},
    {"TypesOfFunctions",
     {{"src/lib.rs",
       "fn f() { type <!>A<'a> = fn(&'a u8); let a: <>A = g; g as <>A; }\nfn g(a: &u8) {}\nstruct "
       "A;\nfn h(a: A) {}\n"}}},
    {"WhatManyImplementIsNotLikelyAnyOfThem",
     {{"src/lib.rs",
       "trait T { fn go(&self); }\nstruct A; struct B; struct C; struct D;\nimpl T for A { fn "
       "<!>go(&self) {} }\nimpl T for B { fn go(&self) {} }\nimpl T for C { fn go(&self) {} }\n"
       "impl T for D { fn go(&self) {} }\nfn f(a: A, x: &dyn T) { a.<>go(); x.go(); }\n"}}},
    {"WhatFewImplementMayBeOneOfThem",
     {{"src/lib.rs",
       "trait T { fn go(&self); }\nstruct A; struct B;\nimpl T for A { fn <!>go(&self) {} }\n"
       "impl T for B { fn go(&self) {} }\nfn f(a: A, x: &dyn T) { a.<>go(); x.<?>go(); }\n"}}},
    {"ResultsOfTheLibrary",
     {{"src/lib.rs",
       "use std::io;\npub struct A;\nimpl A { pub async fn new() -> io::Result<A> { Ok(A) } pub fn "
       "<!>run(&self) {} }\nasync fn f() -> io::Result<()> { let a = A::new().await?; a.<>run(); "
       "A::new().await.unwrap().<>run(); Ok(()) }\n"}}},
    {"WhatDerivesGive",
     {{"src/lib.rs",
       "#[derive(Default, Clone, PartialEq)]\nstruct A; struct B; struct C; struct D; struct E;\n"
       "impl A { fn <!>run(&self) {} }\nimpl B { fn run(&self) {} }\nimpl C { fn run(&self) {} }\n"
       "impl D { fn run(&self) {} }\nimpl E { fn run(&self) {} }\n"
       "fn f() { let a = A::default(); a.<>run(); a.clone().<>run(); let b = a; b.<>run();\n"
       "  std::mem::take(&mut b).<>run(); A::from(1).<>run(); A::try_from(1).unwrap().<>run(); "
       "}\n"}}},
    {"WhatAttributesAddIsLikelyOfTheType",
     {{"src/lib.rs",
       "use clap::Parser;\n#[derive(Parser)]\nstruct A; struct B; struct C; struct D; struct E;\n"
       "impl A { fn <!>run(&self) {} }\nimpl B { fn run(&self) {} }\nimpl C { fn run(&self) {} }\n"
       "impl D { fn run(&self) {} }\nimpl E { fn run(&self) {} }\n"
       "fn f() { let a = A::parse(); a.<?>run(); A::try_parse()?.<?>run(); "
       "A::try_parse().unwrap().<?>run(); A::builder().name(1).build().<?>run(); }\n"}}},
    {"WhatIsForeignMayGiveOurs",
     {{"src/lib.rs",
       "struct A;\nimpl A { fn <!>run(&self) {} }\n"
       "fn f(text: &str, one: other::Lock<A>, two: other::Map<B, A>, no: other::Thing) {\n"
       "  let a = other::read(text).unwrap(); a.<~>run(); other::list().map(|x| x.<~>run());\n"
       "  one.lock().<?>run(); one.<?>run(); other::parse::<A>(text)?.<?>run();\n"
       "  two.get().<~>run(); no.run();\n}\nstruct B;\n"}}},
    {"NamesThatAStarInAFunctionDoesNotGive",
     {{"src/lib.rs",
       "#[derive(Clone)]\npub enum E { A }\nfn <!>go() {}\nfn f() { use E::*; <>go(); }\n"}}},
    {"MethodsOfForeignTraits",
     {{"src/lib.rs",
       "struct A;\nimpl other::Go for A {}\nstruct B;\nimpl B { fn <!>go(&self) {} }\n"
       "trait T { fn go(&self); }\nfn f(a: A, n: u32) { a.<~>go(); n.<~>go(); B.<>go(); }\n"}}},
    {"PathsOfTheMacrosCrate",
     {{"src/lib.rs", "mod a;\n"},
      {"src/a.rs",
       "pub fn <!>ten() {}\npub fn f() {}\n#[macro_export]\nmacro_rules! m { () => { "
       "$crate::a::<>ten() + $crate::a::f() } }\n"}}},
    {"LiteralsThatMacrosAreGiven",
     {{"src/lib.rs",
       "struct A { <!>x: u32, y: u32 }\nstruct B { x: u32 }\n"
       "fn f(y: u32, x: u32) {\n  m!(A { <>x: 1, y }, B { x: 2 });\n  m!(A { y, <>x });\n}\n"}}},
    {"TypesOfLiteralsThatMacrosAreGiven",
     {{"src/lib.rs",
       "struct <!>A { x: u32 }\nfn f() { m!(<>A { x: 1 }, vec![<>A { x: 1 }]); }\n"}}},
    {"ValuesOfAttributes",
     {{"src/lib.rs",
       "fn <!>parse(x: u32) {}\n#[derive(Parser)]\nstruct A {\n  #[arg(long, value_parser = "
       "<>parse)]\n  x: u32,\n  #[arg(parse)]\n  y: u32,\n}\n"}}},
    {"TextsOfAttributes",
     {{"src/lib.rs",
       "#[derive(Serialize)]\nstruct A {\n  #[serde(default = \"<>ten\", rename = \"a-ten\", alias "
       "= \"<~>ten\")]\n  "
       "x: u32,\n}\nfn <!>ten() -> u32 { 10 }\n"}}},
    {"ANewNameIsNotSeenByWhatItIsGiven",
     {{"src/lib.rs",
       "fn <!>ov(x: u32) -> u32 { x }\nfn f() { let ov = <>ov(1); ov; }\n"
       "fn g() { if let x = <>ov(1) { let ov = <>ov(x); } m!({ let ov = <>ov(1); }); }\n"}}},
    {"MacrosAndFunctionsAreApart",
     {{"src/lib.rs",
       "fn <!>write(x: u32) {}\nmacro_rules! m { ($f:expr) => { write!($f, \"\"); "
       "std::write!($f); $crate::write!($f) } }\n"
       "fn f() { write!(a, \"x\"); std::write!(a); m!(write!(a, \"\")); <>write(1); }\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Rust, RustNames, ::testing::ValuesIn(kRust), testing::case_name);

TEST(RustHierarchy, KnowsWhatImplementsATraitFromItsSide) {
  testing::CodeFixture fixture({{"src/lib.rs",
                                 "mod a;\npub trait Go { fn go(&self); fn stop(&self) {} }\n"
                                 "struct A;\nimpl Go for A { fn go(&self) {} }\n"},
                                {"src/a.rs",
                                 "pub struct B;\nimpl crate::Go for B { fn go(&self) {} fn "
                                 "stop(&self) {} }\nimpl<T> crate::Go for Vec<T> { fn go(&self) "
                                 "{} }\ntrait Go { fn go(&self); }\nimpl Go for u8 { fn "
                                 "go(&self) {} }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto below = [&](const std::string& symbol, bool is_type) {
    std::vector<std::string> found;
    const auto symbols = find_symbols(**lease, {.symbol = symbol});
    for (const auto& each : symbols->results) {
      if (each.path != "src/lib.rs") continue;
      const auto hierarchy = find_hierarchy({cache, **lease}, each.symbol.id, 20);
      for (const Neighbour& one : is_type ? hierarchy->subtypes : hierarchy->overridden_by) {
        found.push_back(one.path + " " + one.symbol.qualified_name());
      }
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(below("Go", true), (Names{"src/a.rs B", "src/lib.rs A"}));
  EXPECT_EQ(below("Go.go", false), (Names{"src/a.rs B.go", "src/a.rs Vec.go", "src/lib.rs A.go"}));
  EXPECT_EQ(below("Go.stop", false), (Names{"src/a.rs B.stop"}));
}

}  // namespace
}  // namespace codexmem::graph

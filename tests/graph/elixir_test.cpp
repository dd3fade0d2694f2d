// Which uses of Elixir's names mean a definition.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/uses/references.h"
#include "graph/uses/relatives.h"
#include "graph/uses/symbol_search.h"
#include "support/code_fixture.h"
#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class ElixirUsages : public UsageTest {};

TEST_P(ElixirUsages, AreThoseThatTheCompilerSees) { check(); }

const UsageCase kElixirCases[] = {
    {"AliasesAreLexical",
     {{"lib/item.ex", "defmodule Acme.Item do\n  def new(x), do: x\nend\n"},
      {"lib/a.ex",
       "defmodule A do\n  def f, do: Item.new(1)\n  alias Acme.Item\n"
       "  def g, do: Item.new(1)\nend\n"},
      {"lib/b.ex",
       "defmodule B do\n  alias Acme.{Item, Other}\n  alias Acme.Item, as: I\n"
       "  def g, do: I.new(Item)\nend\n"},
      {"lib/c.ex",
       "defmodule C do\n  def f do\n    alias Acme.Item\n    Item\n  end\n"
       "  def g, do: Item\nend\n"},
      {"lib/d.ex", "defmodule D do\n  def f, do: Acme.Item.new(Acme.Item.Inner)\nend\n"}},
     "Item",
     "lib/item.ex",
     {"lib/a.ex:3:14", "lib/a.ex:4:14", "lib/b.ex:2:15", "lib/b.ex:3:14", "lib/b.ex:3:24",
      "lib/b.ex:4:14", "lib/b.ex:4:20", "lib/c.ex:3:16", "lib/c.ex:4:5", "lib/d.ex:2:19"}},
    {"CallsHaveAnArity",
     {{"lib/a.ex",
       "defmodule A do\n  def f(a, b \\\\ 1), do: a\n  def f(a, b, c), do: a\n"
       "  def g(x) do\n    f(x)\n    x |> f(1)\n    f(x, 1, 2)\n    &f/1\n    x |> f(1, 2)\n"
       "    f = 1\n    f\n  end\nend\n"},
      {"lib/b.ex",
       "defmodule B do\n  def f(a), do: a\n  def g, do: {f(1), A.f(1), &A.f/2}\nend\n"}},
     "A.f",
     "",
     {"lib/a.ex:5:5", "lib/a.ex:6:10", "lib/a.ex:7:5", "lib/a.ex:8:6", "lib/a.ex:9:10",
      "lib/b.ex:3:23", "lib/b.ex:3:32"}},
    {"ImportsAndUse",
     {{"lib/helpers.ex",
       "defmodule Helpers do\n  def help(x), do: x\n  def other(x), do: x\nend\n"},
      {"lib/base.ex",
       "defmodule Base do\n  defmacro __using__(which) do\n"
       "    apply(__MODULE__, which, [])\n  end\n"
       "  def view do\n    quote do\n      import Helpers\n    end\n  end\nend\n"},
      {"lib/a.ex",
       "defmodule A do\n  import Helpers, only: [help: 1]\n  def f, do: help(1)\nend\n"},
      {"lib/b.ex", "defmodule B do\n  use Base, :view\n  def f, do: help(1)\nend\n"},
      {"lib/c.ex",
       "defmodule C do\n  import Helpers, only: [other: 1]\n  def f, do: help(1)\n"
       "  def g(help), do: help\nend\n"}},
     "help",
     "lib/helpers.ex",
     {"lib/a.ex:2:26", "lib/a.ex:3:14", "lib/b.ex:3:14"}},
    {"WhatUseDefines",
     {{"lib/base.ex",
       "defmodule Base do\n  defmacro __using__(_) do\n    quote do\n"
       "      def given(x), do: x\n    end\n  end\nend\n"},
      {"lib/a.ex", "defmodule A do\n  use Base\n  def f, do: given(1)\nend\n"},
      {"lib/b.ex", "defmodule B do\n  def f, do: A.given(1)\nend\n"}},
     "given",
     "lib/base.ex",
     {"lib/a.ex:3:14", "lib/b.ex:2:16"}},
    {"VariablesAreNoCalls",
     {{"lib/a.ex",
       "defmodule A do\n  def conn, do: 1\n  def f(conn), do: conn\n  def g do\n"
       "    case conn do\n      {:ok, conn} -> conn\n      ^conn -> 1\n    end\n"
       "    for conn <- [1], do: conn\n    with {:ok, %{a: conn}} <- conn, do: conn\n    conn\n"
       "  end\nend\n"}},
     "conn",
     "",
     {"lib/a.ex:5:10", "lib/a.ex:7:8", "lib/a.ex:10:31", "lib/a.ex:11:5"}},
    {"StructsAndFields",
     {{"lib/user.ex",
       "defmodule User do\n  defstruct [:name, age: 1]\n"
       "  def f(%__MODULE__{age: a}), do: a\nend\n"},
      {"lib/b.ex",
       "defmodule B do\n  def f(%User{age: a} = u), do: %User{u | age: a + 1}\n"
       "  def g(x), do: %{x | age: 1}\nend\n"}},
     "User.age",
     "",
     {"lib/b.ex:2:15", "lib/b.ex:2:43", "lib/user.ex:3:21"}},
    {"TypesAndAttributes",
     {{"lib/a.ex",
       "defmodule A do\n  @limit 3\n  @type t(x) :: {x}\n  @type u :: t(integer)\n"
       "  @spec f(u, t(x)) :: x when x: term\n  def f(_, _), do: @limit\nend\n"},
      {"lib/b.ex", "defmodule B do\n  @type t :: A.t(A.u())\nend\n"}},
     "A.t",
     "",
     {"lib/a.ex:4:14", "lib/a.ex:5:14", "lib/b.ex:2:16"}},
    {"NestedModulesAndOwnModule",
     {{"lib/a.ex",
       "defmodule A do\n  defmodule Inner do\n    def go(x), do: x\n  end\n"
       "  def f, do: Inner.go(1)\n  def g, do: __MODULE__.Inner.go(1)\nend\n"},
      {"lib/b.ex", "defmodule B do\n  def f, do: Inner.go(1)\n  def g, do: A.Inner.go(1)\nend\n"}},
     "go",
     "lib/a.ex",
     {"lib/a.ex:5:20", "lib/a.ex:6:31", "lib/b.ex:3:22"}},
    {"DelegatesAndModulesInAttributes",
     {{"lib/a.ex", "defmodule A do\n  def run(x), do: x\nend\n"},
      {"lib/b.ex",
       "defmodule B do\n  @impl_of A\n  defdelegate go(x), to: A, as: :run\n"
       "  def f, do: @impl_of.run(1)\nend\n"}},
     "run",
     "lib/a.ex",
     {"lib/b.ex:3:34", "lib/b.ex:4:23"}},
    {"DelegationUnderTheSameName",
     {{"lib/a.ex",
       "defmodule Shop.Cart do\n  def total(a, b), do: a + b\n  def total(a), do: a\nend\n"
       "defmodule Shop do\n  alias Shop.Cart\n  defdelegate total(a, b), to: Cart\n"
       "  defdelegate all(a), to: Cart, as: :total\nend\n"}},
     "Shop.Cart.total",
     "lib/a.ex",
     {"lib/a.ex:7:32"},
     2},
};

INSTANTIATE_TEST_SUITE_P(Cases, ElixirUsages, ::testing::ValuesIn(kElixirCases), usage_case_name);

TEST(ElixirHierarchy, BehavioursAndProtocols) {
  testing::CodeFixture fixture(
      {{"lib/store.ex", "defmodule Store do\n  @callback get(term) :: term\nend\n"},
       {"lib/memory.ex",
        "defmodule Memory do\n  @behaviour Store\n  @impl true\n  def get(x), do: x\nend\n"},
       {"lib/size.ex",
        "defprotocol Size do\n  def size(x)\nend\n"
        "defimpl Size, for: BitString do\n  def size(x), do: x\nend\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  const auto uses = [&](const std::string& symbol) {
    ReferenceQuery query;
    query.symbol = symbol;
    query.file_path = symbol == "Size" ? "lib/size.ex" : "lib/store.ex";
    auto answer = find_references(cache, **lease, query);
    std::string places;
    for (const ReferenceItem& item : answer->items) {
      if (!item.is_definition) places += item.path + ":" + std::to_string(item.position.line) + " ";
    }
    return places;
  };
  EXPECT_EQ(uses("Store"), "lib/memory.ex:2 ");
  EXPECT_EQ(uses("Size"), "lib/size.ex:4 ");
}

TEST(ElixirHierarchy, BothDirections) {
  const std::map<std::string, std::string> files = {
      {"lib/a.ex",
       "defprotocol Size do\n  def size(x)\nend\n"
       "defimpl Size, for: List do\n  def size(x), do: length(x)\nend\n"
       "defmodule Box do\n  defstruct [:n]\n"
       "  defimpl Size do\n    def size(b), do: b.n\n  end\nend\n"}};
  testing::CodeFixture fixture(files);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  const auto lines = [&](const std::string& symbol, std::uint32_t line, Relation relation) {
    auto matches = find_symbols(**lease, {.symbol = symbol});
    std::vector<SymbolMatch> asked;
    for (const SymbolMatch& match : matches->results) {
      if (match.symbol.start.line == line) asked.push_back(match);
    }
    auto found = find_relatives(cache, **lease, asked, relation, 10,
                                std::chrono::steady_clock::now() + std::chrono::minutes(1));
    std::string all;
    for (const Relative& each : found->found) {
      all += std::to_string(each.match.symbol.start.line) + " ";
    }
    return all;
  };
  EXPECT_EQ(lines("Size", 1, Relation::kImplements), "4 9 ");
  EXPECT_EQ(lines("Size", 4, Relation::kImplementedBy), "1 ");
  EXPECT_EQ(lines("Box.Size", 9, Relation::kImplementedBy), "1 ");
  EXPECT_EQ(lines("Size.size", 2, Relation::kOverrides), "5 10 ");
}

}  // namespace
}  // namespace codexmem::graph

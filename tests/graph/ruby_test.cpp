// Which uses of Ruby's names mean a definition.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/uses/neighbours.h"
#include "graph/uses/references.h"
#include "graph/uses/symbol_search.h"
#include "support/code_fixture.h"
#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class RubyUsages : public UsageTest {};

TEST_P(RubyUsages, AreThoseThatRun) { check(); }

const UsageCase kRubyCases[] = {
    {"ConstantsAreLexicalThenInheritedThenGlobal",
     {{"lib/a.rb",
       "module Acme\n  LIMIT = 1\n  class Base\n    LIMIT = 2\n  end\nend\nLIMIT = 3\n"},
      {"lib/b.rb",
       "module Acme\n  class Item < Base\n    def f = LIMIT\n  end\n  def g = LIMIT\nend\n"
       "class Acme::Other\n  def f = LIMIT\nend\nAcme::Base::LIMIT\n"}},
     "LIMIT",
     "lib/a.rb",
     {"lib/b.rb:3:13", "lib/b.rb:5:11"},
     2},
    {"ConstantsOfASuperclassAreBeforeThoseOfTheTopLevel",
     {{"a.rb", "class Base\n  LIMIT = 2\nend\nLIMIT = 3\n"},
      {"b.rb", "class Item < Base\n  def f = LIMIT\nend\nclass Other\n  def f = LIMIT\nend\n"}},
     "LIMIT",
     "a.rb",
     {"b.rb:2:11"},
     2},
    {"AnOpenedClassIsOne",
     {{"lib/item.rb", "class Item\n  def name = 1\nend\n"},
      {"lib/more.rb", "class Item\n  def full = name\nend\nItem.new.name\n"}},
     "Item",
     "lib/more.rb",
     {"lib/more.rb:4:1"}},
    {"AConstantThatStandsForAClass",
     {{"a.rb", "class Item\n  def self.make = 1\nend\nAlias = Item\nAlias.make\n"}},
     "make",
     "a.rb",
     {"a.rb:5:7"}},
    {"WhatRubyHasIsNobodys",
     {{"a.rb", "class String\n  def shout = 1\nend\nString.new\nx = \"a\"\nx.shout\n"}},
     "String",
     "a.rb",
     {}},
    {"MixinsGiveTheirMethods",
     {{"lib/named.rb", "module Named\n  def title = 1\n  def self.made = 2\nend\n"},
      {"lib/item.rb",
       "class Item\n  include Named\n  def f = title\nend\nItem.new.title\n"
       "class Other\n  extend Named\nend\nOther.title\nOther.new.title\nItem.title\n"}},
     "title",
     "lib/named.rb",
     {"lib/item.rb:3:11", "lib/item.rb:5:10", "lib/item.rb:9:7"}},
    {"MethodsOfAConcern",
     {{"lib/named.rb",
       "module Named\n  class_methods do\n    def named_by = 1\n  end\n"
       "  module ClassMethods\n    def also = 1\n  end\nend\n"},
      {"lib/item.rb", "class Item\n  include Named\n  named_by\n  also\nend\nItem.named_by\n"}},
     "named_by",
     "lib/named.rb",
     {"lib/item.rb:3:3", "lib/item.rb:6:6"}},
    {"PrependedComesFirst",
     {{"a.rb",
       "module Loud\n  def say = super\nend\nclass Item\n  prepend Loud\n  def say = 1\nend\n"
       "Item.new.say\n"}},
     "say",
     "a.rb",
     {"a.rb:8:10"},
     2},
    {"ClassMethodsAndMethodsOfInstancesAreApart",
     {{"a.rb",
       "class Item\n  def self.name = 1\n  def name = 2\n  class << self\n    def all = name\n"
       "  end\n  def f = name\nend\nItem.name\nItem.new.name\n"}},
     "name",
     "a.rb",
     {"a.rb:5:15", "a.rb:9:6"},
     2},
    {"ModuleFunctions",
     {{"a.rb",
       "module Util\n  module_function\n\n  def escape(x) = x\n  def f = escape(1)\nend\n"
       "Util.escape(1)\n"}},
     "escape",
     "a.rb",
     {"a.rb:5:11", "a.rb:7:6"}},
    {"ReadersAndWriters",
     {{"a.rb",
       "class Item\n  attr_reader :name\n  def name=(x)\n    @name = x\n  end\n  def f\n    name\n"
       "    self.name = 1\n  end\nend\n"}},
     "name",
     "a.rb",
     {"a.rb:8:10"},
     3},
    {"ALocalIsNoCall",
     {{"a.rb",
       "class Item\n  def total = 1\n  def f\n    total\n    total = 2\n    total\n"
       "    [1].each { |total| total }\n    total()\n  end\nend\n"}},
     "total",
     "a.rb",
     {"a.rb:4:5", "a.rb:8:5"}},
    {"VariablesTellTheirTypes",
     {{"lib/store.rb", "class Store\n  def save(x) = x\nend\nclass Log\n  def save(x) = x\nend\n"},
      {"lib/b.rb",
       "class Item\n  attr_reader :store\n  def initialize\n    @store = Store.new\n"
       "    log = Log.new\n    log.save(1)\n  end\n  def f = @store.save(1)\n"
       "  def g = store.save(2)\n  def h(other) = other.save(3)\nend\nItem.new.store.save(4)\n"}},
     "save",
     "lib/store.rb",
     {"lib/b.rb:8:18", "lib/b.rb:9:17", "lib/b.rb:12:16"},
     2},
    {"ResultsTellTheirTypes",
     {{"a.rb",
       "class Item\n  def self.make\n    new\n  end\n  def go = self\n  def self.pick(x)\n"
       "    if x\n      Item.new\n    else\n      make\n    end\n  end\n  def use = 1\nend\n"
       "Item.make.use\nItem.pick(1).go.use\nItem.new.class.make.use\n"}},
     "use",
     "a.rb",
     {"a.rb:15:11", "a.rb:16:17", "a.rb:17:21"}},
    {"NewCallsInitialize",
     {{"a.rb",
       "class Base\n  def initialize(x) = 1\nend\nclass Item < Base\n  def initialize = super(1)\n"
       "end\nclass Other < Base\n  def self.make = "
       "new(1)\nend\nBase.new(1)\nItem.new\nOther.new(2)\n"}},
     "initialize",
     "a.rb",
     {"a.rb:5:20", "a.rb:8:19", "a.rb:10:6", "a.rb:12:7"},
     2},
    {"WhatSubclassesHaveIsLikely",
     {{"a.rb",
       "class Base\n  def run = step\nend\nclass One < Base\n  def step = 1\nend\n"
       "class Two < Base\n  def step = 2\nend\nclass Far\n  def step = 3\nend\n"}},
     "step",
     "a.rb",
     {"a.rb:2:13 likely"},
     5},
    {"TheOnlyMethodOfANameIsLikely",
     {{"a.rb", "class Item\n  def finalise = 1\n  def push(x) = x\nend\n"},
      {"b.rb", "def f(x)\n  x.finalise\n  x.push(1)\nend\n"}},
     "finalise",
     "a.rb",
     {"b.rb:2:5 likely"}},
    {"WhatEveryArrayHasIsNot",
     {{"a.rb", "class Item\n  def finalise = 1\n  def push(x) = x\nend\n"},
      {"b.rb", "def f(x)\n  x.finalise\n  x.push(1)\nend\n"}},
     "push",
     "a.rb",
     {}},
    {"SymbolsThatCallsTakeForMethods",
     {{"a.rb",
       "class Item\n  before_save :check, :tidy, if: :check\n  def check = 1\n  def tidy = 1\n"
       "  def f(x)\n    send(:check)\n    method(:check)\n    x = { a: :check }\n"
       "    puts :check\n  end\n  private :check\nend\n"}},
     "check",
     "a.rb",
     {"a.rb:2:16", "a.rb:2:35", "a.rb:6:11", "a.rb:7:13", "a.rb:11:12"}},
    {"VariablesOfInstances",
     {{"a.rb", "class Base\n  def initialize\n    @app = 1\n  end\nend\n"},
      {"b.rb", "class Item < Base\n  def f = @app\nend\nclass Other\n  def f = @app\nend\n"}},
     "@app",
     "a.rb",
     {"b.rb:2:11"}},
    {"MembersOfAStruct",
     {{"a.rb",
       "Point = Struct.new(:x, :y) do\n  def far = x\nend\nPoint.new(1, 2).x\n"
       "class Pair < Struct.new(:left)\n  def f = left\nend\n"}},
     "x",
     "a.rb",
     {"a.rb:2:13", "a.rb:4:17"}},
    {"SymbolsThatBlocksAndDelegationsAreGiven",
     {{"a.rb",
       "class Job\n"
       "  def start; end\n"
       "end\n"
       "class Other\n"
       "  def start; end\n"
       "end\n"
       "class Queue\n"
       "  extend Forwardable\n"
       "  def_delegators :@job, :stop, :start\n"
       "  def initialize; @job = Job.new; end\n"
       "  def job; @job; end\n"
       "  def all; [Job.new, Job.new].each(&:start); end\n"
       "end\n"}},
     "Job.start",
     "a.rb",
     {"a.rb:9:33", "a.rb:12:38"}},
    {"DelegationsMakeMethodsThatCallOthers",
     {{"a.rb",
       "class Engine\n"
       "  def stop; end\n"
       "end\n"
       "class Radio\n"
       "  def stop; end\n"
       "end\n"
       "class Car\n"
       "  extend Forwardable\n"
       "  def_delegator :@engine, :stop\n"
       "  def_delegator :@engine, :stop, :halt\n"
       "  def_delegator :@radio, :stop, :silence\n"
       "  def_delegator :@other, :stop, :stop_other\n"
       "  delegate :stop, to: :engine\n"
       "  attr_reader :stop\n"
       "  def initialize; @engine = Engine.new; @radio = Radio.new; end\n"
       "  def engine; @engine; end\n"
       "end\n"}},
     "Engine.stop",
     "a.rb",
     {"a.rb:9:28", "a.rb:10:28", "a.rb:13:13", "a.rb:12:27 possible"},
     0,
     Confidence::kPossible},
    {"AMethodThatADelegationMakes",
     {{"a.rb",
       "class Car\n  extend Forwardable\n  def_delegator :@engine, :stop, :halt\n"
       "  def_delegators :@engine, :stop, :start\nend\n"
       "Car.new.halt\nCar.new.start\nCar.new.stop\n"}},
     "start",
     "a.rb",
     {"a.rb:7:9"}},
    {"OperatorsAreMethods",
     {{"a.rb",
       "class Money\n"
       "  def +(other); self; end\n"
       "end\n"
       "def sum\n"
       "  a = Money.new\n"
       "  a + Money.new\n"
       "  1 + 2\n"
       "end\n"}},
     "Money.+",
     "a.rb",
     {"a.rb:6:5"}},
};

INSTANTIATE_TEST_SUITE_P(Ruby, RubyUsages, ::testing::ValuesIn(kRubyCases), usage_case_name);

TEST(RubyRelatives, WhatExtendsAClass) {
  testing::CodeFixture fixture(
      {{"a.rb", "module Named\nend\nclass Base\n  include Named\n  def run = 1\nend\n"},
       {"b.rb", "class Item < Base\n  def run = super\nend\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  auto found = find_symbols(**lease, {.symbol = "Base"});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->results.size(), 1U);
  auto below = list_subtypes({cache, **lease}, found->results[0].symbol.id, 10);
  ASSERT_TRUE(below.ok());
  ASSERT_EQ(below->size(), 1U);
  EXPECT_EQ((*below)[0].symbol.name, "Item");
}

}  // namespace
}  // namespace codexmem::graph

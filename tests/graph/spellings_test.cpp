// Names that are made of another name, and what they become when that changes.
#include "graph/core/spellings.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/rename/rename.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

struct Spelling {
  std::string spelled, name, new_name, want;  // "" for none
};

TEST(DerivedSpelling, FollowsTheNameThatItIsMadeOf) {
  const std::vector<Spelling> cases = {
      {"getSize", "size", "width", "getWidth"},
      {"setSize", "size", "w", "setW"},
      {"getE", "e", "f", "getF"},
      {"@size", "size", "width", "@width"},
      {"size=", "size", "width", "width="},
      {"Mark", "MarkAttribute", "NoteAttribute", "Note"},
      {"Mark", "MarkAttribute", "Note", ""},
      {"size", "getSize", "getWidth", "width"},
      {"size", "getSize", "width", ""},
      {"setOpen", "isOpen", "isClosed", "setClosed"},
      {"setOpen", "isOpen", "closed", ""},
      {"user-card", "UserCard", "MainCard", "main-card"},
      {"userCard", "UserCard", "MainCard", "mainCard"},
      {"user_card", "userCard", "mainCard", "main_card"},
      {"new", "initialize", "start", ""},
  };
  for (const Spelling& each : cases) {
    EXPECT_EQ(derived_spelling(each.spelled, each.name, each.new_name).value_or(""), each.want)
        << each.spelled << " of " << each.name;
  }
  EXPECT_TRUE(is_made_of("getSize", "size"));
  EXPECT_FALSE(is_made_of("size", "size"));
  EXPECT_FALSE(is_made_of("new", "initialize"));
}

// "path:line:column text" of each edit, then "! path:line:column" of each obstacle.
std::vector<std::string> planned(const std::map<std::string, std::string>& files,
                                 const std::string& symbol, const std::string& new_name) {
  testing::CodeFixture fixture(files);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto plan = plan_rename(cache, **lease, {.symbol = symbol, .new_name = new_name});
  std::vector<std::string> all;
  const auto place = [](const std::string& path, const Position& at) {
    return path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  for (const RenamedFile& file : plan->files) {
    for (const RenameEdit& edit : file.edits) {
      all.push_back(place(file.path, edit.position) + " " + edit.text);
    }
  }
  for (const RenameObstacle& each : plan->obstacles) {
    all.push_back("! " + place(each.path, each.position));
  }
  return all;
}

TEST(DerivedSpelling, IsRenamedWithTheName) {
  const std::map<std::string, std::string> attribute = {
      {"A.cs", "using System;\nclass MarkAttribute : Attribute {}\n[Mark] class A {}\n"}};
  EXPECT_EQ(planned(attribute, "MarkAttribute", "NoteAttribute"),
            (std::vector<std::string>{"A.cs:2:7 NoteAttribute", "A.cs:3:2 Note"}));
  EXPECT_EQ(planned(attribute, "MarkAttribute", "Note"),
            (std::vector<std::string>{"A.cs:2:7 Note", "! A.cs:3:2"}));
  const std::map<std::string, std::string> accessor = {
      {"p/Car.java", "package p;\nimport lombok.*;\n@Getter class Car { private String engine; }\n"},
      {"p/Use.java", "package p;\nclass Use { String a(Car c) { return c.getEngine(); } }\n"}};
  EXPECT_EQ(planned(accessor, "Car.engine", "motor"),
            (std::vector<std::string>{"p/Car.java:3:36 motor", "p/Use.java:2:40 getMotor"}));
}

TEST(DerivedSpelling, WhatASignCallsStandsAgainstARename) {
  const std::map<std::string, std::string> sum = {
      {"a.ex",
       "defmodule Money do\n  def add(a), do: a\nend\n"
       "defmodule Cart do\n  defdelegate add(a), to: Money\nend\n"}};
  EXPECT_EQ(planned(sum, "Money.add", "plus"),
            (std::vector<std::string>{"a.ex:2:7 plus", "! a.ex:5:27"}));
}

}  // namespace
}  // namespace codexmem::graph

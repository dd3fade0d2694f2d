#include "memory/entries/citations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/entries/code_mentions.h"
#include "memory/fake_code.h"
#include "store/user/user_store.h"
#include "support/temporary_directory.h"

namespace codexmem::memory {
namespace {

using codexmem::testing::FakeCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> mentions_of(std::string_view text) {
  std::vector<std::string> all;
  for (const CodeMention& mention : find_mentions(text, 100)) {
    std::string shown = mention.path;
    if (mention.line != 0) shown += ":" + std::to_string(mention.line);
    if (!mention.symbol.empty()) shown += "|" + mention.symbol;
    all.push_back(shown);
  }
  return all;
}

TEST(FindMentions, PathsAndNamesThatNoProseHas) {
  EXPECT_THAT(mentions_of("See src/net/client.ts:42, and (lib/a.py#L7)."),
              ElementsAre("src/net/client.ts:42", "lib/a.py:7"));
  EXPECT_THAT(
      mentions_of("getUser and load_all fail; Retry.again too, and `plain` and run()."),
      ElementsAre("|getUser", "|load_all", "Retry.again", "|Retry.again", "|plain", "|run"));
  EXPECT_THAT(mentions_of("a/b.ts::Queue.push loses one"), ElementsAre("a/b.ts|Queue.push"));
  EXPECT_THAT(mentions_of("We met at 10:30 on 2026-11-22. It was fine, all warm - very."),
              IsEmpty());
  EXPECT_THAT(mentions_of("https://example.org/a.html is a page"), IsEmpty());
}

TEST(FindMentions, InBackticksAWholeWordIsAName) {
  EXPECT_THAT(mentions_of("`I/O operation on closed file` and `rm old file`, `--version`, -v"),
              ElementsAre("I/O"));
  EXPECT_THAT(mentions_of("`Queue.push(x, 1)` and `push()` and `plain`"),
              ElementsAre("|Queue.push", "|push", "|plain"));
  EXPECT_THAT(mentions_of("`call loadAll first`"), ElementsAre("|loadAll"));
}

TEST(FindMentions, LongTextsAreCutAndHostileOnesHarmless) {
  EXPECT_LE(find_mentions(std::string(1 << 20, '/'), 100).size(), 100U);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "aB" + std::to_string(i) + " ";
  EXPECT_EQ(find_mentions(many, 100).size(), 100U);
}

std::vector<std::string> cited(CodeView& view, const Mentions& mentions) {
  const auto found = find_citations(view, mentions);
  EXPECT_TRUE(found.ok());
  std::vector<std::string> all;
  for (const Citation& each : *found) all.push_back(each.path + "|" + each.symbol);
  return all;
}

TEST(FindCitations, ANameWithOneDefinitionIsCited) {
  FakeCode code;
  code.add("src/user.ts", "getUser", "function getUser() { return 1 }");
  code.add("src/a.ts", "helpMe", "function helpMe() {}");
  code.add("src/b.ts", "helpMe", "function helpMe() { b() }");
  EXPECT_THAT(cited(code, {.text = "getUser caches, helpMe does not"}),
              ElementsAre("src/user.ts|getUser"));
  EXPECT_THAT(cited(code, {.text = "helpMe in b.ts is odd"}),
              ElementsAre("src/b.ts|", "src/b.ts|helpMe"));
}

TEST(FindCitations, ADefinitionInTestsYieldsToTheSource) {
  FakeCode code;
  code.add("src/user.ts", "getUser", "function getUser() {}");
  code.add("test/user.ts", "getUser", "const getUser = fake").is_test = true;
  EXPECT_THAT(cited(code, {.text = "getUser"}), ElementsAre("src/user.ts|getUser"));
}

TEST(FindCitations, ALineMeansTheInnermostDefinition) {
  FakeCode code;
  CodeSymbol& outer = code.add("src/q.ts", "Queue", "class Queue {...}", "class");
  outer.start_line = 1;
  outer.end_line = 50;
  CodeSymbol& inner = code.add("src/q.ts", "Queue.push", "push() {...}", "method");
  inner.start_line = 10;
  inner.end_line = 20;
  EXPECT_THAT(cited(code, {.text = "off by one at src/q.ts:12"}),
              ElementsAre("src/q.ts|Queue.push"));
  EXPECT_THAT(cited(code, {.text = "off by one at src/q.ts:99"}), ElementsAre("src/q.ts|"));
}

TEST(FindCitations, GivenPathsAreCitedEvenIfMissing) {
  FakeCode code;
  code.add("src/user.ts", "getUser", "function getUser() {}");
  const auto found = find_citations(
      code, {.text = "", .files = {"src/none.ts"}, .symbols = {"getUser", "nobody"}});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 3U);
  EXPECT_EQ((*found)[0].path, "src/none.ts");
  EXPECT_TRUE((*found)[0].body_hash.empty());
  EXPECT_TRUE((*found)[1].is_explicit);
  EXPECT_EQ((*found)[1].body_hash.size(), 16U);
  EXPECT_EQ((*found)[2].symbol, "nobody");
}

TEST(CiteByName, KeepsPathsGivenFromTheRoot) {
  const auto cited = cite_by_name(
      "/repo", {.text = "getUser", .files = {"/repo/src/a.ts", "b.ts"}, .symbols = {"Queue.push"}});
  ASSERT_EQ(cited.size(), 3U);
  EXPECT_EQ(cited[0].path, "src/a.ts");
  EXPECT_EQ(cited[1].path, "b.ts");
  EXPECT_EQ(cited[2].symbol, "Queue.push");
  for (const Citation& each : cited) {
    EXPECT_EQ(each.workspace, "/repo");
    EXPECT_TRUE(each.body_hash.empty() && each.is_explicit);
  }
}

class LookUpTest : public ::testing::Test {
 protected:
  LookUpTest() {
    code_.add("src/q.py", "Queue.push", "def push(self, x):\n        self.items.append(x)\n",
              "method");
    citation_ = find_citations(code_, {.text = "Queue.push"})->at(0);
  }

  CitationState now() { return CodeLookup(&code_).look_up(citation_).value(); }

  FakeCode code_;
  Citation citation_;
};

TEST_F(LookUpTest, TheSameBodyIsUnchanged) {
  EXPECT_EQ(now().state, CodeState::kUnchanged);
  code_.symbols[0].body = "def push(self, x):\n    self.items.append(x)  \n";
  EXPECT_EQ(now().state, CodeState::kUnchanged) << "indented otherwise";
}

TEST_F(LookUpTest, AnotherBodyIsChanged) {
  code_.symbols[0].body = "def push(self, x):\n        self.items.insert(0, x)\n";
  EXPECT_EQ(now().state, CodeState::kChanged);
}

TEST_F(LookUpTest, ARenamedSymbolIsFoundByItsBody) {
  code_.symbols[0].name = "Queue.put";
  code_.symbols[0].body = "def put(self, x):\n        self.items.append(x)\n";
  EXPECT_EQ(now().state, CodeState::kUnchanged);
  EXPECT_EQ(now().symbol, "Queue.put");
  EXPECT_EQ(now().path, "");
}

TEST_F(LookUpTest, AMovedSymbolIsFoundByItsName) {
  code_.symbols[0].path = "lib/queue.py";
  EXPECT_EQ(now().state, CodeState::kUnchanged);
  EXPECT_EQ(now().path, "lib/queue.py");
  code_.symbols[0].body = "def push(self, x): pass\n";
  EXPECT_EQ(now().state, CodeState::kChanged);
  EXPECT_EQ(now().path, "lib/queue.py");
}

TEST_F(LookUpTest, ASymbolRenamedInAMovedFileIsFound) {
  code_.symbols[0].path = "lib/q.py";
  code_.symbols[0].name = "Queue.put";
  code_.symbols[0].body = "def put(self, x):\n    self.items.append(x)\n";
  EXPECT_EQ(now().state, CodeState::kUnchanged);
  EXPECT_EQ(now().path, "lib/q.py");
  EXPECT_EQ(now().symbol, "Queue.put");
}

TEST_F(LookUpTest, MissingCodeIsGoneAndWithoutTheWorkspaceUnknown) {
  code_.symbols.clear();
  EXPECT_EQ(now().state, CodeState::kGone);
  EXPECT_EQ(CodeLookup(nullptr).look_up(citation_)->state, CodeState::kUnknown);
  code_.root = "/other";
  EXPECT_EQ(now().state, CodeState::kUnknown);
}

TEST(LookUp, AFileIsFollowedByItsText) {
  FakeCode code;
  code.add("src/user.ts", "getUser", "function getUser() {}");
  const Citation citation = find_citations(code, {.files = {"src/user.ts"}})->at(0);
  EXPECT_EQ(CodeLookup(&code).look_up(citation)->state, CodeState::kUnchanged);
  code.symbols[0].path = "lib/users.ts";
  EXPECT_EQ(CodeLookup(&code).look_up(citation)->state, CodeState::kUnchanged);
  EXPECT_EQ(CodeLookup(&code).look_up(citation)->path, "lib/users.ts");
  code.symbols[0].body += " ";
  EXPECT_EQ(CodeLookup(&code).look_up(citation)->state, CodeState::kGone);
}

TEST(CodeStateOf, TheWorstCounts) {
  EXPECT_EQ(code_state_of({}), std::nullopt);
  std::vector<CitationState> states(2);
  states[0].state = CodeState::kUnchanged;
  states[1].state = CodeState::kUnchanged;
  EXPECT_EQ(code_state_of(states), CodeState::kUnchanged);
  states[1].state = CodeState::kUnknown;
  EXPECT_EQ(code_state_of(states), CodeState::kUnknown);
  states[0].state = CodeState::kChanged;
  EXPECT_EQ(code_state_of(states), CodeState::kChanged);
  states[0].citation.path = states[1].citation.path = "a.ts";
  states[1].citation.symbol = "f";
  states[1].state = CodeState::kUnchanged;
  EXPECT_EQ(code_state_of(states), CodeState::kUnchanged) << "the symbols of a changed file tell";
  states[1].state = CodeState::kGone;
  EXPECT_EQ(code_state_of(states), CodeState::kGone);
}

class NotesTest : public ::testing::Test {
 protected:
  NotesTest() : store_(store::UserStore::open(directory_.path() / "data").value()) {
    code_.add("src/q.ts", "Queue.push", "push(x) { this.items.push(x) }", "method");
    code_.add("src/q.ts", "Queue.pop", "pop() { return this.items.pop() }", "method");
    execute("INSERT INTO projects (id, name, created_at_ms) VALUES (1, 'demo', 0)");
  }

  void execute(const std::string& sql) {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    const auto done = (*writer)->execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  void add_entry(int id, const std::string& title, const std::string& text) {
    execute(
        "INSERT INTO entries (id, project_id, entry_type, title, has_own_title, body, source, "
        "content_hash, created_at_ms) VALUES (" +
        std::to_string(id) + ", 1, 'discovery', '" + title + "', 1, '" + text +
        "', 'manual', randomblob(16), " + std::to_string(id) + ")");
    cite(document_key(EntryId{id}), text);
  }

  void add_decision(int key, const std::string& status, const std::string& text) {
    execute(
        "INSERT INTO decisions (key, id, kind, project_id, title, target, target_key, status, "
        "rationale, source, created_at_ms) VALUES (" +
        std::to_string(key) + ", 'decision_" + std::to_string(key) +
        "', 'decision', 1, 'D', 't', 't" + std::to_string(key) + "', '" + status + "', '" + text +
        "', 'agent', " + std::to_string(key) + ")");
    cite(document_key(DecisionKey{key}), text);
  }

  void cite(DocumentKey document, const std::string& text) {
    const auto citations = find_citations(code_, {.text = text});
    auto writer = store_->writer();
    ASSERT_TRUE(put_citations(**writer, document, *citations, 1).ok());
  }

  std::vector<std::string> notes(std::string_view path, std::string_view symbol = "",
                                 std::size_t limit = 10) {
    auto reader = store_->reader();
    const auto found = find_notes(**reader, code_,
                                  {.path = std::string(path),
                                   .symbol = std::string(symbol),
                                   .project = project_,
                                   .limit = limit});
    EXPECT_TRUE(found.ok()) << found.error().message();
    std::vector<std::string> all;
    for (const CodeNote& note : found->notes) {
      all.push_back(note.id + " " + std::string(code_state_name(note.cited.state)));
    }
    if (found->omitted > 0) all.push_back("+" + std::to_string(found->omitted));
    return all;
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::unique_ptr<store::UserStore> store_;
  FakeCode code_;
  std::string project_;
};

TEST_F(NotesTest, ActiveDecisionsThenTheSymbolsOwnThenNewer) {
  add_entry(1, "about pop", "Queue.pop may be empty");
  add_entry(2, "about push", "Queue.push never fails");
  add_entry(3, "about the file", "src/q.ts was copied");
  add_decision(4, "active", "Queue.push takes one item");
  add_decision(5, "superseded", "Queue.push takes many items");
  EXPECT_THAT(notes("src/q.ts", "Queue.push"),
              ElementsAre("decision_4 unchanged", "2 unchanged", "3 unchanged"));
  EXPECT_THAT(notes("src/q.ts"),
              ElementsAre("decision_4 unchanged", "2 unchanged", "1 unchanged", "3 unchanged"));
  EXPECT_THAT(notes("src/q.ts", "", 1), ElementsAre("decision_4 unchanged", "+3"));
  EXPECT_THAT(notes("src/other.ts"), IsEmpty());
}

TEST_F(NotesTest, OfOneProjectAlone) {
  add_entry(1, "about pop", "Queue.pop may be empty");
  project_ = "demo";
  EXPECT_THAT(notes("src/q.ts"), ElementsAre("1 unchanged"));
  project_ = "other";
  EXPECT_THAT(notes("src/q.ts"), IsEmpty());
}

TEST_F(NotesTest, ASupersededEntryIsLeftOut) {
  add_entry(1, "older", "Queue.pop may be empty");
  add_entry(2, "newer", "Queue.pop may be empty or full");
  execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0)");
  EXPECT_THAT(notes("src/q.ts"), ElementsAre("2 unchanged"));
}

TEST_F(NotesTest, TheyAreFoundWhereTheCodeHasGone) {
  add_entry(1, "about pop", "Queue.pop may be empty");
  code_.symbols[1].path = "lib/queue.ts";
  EXPECT_THAT(notes("lib/queue.ts"), ElementsAre("1 unchanged"));
  EXPECT_THAT(notes("src/q.ts"), IsEmpty());
  // Once followed, it is known there although it changes.
  EXPECT_EQ(follow_moves(*store_, code_).value(), 1U);
  EXPECT_EQ(follow_moves(*store_, code_).value(), 0U);
  code_.symbols[1].body = "pop() { return this.items.shift() }";
  EXPECT_THAT(notes("lib/queue.ts"), ElementsAre("1 changed"));
}

TEST_F(NotesTest, CitationsGoWithTheirEntry) {
  add_entry(1, "about pop", "Queue.pop may be empty");
  const std::vector<DocumentKey> documents = {document_key(EntryId{1})};
  {
    auto reader = store_->reader();
    EXPECT_EQ(list_citations(**reader, documents)->size(), 1U);
  }
  execute("DELETE FROM entries");
  auto reader = store_->reader();
  EXPECT_TRUE(list_citations(**reader, documents)->empty());
}

}  // namespace
}  // namespace codexmem::memory

#include "memory/entries/entries.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

class EntriesTest : public MemoryStoreTest {};

TEST_F(EntriesTest, GivesBackAllThatWasSaved) {
  NewEntry entry;
  entry.project = "demo";
  entry.session = "host-1";
  entry.type = "bugfix";
  entry.title = "  The   kettle ";
  entry.text = "It boils.\nAt 100 degrees.\n";
  entry.subtitle = "about tea";
  entry.facts = {"hot", "", "blue \"one\""};
  entry.concepts = {"gotcha"};
  entry.files_read = {"src/a.cpp"};
  entry.files_modified = {"src/b.cpp"};
  entry.source_ref = "docs/tea.md#kettle";
  entry.metadata = R"({"z": [1, {"a": null}], "pinned": true, "name": "tea"})";
  entry.prompt_number = 7;
  entry.discovery_tokens = 1234;
  const SavedEntry saved = save(entry);
  EXPECT_EQ(saved.project, "demo");
  EXPECT_EQ(saved.type, "bugfix");
  EXPECT_EQ(saved.title, "The kettle");
  EXPECT_EQ(saved.created_at_ms, now_ms_);
  EXPECT_FALSE(saved.is_duplicate);

  const Entry got = get(saved.id);
  EXPECT_EQ(got.project, "demo");
  EXPECT_EQ(got.session, "host-1");
  EXPECT_EQ(got.type, "bugfix");
  EXPECT_EQ(got.title, "The kettle");
  EXPECT_EQ(got.body, "It boils.\nAt 100 degrees.");
  EXPECT_EQ(got.subtitle, "about tea");
  EXPECT_EQ(got.facts, (std::vector<std::string>{"hot", "blue \"one\""}));
  EXPECT_EQ(got.concepts, std::vector<std::string>{"gotcha"});
  EXPECT_EQ(got.files_read, std::vector<std::string>{"src/a.cpp"});
  EXPECT_EQ(got.files_modified, std::vector<std::string>{"src/b.cpp"});
  EXPECT_EQ(got.source, "manual");
  EXPECT_EQ(got.source_ref, "docs/tea.md#kettle");
  EXPECT_EQ(got.metadata, R"({"name":"tea","pinned":true,"z":[1,{"a":null}]})");
  EXPECT_EQ(got.prompt_number, 7);
  EXPECT_EQ(got.discovery_tokens, 1234);
  EXPECT_EQ(got.created_at_ms, now_ms_);
}

TEST_F(EntriesTest, FillsInMissingFields) {
  const SavedEntry saved = save({.text = "Short text"});
  EXPECT_EQ(saved.project, "default");
  EXPECT_EQ(saved.type, "discovery");
  EXPECT_EQ(saved.title, "Short text");
  const Entry got = get(saved.id);
  EXPECT_EQ(got.metadata, "{}");
  EXPECT_EQ(got.session, "");
  EXPECT_EQ(got.prompt_number, std::nullopt);
}

TEST(DefaultTitle, IsTheBeginningOfTheText) {
  EXPECT_EQ(default_title("  one\n\ttwo "), "one two");
  EXPECT_EQ(default_title(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(default_title(std::string(61, 'x')), std::string(60, 'x') + "...");
  // Trimmed before the dots.
  EXPECT_EQ(default_title(std::string(59, 'x') + " yz"), std::string(59, 'x') + "...");
  // Code points, not bytes.
  std::string kana, cut;
  for (int i = 0; i < 61; ++i) kana += "\u3042";
  EXPECT_EQ(default_title(kana), kana.substr(0, 180) + "...");
}

TEST_F(EntriesTest, RefusesValuesOutOfBounds) {
  struct Case {
    const char* name;
    NewEntry entry;
    const char* message;
  };
  const std::string long_text(kMaxTextBytes + 1, 'x');
  const std::string deep = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
  const std::vector<Case> cases = {
      {"no text", {.text = ""}, "text is required and must be non-empty"},
      {"blank", {.text = " \n\t"}, "text is required and must be non-empty"},
      {"long text", {.text = long_text}, "text must have at most 1048576 bytes, got 1048577"},
      {"long title",
       {.title = std::string(2001, 't'), .text = "x"},
       "title must have at most 2000 bytes, got 2001"},
      {"type",
       {.type = "Bug fix", .text = "x"},
       "type must match [a-z0-9][a-z0-9_-]{0,63}, got 'Bug fix'"},
      {"long type",
       {.type = std::string(65, 'a'), .text = "x"},
       "type must match [a-z0-9][a-z0-9_-]{0,63}, got "
       "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"},
      {"metadata array", {.text = "x", .metadata = "[1]"}, "metadata must be an object, got array"},
      {"metadata no JSON",
       {.text = "x", .metadata = "{"},
       "metadata must be an object, got text that is not JSON"},
      {"deep metadata",
       {.text = "x", .metadata = deep},
       "metadata must be nested at most 32 levels deep"},
      {"many facts",
       {.text = "x", .facts = std::vector<std::string>(1001, "f")},
       "facts must have at most 1000 items, got 1001"},
      {"time",
       {.text = "x", .created_at_ms = -1},
       "created_at must be from 0 to 253402300799999 ms, got -1"},
  };
  for (const Case& c : cases) {
    const auto refused = entries_.save(c.entry);
    ASSERT_FALSE(refused.ok()) << c.name;
    EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument) << c.name;
    EXPECT_EQ(refused.error().message(), c.message) << c.name;
  }
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM projects"), 0);
}

TEST_F(EntriesTest, RepairsIllFormedText) {
  const Entry got = get(save({.text = std::string("a\xFF"
                                                  "b\0c",
                                                  5)})
                            .id);
  EXPECT_EQ(got.body,
            "a\xEF\xBF\xBD"
            "b c");
}

// Put together at run time: it looks like a token but is not one.
std::string secret() { return "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA"; }

TEST_F(EntriesTest, ASecretInAnyFieldIsBlockedAndNothingWritten) {
  const std::vector<std::pair<const char*, NewEntry>> cases = {
      {"text", {.text = "the key is " + secret()}},
      {"title", {.title = secret(), .text = "x"}},
      {"project", {.project = secret(), .text = "x"}},
      {"session", {.session = secret(), .text = "x"}},
      {"type", {.type = secret(), .text = "x"}},
      {"subtitle", {.text = "x", .subtitle = secret()}},
      {"facts", {.text = "x", .facts = {"fine", secret()}}},
      {"concepts", {.text = "x", .concepts = {secret()}}},
      {"files_read", {.text = "x", .files_read = {"a/" + secret()}}},
      {"files_modified", {.text = "x", .files_modified = {secret()}}},
      {"source_ref", {.text = "x", .source_ref = "https://host/?key=" + secret()}},
      {"metadata", {.text = "x", .metadata = R"({"a":["b",")" + secret() + "\"]}"}},
      {"metadata", {.text = "x", .metadata = "{\"" + secret() + "\":1}"}},
      {"files", {.text = "x", .cited_files = {secret()}}},
      {"symbols", {.text = "x", .cited_symbols = {secret()}}},
  };
  for (const auto& [field, entry] : cases) {
    const auto refused = entries_.save(entry);
    ASSERT_FALSE(refused.ok()) << field;
    EXPECT_EQ(refused.error().code(), ErrorCode::kBlocked) << field << refused.error().message();
    EXPECT_NE(refused.error().details().find('"' + std::string(field) + '"'), std::string::npos)
        << refused.error().details();
    EXPECT_EQ(refused.error().message().find(secret()), std::string::npos);
    EXPECT_EQ(refused.error().details().find(secret()), std::string::npos);
  }
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM projects"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM sessions"), 0);
}

TEST_F(EntriesTest, PrivatePartsAreTakenOutOfEveryField) {
  const std::string hidden = "<private>canary</private>";
  const Entry got = get(save({.project = "p" + hidden,
                              .title = hidden,
                              .text = "a " + hidden + "b <private>canary and no end",
                              .subtitle = hidden + "sub",
                              .facts = {hidden, "fact" + hidden},
                              .concepts = {hidden},
                              .source_ref = hidden,
                              .metadata = R"({"a":"<private>canary</private>x"})"})
                            .id);
  EXPECT_EQ(got.project, "p");
  EXPECT_EQ(got.title, "a b");
  EXPECT_EQ(got.body, "a b");
  EXPECT_EQ(got.subtitle, "sub");
  EXPECT_EQ(got.facts, std::vector<std::string>{"fact"});
  EXPECT_TRUE(got.concepts.empty());
  EXPECT_EQ(got.source_ref, "");
  EXPECT_EQ(got.metadata, R"({"a":"x"})");
  const auto refused = entries_.save({.text = "<private>all of it"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "text is required and must be non-empty");
}

TEST_F(EntriesTest, WhatANewerRuleKnowsIsRedactedWhenItIsRead) {
  const EntryId id = save_text("fine").id;
  {
    auto writer = store_->writer();
    ASSERT_TRUE((*writer)
                    ->execute("INSERT INTO entries (id, project_id, entry_type, title, "
                              "has_own_title, body, facts, source, content_hash, created_at_ms) "
                              "VALUES (7, 1, 'discovery', 't " +
                              secret() + "', 1, 'b " + secret() + "', '[\"f " + secret() +
                              "\"]', 'manual', x'00', 1);"
                              "INSERT INTO entry_metadata VALUES (7, 'k', '\"" +
                              secret() + "\"')")
                    .ok());
  }
  EXPECT_EQ(get(id).body, "fine");
  const Entry got = get(EntryId{7});
  for (const std::string& text : {got.title, got.body, got.facts.front(), got.metadata}) {
    EXPECT_EQ(text.find(secret()), std::string::npos) << text;
    EXPECT_NE(text.find("[REDACTED:"), std::string::npos) << text;
  }
}

TEST_F(EntriesTest, TheSameIsSavedOnce) {
  const SavedEntry first = save_text("one");
  now_ms_ += 1000;
  const SavedEntry again = save_text("  one ");
  EXPECT_TRUE(again.is_duplicate);
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.created_at_ms, first.created_at_ms);
  EXPECT_FALSE(save_text("one", "other").is_duplicate);
  EXPECT_FALSE(save({.project = "demo", .type = "bugfix", .text = "one"}).is_duplicate);
  EXPECT_FALSE(save({.project = "demo", .title = "Title", .text = "one"}).is_duplicate);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 4);
  expect_whole();
}

TEST_F(EntriesTest, ManyThreadsSaveTheSameOnce) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 25; ++i) save_text("text " + std::to_string(i));
    });
  }
  threads.clear();
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 25);
}

TEST_F(EntriesTest, TheHookWritesInTheSameTransaction) {
  bool fails = true;
  const EntryHook hook = [&](const NewEntry& entry) {
    EXPECT_EQ(entry.cited_files, std::vector<std::string>{"a.cpp"});
    return Result<DocumentWriter>([&](store::Database& database, DocumentKey key) -> Result<void> {
      if (fails) return Error{ErrorCode::kIo, "no"};
      return database.execute("INSERT INTO meta VALUES ('seen', " +
                              std::to_string(static_cast<std::int64_t>(key)) + ")");
    });
  };
  EXPECT_FALSE(entries_.save({.text = "x", .cited_files = {"a.cpp"}}, hook).ok());
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  fails = false;
  const auto saved = entries_.save({.text = "x", .cited_files = {"a.cpp"}}, hook);
  ASSERT_TRUE(saved.ok()) << saved.error().message();
  EXPECT_EQ(count("SELECT value FROM meta WHERE key = 'seen'"),
            static_cast<std::int64_t>(document_key(saved->id)));
}

TEST_F(EntriesTest, GetKeepsTheOrderAndLeavesOutTheUnknown) {
  const EntryId one = save_text("one").id;
  const EntryId two = save_text("two").id;
  const EntryId ids[] = {two, EntryId{99}, one, two};
  const auto got = entries_.get(ids);
  ASSERT_TRUE(got.ok());
  ASSERT_EQ(got->size(), 3U);
  EXPECT_EQ((*got)[0].body, "two");
  EXPECT_EQ((*got)[1].body, "one");
  EXPECT_EQ((*got)[2].body, "two");
}

TEST_F(EntriesTest, ListFilters) {
  const auto add = [&](const char* text, const char* project, const char* type,
                       std::vector<std::string> concepts, std::vector<std::string> read,
                       std::vector<std::string> modified) {
    now_ms_ += 1000;
    return save({.project = project,
                 .type = type,
                 .text = text,
                 .concepts = std::move(concepts),
                 .files_read = std::move(read),
                 .files_modified = std::move(modified)})
        .id;
  };
  const EntryId a = add("a", "p", "bugfix", {"gotcha", "pattern"}, {"src/Auth/login.cpp"}, {});
  const EntryId b = add("b", "p", "feature", {"gotchas"}, {}, {"src/auth/logout.cpp"});
  const EntryId c = add("c", "q", "bugfix", {}, {"100%_odd"}, {});
  const auto list = [&](EntryFilter filter) {
    const auto got = entries_.list(filter);
    EXPECT_TRUE(got.ok()) << got.error().message();
    std::vector<EntryId> ids;
    for (const Entry& entry : *got) ids.push_back(entry.id);
    return ids;
  };
  using Ids = std::vector<EntryId>;
  EXPECT_EQ(list({}), (Ids{c, b, a}));
  EXPECT_EQ(list({.oldest_first = true}), (Ids{a, b, c}));
  EXPECT_EQ(list({.limit = 1, .offset = 1}), Ids{b});
  EXPECT_EQ(list({.projects = {"p"}}), (Ids{b, a}));
  EXPECT_EQ(list({.projects = {"p", "q"}}), (Ids{c, b, a}));
  EXPECT_EQ(list({.projects = {"nobody"}}), Ids{});
  EXPECT_EQ(list({.types = {"bugfix"}}), (Ids{c, a}));
  EXPECT_EQ(list({.types = {"bugfix", "feature"}}), (Ids{c, b, a}));
  EXPECT_EQ(list({.concepts = {"gotcha"}}), Ids{a});
  EXPECT_EQ(list({.concepts = {"gotcha", "gotchas"}}), (Ids{b, a}));
  EXPECT_EQ(list({.files = {"auth/log"}}), (Ids{b, a}));
  EXPECT_EQ(list({.files = {"logout", "%_"}}), (Ids{c, b}));
  EXPECT_EQ(list({.projects = {"p"}, .types = {"bugfix"}, .files = {"auth"}}), Ids{a});
  EXPECT_EQ(list({.ids = Ids{c, a, a, EntryId{99}}}), (Ids{c, a}));
  EXPECT_EQ(list({.ids = Ids{c, a}, .projects = {"p"}}), Ids{a});
  EXPECT_EQ(list({.ids = Ids{c, b, a}, .types = {"bugfix"}, .oldest_first = true}), (Ids{a, c}));
  EXPECT_EQ(list({.ids = Ids{}}), Ids{});
  const auto refused = entries_.list({.ids = Ids(501, a)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "ids must have at most 500 items, got 501");
}

TEST_F(EntriesTest, WhatWasSavedByHandAndStillHolds) {
  const EntryId seen = save({.project = "p", .text = "a", .source = "observer"}).id;
  const EntryId old = save({.project = "p", .text = "b"}).id;
  const EntryId saved = save({.project = "p", .text = "c"}).id;
  auto writer = store_->writer();
  ASSERT_TRUE((*writer)
                  ->execute("INSERT INTO entry_links (from_id, to_id, kind, created_at_ms) "
                            "VALUES (3, 2, 'supersedes', 0)")
                  .ok());
  const auto list = [&](EntryFilter filter) {
    const auto got = entries_.list(filter);
    EXPECT_TRUE(got.ok()) << got.error().message();
    std::vector<EntryId> ids;
    for (const Entry& entry : *got) ids.push_back(entry.id);
    return ids;
  };
  using Ids = std::vector<EntryId>;
  EXPECT_EQ(list({.projects = {"p"}, .only_saved = true}), (Ids{saved, old}));
  EXPECT_EQ(list({.only_saved = true, .only_current = true}), Ids{saved});
  EXPECT_EQ(list({.projects = {"p"}, .only_current = true}), (Ids{saved, seen}));
  const std::string lines = plan(
      "SELECT id FROM entries AS e INDEXED BY entries_saved WHERE project_id = ?1 AND "
      "source = 'manual' ORDER BY created_at_ms DESC, id DESC LIMIT 9");
  EXPECT_EQ(lines.find("TEMP B-TREE"), std::string::npos) << lines;
}

}  // namespace
}  // namespace codexmem::memory

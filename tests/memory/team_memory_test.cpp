#include "memory/transfer/team_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem::memory {
namespace {

namespace fs = std::filesystem;

// A member with a store and a work tree of his own; git is played by copying files.
class Member {
 public:
  explicit Member(const std::string& project = "shop") {
    MemoryOptions options;
    options.directory = directory_.path() / "data";
    options.project = project;
    options.root = root();
    options.clock = [this] { return now_ms_; };
    options.decisions.cooldown_ms = 0;
    fs::create_directories(root());
    auto opened = Memory::open(std::move(options));
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    memory_ = *std::move(opened);
  }

  fs::path root() const { return fs::canonical(directory_.path()) / "shop"; }
  fs::path folder() const { return root() / kSharedFolder; }
  Memory& memory() { return *memory_; }

  TeamPlace place() const {
    TeamPlace place;
    place.root = root();
    place.repository = root().string() + "/.git/";
    return place;
  }

  DocumentKey save(const std::string& text) {
    NewEntry entry;
    entry.project = memory_->project();
    entry.text = text;
    auto saved = memory_->entries().save(std::move(entry));
    EXPECT_TRUE(saved.ok()) << saved.error().message();
    return document_key(saved->id);
  }

  std::string record(const std::string& title, const std::string& target = "database") {
    ++now_ms_;
    auto made = memory_->decisions().record(kAdmin, {.project = memory_->project(),
                                                     .title = title,
                                                     .target = target,
                                                     .rationale = "because " + title,
                                                     .consequences = {},
                                                     .cited_files = {},
                                                     .cited_symbols = {}});
    EXPECT_TRUE(made.ok()) << made.error().message();
    return made.ok() ? *made : "";
  }

  std::string supersede(const std::string& old, const std::string& title) {
    ++now_ms_;
    auto made = memory_->decisions().supersede(kAdmin,
                                               {.project = memory_->project(),
                                                .title = title,
                                                .target = "database",
                                                .rationale = "because it is better: " + title,
                                                .consequences = {},
                                                .cited_files = {},
                                                .cited_symbols = {}},
                                               {old});
    EXPECT_TRUE(made.ok()) << made.error().message();
    return made.ok() ? *made : "";
  }

  DocumentKey key(const std::string& id) {
    const auto decision = memory_->decisions().get(id);
    EXPECT_TRUE(decision.ok());
    return document_key(decision->key);
  }

  std::string share(DocumentKey document) {
    auto done = memory::share(*memory_, place(), document);
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done.ok() ? done->path : "";
  }
  std::string share(const std::string& decision) { return share(key(decision)); }

  TakenIn take_in() {
    auto taken = take_in_shared(*memory_, place());
    EXPECT_TRUE(taken.ok()) << taken.error().message();
    return taken.ok() ? *taken : TakenIn{};
  }

  void turn(bool is_on) { EXPECT_TRUE(set_team_memory(*memory_, place(), is_on).ok()); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root() / path).parent_path());
    directory_.write("shop/" + path, text);
  }

  // Titles of documents by their files; of decisions with their statuses.
  std::map<std::string, std::string> titles() {
    std::map<std::string, std::string> titles;
    const auto files = list_shared(*memory_, place());
    EXPECT_TRUE(files.ok());
    auto reader = memory_->store().reader();
    for (const SharedFile& file : *files) {
      const std::string name = fs::path(file.path).filename().string();
      if (!file.document) {
        titles[name] = "refused: " + file.refused;
      } else if (kind_of(*file.document) == DocumentKind::kDecision) {
        const auto key = static_cast<DecisionKey>(id_of(*file.document));
        const auto found = get_decisions(**reader, std::span(&key, 1));
        titles[name] =
            found->front().title + ": " + std::string(status_name(found->front().status));
      } else {
        const auto id = static_cast<EntryId>(id_of(*file.document));
        titles[name] = memory_->entries().get(std::span(&id, 1))->front().body;
      }
    }
    return titles;
  }

  std::int64_t count(std::string_view sql) {
    auto reader = memory_->store().reader();
    return (*reader)->find_integer(sql)->value_or(-1);
  }

  inline static const Caller kAdmin{Role::kAdmin, true, {}};
  std::int64_t now_ms_ = 1'790'000'000'000;

 private:
  codexmem::testing::TemporaryDirectory directory_;
  std::unique_ptr<Memory> memory_;
};

// `to` has the shared files of `from`, as after a pull.
void pull(const Member& from, Member& to) {
  fs::remove_all(to.folder());
  fs::create_directories(to.folder().parent_path());
  if (fs::exists(from.folder())) {
    fs::copy(from.folder(), to.folder(), fs::copy_options::recursive);
  }
  to.take_in();
}

// A file of a decision, or of a memory.
std::string shared_file(const std::string& id, const std::string& created, const std::string& old,
                        bool is_decision = true) {
  const std::string kind = is_decision ? "kind: decision\ntarget: \"database\"\nstatus: active\n"
                                       : "kind: memory\ntype: note\n";
  return "---\ncodexmem: 1\n" + kind + "id: \"" + id + "\"\ncreated: \"" + created + "\"\n" +
         (old.empty() ? "" : "supersedes: [\"" + old + "\"]\n") + "---\n\n# Note " + id +
         "\n\nText of " + id + "\n";
}

// Dates in files are clocks' (issue 47).
TEST(TeamMemory, ADateInTheFutureDoesNotWin) {
  Member ann;
  ann.turn(true);
  const std::string folder = std::string(kSharedFolder) + "/";
  const std::string far = "20260101-far.md";
  const std::string next = "20260102-next.md";
  ann.write(folder + far, shared_file(far, "9999-01-01T00:00:00Z", ""));
  EXPECT_EQ(ann.take_in().refused, 0U);
  EXPECT_EQ(ann.titles()[far], "Note " + far + ": active");
  EXPECT_LE(ann.memory().decisions().get(far)->created_at_ms, ann.now_ms_);

  // What supersedes it holds, also for one who takes in both at once, from a clock behind.
  ann.write(folder + next, shared_file(next, "2026-01-01T00:00:00Z", far));
  ann.take_in();
  Member bob;
  bob.turn(true);
  pull(ann, bob);
  for (Member* member : {&ann, &bob}) {
    EXPECT_EQ(member->titles()[far], "Note " + far + ": superseded");
    EXPECT_EQ(member->titles()[next], "Note " + next + ": active");
  }

  // A member's own, once it is shared.
  ++ann.now_ms_;
  const std::string own = ann.supersede(next, "Use SQLite");
  ann.share(own);
  ann.take_in();
  EXPECT_EQ(ann.titles()[own], "Use SQLite: active");
  EXPECT_EQ(ann.titles()[far], "Note " + far + ": superseded");
}

// Whoever adds files with low names does not push out the others (issue 47).
TEST(TeamMemory, OfTooManyFilesThoseThatWereReadStay) {
  Member ann;
  ann.turn(true);
  const std::string folder = std::string(kSharedFolder) + "/";
  const auto id = [](int i) { return "00000000000000" + std::to_string(10 + i); };
  for (int i = 0; i < 3; ++i) {
    ann.write(folder + "z" + id(i) + ".md", shared_file(id(i), "2026-01-01", "", false));
  }
  TeamPlace place = ann.place();
  place.most_files = 5;
  EXPECT_FALSE(take_in_shared(ann.memory(), place)->is_cut);
  for (int i = 3; i < 20; ++i) {
    ann.write(folder + "a" + id(i) + ".md", shared_file(id(i), "2026-01-01", "", false));
  }
  const auto taken = take_in_shared(ann.memory(), place);
  EXPECT_TRUE(taken->is_cut);
  EXPECT_EQ(taken->files, 5U);
  EXPECT_EQ(taken->removed, 0U);
  EXPECT_EQ(ann.count("SELECT count(*) FROM shared_files WHERE path LIKE '%/z%'"), 3);
}

TEST(TeamMemory, NothingIsReadBeforeItIsWanted) {
  Member ann, bob;
  ann.share(ann.save("The proxy closes after 60 s"));
  pull(ann, bob);
  const TakenIn taken = bob.take_in();
  EXPECT_FALSE(taken.is_on.has_value());
  EXPECT_EQ(taken.shared, 1U);
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 0);
  bob.turn(true);
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries WHERE source = 'shared'"), 1);
  bob.turn(false);
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 0);
  EXPECT_EQ(bob.take_in().is_on, std::optional(false));
}

TEST(TeamMemory, WhatOthersShareComesChangesAndGoes) {
  Member ann, bob;
  bob.turn(true);
  const DocumentKey note = ann.save("Tea is in the kitchen\n");
  const std::string path = ann.share(note);
  pull(ann, bob);
  EXPECT_EQ(bob.titles().size(), 1U);
  EXPECT_EQ(bob.titles().begin()->second, "Tea is in the kitchen");
  EXPECT_EQ(bob.take_in().added, 0U);

  // Edited by bob: ann has both, with the newer one shared.
  bob.write(path, [&] {
    auto text = *read_file(bob.root() / path);
    return text + "\nAnd coffee.\n";
  }());
  bob.take_in();
  EXPECT_EQ(bob.titles().begin()->second, "Tea is in the kitchen\n\nAnd coffee.");
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 1);
  pull(bob, ann);
  EXPECT_EQ(ann.titles(), bob.titles());
  EXPECT_EQ(ann.count("SELECT count(*) FROM entries"), 2);

  fs::remove(bob.root() / path);
  bob.take_in();
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 0);
  pull(bob, ann);
  EXPECT_EQ(ann.count("SELECT count(*) FROM entries"), 1);  // what she saved herself
}

TEST(TeamMemory, WhatBothSaidIsOneEntryAndStays) {
  Member ann, bob;
  bob.turn(true);
  bob.save("The proxy closes after 60 s");
  const std::string path = ann.share(ann.save("The proxy closes after 60 s"));
  pull(ann, bob);
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 1);
  fs::remove(bob.root() / path);
  bob.take_in();
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 1);

  // Saved after it was shared: his own from then on.
  Member cy;
  cy.turn(true);
  pull(ann, cy);
  cy.save("The proxy closes after 60 s");
  EXPECT_EQ(cy.count("SELECT count(*) FROM entries"), 1);
  fs::remove(cy.root() / path);
  cy.take_in();
  EXPECT_EQ(cy.count("SELECT count(*) FROM entries"), 1);
}

TEST(TeamMemory, ForgottenEntriesStayForgottenUntilTheFileChanges) {
  Member ann, bob;
  bob.turn(true);
  const std::string path = ann.share(ann.save("Old news"));
  pull(ann, bob);
  auto writer = bob.memory().store().writer();
  ASSERT_TRUE((*writer)->execute("DELETE FROM entries").ok());
  { auto done = std::move(writer); }
  bob.take_in();
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 0);
  EXPECT_EQ(bob.titles().begin()->second, "refused: it was removed from this memory");
  bob.write(path, *read_file(bob.root() / path) + "More.\n");
  bob.take_in();
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries"), 1);
}

TEST(TeamMemory, ADecisionIsSupersededForEverybodyAndComesBackWithTheBranch) {
  Member ann, bob;
  bob.turn(true);
  const std::string first = ann.record("Use MySQL");
  const std::string first_path = ann.share(first);
  pull(ann, bob);
  EXPECT_EQ(bob.titles()[first], "Use MySQL: active");

  bob.now_ms_ += 1000;
  const std::string second = bob.supersede(first, "Use SQLite");
  const std::string second_path = bob.share(second);
  EXPECT_TRUE(fs::exists(bob.root() / second_path));
  pull(bob, ann);
  EXPECT_EQ(ann.titles()[first], "Use MySQL: superseded");
  EXPECT_EQ(ann.titles()[second], "Use SQLite: active");
  EXPECT_EQ(ann.memory().decisions().get(first)->superseded_by, second);

  // A branch without the second.
  fs::remove(ann.root() / second_path);
  ann.take_in();
  EXPECT_EQ(ann.titles()[first], "Use MySQL: active");
  EXPECT_FALSE(ann.memory().decisions().get(second).ok());
}

TEST(TeamMemory, TwoBranchesThatDecideDifferentlyAreSaid) {
  Member ann, bob, cy;
  for (Member* member : {&ann, &bob, &cy}) member->turn(true);
  const std::string first = ann.record("Use MySQL");
  ann.share(first);
  pull(ann, bob);
  bob.now_ms_ += 5000;
  const std::string anns = ann.supersede(first, "Use SQLite");
  const std::string bobs = bob.supersede(first, "Use PostgreSQL");
  ann.share(anns);
  bob.share(bobs);
  // The merge: all files of both.
  for (const Member* from : {&ann, &bob}) {
    fs::create_directories(cy.folder());
    fs::copy(from->folder(), cy.folder(),
             fs::copy_options::skip_existing | fs::copy_options::recursive);
  }
  cy.take_in();
  EXPECT_EQ(cy.titles()[first], "Use MySQL: superseded");
  EXPECT_EQ(cy.titles()[anns], "Use SQLite: superseded");
  EXPECT_EQ(cy.titles()[bobs], "Use PostgreSQL: active");
  const auto files = list_shared(cy.memory(), cy.place());
  ASSERT_TRUE(files.ok());
  for (const SharedFile& file : *files) {
    EXPECT_EQ(file.rival, file.shared_id == anns ? bobs : "") << file.path;
  }
  pull(cy, ann);
  pull(cy, bob);
  EXPECT_EQ(ann.titles(), cy.titles());
  EXPECT_EQ(bob.titles(), cy.titles());
}

TEST(TeamMemory, AnOwnDecisionOverridesDecisionsInFiles) {
  Member ann, bob;
  bob.turn(true);
  const std::string bobs = bob.record("Use PostgreSQL");
  const std::string anns = ann.record("Use SQLite");
  ann.share(anns);
  pull(ann, bob);
  EXPECT_EQ(bob.titles()[anns], "Use SQLite: superseded");
  EXPECT_EQ(list_shared(bob.memory(), bob.place())->front().rival, bobs);
  EXPECT_EQ(bob.memory().decisions().get(bobs)->status, DecisionStatus::kActive);
}

TEST(TeamMemory, ADecisionThatTheTeamRemovedHoldsNoLongerForItsAuthor) {
  Member ann;
  const std::string id = ann.record("Use MySQL");
  const std::string path = ann.share(id);
  fs::remove(ann.root() / path);
  ann.take_in();
  EXPECT_EQ(ann.memory().decisions().get(id)->status, DecisionStatus::kDeprecated);
}

TEST(TeamMemory, WhatARemovedDecisionSupersededHoldsAgain) {
  Member ann, bob;
  bob.turn(true);
  const std::string first = ann.record("Use MySQL");
  ann.share(first);
  pull(ann, bob);
  bob.now_ms_ += 1000;
  const std::string path = bob.share(bob.supersede(first, "Use SQLite"));
  bob.take_in();
  EXPECT_EQ(bob.titles()[first], "Use MySQL: superseded");
  fs::remove(bob.root() / path);  // by the team, though bob recorded it
  bob.take_in();
  EXPECT_EQ(bob.titles()[first], "Use MySQL: active");
}

TEST(TeamMemory, ADecisionThatAMemberEndedStaysEndedForHim) {
  Member ann, bob;
  bob.turn(true);
  const std::string id = ann.record("Use MySQL");
  ann.share(id);
  pull(ann, bob);
  ASSERT_TRUE(bob.memory().decisions().deprecate(Member::kAdmin, id, "no").ok());
  bob.write(std::string(kSharedFolder) + "/x.md", "nothing");
  bob.take_in();
  EXPECT_EQ(bob.titles()[id], "Use MySQL: deprecated");
  EXPECT_EQ(bob.share(id), std::string(kSharedFolder) + "/" + id);
  pull(bob, ann);
  EXPECT_EQ(ann.titles()[id], "Use MySQL: deprecated");
}

TEST(TeamMemory, TwoProjectsMayHaveOneDecision) {
  Member ann;
  const std::string id = ann.record("Use MySQL");
  ann.share(id);
  // The same files in a clone of another name, in the store of the same user.
  codexmem::testing::TemporaryDirectory other;
  fs::copy(ann.root(), other.path() / "fork", fs::copy_options::recursive);
  MemoryOptions options;
  options.directory = ann.memory().store().directory();
  options.project = "fork";
  auto opened = Memory::open(std::move(options));
  ASSERT_TRUE(opened.ok());
  TeamPlace place;
  place.root = fs::canonical(other.path()) / "fork";
  place.repository = place.root.string();
  ASSERT_TRUE(set_team_memory(**opened, place, true).ok());
  EXPECT_EQ(ann.count("SELECT count(*) FROM decisions WHERE status = 'active'"), 2);
  // When that clone is gone, so is what came from it.
  fs::remove_all(place.root);
  TeamPlace elsewhere = place;
  elsewhere.root = ann.root();
  const auto taken = take_in_shared(**opened, elsewhere);
  ASSERT_TRUE(taken.ok()) << taken.error().message();
  EXPECT_EQ(ann.count("SELECT count(*) FROM shared_files WHERE root LIKE '%/fork'"), 0);
}

TEST(TeamMemory, ANewerMemorySupersedesAnOlderOneAndNoneItself) {
  Member ann;
  ann.turn(true);
  const auto file = [](const std::string& id, const std::string& time, const std::string& old) {
    return "---\ncodexmem: 1\nkind: memory\nid: \"" + id + "\"\ntype: note\ncreated: \"2026-01-0" +
           time + "\"\nsupersedes: [\"" + old + "\"]\n---\n\n# Note " + id + "\n\nText of " + id +
           "\n";
  };
  const std::string folder = std::string(kSharedFolder) + "/";
  // Each says that it took the other's place.
  ann.write(folder + "a.md", file("00000000000000aa", "1", "00000000000000bb"));
  ann.write(folder + "b.md", file("00000000000000bb", "2", "00000000000000aa"));
  ann.write(folder + "c.md", file("00000000000000cc", "3", "00000000000000cc"));
  EXPECT_EQ(ann.take_in().refused, 0U);
  EXPECT_EQ(ann.count("SELECT count(*) FROM entry_links"), 1);
  EXPECT_EQ(ann.count("SELECT count(*) FROM entry_links AS l JOIN entries AS e ON e.id = l.from_id "
                      "WHERE e.title LIKE '%bb'"),
            1);
}

TEST(TeamMemory, WhatMayNotBeKeptIsRefusedAndSaid) {
  Member ann, bob;
  bob.turn(true);
  const std::string good = ann.share(ann.save("Tea"));
  pull(ann, bob);
  const std::string text = *read_file(ann.root() / good);
  const std::string folder = std::string(kSharedFolder) + "/";
  const auto with = [&](const std::string& more) { return text + more + "\n"; };
  bob.write(folder + "secret.md", with("ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"));
  bob.write(folder + "private.md", with("<private>canary</private> and more"));
  bob.write(folder + "broken.md", "# no front matter\n");
  bob.write(folder + "conflict.md", with("<<<<<<< HEAD"));
  fs::create_symlink("/etc/hostname", bob.root() / (folder + "link.md"));
  EXPECT_EQ(bob.take_in().refused, 3U);
  const auto titles = bob.titles();
  EXPECT_EQ(titles.at("secret.md"), "refused: it holds a secret");
  EXPECT_EQ(titles.at("private.md"), "Tea\n and more");
  EXPECT_EQ(titles.at("conflict.md"), "refused: it holds the marks of a merge conflict");
  EXPECT_EQ(titles.count("link.md"), 0U);
  EXPECT_EQ(bob.count("SELECT count(*) FROM entries WHERE body LIKE '%canary%'"), 0);

  const std::string two =
      "key AKIAZ7QX3M5T2R9WB4LD, token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  bob.write(folder + "two.md", with("<private>canary</private>\n\n" + two + "\n" + two));
  const std::vector<std::string> paths = {folder + "secret.md", folder + "private.md",
                                          folder + "two.md", folder + "broken.md", good};
  const auto troubles =
      check_shared(paths, [&](const std::string& path) { return read_file(bob.root() / path); });
  std::vector<std::string> said;
  for (const SharedTrouble& trouble : troubles) {
    said.push_back(trouble.path.substr(folder.size()) + ":" + std::to_string(trouble.place.line) +
                   ":" + std::to_string(trouble.place.column) + " " + trouble.rule + " " +
                   trouble.what);
  }
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const auto at = [&](std::size_t more) { return std::to_string(lines + more); };
  EXPECT_THAT(said,
              ::testing::ElementsAre(
                  "secret.md:" + at(1) + ":1 github-token it holds a secret (github-token)",
                  "private.md:" + at(1) + ":1  it holds a private part",
                  "two.md:" + at(3) + ":5 aws-access-key it holds a secret (aws-access-key)",
                  "two.md:" + at(3) + ":33 github-token it holds a secret (github-token)",
                  "two.md:" + at(4) + ":5 aws-access-key it holds a secret (aws-access-key)",
                  "two.md:" + at(4) + ":33 github-token it holds a secret (github-token)",
                  "two.md:" + at(1) + ":1  it holds a private part",
                  "broken.md:1:1  it does not begin with the front matter of a shared memory"));
}

TEST(TeamMemory, AFolderThatIsALinkIsNotFollowed) {
  Member ann, bob;
  ann.share(ann.save("Tea"));
  bob.turn(true);
  fs::create_directory_symlink(ann.folder(), bob.folder());
  EXPECT_EQ(bob.take_in().files, 0U);
  const auto refused = share(bob.memory(), bob.place(), bob.save("Coffee"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kIo);
}

TEST(TeamMemory, WhatCannotBeShared) {
  Member ann;
  EXPECT_EQ(share(ann.memory(), ann.place(), document_key(EntryId{99})).error().code(),
            ErrorCode::kNotFound);
  NewEntry elsewhere;
  elsewhere.project = "other";
  elsewhere.text = "x";
  const auto saved = ann.memory().entries().save(std::move(elsewhere));
  EXPECT_EQ(share(ann.memory(), ann.place(), document_key(saved->id)).error().code(),
            ErrorCode::kInvalidArgument);
  const std::string first = ann.record("Use MySQL");
  ann.supersede(first, "Use SQLite");
  EXPECT_EQ(share(ann.memory(), ann.place(), ann.key(first)).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(unshare(ann.memory(), ann.place(), ann.key(first)).error().code(),
            ErrorCode::kNotFound);
}

TEST(TeamMemory, SharingOnceMoreChangesNoByte) {
  Member ann;
  const DocumentKey note = ann.save("  The proxy closes after 60 s\n\n");
  const std::string path = ann.share(note);
  const std::string bytes = *read_file(ann.root() / path);
  fs::last_write_time(ann.root() / path, fs::file_time_type::clock::now());
  ann.take_in();
  EXPECT_EQ(ann.share(note), path);
  // Its file is called as a record of a decision is.
  const DocumentKey numbered = ann.save("2026 is the year of the proxy");
  EXPECT_EQ(ann.share(numbered), ann.share(numbered));
  EXPECT_EQ(*read_file(ann.root() / path), bytes);
  EXPECT_EQ(ann.count("SELECT count(*) FROM entries"), 2);
}

TEST(TeamMemory, RecordsOfArchitectureDecisionsAreDecisions) {
  Member ann;
  ann.turn(true);
  ann.write(
      "docs/adr/0001-use-mysql.md",
      "# 1. Use MySQL\n\n## Status\n\nSuperseded by [2](0002-use-sqlite.md)\n\n## Context\nx\n");
  ann.write("docs/adr/0002-use-sqlite.md",
            "# 2. Use SQLite\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n"
            "Supersedes [1](0001-use-mysql.md)\n\n## Context\ny\n");
  ann.write("docs/adr/0003-use-redis.md",
            "# 3. Use Redis\n\n## Status\n\nProposed\n\n## Context\nz\n");
  ann.write("docs/adr/README.md", "# Records\n");
  ann.take_in();
  const std::map<std::string, std::string> expected = {
      {"0001-use-mysql.md", "Use MySQL: superseded"},
      {"0002-use-sqlite.md", "Use SQLite: active"},
      {"0003-use-redis.md", "Use Redis: draft"}};
  EXPECT_EQ(ann.titles(), expected);
  ann.write("docs/adr/0003-use-redis.md",
            "# 3. Use Redis\n\n## Status\n\nAccepted\n\n## Context\nz\n");
  ann.take_in();
  EXPECT_EQ(ann.titles()["0003-use-redis.md"], "Use Redis: active");
}

}  // namespace
}  // namespace codexmem::memory

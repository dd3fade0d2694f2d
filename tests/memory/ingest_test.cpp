#include "memory/documents/ingest.h"

#include <gtest/gtest.h>

#include <thread>

#include "memory/documents/document_sections.h"
#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

namespace fs = std::filesystem;

class IngestTest : public MemoryStoreTest {
 protected:
  IngestReport ingest(std::vector<std::string> sources = {}) {
    now_ms_ += 1000;
    IngestRequest request;
    request.root = root_.path();
    request.project = "demo";
    request.sources = std::move(sources);
    auto report = ingest_docs(entries_, *store_, request, clock_);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return report.ok() ? *report : IngestReport{};
  }

  std::string refusal(const IngestRequest& request) {
    const auto refused = ingest_docs(entries_, *store_, request, clock_);
    EXPECT_FALSE(refused.ok());
    if (refused.ok()) return "";
    EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
    return refused.error().message();
  }

  /// "from>to" of each link, ascending.
  std::string links() {
    auto reader = store_->reader();
    auto list = (*reader)->statement(
        "SELECT from_id || '>' || to_id FROM entry_links ORDER BY from_id, to_id");
    std::string all;
    while (*list->step()) all += std::string(list->text(0)) + " ";
    return all;
  }

  codexmem::testing::TemporaryDirectory root_;
};

TEST_F(IngestTest, TheDefaultSourcesOnce) {
  root_.write("docs/session-log.md", "# Log\n## Monday\nTea.\n");
  root_.write("docs/decisions.md", "# Decisions\nWe drink tea.\n");
  const IngestReport first = ingest();
  EXPECT_EQ(first.processed_sources, 2U);
  EXPECT_EQ(first.imported_entries, 2U);
  EXPECT_EQ(first.duplicate_entries, 0U);
  ASSERT_EQ(first.skipped.size(), 1U);
  EXPECT_EQ(first.skipped[0].source, "docs/requirements.md");
  EXPECT_EQ(first.skipped[0].reason, "there is no such file");
  const Entry log = get(first.imported[1]);
  EXPECT_EQ(log.title, "Log > Monday");
  EXPECT_EQ(log.body, "Tea.");
  EXPECT_EQ(log.type, "ingestion");
  EXPECT_EQ(log.source, "ingest");
  EXPECT_EQ(log.source_ref, "docs/session-log.md#monday");

  const IngestReport second = ingest();
  EXPECT_EQ(second.processed_sources, 2U);
  EXPECT_EQ(second.imported_entries, 0U);
  EXPECT_EQ(second.duplicate_entries, 2U);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM ingestion_events"), 2);
}

TEST_F(IngestTest, AChangedSectionSupersedesItsOlderEntry) {
  root_.write("a.md", "# A\none\n# B\nstays\n");
  ingest({"a.md"});
  root_.write("a.md", "# A\ntwo\n# B\nstays\n");
  const IngestReport changed = ingest({"a.md"});
  EXPECT_EQ(changed.imported_entries, 1U);
  EXPECT_EQ(changed.duplicate_entries, 1U);
  EXPECT_EQ(changed.superseded_entries, 1U);
  EXPECT_EQ(links(), "3>1 ");
  root_.write("a.md", "# A\nthree\n# B\nstays\n");
  ingest({"a.md"});
  EXPECT_EQ(links(), "3>1 4>3 ");
  // Back to what it was at first: that entry is current again.
  root_.write("a.md", "# A\none\n# B\nstays\n");
  const IngestReport back = ingest({"a.md"});
  EXPECT_EQ(back.imported_entries, 0U);
  EXPECT_EQ(back.duplicate_entries, 2U);
  EXPECT_EQ(back.superseded_entries, 1U);
  EXPECT_EQ(links(), "1>4 4>3 ");
  EXPECT_EQ(ingest({"a.md"}).superseded_entries, 0U);
  EXPECT_EQ(links(), "1>4 4>3 ");
  expect_whole();
}

TEST_F(IngestTest, WhiteSpaceAndPlaceAreNoChange) {
  root_.write("a.md", "# A\none\n\ntwo\n# B\nb\n");
  ingest({"a.md"});
  root_.write("a.md", "# B\nb\n# New\n## A\none  \r\n\r\n\r\ntwo\r\n");
  const IngestReport moved = ingest({"a.md"});
  EXPECT_EQ(moved.imported_entries, 0U);
  EXPECT_EQ(moved.duplicate_entries, 2U);
  // Its new place is known.
  root_.write("a.md", "# B\nb\n# New\n## A\none and two\n");
  ingest({"a.md"});
  EXPECT_EQ(links(), "3>1 ");
}

TEST_F(IngestTest, ARewordedHeadingSupersedes) {
  root_.write("a.md", "# A\none\n# C\nsame\n");
  ingest({"a.md"});
  root_.write("a.md", "# B\none\n# C\nsame\n# D\nsame\n");
  const IngestReport report = ingest({"a.md"});
  EXPECT_EQ(report.imported_entries, 2U);
  EXPECT_EQ(report.superseded_entries, 1U);
  EXPECT_EQ(links(), "3>1 ");
  EXPECT_EQ(ingest({"a.md"}).imported_entries, 0U);
  EXPECT_EQ(links(), "3>1 ");
}

TEST_F(IngestTest, WhatAnotherDocumentStillSaysIsNotSuperseded) {
  root_.write("a.md", "# Notes\nnone\n");
  root_.write("b.md", "# Notes\nnone\n");
  const IngestReport both = ingest({"a.md", "b.md"});
  EXPECT_EQ(both.imported_entries, 1U);
  EXPECT_EQ(both.duplicate_entries, 1U);
  root_.write("a.md", "# Notes\nmany\n");
  EXPECT_EQ(ingest({"a.md"}).superseded_entries, 0U);
  root_.write("b.md", "# Notes\nsome\n");
  EXPECT_EQ(ingest({"b.md"}).superseded_entries, 1U);
}

TEST_F(IngestTest, ARemovedEntryIsImportedAgain) {
  root_.write("a.md", "# A\none\n");
  ingest({"a.md"});
  {
    auto writer = store_->writer();
    ASSERT_TRUE((*writer)->execute("DELETE FROM entries").ok());
  }
  EXPECT_EQ(ingest({"a.md"}).imported_entries, 1U);
}

TEST_F(IngestTest, SkipsWhatItCannotRead) {
  root_.write("zero.md", std::string("a\0b", 3));
  root_.write("latin.md", "caf\xE9");
  root_.write("wide.md", std::string("\xFF\xFE"
                                     "a\0",
                                     4));
  root_.write("large.md", std::string(kMaxSourceBytes + 1, 'x'));
  root_.write("empty.md", "");
  fs::create_directory(root_.path() / "nothing");
  const IngestReport report =
      ingest({"zero.md", "latin.md", "wide.md", "large.md", "empty.md", "nothing", "missing.md"});
  std::map<std::string, std::string> reasons;
  for (const SkippedSource& skipped : report.skipped) reasons[skipped.source] = skipped.reason;
  EXPECT_EQ(reasons,
            (std::map<std::string, std::string>{{"zero.md", "it is binary"},
                                                {"latin.md", "it is not UTF-8 text"},
                                                {"wide.md", "it is UTF-16: save it as UTF-8"},
                                                {"large.md", "it has more than 4 MB"},
                                                {"nothing", "it holds no Markdown file"},
                                                {"missing.md", "there is no such file"}}));
  EXPECT_EQ(report.processed_sources, 1U);
}

TEST_F(IngestTest, StaysInTheProject) {
  const codexmem::testing::TemporaryDirectory other;
  other.write("secret.md", "# Out\nof it\n");
  fs::create_symlink(other.path() / "secret.md", root_.path() / "link.md");
  fs::create_directories(root_.path() / "docs");
  fs::create_symlink(other.path() / "secret.md", root_.path() / "docs/decisions.md");
  IngestRequest request;
  request.root = root_.path();
  for (const std::string& source :
       std::vector<std::string>{std::string("../x.md"), other.path() / "secret.md",
                                std::string("link.md"), std::string("docs/../../x")}) {
    request.sources = {source};
    EXPECT_EQ(refusal(request), "sources must lie in the project, got '" + source + "'");
  }
  // A default one, and one of a folder, is passed over.
  EXPECT_EQ(ingest().skipped[1].reason, "it leads out of the project");
  EXPECT_EQ(ingest({"."}).processed_sources, 0U);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  request.root = root_.path() / "nowhere";
  EXPECT_EQ(refusal(request), "the project's root must be a folder, got " + request.root.string());
  request.root = root_.path();
  request.entry_type = "No Type";
  EXPECT_EQ(refusal(request), "entry_type must match [a-z0-9][a-z0-9_-]{0,63}, got 'No Type'");
}

TEST_F(IngestTest, AFolderIsItsMarkdown) {
  root_.write("notes/b.md", "b");
  root_.write("notes/deep/a.markdown", "a");
  root_.write("notes/c.txt", "c");
  root_.write("notes/.hidden/d.md", "d");
  root_.write("notes/node_modules/e.md", "e");
  const IngestReport report = ingest({"notes", "notes/b.md"});
  EXPECT_EQ(report.processed_sources, 2U);
  EXPECT_EQ(report.imported_entries, 2U);
  EXPECT_EQ(get(report.imported[0]).title, "notes/b.md");
  EXPECT_EQ(get(report.imported[1]).source_ref, "notes/deep/a.markdown");
  const IngestReport text = ingest({root_.path() / "notes/c.txt"});
  EXPECT_EQ(text.imported_entries, 1U);
}

TEST_F(IngestTest, SecretsAreLeftOutAndPrivateTextToo) {
  const std::string secret = "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  root_.write("a.md", "# Open\nfine\n# Token\nkey: " + secret +
                          "\n# Hidden\nseen <private>not\n# Inside\nseen</private>\n# Last\nx\n");
  const IngestReport report = ingest({"a.md"});
  EXPECT_EQ(report.imported_entries, 3U);
  ASSERT_EQ(report.blocked.size(), 1U);
  EXPECT_EQ(report.blocked[0].source, "a.md");
  EXPECT_EQ(report.blocked[0].section, 2U);
  EXPECT_FALSE(report.blocked[0].rules.empty());
  EXPECT_EQ(count("SELECT count(*) FROM entries WHERE body LIKE '%ghp%' OR body LIKE '%not%'"), 0);
  EXPECT_EQ(get(report.imported[1]).body, "seen");
}

TEST_F(IngestTest, ASecretThatIsCutIsSeen) {
  const std::string secret = "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  std::string text(kMaxSectionBytes - 20, 'x');
  text[text.size() - 1] = ' ';
  root_.write("a.txt", text + secret + " " + std::string(100, 'y'));
  const IngestReport report = ingest({"a.txt"});
  EXPECT_EQ(report.imported_entries, 0U);
  EXPECT_EQ(report.blocked.size(), 2U);
}

TEST_F(IngestTest, TwoAtOnceImportOnce) {
  std::string text;
  for (int i = 0; i < 50; ++i) {
    text += "# Section " + std::to_string(i) + "\nbody " + std::to_string(i) + "\n";
  }
  root_.write("a.md", text);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([this] {
        const IngestRequest request{root_.path(), "demo", {"a.md"}};
        EXPECT_TRUE(ingest_docs(entries_, *store_, request, clock_).ok());
      });
    }
  }
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 50);
  EXPECT_EQ(count("SELECT count(*) FROM ingestion_events"), 50);
  EXPECT_EQ(links(), "");
}

}  // namespace
}  // namespace codexmem::memory

#include "search/snapshot.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "search/small_index.h"

namespace codexmem::search {
namespace {

using Built = std::shared_ptr<const Snapshot>;

class SnapshotTest : public ::testing::Test {
 protected:
  Built build(const Snapshot* previous = nullptr) {
    return Snapshot::build(*index_.workspace().reader().value(), previous).value();
  }

  // Everything that ranking reads, but for the statistics that may be carried over.
  static std::vector<std::string> dump(const Snapshot& snapshot) {
    std::vector<std::string> out = {
        fmt::format("{} {} {:.6f} {:.6f}", snapshot.generation(), snapshot.chunk_count(),
                    snapshot.average_file_length(), snapshot.average_chunk_length())};
    for (FileNumber file = 0; file < snapshot.file_count(); ++file) {
      std::string line = snapshot.file(file).path;
      for (const std::uint32_t length : snapshot.file(file).chunk_lengths) {
        line += fmt::format(" {}", length);
      }
      for (const StemNumber stem : snapshot.base_stems(file)) line += " " + snapshot.stems()[stem];
      for (const StemNumber stem : snapshot.directory_stems(file)) {
        line += " /" + snapshot.stems()[stem];
      }
      out.push_back(line);
    }
    for (NameNumber name = 0; name < snapshot.name_count(); ++name) {
      std::string line(snapshot.name(name));
      for (const Snapshot::Definer& definer : snapshot.definers(name)) {
        line += fmt::format(" {}:{}:{}", definer.file, definer.ordinal, definer.weight);
      }
      for (const StemNumber stem : snapshot.name_stems(name)) line += " " + snapshot.stems()[stem];
      out.push_back(line);
    }
    for (StemNumber stem = 0; stem < snapshot.stems().size(); ++stem) {
      std::string line = snapshot.stems()[stem];
      for (const FileNumber file : snapshot.files_named(stem)) line += fmt::format(" {}", file);
      for (const NameNumber name : snapshot.names_with(stem)) line += fmt::format(" n{}", name);
      out.push_back(line);
    }
    return out;
  }

  SmallIndex index_;
};

SmallFile parser() {
  return {"src/http/parser.py",
          "def parse_header(): pass\n\ndef parse_body(): pass",
          {{"parse_header"}, {"parse_body"}}};
}

SmallFile client() {
  return {"src/client.py",
          "class Client: pass\nparse_header()",
          {{"Client", SymbolType::kClass, "class"}}};
}

TEST_F(SnapshotTest, FindsFilesNamesAndStems) {
  index_.add({parser(), client()});
  const Built snapshot = build();
  ASSERT_EQ(snapshot->file_count(), 2U);
  EXPECT_EQ(snapshot->file(0).path, "src/client.py");
  EXPECT_EQ(snapshot->find_path("src/http/parser.py"), 1U);
  EXPECT_FALSE(snapshot->find_path("src/http"));
  const auto name = snapshot->find_name("parse_header");
  ASSERT_TRUE(name.has_value());
  ASSERT_EQ(snapshot->definers(*name).size(), 1U);
  EXPECT_EQ(snapshot->definers(*name)[0].file, 1U);
  const auto stem = snapshot->find_stem("header");
  ASSERT_TRUE(stem.has_value());
  EXPECT_EQ(snapshot->files_with_stem(*stem), 2U) << "the client mentions it";
  EXPECT_EQ(snapshot->files_named(*stem).size(), 1U);
  EXPECT_EQ(snapshot->chunk_count(), 3U);
  EXPECT_FLOAT_EQ(snapshot->centrality(1), 1);
  EXPECT_FLOAT_EQ(snapshot->centrality(0), 0);
}

TEST_F(SnapshotTest, TheBestDefinitionOfANameInAFileCounts) {
  index_.add({{"a.py",
               "x = 1\nclass x: pass",
               {{"x", SymbolType::kVariable, "const"}, {"x", SymbolType::kClass, "class"}}}});
  const Built snapshot = build();
  const auto definers = snapshot->definers(*snapshot->find_name("x"));
  ASSERT_EQ(definers.size(), 1U);
  EXPECT_EQ(definers[0].ordinal, 1U);
  EXPECT_EQ(definers[0].weight, 1.0F);
}

TEST_F(SnapshotTest, FollowingTheStoreEqualsBuildingAnew) {
  std::vector<SmallFile> files = {parser(), client()};
  for (int i = 0; i < 40; ++i) {
    files.push_back({fmt::format("lib/part{}.py", i),
                     fmt::format("def run{}(): pass", i),
                     {{fmt::format("run{}", i)}}});
  }
  index_.add(files);
  Built snapshot = build();
  SmallFile changed = client();
  changed.content = "class Session: pass\n\nmore text";
  changed.definitions = {{"Session", SymbolType::kClass, "class"}};
  index_.replace(client(), changed);
  snapshot = build(snapshot.get());
  EXPECT_EQ(dump(*snapshot), dump(*build()));
  index_.remove(parser());
  snapshot = build(snapshot.get());
  EXPECT_EQ(dump(*snapshot), dump(*build()));
  index_.add({{"src/a_new_one.py", "import client", {}}});
  snapshot = build(snapshot.get());
  EXPECT_EQ(dump(*snapshot), dump(*build()));
  EXPECT_FALSE(snapshot->find_name("Client"));
}

TEST_F(SnapshotTest, StatisticsAreComputedAnewWhenMuchHasChanged) {
  index_.add({parser(), client()});
  const Built before = build();
  SmallFile changed = client();
  changed.content = "class Client: pass";
  index_.replace(client(), changed);
  const Built after = build(before.get());
  EXPECT_FLOAT_EQ(after->centrality(*after->find_path("src/http/parser.py")), 0);
}

TEST_F(SnapshotTest, AnEmptyStore) {
  const Built snapshot = build();
  EXPECT_EQ(snapshot->file_count(), 0U);
  EXPECT_EQ(snapshot->average_file_length(), 1);
  EXPECT_FALSE(snapshot->find_stem("x"));
}

}  // namespace
}  // namespace codexmem::search

#include "search/snapshot.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "search/small_index.h"
#include "search/snapshot_file.h"

namespace codexmem::search {
namespace {

using Built = std::shared_ptr<const Snapshot>;

class SnapshotTest : public ::testing::Test {
 protected:
  Built build(const Snapshot* previous = nullptr) {
    auto built = Snapshot::build(*index_.workspace().reader().value(),
                                 index_.workspace().ranking_path(), previous);
    EXPECT_TRUE(built.ok()) << built.error().message();
    return *std::move(built);
  }
  void write_file() {
    ASSERT_TRUE(write_ranking_file(index_.workspace(), *index_.workspace().writer().value()).ok());
  }

  // Everything that ranking reads, by names instead of numbers, except the statistics that may be
  // carried over.
  static std::vector<std::string> dump(const Snapshot& snapshot) {
    std::vector<std::string> out = {fmt::format(
        "{} {} {} {:.6f} {:.6f}", snapshot.generation(), snapshot.file_count(),
        snapshot.chunk_count(), snapshot.average_file_length(), snapshot.average_chunk_length())};
    for (const Snapshot::Part& part : snapshot.parts()) {
      const Segment& segment = *part.segment;
      const auto path_of = [&](FileNumber file) {
        return snapshot.has(part.first_file + file) ? std::string(segment.path(file)) : "";
      };
      for (FileNumber file = 0; file < segment.file_count(); ++file) {
        const FileNumber number = part.first_file + file;
        if (!snapshot.has(number)) continue;
        std::string line = fmt::format("{} {} {} {:.3f} {:.3f}", snapshot.path(number),
                                       snapshot.language(number), snapshot.term_count(number),
                                       snapshot.prior(number, [](auto&) { return false; }),
                                       snapshot.prior(number, [](auto&) { return true; }));
        for (std::uint32_t i = 0; i < snapshot.chunk_count(number); ++i) {
          line += fmt::format(" {}", snapshot.chunk_length(number, i));
        }
        std::set<std::string> parts;
        for (const StemNumber stem : segment.base_stems(file)) {
          parts.insert(std::string(segment.stem(stem)));
        }
        for (const StemNumber stem : segment.directory_stems(file)) {
          parts.insert("/" + std::string(segment.stem(stem)));
        }
        for (const DefinitionKind* kind : snapshot.kinds(number))
          parts.insert("kind " + kind->kind);
        snapshot.visit_importers(number, [&](FileNumber importer) {
          parts.insert("by " + std::string(snapshot.path(importer)));
        });
        for (const std::string& one : parts) line += " " + one;
        out.push_back(line);
      }
      for (NameNumber name = 0; name < segment.name_count(); ++name) {
        std::string stems;
        segment.read_name(
            name, [&](StemNumber stem) { stems += " " + std::string(segment.stem(stem)); },
            [&](const Definer& one) {
              if (path_of(one.file).empty()) return;
              out.push_back(fmt::format("name {}{} {}:{}:{}", segment.name(name), stems,
                                        path_of(one.file), one.ordinal, one.weight));
            });
      }
      for (StemNumber stem = 0; stem < segment.stem_count(); ++stem) {
        for (const FileNumber file : segment.files_named(stem)) {
          if (path_of(file).empty()) continue;
          out.push_back(fmt::format("stem {} {}", segment.stem(stem), path_of(file)));
        }
        for (const NameNumber name : segment.names_with(stem)) {
          bool is_present = false;
          segment.read_name(
              name, [](StemNumber) {},
              [&](const Definer& one) { is_present = is_present || !path_of(one.file).empty(); });
          if (!is_present) continue;
          out.push_back(fmt::format("stem {} in {}", segment.stem(stem), segment.name(name)));
        }
      }
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  // The lines that only one of two dumps has.
  static std::vector<std::string> difference(const Snapshot& a, const Snapshot& b) {
    const std::vector<std::string> of_a = dump(a), of_b = dump(b);
    std::vector<std::string> lines;
    std::ranges::set_symmetric_difference(of_a, of_b, std::back_inserter(lines));
    return lines;
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
  EXPECT_EQ(snapshot->path(0), "src/client.py");
  EXPECT_EQ(snapshot->find_path("src/http/parser.py"), 1U);
  EXPECT_FALSE(snapshot->find_path("src/http"));
  const Segment& segment = *snapshot->parts().front().segment;
  const auto name = segment.find_name("parse_header");
  ASSERT_TRUE(name.has_value());
  std::vector<FileNumber> definers;
  segment.read_name(
      *name, [](StemNumber) {}, [&](const Definer& one) { definers.push_back(one.file); });
  EXPECT_EQ(definers, std::vector<FileNumber>{1});
  const auto stem = segment.find_stem("header");
  ASSERT_TRUE(stem.has_value());
  EXPECT_EQ(segment.stem_frequency(*stem), 2U) << "the client mentions it";
  std::size_t named = 0;
  for ([[maybe_unused]] const FileNumber file : segment.files_named(*stem)) ++named;
  EXPECT_EQ(named, 1U);
  EXPECT_EQ(snapshot->chunk_count(), 3U);
  EXPECT_FLOAT_EQ(snapshot->centrality(1), 1);
  EXPECT_FLOAT_EQ(snapshot->centrality(0), 0);
}

TEST_F(SnapshotTest, TheBestDefinitionOfANameInAFileCounts) {
  index_.add({{"a.py",
               "x = 1\nclass x: pass",
               {{"x", SymbolType::kVariable, "const"}, {"x", SymbolType::kClass, "class"}}}});
  const Built snapshot = build();
  const Segment& segment = *snapshot->parts().front().segment;
  std::vector<Definer> definers;
  segment.read_name(
      *segment.find_name("x"), [](StemNumber) {},
      [&](const Definer& one) { definers.push_back(one); });
  ASSERT_EQ(definers.size(), 1U);
  EXPECT_EQ(definers[0].ordinal, 1U);
  EXPECT_EQ(definers[0].weight, 1.0F);
}

std::vector<SmallFile> many_files() {
  std::vector<SmallFile> files = {parser(), client()};
  for (int i = 0; i < 40; ++i) {
    files.push_back({fmt::format("lib/part{}.py", i),
                     fmt::format("def run{}(): pass", i),
                     {{fmt::format("run{}", i)}}});
  }
  files.push_back({"api/v1/old.py", "def call(): pass", {{"call"}}});
  return files;
}

// Each step of a history is followed from the base in memory, from the file and from nothing.
TEST_F(SnapshotTest, FollowingTheStoreEqualsRebuilding) {
  index_.add(many_files());
  index_.add_imports({{"lib/part1.py", "src/client.py"}, {"lib/part2.py", "src/client.py"}});
  const Built in_memory = build();
  write_file();
  const Built from_file = build();
  EXPECT_NE(from_file->base_mark(), 0U);
  EXPECT_EQ(difference(*from_file, *in_memory), std::vector<std::string>());

  const auto expect_all_equal = [&](const std::string& what) {
    const Built followed = build(from_file.get());
    EXPECT_EQ(followed->base_mark(), from_file->base_mark()) << what;
    const auto rebuilt =
        Snapshot::build(*index_.workspace().reader().value(), "/nowhere/ranking.bin", nullptr);
    EXPECT_EQ(difference(*followed, **rebuilt), std::vector<std::string>()) << what;
    EXPECT_EQ(difference(*build(), **rebuilt), std::vector<std::string>()) << what;
    EXPECT_EQ(difference(*build(in_memory.get()), **rebuilt), std::vector<std::string>()) << what;
  };
  SmallFile changed = client();
  changed.content = "class Session: pass\n\nmore text";
  changed.definitions = {{"Session", SymbolType::kClass, "class"}};
  index_.replace(client(), changed);
  expect_all_equal("a file was changed");
  index_.remove(parser());
  expect_all_equal("a file was removed");
  index_.add({{"src/a_new_one.py", "import client", {}}});
  index_.add_imports({{"src/a_new_one.py", "src/client.py"}});
  expect_all_equal("a file was added");
  index_.add_imports({{"lib/part2.py", "lib/part3.py"}});
  expect_all_equal("an import of an unchanged file means another file");
  index_.add({{"api/v2/new.py", "def call(): pass", {{"call"}}}});
  expect_all_equal("there is a newer version folder");
  EXPECT_FALSE(build()->find_name(*build()->find_path("src/client.py"), "Client"));
}

TEST_F(SnapshotTest, ManyChangesMakeAnotherBase) {
  index_.add(many_files());
  write_file();
  const Built before = build();
  std::vector<SmallFile> more;
  for (int i = 0; i < 80; ++i) {
    more.push_back({fmt::format("more/part{}.py", i), "def go(): pass", {{"go"}}});
  }
  index_.add(more);
  EXPECT_TRUE(is_ranking_file_due(*index_.workspace().reader().value(),
                                  index_.workspace().ranking_path(), true)
                  .value());
  const Built after = build(before.get());
  EXPECT_EQ(after->base_mark(), 0U) << "made in memory until there is a file";
  EXPECT_EQ(after->parts().size(), 1U);
  write_file();
  EXPECT_EQ(difference(*build(after.get()), *after), std::vector<std::string>());
  EXPECT_NE(build(after.get())->base_mark(), 0U);
}

TEST_F(SnapshotTest, AnEmptyStore) {
  const Built snapshot = build();
  EXPECT_EQ(snapshot->file_count(), 0U);
  EXPECT_EQ(snapshot->average_file_length(), 1);
  EXPECT_FALSE(snapshot->has_stem("x"));
  index_.add({parser()});
  EXPECT_EQ(build(snapshot.get())->file_count(), 1U);
}

}  // namespace
}  // namespace codexmem::search

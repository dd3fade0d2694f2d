#include "store/code/chunk_terms.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "store/code/code_reader.h"
#include "store/code/code_writer.h"
#include "store/code/term_merges.h"
#include "store/code/workspace.h"
#include "support/temporary_directory.h"
#include "text/words.h"

namespace codexmem::store {
namespace {

TEST(ChunkTerms, TokensAddUpToTheCounts) {
  std::mt19937 random(11);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  ChunkTermsMaker maker;
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (unsigned n = below(3000); n > 0; --n) {
      const unsigned number = below(1 + below(700));
      text += "word" + std::string(1 + number / 26, static_cast<char>('a' + number % 26)) + ' ';
    }
    std::map<std::string, std::uint32_t, std::less<>> want, have;
    std::uint32_t all = 0;
    TermReader reader(text);
    for (Term term; reader.next(&term); ++all) ++want[std::string(term.text)];
    const ChunkTerms made = maker.make(text);
    EXPECT_EQ(made.count, all);
    for (std::size_t begin = 0; begin < made.tokens.size();) {
      const std::size_t end = std::min(made.tokens.find(' ', begin), made.tokens.size());
      const TokenPart token =
          read_term_token(std::string_view(made.tokens).substr(begin, end - begin));
      have[std::string(token.term)] += token.part;
      begin = end + 1;
    }
    EXPECT_EQ(have, want);
  }
}

TEST(ChunkTerms, RowsLeadBackToTheirChunks) {
  for (const std::int64_t file : {1, 2, 70'000, 2'000'000'000}) {
    for (const std::uint32_t index : {0U, 1U, 511U, 512U, 5000U, kFileVectorIndex - 1}) {
      const ChunkId chunk = chunk_id(FileId{file}, index);
      EXPECT_EQ(chunk_of_term_row(term_row(chunk)), chunk);
    }
  }
  EXPECT_LT(term_row(chunk_id(FileId{2}, 511)), term_row(chunk_id(FileId{3}, 0)));
}

// All counts, in chunks with low and high rows; and again when a file has been replaced.
TEST(ChunkTerms, MatchesCountExactly) {
  const testing::TemporaryDirectory folder;
  const auto workspace = Workspace::open(folder.path()).value();
  CodeWriter writer(*workspace->writer().value());
  const auto record_of = [](std::uint32_t file, std::uint32_t chunks) {
    FileRecord record;
    record.file.path = "f" + std::to_string(file);
    record.file.language = "text";
    for (std::uint32_t i = 0; i < chunks; ++i) {
      const std::size_t begin = record.content.size();
      for (std::uint32_t n = 0; n < (i * 7 + file) % 67; ++n) record.content += "alpha ";
      for (std::uint32_t n = 0; n < i % 5; ++n) record.content += "beta ";
      if (i == 3) {
        for (int n = 0; n < 70'000; ++n) record.content += "alpha ";
      }
      ChunkRow chunk;
      chunk.id = chunk_id(FileId{0}, i);
      chunk.range = {static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(record.content.size())};
      record.chunks.push_back(chunk);
    }
    return record;
  };
  std::map<std::int64_t, std::pair<std::uint32_t, std::uint32_t>> want;
  const auto expect = [&](FileId id, std::uint32_t file, std::uint32_t chunks) {
    for (std::uint32_t i = 0; i < chunks; ++i) {
      const std::uint32_t alpha = i == 3 ? kMaxTermCount : (i * 7 + file) % 67;
      if (alpha + i % 5 > 0) want[static_cast<std::int64_t>(chunk_id(id, i))] = {alpha, i % 5};
    }
  };
  {
    auto writing = Transaction::begin(*workspace->writer().value()).value();
    ASSERT_TRUE(writer.begin_generation().ok());
    const FileId one = writer.add_file(record_of(1, 900)).value();
    const FileId two = writer.add_file(record_of(2, 40)).value();
    const FileId three = writer.add_file(record_of(3, 700)).value();
    ASSERT_TRUE(writer.replace_file(two, record_of(4, 600), "").ok());
    ASSERT_TRUE(writer.remove_file(three, "").ok());
    ASSERT_TRUE(writing.commit().ok());
    expect(one, 1, 900);
    expect(two, 4, 600);
  }
  const std::string terms[] = {"beta", "alpha", "a b", "", "gamma"};
  std::map<std::int64_t, std::pair<std::uint32_t, std::uint32_t>> have;
  Database& database = *workspace->writer().value();
  const auto count = [&](const char* sql) { return database.find_integer(sql).value(); };
  ASSERT_TRUE(defer_merges(database).ok());
  EXPECT_EQ(count("SELECT v FROM chunk_terms_config WHERE k = 'automerge'"), 0);
  ASSERT_TRUE(merge_segments(database).ok());
  ASSERT_TRUE(restore_merges(database).ok());
  EXPECT_EQ(count("SELECT v FROM chunk_terms_config WHERE k = 'automerge'"), 4);
  EXPECT_EQ(count("SELECT count(DISTINCT segid) FROM chunk_terms_idx"), 1);
  std::int64_t last = -1;
  auto reader = workspace->reader().value();
  ASSERT_TRUE(reader
                  ->match_chunks(terms,
                                 [&](const ChunkMatch& match) {
                                   const auto id = static_cast<std::int64_t>(match.id);
                                   EXPECT_GT(id, last);
                                   last = id;
                                   have[id] = {match.counts[1], match.counts[0]};
                                   EXPECT_EQ(match.counts[2] + match.counts[3] + match.counts[4],
                                             0U);
                                   return true;
                                 })
                  .ok());
  EXPECT_EQ(have, want);
}

}  // namespace
}  // namespace codexmem::store

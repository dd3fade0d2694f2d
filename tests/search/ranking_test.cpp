// The formulas, against values worked out by hand from search/ranking.h.
#include "search/ranking.h"

#include "search/definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "search/small_index.h"

namespace codexmem::search {
namespace {

TEST(Formulas, Idf) {
  EXPECT_DOUBLE_EQ(bm25_idf(10, 2), std::log(1 + 8.5 / 2.5));
  EXPECT_DOUBLE_EQ(name_idf(10, 4), std::log(3.5));
  EXPECT_DOUBLE_EQ(name_idf(10, 0), std::log(21));
}

TEST(Formulas, TermShareSaturatesAndPaysForLength) {
  EXPECT_DOUBLE_EQ(term_share(1, 100, 100, 0.75), 1 / 2.2);
  EXPECT_DOUBLE_EQ(term_share(2, 200, 100, 0.4), (2 / 1.4) / (1.2 + 2 / 1.4));
}

TEST(Formulas, WeightsAreTheRecipes) {
  double sum = 0;
  for (const PartInfo& part : kParts) sum += part.weight;
  EXPECT_NEAR(sum, 5.76, 1e-12);
}

TEST(Formulas, KindWeights) {
  EXPECT_EQ(kind_weight(SymbolType::kClass, "class"), 1.0F);
  EXPECT_EQ(kind_weight(SymbolType::kType, "enum"), 1.0F);
  EXPECT_EQ(kind_weight(SymbolType::kType, "type"), 0.9F);
  EXPECT_EQ(kind_weight(SymbolType::kType, "namespace"), 0.4F);
  EXPECT_EQ(kind_weight(SymbolType::kMethod, "getter"), 0.9F);
  EXPECT_EQ(kind_weight(SymbolType::kVariable, "const"), 0.7F);
  EXPECT_EQ(kind_weight(SymbolType::kProperty, "field"), 0.5F);
}

std::int64_t vector_id(store::FileId file, std::uint32_t index) {
  return static_cast<std::int64_t>(store::chunk_id(file, index));
}

class RankTest : public ::testing::Test {
 protected:
  Ranking rank_for(const std::string& text, std::vector<embed::VectorHit> dense = {},
                   RankOptions options = {}) {
    auto reader = index_.workspace().reader().value();
    snapshot_ = Snapshot::build(*reader, index_.workspace().ranking_path(), nullptr).value();
    return rank(*reader, *snapshot_, parse_query(text), dense, options).value();
  }
  double part(const RankedFile& file, Part which) {
    return file.parts[static_cast<std::size_t>(which)];
  }
  std::string path(const RankedFile& file) { return std::string(snapshot_->path(file.file)); }

  SmallIndex index_;
  std::shared_ptr<const Snapshot> snapshot_;
};

TEST_F(RankTest, TextTermsByHand) {
  // Lengths: a.py has chunks of 3 and 1 terms, b.py one of 2; N = 2 files, M = 3 chunks.
  index_.add({{"a.py", "apple apple pear\n\napple"}, {"b.py", "pear plum"}});
  const Ranking ranking = rank_for("apple");
  ASSERT_EQ(ranking.files.size(), 1U);
  const RankedFile& file = ranking.files[0];
  // One term: its idf cancels out of lex().
  const double first = term_share(2, 3, 2, 0.75), second = term_share(1, 1, 2, 0.75);
  EXPECT_DOUBLE_EQ(part(file, Part::kFileText), term_share(3, 4, 3, 0.4));
  EXPECT_DOUBLE_EQ(part(file, Part::kBestChunk), std::max(first, second));
  EXPECT_DOUBLE_EQ(part(file, Part::kBestChunks), (first + second) / 2) << "of the two it has";
  EXPECT_DOUBLE_EQ(part(file, Part::kExtent), std::log(3));
  EXPECT_DOUBLE_EQ(file.score, 0.4 * part(file, Part::kFileText) + 0.5 * std::max(first, second) +
                                   0.25 * (first + second) / 2 - 0.05 * std::log(3));
}

TEST_F(RankTest, RareTermsCountMore) {
  index_.add({{"a.py", "apple pear"}, {"b.py", "pear plum"}});
  const Ranking ranking = rank_for("apple of pear");
  ASSERT_EQ(ranking.files.size(), 2U);
  EXPECT_EQ(path(ranking.files[0]), "a.py");
  const double rare = bm25_idf(2, 1), common = bm25_idf(2, 2), share = term_share(1, 2, 2, 0.4);
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kFileText), share);
  EXPECT_DOUBLE_EQ(part(ranking.files[1], Part::kFileText), common * share / (rare + common));
}

TEST_F(RankTest, PathsCoverTheQuery) {
  index_.add({{"src/auth/rate_limiter.py", "x"}, {"src/b.py", "y"}, {"src/c.py", "z"}});
  const Ranking ranking = rank_for("limiter plugin");
  ASSERT_EQ(ranking.files.size(), 1U);
  // "limit" names one of 3 files, "plugin" none; one of the two stems of the base name matches.
  const double coverage = name_idf(3, 1) / (name_idf(3, 1) + 0.3 * name_idf(3, 0));
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kBaseName), coverage * 1.5);
  EXPECT_DOUBLE_EQ(ranking.known, name_idf(3, 1) / (name_idf(3, 1) + name_idf(3, 0)));
  EXPECT_EQ(part(ranking.files[0], Part::kDirectories), 0);

  const Ranking folders = rank_for("authentication");
  ASSERT_EQ(folders.files.size(), 1U);
  EXPECT_DOUBLE_EQ(part(folders.files[0], Part::kDirectories), 1) << "auth is a prefix";
}

TEST_F(RankTest, TheNearestDefinitionNameCounts) {
  index_.add({{"a.py", "def parse_header(): pass", {{"parse_header"}}},
              {"b.py", "HEADERS = 1", {{"HEADERS", SymbolType::kVariable, "const"}}}});
  const Ranking ranking = rank_for("parse header");
  ASSERT_EQ(ranking.files.size(), 2U);
  EXPECT_EQ(path(ranking.files[0]), "a.py");
  EXPECT_NEAR(part(ranking.files[0], Part::kDefinition), 1, 1e-6);
  const double parse = name_idf(2, 1), header = name_idf(2, 2);
  EXPECT_NEAR(part(ranking.files[1], Part::kDefinition),
              0.7 * header / std::sqrt(parse * parse + header * header), 1e-6);
}

TEST_F(RankTest, ASymbolIsFoundByItsWholeName) {
  index_.add(
      {{"blueprints.py", "class Blueprint: pass", {{"Blueprint", SymbolType::kClass, "class"}}},
       {"blueprint.py", "Blueprint = 1", {{"Blueprint", SymbolType::kVariable, "const"}}},
       {"other.py", "Blueprint Blueprint"}});
  const Ranking ranking = rank_for("flask.Blueprint()");
  const std::map<std::string, double> found = {
      {path(ranking.files[0]), part(ranking.files[0], Part::kSymbol)},
      {path(ranking.files[1]), part(ranking.files[1], Part::kSymbol)}};
  EXPECT_EQ(found.at("blueprints.py"), 1.0) << "the class";
  EXPECT_EQ(found.at("blueprint.py"), 0.7F * 1.5) << "a constant that names its file";
  EXPECT_EQ(part(ranking.files[2], Part::kSymbol), 0.0);
  EXPECT_TRUE(ranking.files[0].symbol.has_value());
  const Ranking inside = rank_for("which view does make_it or app.Blueprint serve");
  EXPECT_EQ(part(inside.files[0], Part::kSymbol), 0.0);
  EXPECT_GT(part(inside.files[0], Part::kInnerSymbol), 0.0);
}

TEST_F(RankTest, CentralFilesAreMentioned) {
  index_.add({{"a.py", "def shared(): pass", {{"shared"}}},
              {"b.py", "def lonely(): pass\n\nshared()", {{"lonely"}}},
              {"c.py", "shared() lonely()"},
              {"d.py", "unrelated"}});
  rank_for("x");
  EXPECT_FLOAT_EQ(snapshot_->centrality(*snapshot_->find_path("a.py")), 1);
  EXPECT_FLOAT_EQ(snapshot_->centrality(*snapshot_->find_path("b.py")),
                  static_cast<float>(std::log(2.0) / std::log(3.0)));
  EXPECT_EQ(snapshot_->centrality(*snapshot_->find_path("c.py")), 0);
  EXPECT_TRUE(rank_for("nothinglikeit").files.empty()) << "being central answers nothing";
}

TEST_F(RankTest, VectorsAddTheBestThreeChunksAndTheFile) {
  index_.add({{"a.py", "one\n\ntwo\n\nthree\n\nfour"}, {"b.py", "five"}});
  rank_for("x");
  const auto id = snapshot_->id(0);
  const Ranking ranking = rank_for("zzz", {{vector_id(id, 0), 0.5F},
                                           {vector_id(id, 1), 0.25F},
                                           {vector_id(id, 2), -0.5F},
                                           {vector_id(id, 3), 0.75F},
                                           {vector_id(id, 9), 1.0F},
                                           {vector_id(id, store::kFileVectorIndex), 0.5F}});
  ASSERT_EQ(ranking.files.size(), 1U);
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kDenseChunks), 0.5);
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kDenseMean), 1.5 / 5) << "four chunks and one";
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kDenseFile), 0.5);
  ASSERT_EQ(ranking.files[0].chunks.size(), 3U) << "chunk 9 is not there any more";
  EXPECT_EQ(ranking.files[0].chunks[2].index, 3U);
  EXPECT_DOUBLE_EQ(ranking.files[0].chunks[2].cosine, 0.75);
}

TEST_F(RankTest, CosinesThatAreMissingAreAskedFor) {
  index_.add({{"a.py", "one word\n\ntwo words"}, {"b.py", "three words"}, {"c.py", "other"}});
  auto reader = index_.workspace().reader().value();
  std::vector<embed::VectorHit> all;
  float cosine = 0.9F;
  const std::vector<store::FileRow> rows = reader->list_files().value();
  for (const store::FileRow& file : rows) {
    for (const std::uint32_t index : {0U, 1U, store::kFileVectorIndex}) {
      all.push_back({vector_id(file.id, index), cosine -= 0.07F});
    }
  }
  std::ranges::sort(all, {}, &embed::VectorHit::id);
  const Ranking want = rank_for("words", all);
  ASSERT_EQ(want.files.size(), 3U);

  RankOptions options;
  options.complete = [&](std::span<const std::int64_t> ids) {
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    std::vector<embed::VectorHit> found;
    for (const embed::VectorHit& hit : all) {
      if (std::ranges::binary_search(ids, hit.id)) found.push_back(hit);
    }
    return Result<std::vector<embed::VectorHit>>(found);
  };
  const Ranking got = rank_for("words", {all[4], all[0]}, options);  // in no order
  ASSERT_EQ(got.files.size(), want.files.size());
  for (std::size_t i = 0; i < want.files.size(); ++i) {
    EXPECT_EQ(got.files[i].file, want.files[i].file);
    EXPECT_DOUBLE_EQ(got.files[i].score, want.files[i].score);
    ASSERT_EQ(got.files[i].chunks.size(), want.files[i].chunks.size());
    for (std::size_t k = 0; k < want.files[i].chunks.size(); ++k) {
      EXPECT_EQ(got.files[i].chunks[k].lex, want.files[i].chunks[k].lex);
      EXPECT_EQ(got.files[i].chunks[k].cosine, want.files[i].chunks[k].cosine);
    }
  }
}

TEST_F(RankTest, TiesKeepPathOrderAndPriorsMultiply) {
  index_.add({{"tests/a.py", "apple"}, {"z.py", "apple"}, {"b.py", "apple"}});
  const Ranking ranking = rank_for("apple");
  ASSERT_EQ(ranking.files.size(), 3U);
  EXPECT_EQ(path(ranking.files[0]), "b.py");
  EXPECT_EQ(path(ranking.files[1]), "z.py");
  EXPECT_EQ(path(ranking.files[2]), "tests/a.py");
  EXPECT_DOUBLE_EQ(ranking.files[2].score, 0.4 * ranking.files[0].score);
}

TEST_F(RankTest, WhatMatchingFilesImportComesFirst) {
  const std::vector<SmallFile> files = {
      {"a.py", "apple"}, {"b.py", "apple"}, {"c.py", "apple apple apple pear"}};
  index_.add(files);
  index_.add_imports({{"c.py", "b.py"}, {"c.py", "missing.py"}, {"b.py", "b.py"}});
  const Ranking ranking = rank_for("apple");
  ASSERT_EQ(ranking.files.size(), 3U);
  EXPECT_EQ(path(ranking.files[0]), "b.py") << "c.py imports it and matches best";
  EXPECT_DOUBLE_EQ(part(ranking.files[0], Part::kImporters), 1);
  EXPECT_EQ(part(ranking.files[1], Part::kImporters), 0);
  EXPECT_EQ(part(rank_for("pear").files[0], Part::kImporters), 0);
}

TEST_F(RankTest, ANameThatIsAskedForIsFoundInATest) {
  index_.add({{"app.py", "make_client make_client"},
              {"tests/helpers.py", "def make_client(): pass", {{"make_client"}}}});
  const Ranking named = rank_for("make_client");
  EXPECT_EQ(path(named.files[0]), "tests/helpers.py");
  EXPECT_EQ(named.files[0].prior, 0.4) << "all but the name is cut";
  EXPECT_EQ(path(rank_for("make the client").files[0]), "app.py");
}

TEST_F(RankTest, WhatTheProgramImportsIsNoTest) {
  index_.add({{"lib/test_functions.py", "apple"},
              {"lib/test_others.py", "apple"},
              {"lib/run.py", "pear"},
              {"tests/a.py", "pear"}});
  index_.add_imports({{"lib/run.py", "lib/test_functions.py"},
                      {"tests/a.py", "lib/test_others.py"},
                      {"tests/a.py", "lib/test_functions.py"}});
  const Ranking ranking = rank_for("apple");
  ASSERT_EQ(ranking.files.size(), 2U);
  EXPECT_EQ(path(ranking.files[0]), "lib/test_functions.py");
  EXPECT_EQ(ranking.files[0].prior, 1);
  EXPECT_EQ(ranking.files[1].prior, 0.4) << "a test imports it";
}

TEST_F(RankTest, AnOlderVersionIsBelowTheNewerUnlessItIsAskedFor) {
  index_.add({{"v1/a.py", "apple apple"}, {"v2/a.py", "apple"}});
  EXPECT_EQ(path(rank_for("apple").files[0]), "v2/a.py");
  EXPECT_EQ(rank_for("apple").files[1].prior, 0.5);
  EXPECT_EQ(path(rank_for("apple in v1").files[0]), "v1/a.py");
  EXPECT_EQ(rank_for("apple in v1").files[0].prior, 1);
}

TEST_F(RankTest, ConfigurationAndProseRankBelowCode) {
  index_.add(
      {{"a.json", "apple", {}, "json"}, {"b.md", "apple", {}, "markdown"}, {"c.py", "apple"}});
  const Ranking ranking = rank_for("apple");
  ASSERT_EQ(ranking.files.size(), 3U);
  EXPECT_EQ(path(ranking.files[0]), "c.py");
  EXPECT_EQ(path(ranking.files[2]), "a.json");
}

}  // namespace
}  // namespace codexmem::search

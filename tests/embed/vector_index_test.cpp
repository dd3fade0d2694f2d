#include "embed/vector_index.h"

#include <faiss/IndexScalarQuantizer.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "embed/vector_math.h"

namespace codexmem::embed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kDimension = 37;  // no multiple of a register's width

std::vector<float> random_vector(std::mt19937* random, std::size_t dimension = kDimension) {
  std::normal_distribution<float> normal;
  std::vector<float> vector(dimension);
  for (float& component : vector) component = normal(*random);
  normalize(vector);
  if (dimension < 16) {  // a code holds no component near 1
    for (float& component : vector) component *= 0.6F;
  }
  return vector;
}

std::string coded(std::span<const float> vectors, std::size_t dimension) {
  return encode_vectors(vectors, dimension).value();
}

using Vectors = std::map<std::int64_t, std::vector<float>>;

Vectors random_vectors(std::size_t count, unsigned seed, std::size_t dimension = kDimension) {
  std::mt19937 random(seed);
  Vectors vectors;
  for (std::size_t i = 0; i < count; ++i) {
    vectors[static_cast<std::int64_t>(3 * i + 1)] = random_vector(&random, dimension);
  }
  return vectors;
}

void add_all(VectorIndexBuilder* builder, const Vectors& vectors) {
  for (const auto& [id, vector] : vectors) {
    const auto added = builder->add({{id}}, coded(vector, vector.size()));
    ASSERT_TRUE(added.ok()) << added.error().message();
  }
}

std::shared_ptr<const VectorIndex> freeze(VectorIndexBuilder&& builder,
                                          std::uint64_t generation = 1) {
  return std::move(builder).freeze(generation);
}

std::shared_ptr<const VectorIndex> index_of(const Vectors& vectors,
                                            std::size_t dimension = kDimension) {
  VectorIndexBuilder builder("model-1", dimension);
  add_all(&builder, vectors);
  return freeze(std::move(builder));
}

std::vector<std::int64_t> ids_of(const std::vector<VectorHit>& hits) {
  std::vector<std::int64_t> ids;
  for (const VectorHit& hit : hits) ids.push_back(hit.id);
  return ids;
}

std::vector<std::int64_t> exact_nearest(const Vectors& vectors, std::span<const float> query,
                                        std::size_t k) {
  std::vector<VectorHit> hits;
  for (const auto& [id, vector] : vectors) hits.push_back({id, inner_product(query, vector)});
  std::stable_sort(hits.begin(), hits.end(), [](auto a, auto b) { return a.score > b.score; });
  hits.resize(std::min(k, hits.size()));
  return ids_of(hits);
}

// Everything that a reader can see of the index is what `vectors` holds.
void expect_same(const VectorIndex& index, const Vectors& vectors, float tolerance = 0.01F) {
  ASSERT_EQ(index.size(), vectors.size());
  std::vector<std::int64_t> ids;
  for (const auto& [id, vector] : vectors) {
    ids.push_back(id);
    EXPECT_TRUE(index.contains(id)) << id;
    EXPECT_EQ(index.contains(id + 1), vectors.contains(id + 1)) << id + 1;
  }
  EXPECT_EQ(index.ids(), ids);
  std::mt19937 random(99);
  const std::vector<float> query = random_vector(&random, index.dimension());
  const auto all = index.score_all(query).value();
  EXPECT_EQ(ids_of(all), ids);
  for (const VectorHit& hit : all) {
    EXPECT_NEAR(hit.score, inner_product(query, vectors.at(hit.id)), tolerance) << hit.id;
  }
  const auto some = index.score_ids(query, ids).value();
  ASSERT_EQ(some.size(), all.size());
  auto sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return a.score > b.score; });
  const auto nearest = index.search(query, ids.size()).value();
  ASSERT_EQ(nearest.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(some[i].score, all[i].score);
    EXPECT_EQ(nearest[i].id, sorted[i].id);
    EXPECT_EQ(nearest[i].score, sorted[i].score);
  }
}

std::string temporary_path(const std::string& name) { return ::testing::TempDir() + "/" + name; }

TEST(VectorCodes, StandForTheNearestStepOfTheirRange) {
  const std::vector<float> vector = {0, 0.1F, -0.1024F, 0.0526F, 5, -5, 0.6375F};
  const auto decoded = decode_vectors(coded(vector, vector.size()), vector.size()).value();
  const std::vector<float> want = {0, 0.1F, -0.1F, 0.055F, 0.64F, -0.635F, 0.64F};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(decoded[i], want[i], 1e-6) << i;
}

TEST(VectorCodes, TellWhatEachCodeStandsFor) {
  const std::string bytes = code_values().value();
  ASSERT_EQ(bytes.size(), 1024U);
  std::vector<float> values(256);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  for (int code = 0; code < 256; ++code) {
    EXPECT_NEAR(values[static_cast<std::size_t>(code)], static_cast<float>(code - 127) / 200, 1e-6);
  }
}

TEST(VectorIndex, WithoutVectorsFindsNothing) {
  const auto index = index_of({});
  EXPECT_EQ(index->size(), 0U);
  EXPECT_FALSE(index->contains(1));
  EXPECT_THAT(index->search(std::vector<float>(kDimension), 5).value(), IsEmpty());
}

TEST(VectorIndex, HoldsWhatWasAdded) {
  expect_same(*index_of(random_vectors(1, 1)), random_vectors(1, 1));
  expect_same(*index_of(random_vectors(1500, 2)), random_vectors(1500, 2));
}

TEST(VectorIndex, ScoresAsFaissDoes) {
  for (const std::size_t dimension : {1U, 16U, 37U, 128U, 256U}) {
    const Vectors vectors = random_vectors(600, 3, dimension);
    std::vector<float> rows;
    for (const auto& [id, vector] : vectors) rows.insert(rows.end(), vector.begin(), vector.end());
    faiss::IndexScalarQuantizer faiss_index(static_cast<int>(dimension),
                                            faiss::ScalarQuantizer::QT_8bit_uniform,
                                            faiss::METRIC_INNER_PRODUCT);
    faiss_index.sq.trained = {kCodeLow, kCodeWidth};
    faiss_index.is_trained = true;
    faiss_index.add(600, rows.data());
    std::vector<float> scores(600);
    std::vector<faiss::Index::idx_t> labels(600);
    std::mt19937 random(4);
    const std::vector<float> query = random_vector(&random, dimension);
    faiss_index.search(1, query.data(), 600, scores.data(), labels.data());

    const auto ours = index_of(vectors, dimension)->score_all(query).value();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_NEAR(ours[static_cast<std::size_t>(labels[i])].score, scores[i], 1e-4);
    }
  }
}

// The words of the model as texts: real vectors, many of them near each other.
TEST(VectorIndex, FindsNearlyAllOfTheTrueTen) {
  const auto model = StaticModel::built_in().value();
  const auto embedder = make_static_embedder(model);
  Vectors vectors;
  for (std::size_t i = 0; i + 3 < model->word_count(); i += 3) {
    std::string text;
    for (std::size_t k = 0; k < 3; ++k) {
      text += std::string(model->word(static_cast<WordId>((i * 7 + k * 5003) % 22126))) + " ";
    }
    const std::string_view texts[] = {text};
    vectors[static_cast<std::int64_t>(i + 1)] = embedder->embed_documents(texts).value();
  }
  const auto index = index_of(vectors, 128);
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (const char* question :
       {"parse the command line", "http request timeout", "password hashing", "draw a rectangle",
        "cache eviction", "event loop", "matrix multiplication", "read a file line by line",
        "database transaction rollback", "json schema validation"}) {
    const std::vector<float> query = embedder->embed_query(question).value();
    const auto want = exact_nearest(vectors, query, 10);
    const std::set<std::int64_t> want_set(want.begin(), want.end());
    const auto hits = index->search(query, 10).value();
    ASSERT_THAT(hits, SizeIs(10));
    for (const VectorHit& hit : hits) found += want_set.count(hit.id);
    wanted += want.size();
  }
  EXPECT_GE(found, wanted * 95 / 100);
}

TEST(VectorIndex, ReturnsOnlyWhatPassesTheFilter) {
  const Vectors vectors = random_vectors(2000, 5);
  const auto index = index_of(vectors);
  std::mt19937 random(6);
  const std::vector<float> query = random_vector(&random);
  const auto all = index->search(query, 2000).value();
  std::vector<std::int64_t> even;
  for (const VectorHit& hit : all) {
    if (hit.id % 2 == 0) even.push_back(hit.id);
  }
  const auto is_even = [](std::int64_t id) { return id % 2 == 0; };
  const auto hits = index->search(query, 10, is_even).value();
  EXPECT_EQ(ids_of(hits), std::vector(even.begin(), even.begin() + 10));
  EXPECT_THAT(index->search(query, 10, [](std::int64_t) { return false; }).value(), IsEmpty());
  const auto one = index->search(query, 10, [](std::int64_t id) { return id == 31; }).value();
  EXPECT_THAT(ids_of(one), ElementsAre(31));
}

TEST(VectorIndex, ScoresNamedIdsInTheirOrder) {
  const auto index = index_of(random_vectors(100, 7));
  std::mt19937 random(8);
  const std::vector<float> query = random_vector(&random);
  const std::vector<std::int64_t> ids = {31, 2, 4, -5, 100000};
  EXPECT_THAT(ids_of(index->score_ids(query, ids).value()), ElementsAre(31, 4));
}

TEST(VectorIndex, BreaksTiesBySmallerId) {
  VectorIndexBuilder builder("model-1", 2);
  const std::vector<std::int64_t> ids = {9, 4, 7, 1};
  const std::vector<float> vectors = {1, 0, 1, 0, 0, 1, 1, 0};
  ASSERT_TRUE(builder.add(ids, coded(vectors, 2)).ok());
  const auto index = freeze(std::move(builder));
  const std::vector<float> query = {1, 0};
  EXPECT_THAT(ids_of(index->search(query, 2).value()), ElementsAre(1, 4));
  EXPECT_THAT(ids_of(index->search(query, 9).value()), ElementsAre(1, 4, 9, 7));
}

TEST(VectorIndex, RefusesQueriesOfAnotherKind) {
  const auto index = index_of(random_vectors(3, 9));
  std::vector<float> query(kDimension);
  query[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(index->search(query, 1).error().code(), ErrorCode::kInvalidArgument);
  query[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(index->score_all(query).error().code(), ErrorCode::kInvalidArgument);
  query.pop_back();
  EXPECT_EQ(index->score_ids(query, {}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(VectorIndexBuilder, RefusesBadVectorsAndAddsNothing) {
  VectorIndexBuilder builder("model-1", 2);
  const std::vector<std::int64_t> ids = {1, 2};
  EXPECT_FALSE(builder.add(ids, "abc").ok());
  EXPECT_FALSE(builder.add(std::vector<std::int64_t>{1, 0}, "abcd").ok());
  EXPECT_EQ(builder.size(), 0U);
}

// Random additions, replacements and removals through many snapshots, against a plain map.
TEST(VectorIndexBuilder, AgreesWithAMapThroughManySnapshots) {
  std::mt19937 random(10);
  Vectors want = random_vectors(700, 11);
  auto index = index_of(want);
  for (std::uint64_t generation = 2; generation < 40; ++generation) {
    const Vectors before = want;
    VectorIndexBuilder builder(*index);
    for (int change = 0; change < 60; ++change) {
      const auto id = static_cast<std::int64_t>(random() % 3000 + 1);
      if (random() % 3 == 0) {
        EXPECT_EQ(builder.remove({{id}}), want.erase(id)) << id;
      } else {
        want[id] = random_vector(&random);
        ASSERT_TRUE(builder.add({{id}}, coded(want[id], kDimension)).ok());
      }
      EXPECT_EQ(builder.size(), want.size());
    }
    const auto next = freeze(std::move(builder), generation);
    EXPECT_EQ(next->generation(), generation);
    expect_same(*next, want);
    if (generation % 10 == 0) expect_same(*index, before);  // readers of the old one see no change
    index = next;
  }
  const std::string path = temporary_path("snapshots.vectors");
  ASSERT_TRUE(index->save(path).ok());
  expect_same(**VectorIndex::load(path), want, 0.02F);
}

TEST(VectorIndexBuilder, KeepsTheLastOfVectorsWithOneId) {
  VectorIndexBuilder builder("model-1", 1);
  const std::vector<std::int64_t> ids = {5, 6, 5};
  ASSERT_TRUE(builder.add(ids, coded(std::vector<float>{0.1F, 0.2F, 0.6F}, 1)).ok());
  const auto hits = freeze(std::move(builder))->search(std::vector<float>{1}, 5).value();
  ASSERT_THAT(ids_of(hits), ElementsAre(5, 6));
  EXPECT_NEAR(hits[0].score, 0.6, 0.003);
}

TEST(VectorIndex, ServesManyThreadsAtOnce) {
  const auto index = index_of(random_vectors(3000, 12));
  std::mt19937 random(13);
  const std::vector<float> query = random_vector(&random);
  const auto want = ids_of(index->search(query, 20).value());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 10; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(ids_of(index->search(query, 20).value()), want);
    });
  }
}

TEST(VectorIndexFile, KeepsEverything) {
  const Vectors vectors = random_vectors(500, 14);
  VectorIndexBuilder builder("code-static-128d-0badcafe", kDimension);
  add_all(&builder, vectors);
  const auto index = freeze(std::move(builder), 0x123456789ABCULL);
  const std::string path = temporary_path("round_trip.vectors");
  ASSERT_TRUE(index->save(path).ok());
  const auto loaded = VectorIndex::load(path);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  EXPECT_EQ((*loaded)->model_id(), "code-static-128d-0badcafe");
  EXPECT_EQ((*loaded)->generation(), 0x123456789ABCULL);
  EXPECT_EQ((*loaded)->dimension(), kDimension);
  expect_same(**loaded, vectors);
  // Saved again, not a byte differs.
  const std::string again = temporary_path("round_trip_again.vectors");
  ASSERT_TRUE((*loaded)->save(again).ok());
  EXPECT_EQ(*read_file(path), *read_file(again));
  EXPECT_EQ(*read_file(VectorIndex::side_path(path)), *read_file(VectorIndex::side_path(again)));
}

TEST(VectorIndexFile, TakesLittleMoreThanAByteAComponent) {
  const std::string path = temporary_path("size.vectors");
  ASSERT_TRUE(index_of(random_vectors(1000, 15, 128), 128)->save(path).ok());
  EXPECT_LE(read_file(path)->size(), 1000 * 136 + 150);
  EXPECT_LE(read_file(VectorIndex::side_path(path))->size(), 100U);
}

TEST(VectorIndexFile, MayBeEmpty) {
  const std::string path = temporary_path("empty.vectors");
  ASSERT_TRUE(index_of({})->save(path).ok());
  EXPECT_EQ((*VectorIndex::load(path))->size(), 0U);
}

TEST(VectorIndexFile, ThatIsMissingIsNotFound) {
  EXPECT_EQ(VectorIndex::load(temporary_path("none.vectors")).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace codexmem::embed

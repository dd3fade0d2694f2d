// Vector indexes that are divided into lists. The vectors are texts of the built-in model's words:
// each text is of a topic (a stretch of words) with some words of others, so near ones are found
// in few places and not in one alone.
#include <faiss/IndexIVF.h>
#include <faiss/index_io.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "embed/vector_index.h"

namespace codexmem::embed {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kModelDimension = 128;
constexpr std::size_t kVectors = 20000;
constexpr std::size_t kLeast =
    kVectors * kModelDimension / 2;  // components from which on there are lists

using Ids = std::vector<std::int64_t>;

const StaticModel& model() {
  static const auto built_in = StaticModel::built_in().value();
  return *built_in;
}

// Some `words` words.
std::string text_of_topic(std::mt19937* random, std::size_t first_topic, std::size_t topics,
                          int words) {
  const std::size_t topic = first_topic + (*random)() % topics;
  std::string text;
  for (int i = 0; i < words; ++i) {
    const std::size_t word =
        i % 4 == 3 ? (*random)() : topic * 7919 + (*random)() % 60 * 13;  // a stranger
    text += std::string(model().word(static_cast<WordId>(word % model().word_count()))) + " ";
  }
  return text;
}

// Codes of `count` texts of the topics from `first_topic` on.
std::string texts(std::size_t count, std::size_t first_topic, std::size_t topics, unsigned seed) {
  std::mt19937 random(seed);
  const auto embedder = make_static_embedder(StaticModel::built_in().value());
  std::string codes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = text_of_topic(&random, first_topic, topics, 16);
    const std::string_view one[] = {text};
    codes += encode_vectors(embedder->embed_documents(one).value(), kModelDimension).value();
  }
  return codes;
}

const std::string& stored() {
  static const std::string codes = texts(kVectors, 0, 300, 1);
  return codes;
}

std::vector<std::vector<float>> questions(std::size_t count, std::size_t first_topic = 0) {
  std::mt19937 random(2);
  std::vector<std::vector<float>> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(model().query_vector(text_of_topic(&random, first_topic, 300, 5)));
  }
  return all;
}

Ids ids_from(std::int64_t first, std::size_t count, std::int64_t step = 1) {
  Ids ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(first + static_cast<std::int64_t>(i) * step);
  }
  return ids;
}

std::shared_ptr<const VectorIndex> build(std::string_view codes, bool with_lists) {
  VectorIndexBuilder builder("model-1", kModelDimension);
  EXPECT_TRUE(builder.add(ids_from(1, codes.size() / kModelDimension, 3), codes).ok());
  if (with_lists) {
    EXPECT_TRUE(builder.train(kLeast).ok());
  }
  return std::move(builder).freeze(1);
}

const std::shared_ptr<const VectorIndex>& exact() {
  static const auto index = build(stored(), false);
  return index;
}

const std::shared_ptr<const VectorIndex>& divided() {
  static const auto index = build(stored(), true);
  return index;
}

// The share of what `want` finds that `got` finds too; what scores the same counts.
double recall(const VectorIndex& got, const VectorIndex& want, const IdFilter& filter = {},
              std::size_t k = 10, std::size_t first_topic = 0) {
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (const auto& question : questions(100, first_topic)) {
    const auto truth = want.search(question, k, filter).value();
    const auto hits = got.search(question, k, filter).value();
    EXPECT_EQ(hits.size(), truth.size());
    wanted += truth.size();
    for (const VectorHit& hit : hits) {
      EXPECT_TRUE(filter.passes(hit.id));
      found += hit.score >= truth.back().score ? 1U : 0U;
    }
  }
  return static_cast<double>(found) / static_cast<double>(wanted);
}

// Everything but search() is as without lists.
void expect_same(const VectorIndex& got, const VectorIndex& want) {
  ASSERT_EQ(got.size(), want.size());
  EXPECT_EQ(got.ids(), want.ids());
  const auto question = questions(1)[0];
  const auto all = got.score_all(question).value();
  const auto truth = want.score_all(question).value();
  ASSERT_EQ(all.size(), truth.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].id, truth[i].id);
    ASSERT_EQ(all[i].score, truth[i].score);
  }
  Ids some = want.ids();
  std::shuffle(some.begin(), some.end(), std::mt19937(3));
  some.resize(some.size() / 2);
  some.push_back(2);  // is not stored
  std::sort(some.begin() + 5, some.end());
  const auto named = got.score_ids(question, some).value();
  const auto named_truth = want.score_ids(question, some).value();
  ASSERT_EQ(named.size(), named_truth.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    ASSERT_EQ(named[i].id, named_truth[i].id);
    ASSERT_EQ(named[i].score, named_truth[i].score);
  }
  for (std::size_t i = 0; i < some.size(); i += 97)
    EXPECT_EQ(got.contains(some[i]), want.contains(some[i]));
}

std::string lists_path(const std::string& name) { return ::testing::TempDir() + "/" + name; }

TEST(VectorLists, AreMadeFromASizeOn) {
  EXPECT_TRUE(exact()->wants_training(kLeast));
  EXPECT_FALSE(exact()->wants_training(kVectors * kModelDimension + 1));
  EXPECT_FALSE(exact()->wants_training()) << "too few by far";
  EXPECT_EQ(exact()->list_count(), 0U);
  EXPECT_EQ(divided()->list_count(), 141U) << "the root of their number";
  EXPECT_FALSE(divided()->wants_training(kLeast));
}

TEST(VectorLists, HoldWhatWasAdded) { expect_same(*divided(), *exact()); }

TEST(VectorLists, FindNearlyAllOfTheNearest) {
  EXPECT_GE(recall(*divided(), *exact()), 0.98);
  EXPECT_GE(recall(*divided(), *exact(), {}, 1), 0.98);
  EXPECT_GE(recall(*divided(), *exact(), {}, 100), 0.98);
}

TEST(VectorLists, FindThemWithAFilterToo) {
  const auto every = [](std::int64_t n) {
    return IdFilter([n](std::int64_t id) { return id / 3 % n == 0; });
  };
  const auto only = [](std::int64_t n) {
    Ids ids;
    for (const std::int64_t id : exact()->ids()) {
      if (id / 3 % n == 0) ids.push_back(id);
    }
    return IdFilter::only(ids);
  };
  for (const std::int64_t n : {2, 5, 50, 1000}) {
    EXPECT_GE(recall(*divided(), *exact(), every(n)), 0.98) << n;
    EXPECT_GE(recall(*divided(), *exact(), only(n)), 0.98) << n;
  }
  // One topic alone, far from most questions: it is in few lists.
  const auto topic = exact()->search(questions(1)[0], 300).value();
  Ids near;
  for (const VectorHit& hit : topic) near.push_back(hit.id);
  EXPECT_GE(recall(*divided(), *exact(), IdFilter::only(near)), 0.98);
  EXPECT_EQ(divided()->search(questions(2)[1], 300, IdFilter::only(near))->size(), 300U);
  EXPECT_THAT(divided()->search(questions(1)[0], 10, IdFilter::only({})).value(), IsEmpty());
  EXPECT_THAT(divided()->search(questions(1)[0], kVectors).value(), SizeIs(kVectors));
}

TEST(IdFilter, PassesTheIdsItWasGiven) {
  const Ids near = {5, 7, 64, 68, 69, 133};
  const Ids far = {1, 1000000, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()};
  for (const Ids& ids : {near, far, Ids{9}, Ids{}}) {
    Ids given(ids.rbegin(), ids.rend());
    given.insert(given.end(), ids.begin(), ids.end());
    const IdFilter filter = IdFilter::only(given);
    EXPECT_EQ(*filter.ids(), ids);
    for (const Ids& tried : {near, far, Ids{0, -1, 6, 63, 65, 128, 134, 1 << 20}}) {
      for (const std::int64_t id : tried) {
        EXPECT_EQ(filter.passes(id), std::ranges::count(ids, id) == 1) << id;
      }
    }
  }
  EXPECT_TRUE(IdFilter().passes(-5));
  EXPECT_TRUE(IdFilter().is_all());
}

TEST(VectorLists, GiveTheScoresOfTheNearestAndOfSoMany) {
  std::size_t found = 0;
  for (const auto& question : questions(50)) {
    const auto near = divided()->score_near(question, kVectors / 4).value();
    EXPECT_GE(near.size(), kVectors / 4);
    EXPECT_LT(near.size(), kVectors / 2);
    Ids ids;
    for (const VectorHit& hit : near) ids.push_back(hit.id);
    const auto truth = exact()->score_ids(question, ids).value();
    ASSERT_EQ(truth.size(), near.size());
    for (std::size_t i = 0; i < near.size(); ++i) EXPECT_EQ(near[i].score, truth[i].score);
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
    const auto best = exact()->search(question, 1).value();
    found += std::binary_search(ids.begin(), ids.end(), best[0].id) ? 1U : 0U;
  }
  EXPECT_GE(found, 40U);
  EXPECT_EQ(divided()->score_near(questions(1)[0], kVectors)->size(), kVectors);
  EXPECT_EQ(exact()->score_near(questions(1)[0], 5)->size(), kVectors);
}

// Additions, replacements and removals, in the tail and folded.
TEST(VectorLists, FollowChanges) {
  const std::string more = texts(6000, 0, 300, 4);
  const auto change = [&](const VectorIndex& from) {
    VectorIndexBuilder builder(from);
    Ids gone = ids_from(1, 300, 30);
    EXPECT_EQ(builder.remove(gone), 300U);
    EXPECT_EQ(builder.remove(gone), 0U);
    EXPECT_TRUE(builder.add(ids_from(4, 100, 60), more.substr(0, 100 * kModelDimension)).ok());
    EXPECT_TRUE(builder.add(ids_from(100000, 500), more.substr(0, 500 * kModelDimension)).ok());
    return std::move(builder).freeze(2);
  };
  const auto in_tail = change(*divided());
  const auto truth = change(*exact());
  EXPECT_EQ(in_tail->list_count(), 141U);
  expect_same(*in_tail, *truth);
  EXPECT_GE(recall(*in_tail, *truth), 0.98);
  expect_same(*divided(), *exact());  // readers of the old one see no change

  const auto fold = [&](const VectorIndex& from) {
    VectorIndexBuilder builder(from);
    EXPECT_TRUE(builder.add(ids_from(50001, 6000, 2), more).ok());
    builder.remove(ids_from(50001, 50, 2));
    return std::move(builder).freeze(3);
  };
  const auto folded = fold(*in_tail);
  const auto folded_truth = fold(*truth);
  EXPECT_EQ(folded->list_count(), 141U);
  expect_same(*folded, *folded_truth);
  EXPECT_GE(recall(*folded, *folded_truth), 0.98);
  EXPECT_FALSE(folded->wants_training(kLeast)) << "more of the same";

  const std::string path = lists_path("lists_changed.vectors");
  ASSERT_TRUE(in_tail->save(path).ok());
  expect_same(**VectorIndex::load(path), *truth);
}

TEST(VectorLists, AreRebuiltWhenThereAreTwiceAsMany) {
  VectorIndexBuilder builder(*divided());
  ASSERT_TRUE(builder.add(ids_from(100000, kVectors + 10), texts(kVectors + 10, 0, 300, 5)).ok());
  const auto grown = std::move(builder).freeze(2);
  EXPECT_TRUE(grown->wants_training(kLeast));
  VectorIndexBuilder again(*grown);
  ASSERT_TRUE(again.train(kLeast).ok());
  const auto trained = std::move(again).freeze(2);
  EXPECT_EQ(trained->list_count(), 200U);
  EXPECT_FALSE(trained->wants_training(kLeast));
  EXPECT_EQ(trained->ids(), grown->ids());
}

TEST(VectorLists, AreRebuiltWhenTheTextsHaveOtherSubjects) {
  const std::string some = texts(10000, 0, 20, 8);
  VectorIndexBuilder first("model-1", kModelDimension);
  ASSERT_TRUE(first.add(ids_from(1, 10000, 3), some).ok());
  ASSERT_TRUE(first.train(kLeast).ok());
  const auto before = std::move(first).freeze(1);
  const auto with = [](const VectorIndex& index, std::string_view codes) {
    VectorIndexBuilder builder(index);
    EXPECT_TRUE(builder.add(ids_from(100000, codes.size() / kModelDimension), codes).ok());
    return std::move(builder).freeze(2);
  };
  EXPECT_FALSE(with(*before, texts(8000, 0, 20, 9))->wants_training(kLeast)) << "more of the same";
  const std::string other = texts(8000, 5000, 20, 6);
  const auto drifted = with(*before, other);
  EXPECT_TRUE(drifted->wants_training(kLeast));
  VectorIndexBuilder again(*drifted);
  ASSERT_TRUE(again.train(kLeast).ok());
  const auto trained = std::move(again).freeze(3);
  EXPECT_FALSE(trained->wants_training(kLeast));
  const auto truth = with(*build(some, false), other);
  expect_same(*trained, *truth);
  for (const std::size_t topic : {0U, 5000U}) {
    EXPECT_GE(recall(*drifted, *truth, {}, 10, topic), 0.95);
    EXPECT_GE(recall(*trained, *truth, {}, 10, topic), 0.98);
  }
}

TEST(VectorLists, AreGivenUpWhenFewAreLeft) {
  VectorIndexBuilder builder(*divided());
  builder.remove(ids_from(1, kVectors * 4 / 5, 3));
  const auto few = std::move(builder).freeze(2);
  EXPECT_TRUE(few->wants_training(kLeast));
  VectorIndexBuilder again(*few);
  ASSERT_TRUE(again.train(kLeast).ok());
  const auto plain = std::move(again).freeze(2);
  EXPECT_EQ(plain->list_count(), 0U);
  EXPECT_FALSE(plain->wants_training(kLeast));
  EXPECT_EQ(plain->ids(), few->ids());
  EXPECT_EQ(recall(*plain, *few), 1.0);
  // Nobody else holds it: the rows are put back where they stand.
  VectorIndexBuilder alone(*build(stored(), true));
  ASSERT_TRUE(alone.train(kVectors * kModelDimension + 1).ok());
  expect_same(*std::move(alone).freeze(1), *exact());
}

// Nothing is near anything: lists would save no work.
TEST(VectorLists, OfVectorsWithoutOrderAreAllSearched) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 0.2F);
  std::vector<float> vectors(2000 * kModelDimension);
  for (float& component : vectors) component = normal(random);
  const std::string codes = encode_vectors(vectors, kModelDimension).value();
  VectorIndexBuilder builder("model-1", kModelDimension);
  ASSERT_TRUE(builder.add(ids_from(1, 2000, 3), codes).ok());
  ASSERT_TRUE(builder.train(1).ok());
  const auto index = std::move(builder).freeze(1);
  EXPECT_EQ(recall(*index, *build(codes, false)), 1.0);
}

TEST(VectorLists, MayBeOfOddVectors) {
  for (const std::size_t count : {1U, 2U, 9U, 100U}) {
    for (const std::size_t dimension : {1U, 37U}) {
      VectorIndexBuilder builder("model-1", dimension);
      ASSERT_TRUE(builder.add(ids_from(1, count), std::string(count * dimension, '\x7F')).ok());
      ASSERT_TRUE(builder.train(1).ok());
      const auto index = std::move(builder).freeze(1);
      const std::vector<float> query(dimension, 0.1F);
      EXPECT_EQ(index->search(query, 1000)->size(), count) << "all zero";
    }
  }
  VectorIndexBuilder none("model-1", kModelDimension);
  ASSERT_TRUE(none.train(0).ok());
  EXPECT_EQ(std::move(none).freeze(1)->list_count(), 0U);
}

TEST(VectorLists, AreTheSameOnAnyNumberOfThreads) {
  const std::string path = lists_path("lists_threads.vectors");
  ASSERT_TRUE(divided()->save(path).ok());
  const std::string want = read_file(path).value();
  const int before = omp_get_max_threads();
  for (const int threads : {1, 4}) {
    omp_set_num_threads(threads);
    ASSERT_TRUE(build(stored(), true)->save(path).ok());
    EXPECT_TRUE(read_file(path).value() == want) << threads;
  }
  omp_set_num_threads(before);
}

TEST(VectorLists, ComeBackFromAFile) {
  const std::string path = lists_path("lists.vectors");
  const std::string again = lists_path("lists_again.vectors");
  ASSERT_TRUE(divided()->save(path).ok());
  EXPECT_LE(read_file(path)->size(), kVectors * 136 + divided()->list_count() * 136 + 300);
  EXPECT_LE(read_file(VectorIndex::side_path(path))->size(), kVectors * 2 + 200);
  const auto loaded = VectorIndex::load(path).value();
  EXPECT_EQ(loaded->list_count(), divided()->list_count());
  EXPECT_FALSE(loaded->wants_training(kLeast));
  expect_same(*loaded, *exact());
  EXPECT_GE(recall(*loaded, *exact()), 0.98);
  ASSERT_TRUE(loaded->save(again).ok());
  EXPECT_TRUE(read_file(path).value() == read_file(again).value());
  EXPECT_TRUE(read_file(VectorIndex::side_path(path)).value() ==
              read_file(VectorIndex::side_path(again)).value());
}

// FAISS looks into so many lists as the file says, with as much success as our patience.
TEST(VectorLists, GiveFaissTheNumberOfListsToSearch) {
  const std::string path = lists_path("lists_probes.vectors");
  ASSERT_TRUE(divided()->save(path).ok());
  const std::unique_ptr<faiss::Index> theirs(faiss::read_index(path.c_str()));
  const auto* const lists = dynamic_cast<const faiss::IndexIVF*>(theirs.get());
  ASSERT_NE(lists, nullptr);
  EXPECT_LT(lists->nprobe, lists->nlist);
  std::size_t found = 0;
  for (const auto& question : questions(100)) {
    std::vector<float> scores(10);
    Ids ids(10);
    theirs->search(1, question.data(), 10, scores.data(), ids.data());
    const float least = exact()->search(question, 10)->back().score - 1e-4F;
    found += static_cast<std::size_t>(
        std::count_if(scores.begin(), scores.end(), [&](float score) { return score >= least; }));
  }
  EXPECT_GE(found, 970U);
}

TEST(VectorLists, ServeManyThreadsAtOnce) {
  const auto question = questions(1)[0];
  const auto want = divided()->search(question, 20).value();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const auto hits = divided()->search(question, 20).value();
        ASSERT_EQ(hits.size(), want.size());
        for (std::size_t k = 0; k < hits.size(); ++k) EXPECT_EQ(hits[k].id, want[k].id);
      }
    });
  }
}

}  // namespace
}  // namespace codexmem::embed

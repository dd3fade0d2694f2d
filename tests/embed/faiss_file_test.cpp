// The file of a vector index: FAISS's own, with our side file. FAISS reads it and finds the same;
// damaged or forged files are refused or usable.
#include <faiss/IndexIDMap.h>
#include <faiss/IndexIVF.h>
#include <faiss/IndexScalarQuantizer.h>
#include <faiss/index_io.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "embed/faiss_index.h"
#include "embed/faiss_layout.h"
#include "embed/vector_codes.h"
#include "embed/vector_files.h"
#include "embed/vector_index.h"
#include "embed/vector_math.h"
#include "support/temporary_directory.h"

namespace codexmem::embed {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;

std::vector<float> random_floats(std::size_t count, std::size_t dimension, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> rows(count * dimension);
  for (float& component : rows) component = normal(random);
  for (std::size_t i = 0; i < count; ++i)
    normalize(std::span(rows).subspan(i * dimension, dimension));
  return rows;
}

// `count` vectors with the ids 3, 5, 7, ...
std::shared_ptr<const VectorIndex> random_index(std::size_t count, std::size_t dimension,
                                                bool with_lists, std::uint64_t generation = 7) {
  VectorIndexBuilder builder("model-1", dimension);
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(static_cast<std::int64_t>(2 * i + 3));
  const std::string codes = encode_vectors(random_floats(count, dimension, 1), dimension).value();
  EXPECT_TRUE(builder.add(ids, codes).ok());
  if (with_lists) {
    EXPECT_TRUE(builder.train(1).ok());
  }
  return std::move(builder).freeze(generation);
}

// Equal except for the order of nearly equal scores.
void expect_same_hits(const std::vector<VectorHit>& ours, const std::vector<VectorHit>& theirs) {
  constexpr float kTie = 1e-4F;
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i].score, theirs[i].score, kTie) << i;
    if (ours[i].id == theirs[i].id) continue;
    const bool is_tie = std::any_of(theirs.begin(), theirs.end(), [&](const VectorHit& hit) {
      return hit.id == ours[i].id && std::fabs(hit.score - ours[i].score) < kTie;
    });
    EXPECT_TRUE(is_tie || ours[i].score - ours.back().score < kTie) << i;
  }
}

class FaissFile : public ::testing::TestWithParam<bool> {
 protected:
  fs::path path() const { return folder_.path() / "vectors.faiss"; }

  Result<std::shared_ptr<const VectorIndex>> load(const VectorFiles& files) {
    files.write(path());
    return VectorIndex::load(path());
  }

  testing::TemporaryDirectory folder_;
};
INSTANTIATE_TEST_SUITE_P(FlatAndLists, FaissFile, ::testing::Bool());

TEST_P(FaissFile, IsReadByFaissWhichFindsTheSame) {
  for (const std::size_t dimension : {1U, 5U, 37U, 128U}) {
    const auto index = random_index(900, dimension, GetParam());
    ASSERT_TRUE(index->save(path()).ok());
    const std::unique_ptr<faiss::Index> theirs(faiss::read_index(path().c_str()));
    EXPECT_EQ(theirs->ntotal, 900);
    EXPECT_EQ(theirs->d, static_cast<int>(dimension));
    EXPECT_EQ(theirs->metric_type, faiss::METRIC_INNER_PRODUCT);
    if (auto* const lists = dynamic_cast<faiss::IndexIVFScalarQuantizer*>(theirs.get())) {
      EXPECT_TRUE(GetParam());
      EXPECT_EQ(lists->nlist, index->list_count());
      lists->nprobe = lists->nlist;
    } else {
      const auto* const map = dynamic_cast<const faiss::IndexIDMap*>(theirs.get());
      ASSERT_TRUE(!GetParam() && map != nullptr);
      const auto* const flat = dynamic_cast<const faiss::IndexScalarQuantizer*>(map->index);
      ASSERT_NE(flat, nullptr);
      const std::string codes = encode_vectors(random_floats(900, dimension, 1), dimension).value();
      EXPECT_EQ(std::string(flat->codes.begin(), flat->codes.end()), codes);
    }
    const auto loaded = VectorIndex::load(path()).value();
    for (unsigned seed = 50; seed < 60; ++seed) {
      const std::vector<float> query = random_floats(1, dimension, seed);
      std::vector<float> scores(20);
      std::vector<faiss::Index::idx_t> ids(20);
      theirs->search(1, query.data(), 20, scores.data(), ids.data());
      std::vector<VectorHit> hits;
      for (std::size_t i = 0; i < ids.size(); ++i) hits.push_back({ids[i], scores[i]});
      const auto all = loaded->score_all(query).value();
      std::vector<VectorHit> ours = all;
      std::stable_sort(ours.begin(), ours.end(),
                       [](const auto& a, const auto& b) { return a.score > b.score; });
      ours.resize(20);
      expect_same_hits(ours, hits);
      expect_same_hits(
          ours, search_with_faiss(VectorFiles::read(path()).faiss, query, 20).value().front());
    }
  }
}

TEST_P(FaissFile, IsWhatFaissWritesOfIt) {
  const auto index = random_index(500, 16, GetParam());
  ASSERT_TRUE(index->save(path()).ok());
  const std::unique_ptr<faiss::Index> theirs(faiss::read_index(path().c_str()));
  const fs::path again = folder_.path() / "again";
  faiss::write_index(theirs.get(), again.c_str());
  EXPECT_TRUE(read_file(path()).value() == read_file(again).value());
}

TEST_P(FaissFile, GivesTheSameBitsAsMemory) {
  const auto index = random_index(3000, 37, GetParam());
  ASSERT_TRUE(index->save(path()).ok());
  const auto loaded = VectorIndex::load(path()).value();
  EXPECT_EQ(loaded->model_id(), "model-1");
  EXPECT_EQ(loaded->generation(), 7U);
  EXPECT_EQ(loaded->ids(), index->ids());
  EXPECT_EQ(loaded->list_count(), index->list_count());
  for (unsigned seed = 50; seed < 60; ++seed) {
    const std::vector<float> query = random_floats(1, 37, seed);
    const auto same = [](const auto& a, const auto& b) {
      return a.size() == b.size() &&
             std::equal(a.begin(), a.end(), b.begin(), [](VectorHit x, VectorHit y) {
               return x.id == y.id && x.score == y.score;
             });
    };
    EXPECT_TRUE(same(loaded->search(query, 10).value(), index->search(query, 10).value()));
    EXPECT_TRUE(same(loaded->score_all(query).value(), index->score_all(query).value()));
    EXPECT_TRUE(
        same(loaded->score_near(query, 300).value(), index->score_near(query, 300).value()));
  }
  const VectorFiles files = VectorFiles::read(path());
  ASSERT_TRUE(loaded->save(path()).ok());
  EXPECT_TRUE(VectorFiles::read(path()).faiss == files.faiss);
  EXPECT_TRUE(VectorFiles::read(path()).side == files.side);
}

TEST_P(FaissFile, SaysWhatItIs) {
  ASSERT_TRUE(random_index(100, 4, GetParam(), 9)->save(path()).ok());
  const auto head = VectorIndex::load_head(path()).value();
  EXPECT_EQ(head.model_id, "model-1");
  EXPECT_EQ(head.generation, 9U);
  EXPECT_EQ(head.kind.vectors, 100U);
  EXPECT_EQ(head.kind.dimension, 4U);
  EXPECT_EQ(head.kind.type(),
            GetParam() ? "IVF10,SQ8 (inner product)" : "IDMap,SQ8 (flat, inner product)");
  EXPECT_EQ(VectorIndex::load(path()).value()->kind().type(), head.kind.type());
}

// Most lists empty: FAISS writes them in another form.
TEST_F(FaissFile, MayHaveEmptyLists) {
  for (const std::size_t count : {1U, 2U, 100U}) {
    VectorIndexBuilder builder("model-1", 3);
    std::vector<std::int64_t> ids;
    for (std::size_t i = 1; i <= count; ++i) ids.push_back(static_cast<std::int64_t>(i));
    ASSERT_TRUE(builder.add(ids, std::string(count * 3, '\x85')).ok());
    ASSERT_TRUE(builder.train(1).ok());
    const auto index = std::move(builder).freeze(1);
    ASSERT_TRUE(index->save(path()).ok());
    const auto loaded = VectorIndex::load(path());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message();
    EXPECT_EQ((*loaded)->ids(), ids);
    EXPECT_EQ((*loaded)->search(std::vector<float>(3, 0.1F), 200)->size(), count);
    for (const std::int64_t id : ids) EXPECT_TRUE((*loaded)->contains(id));
  }
}

TEST_F(FaissFile, OutlivesItsReplacement) {
  ASSERT_TRUE(random_index(400, 16, false)->save(path()).ok());
  const auto old = VectorIndex::load(path()).value();
  ASSERT_TRUE(random_index(3, 16, false)->save(path()).ok());
  EXPECT_TRUE(old->is_whole());
  EXPECT_EQ(old->score_all(random_floats(1, 16, 2))->size(), 400U);
}

TEST_F(FaissFile, ThatIsCutWhileItIsMappedIsAnError) {
  ASSERT_TRUE(random_index(4000, 16, false)->save(path()).ok());
  const auto index = VectorIndex::load(path()).value();
  fs::resize_file(path(), 5000);
  EXPECT_FALSE(index->is_whole());
  const std::vector<float> query = random_floats(1, 16, 2);
  EXPECT_EQ(index->search(query, 3).error().code(), ErrorCode::kIo);
  EXPECT_EQ(index->score_all(query).error().code(), ErrorCode::kIo);
  EXPECT_FALSE(index->save(folder_.path() / "elsewhere").ok());
}

TEST_P(FaissFile, IsForItsUserAlone) {
  ASSERT_TRUE(random_index(40, 4, GetParam())->save(path()).ok());
  for (const fs::path& file : {path(), VectorIndex::side_path(path())}) {
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  ASSERT_TRUE(VectorIndex::remove_files(path()).ok());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  EXPECT_TRUE(VectorIndex::remove_files(path()).ok()) << "nothing there";
}

// The remains of a kill: before the renames nothing has changed, except that the side file is
// missing.
TEST_P(FaissFile, IsNoIndexWithoutItsSideFileOrWithAnothers) {
  ASSERT_TRUE(random_index(40, 4, GetParam(), 1)->save(path()).ok());
  const VectorFiles before = VectorFiles::read(path());
  ASSERT_TRUE(random_index(40, 4, GetParam(), 2)->save(path()).ok());
  const VectorFiles same_vectors = VectorFiles::read(path());
  ASSERT_TRUE(random_index(41, 4, GetParam(), 3)->save(path()).ok());
  const VectorFiles after = VectorFiles::read(path());

  EXPECT_EQ(load({after.faiss, before.side}).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(load({before.faiss, after.side}).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(VectorIndex::load_head(path()).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(load({before.faiss, same_vectors.side}).value()->generation(), 2U) << "the same bytes";
  fs::remove(VectorIndex::side_path(path()));
  EXPECT_EQ(VectorIndex::load(path()).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(VectorIndex::load_head(path()).error().code(), ErrorCode::kNotFound);
  before.write(path());
  fs::remove(path());
  EXPECT_EQ(VectorIndex::load(path()).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(VectorIndex::load_head(path()).error().code(), ErrorCode::kNotFound);
}

TEST_F(FaissFile, OfAnEarlierProgramIsNoIndex) {
  std::string old = "CXVI";
  old += std::string(200, '\3');
  VectorFiles{old, ""}.write(path());
  fs::remove(VectorIndex::side_path(path()));
  EXPECT_EQ(VectorIndex::load(path()).error().code(), ErrorCode::kNotFound);
}

class DamagedFaissFile : public FaissFile {
 protected:
  void SetUp() override {
    ASSERT_TRUE(random_index(40, 5, GetParam())->save(path()).ok());
    good_ = VectorFiles::read(path());
  }

  // Loads the files, and uses what loads.
  Result<std::shared_ptr<const VectorIndex>> use(const VectorFiles& files) {
    auto index = load(files);
    if (!index.ok()) {
      EXPECT_THAT(index.error().code(), AnyOf(ErrorCode::kCorrupt, ErrorCode::kUnsupported));
      EXPECT_THAT(index.error().message(), HasSubstr("vectors.faiss"));
      return index;
    }
    const VectorIndex& loaded = **index;
    const std::vector<float> query(loaded.dimension(), 0.5F);
    EXPECT_EQ(loaded.search(query, 1000)->size(), loaded.size());
    EXPECT_LE(loaded.search(query, 3)->size(), 3U);
    EXPECT_EQ(loaded.score_ids(query, loaded.ids())->size(), loaded.size());
    EXPECT_EQ(loaded.score_all(query)->size(), loaded.size());
    EXPECT_GE(loaded.score_near(query, 4)->size(), std::min<std::size_t>(4, loaded.size()));
    static_cast<void>(loaded.wants_training(1));
    EXPECT_TRUE(search_with_faiss(files.faiss, query, 3).ok()) << "FAISS gets what we accept";
    if (++used_ % 8 != 0) return index;
    VectorIndexBuilder builder(loaded);
    std::vector<std::int64_t> ids;
    for (std::int64_t id = 1000; id < 6000; ++id) ids.push_back(id);
    const std::size_t known = loaded.score_ids(query, ids)->size();
    EXPECT_TRUE(builder.add(ids, std::string(ids.size() * loaded.dimension(), 'x')).ok());
    EXPECT_EQ(std::move(builder).freeze(2)->size(), loaded.size() + ids.size() - known);
    return index;
  }

  template <typename T>
  VectorFiles with(std::string VectorFiles::*which, std::size_t at, T value) {
    VectorFiles files = good_;
    VectorFiles::put(&(files.*which), at, value);
    files.seal();
    return files;
  }

  static constexpr auto kFaiss = &VectorFiles::faiss;
  static constexpr auto kSide = &VectorFiles::side;

  VectorFiles good_;
  int used_ = 0;
};
INSTANTIATE_TEST_SUITE_P(FlatAndLists, DamagedFaissFile, ::testing::Bool());

TEST_P(DamagedFaissFile, IsAnErrorWhereverItIsCut) {
  ASSERT_TRUE(use(good_).ok());
  for (std::string VectorFiles::*const which : {kFaiss, kSide}) {
    for (std::size_t size = 0; size < (good_.*which).size(); ++size) {
      VectorFiles files = good_;
      (files.*which).resize(size);
      EXPECT_FALSE(use(files).ok()) << size;
      files.seal();
      EXPECT_FALSE(use(files).ok()) << size << ", sealed";
    }
    VectorFiles files = good_;
    (files.*which) += "x";
    EXPECT_FALSE(use(files).ok());
    files.seal();
    EXPECT_FALSE(use(files).ok());
  }
}

TEST_P(DamagedFaissFile, IsAnErrorWhicheverByteChanged) {
  for (std::string VectorFiles::*const which : {kFaiss, kSide}) {
    for (std::size_t at = 0; at < (good_.*which).size(); ++at) {
      VectorFiles files = good_;
      (files.*which)[at] = static_cast<char>((files.*which)[at] ^ (1 << (at % 8)));
      EXPECT_FALSE(use(files).ok()) << at;
      files.seal();
      static_cast<void>(use(files).ok());
    }
  }
}

TEST_P(DamagedFaissFile, ThatIsSomethingElseIsAnError) {
  for (const std::string& bytes :
       {std::string(), std::string(4096, '\0'), "SQLite format 3" + std::string(4096, 'x')}) {
    EXPECT_FALSE(use({bytes, good_.side}).ok());
    EXPECT_FALSE(use({good_.faiss, bytes}).ok());
    VectorFiles files{bytes, good_.side};
    files.seal();
    EXPECT_FALSE(use(files).ok());
  }
}

// Every number at every place of the headers.
TEST_P(DamagedFaissFile, WithOtherNumbersIsAnErrorOrUsable) {
  for (std::size_t at = 0; at < std::min<std::size_t>(good_.faiss.size(), 400); ++at) {
    for (const std::uint64_t number : {0ULL, 41ULL, 1ULL << 32, ~0ULL >> 1U}) {
      static_cast<void>(use(with(kFaiss, at, number)).ok());
    }
  }
  for (const std::uint64_t count : {0ULL, 39ULL, 41ULL, 1ULL << 34, 1ULL << 61, ~0ULL}) {
    EXPECT_FALSE(use(with(kFaiss, 8, count)).ok()) << count;
    EXPECT_FALSE(use(with(kSide, VectorFiles::kVectors, count)).ok()) << count;
  }
  for (const std::uint32_t dimension : {0U, 4U, 6U, 65537U, ~0U}) {
    EXPECT_FALSE(use(with(kFaiss, 4, dimension)).ok()) << dimension;
    EXPECT_FALSE(use(with(kSide, VectorFiles::kDimension, dimension)).ok()) << dimension;
  }
  for (const std::uint32_t lists : {1U, 5U, 7U, 65535U, 65536U, ~0U}) {
    EXPECT_FALSE(use(with(kSide, VectorFiles::kLists, lists)).ok()) << lists;
  }
  EXPECT_FALSE(use(with(kSide, VectorFiles::kModelBytes, ~0U)).ok());
  EXPECT_EQ(use(with(kSide, VectorFiles::kFormat, 2U)).error().code(), ErrorCode::kUnsupported);
}

// As a machine of the other kind would write it.
TEST_P(DamagedFaissFile, OfAForeignMachineIsAnError) {
  VectorFiles files = good_;
  const auto swap_at = [&](std::size_t at, std::size_t size) {
    std::reverse(files.faiss.begin() + static_cast<std::ptrdiff_t>(at),
                 files.faiss.begin() + static_cast<std::ptrdiff_t>(at + size));
  };
  swap_at(4, 4);
  swap_at(8, 8);
  files.seal();
  EXPECT_FALSE(use(files).ok());
  const std::size_t side = VectorFiles::kSummedFrom;
  std::reverse(files.side.begin() + static_cast<std::ptrdiff_t>(side), files.side.end());
  EXPECT_FALSE(use(files).ok());
}

TEST_P(DamagedFaissFile, WithRandomNumbersIsAnErrorOrUsable) {
  std::mt19937 random(17);
  for (int round = 0; round < 400; ++round) {
    const auto which = round % 2 == 0 ? kFaiss : kSide;
    const std::size_t at = random() % (good_.*which).size();
    static_cast<void>(use(with(which, at, static_cast<std::uint32_t>(random()))).ok());
  }
}

TEST_P(DamagedFaissFile, WithIdsThatDoNotAscendIsAnError) {
  const std::size_t ids =
      GetParam() ? good_.faiss.size() - 8 : good_.faiss.size() - 40 * 8;  // the last, the first
  EXPECT_FALSE(use(with(kFaiss, ids, std::int64_t{0})).ok());
  EXPECT_FALSE(use(with(kFaiss, ids, std::int64_t{-5})).ok());
  EXPECT_FALSE(use(with(kFaiss, ids, std::numeric_limits<std::int64_t>::max())).ok() &&
               !GetParam());
  EXPECT_FALSE(use(with(kFaiss, ids, VectorFiles::get<std::int64_t>(good_.faiss, ids - 16))).ok() &&
               GetParam());
}

TEST_F(FaissFile, WithAnotherSideFileItIsAnErrorOrUsable) {
  ASSERT_TRUE(random_index(40, 5, true)->save(path()).ok());
  const VectorFiles good = VectorFiles::read(path());
  const std::size_t lists = VectorFiles::kModel + 7;
  const auto with = [&](std::size_t at, auto value) {
    VectorFiles files = good;
    VectorFiles::put(&files.side, at, value);
    files.seal();
    return load(files);
  };
  for (const std::uint32_t patience : {0U, 5U, ~0U}) {
    EXPECT_TRUE(with(lists, patience).ok()) << patience;
  }
  for (const std::size_t at : {4U, 28U}) {  // what was trained and what was added
    EXPECT_FALSE(with(lists + at, ~std::uint64_t{0}).ok());
    EXPECT_FALSE(with(lists + at + 8, std::numeric_limits<std::int64_t>::max()).ok());
    EXPECT_FALSE(with(lists + at + 8, std::numeric_limits<std::int64_t>::min()).ok());
  }
  EXPECT_TRUE(with(lists + 20, ~std::uint64_t{0}).ok());
  const std::size_t list_of = lists + 44;
  EXPECT_FALSE(with(list_of, std::uint16_t{6}).ok()) << "a list there is not";
  const auto first = VectorFiles::get<std::uint16_t>(good.side, list_of);
  EXPECT_FALSE(with(list_of, static_cast<std::uint16_t>(first == 0 ? 1 : 0)).ok())
      << "another list";
}

}  // namespace
}  // namespace codexmem::embed

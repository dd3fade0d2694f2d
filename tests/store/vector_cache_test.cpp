#include "store/code/vector_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

class VectorCacheTest : public ::testing::Test {
 protected:
  VectorCache open() { return VectorCache::open(path_).value(); }

  testing::TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "embeddings.db";
};

TEST_F(VectorCacheTest, KeepsVectorsByModelDimensionAndText) {
  {
    VectorCache cache = open();
    const ModelId model = cache.put_model("m", 2).value();
    EXPECT_EQ(cache.put_model("m", 2).value(), model);
    const std::vector<TextVector> rows = {{text_key("a"), "xy"}, {text_key("b"), "zw"}};
    ASSERT_TRUE(cache.put(model, rows).ok());
    ASSERT_TRUE(cache.put(model, rows).ok());
    EXPECT_EQ(cache.count(model).value(), 2);
  }
  VectorCache cache = open();
  EXPECT_EQ(cache.find_dimension("m").value(), 2U);
  EXPECT_EQ(cache.find_dimension("other").value(), 0U);
  const ModelId model = cache.put_model("m", 2).value();
  EXPECT_EQ(cache.find(model, text_key("a")).value(), "xy");
  EXPECT_EQ(cache.find(model, text_key("c")).value(), std::nullopt);
  const ModelId longer = cache.put_model("m", 3).value();
  EXPECT_NE(longer, model);
  EXPECT_EQ(cache.find(longer, text_key("a")).value(), std::nullopt);
  EXPECT_EQ(cache.find_dimension("m").value(), 3U);
}

TEST_F(VectorCacheTest, KeysAreSixteenBytesOfTheHash) {
  EXPECT_EQ(text_key("").size(), 16U);
  EXPECT_EQ(text_key("")[0], '\xE3');
  EXPECT_EQ(text_key("")[15], '\x24');
  EXPECT_NE(text_key("a"), text_key("b"));
}

TEST_F(VectorCacheTest, TrimsTheOlderHalfOfUnusedTexts) {
  VectorCache cache = open();
  const ModelId model = cache.put_model("m", 1).value();
  std::unordered_set<std::string> live;
  for (int i = 0; i < 10; ++i) {
    const std::string key = text_key(std::to_string(i));
    ASSERT_TRUE(cache.put(model, std::vector<TextVector>{{key, "x"}}).ok());
    if (i % 2 == 0) live.insert(key);
  }
  EXPECT_EQ(cache.trim(model, live).value(), 2U);
  EXPECT_EQ(cache.count(model).value(), 8);
  EXPECT_FALSE(cache.find(model, text_key("1")).value());
  EXPECT_FALSE(cache.find(model, text_key("3")).value());
  EXPECT_TRUE(cache.find(model, text_key("0")).value());
  EXPECT_TRUE(cache.find(model, text_key("5")).value());
}

TEST_F(VectorCacheTest, RemovesOtherModels) {
  VectorCache cache = open();
  const ModelId old = cache.put_model("old", 1).value(), kept = cache.put_model("new", 1).value();
  for (const ModelId model : {old, kept}) {
    ASSERT_TRUE(cache.put(model, std::vector<TextVector>{{text_key("a"), "x"}}).ok());
  }
  ASSERT_TRUE(cache.remove_others(kept).ok());
  EXPECT_EQ(cache.count(old).value(), 0);
  EXPECT_EQ(cache.count(kept).value(), 1);
  EXPECT_EQ(cache.find_dimension("old").value(), 0U);
}

TEST_F(VectorCacheTest, NotesProgressForOthersToRead) {
  EXPECT_FALSE(VectorCache::read_progress(path_).has_value());
  EXPECT_FALSE(std::filesystem::exists(path_));
  VectorCache cache = open();
  EXPECT_FALSE(VectorCache::read_progress(path_).has_value());
  ASSERT_TRUE(cache.put_progress({"m", 1, 9, "refused"}).ok());
  ASSERT_TRUE(cache.put_progress({"m", 2, 9, ""}).ok());
  const auto read = VectorCache::read_progress(path_);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->model, "m");
  EXPECT_EQ(read->files_done, 2);
  EXPECT_EQ(read->files_total, 9);
  EXPECT_EQ(read->error, "");
}

TEST_F(VectorCacheTest, ADamagedOneIsRebuilt) {
  { open(); }
  std::ofstream(path_, std::ios::trunc) << std::string(8192, 'x');
  VectorCache cache = open();
  EXPECT_EQ(cache.find_dimension("m").value(), 0U);
  EXPECT_TRUE(cache.put_model("m", 4).ok());
}

}  // namespace
}  // namespace codexmem::store

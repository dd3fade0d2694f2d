#include "search/vectors.h"

#include <gtest/gtest.h>

#include <fstream>

#include "search/small_index.h"

namespace codexmem::search {
namespace {

using embed::VectorIndex;

class VectorsTest : public ::testing::Test {
 protected:
  std::shared_ptr<const VectorIndex> current(
      std::shared_ptr<const VectorIndex> previous = nullptr) {
    auto reader = index_.workspace().reader().value();
    const auto model_id = embed::StaticModel::built_in().value()->id();
    const auto model = reader->find_model(model_id).value().value();
    return current_vectors(*reader, model, index_.workspace().vectors_path(), std::move(previous))
        .value();
  }

  static std::vector<SmallFile> two() {
    return {{"a.py", "connect to a socket\n\nread a file"}, {"b.py", "render a template"}};
  }

  SmallIndex index_;
};

TEST_F(VectorsTest, WithoutAFileTheyComeFromTheStore) {
  index_.add(two(), true);
  EXPECT_EQ(current()->size(), 5U) << "three chunks, two files";
}

TEST_F(VectorsTest, AFileThatFitsIsUsedAndCaughtUp) {
  index_.add(two(), true);
  ASSERT_TRUE(current()->save(index_.workspace().vectors_path()).ok());
  EXPECT_EQ(current()->size(), 5U);
  index_.add({{"c.py", "parse a header"}}, true);
  const auto later = current();
  EXPECT_EQ(later->size(), 7U);
  EXPECT_EQ(later->generation(), 2U);
  EXPECT_EQ(later->ids(), current(current())->ids());
}

TEST_F(VectorsTest, ADamagedFileIsNotUsed) {
  index_.add(two(), true);
  std::ofstream(index_.workspace().vectors_path()) << "no index";
  EXPECT_EQ(current()->size(), 5U);
}

TEST_F(VectorsTest, VectorsOfRewrittenAndRemovedFilesGo) {
  index_.add(two(), true);
  auto before = current();
  index_.replace(two()[0], {"a.py", "something else"});
  before = current(before);
  EXPECT_EQ(before->size(), 2U) << "a.py was written without vectors";
  index_.remove(two()[1]);
  EXPECT_EQ(current(before)->size(), 0U);
}

TEST_F(VectorsTest, VectorsMadeAnewReplaceWhatWasKept) {
  index_.add(two(), true);
  const auto before = current();
  ASSERT_TRUE(before->save(index_.workspace().vectors_path()).ok());
  // The same vectors count as new ones: what is kept is of the generation before them.
  ASSERT_TRUE(index_.writer().begin_generation().ok());
  ASSERT_TRUE(index_.writer().put_meta("vectors_generation", "2").ok());
  const auto after = current(before);
  EXPECT_NE(after, before);
  EXPECT_EQ(after->generation(), 2U);
  EXPECT_EQ(after->size(), 5U);
}

TEST_F(VectorsTest, SavingBringsTheFileUpToDate) {
  const std::string model = embed::StaticModel::built_in().value()->id();
  const auto path = index_.workspace().vectors_path();
  ASSERT_TRUE(save_vectors(index_.workspace(), model).ok());
  EXPECT_FALSE(std::filesystem::exists(path)) << "there are none";
  index_.add(two(), true);
  ASSERT_TRUE(save_vectors(index_.workspace(), model).ok());
  EXPECT_EQ(VectorIndex::load(path).value()->size(), 5U);
  index_.remove(two()[1]);
  ASSERT_TRUE(save_vectors(index_.workspace(), model).ok());
  EXPECT_EQ(VectorIndex::load(path).value()->size(), 3U);
  EXPECT_EQ(VectorIndex::load(path).value()->generation(), 2U);
  index_.remove(two()[0]);
  ASSERT_TRUE(save_vectors(index_.workspace(), model).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(VectorsTest, AFileOfAnotherStoreIsNotUsed) {
  SmallIndex other;
  other.add({{"x.py", "one\n\ntwo\n\nthree\n\nfour"}}, true);
  index_.add(two(), true);
  {
    auto reader = other.workspace().reader().value();
    const auto model_id = embed::StaticModel::built_in().value()->id();
    const auto model = reader->find_model(model_id).value().value();
    const auto foreign =
        current_vectors(*reader, model, other.workspace().vectors_path(), nullptr).value();
    ASSERT_TRUE(foreign->save(index_.workspace().vectors_path()).ok());
  }
  index_.remove(two()[1]);
  EXPECT_EQ(current()->size(), 3U);
}

}  // namespace
}  // namespace codexmem::search

#include "embed/vector_snapshot.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "search/small_index.h"
#include "store/code_vectors.h"
#include "store/code/seal.h"

namespace codexmem::embed {
namespace {

using search::SmallFile;
using search::SmallIndex;

// As a search asks for them, and as the end of an index run saves them.
std::shared_ptr<const VectorIndex> current_of(SmallIndex& index,
                                              std::shared_ptr<const VectorIndex> previous,
                                              std::size_t least_components) {
  auto reader = index.workspace().reader().value();
  const auto model = reader->find_model(StaticModel::built_in().value()->id()).value().value();
  const auto rows = store::code_vector_rows(*reader, model).value();
  return current_vectors(*rows, index.workspace().vectors_path(), std::move(previous),
                         least_components)
      .value();
}

Result<void> save(SmallIndex& index, std::size_t least_components = kRankedListComponents) {
  auto reader = index.workspace().reader().value();
  const auto model = reader->find_model(StaticModel::built_in().value()->id()).value();
  std::unique_ptr<store::VectorRowSource> rows;
  if (model) rows = store::code_vector_rows(*reader, *model).value();
  return update_vector_file(rows.get(), index.workspace().vectors_path(), least_components);
}

class VectorSnapshotTest : public ::testing::Test {
 protected:
  std::shared_ptr<const VectorIndex> current(std::shared_ptr<const VectorIndex> previous = nullptr,
                                             std::size_t least_components = kRankedListComponents) {
    return current_of(index_, std::move(previous), least_components);
  }

  // Leaves `vectors` as an index run does.
  void leave(const VectorIndex& vectors) {
    ASSERT_TRUE(vectors.save(index_.workspace().vectors_path()).ok());
    seal();
    ASSERT_TRUE(index_.writer()
                    .put_meta(store::kVectorsFileKey, std::to_string(vectors.generation()))
                    .ok());
  }

  // Makes both files ones that are read.
  void seal() {
    const std::filesystem::path path = index_.workspace().vectors_path();
    for (const std::filesystem::path& file : {path, VectorIndex::side_path(path)}) {
      ASSERT_TRUE(store::seal_file(file).ok());
    }
  }

  std::uint64_t generation() {
    auto reader = index_.workspace().reader().value();
    return static_cast<std::uint64_t>(reader->generation().value());
  }

  static std::vector<SmallFile> two() {
    return {{"a.py", "connect to a socket\n\nread a file"}, {"b.py", "render a template"}};
  }

  SmallIndex index_;
};

TEST_F(VectorSnapshotTest, WithoutAFileTheyComeFromTheStore) {
  index_.add(two(), true);
  EXPECT_EQ(current()->size(), 5U) << "three chunks, two files";
}

TEST_F(VectorSnapshotTest, AFileThatFitsIsUsedAndCaughtUp) {
  index_.add(two(), true);
  leave(*current());
  EXPECT_EQ(current()->size(), 5U);
  index_.add({{"c.py", "parse a header"}}, true);
  const auto later = current();
  EXPECT_EQ(later->size(), 7U);
  EXPECT_EQ(later->generation(), generation());
  EXPECT_EQ(later->ids(), current(current())->ids());
}

TEST_F(VectorSnapshotTest, ADamagedFileIsNotUsed) {
  index_.add(two(), true);
  const std::filesystem::path path = index_.workspace().vectors_path();
  for (const std::filesystem::path& file : {path, VectorIndex::side_path(path)}) {
    leave(*current());
    EXPECT_TRUE(std::filesystem::exists(file));
    std::ofstream(file) << "no index";
    EXPECT_EQ(current()->size(), 5U);
    EXPECT_FALSE(std::filesystem::exists(path)) << "to be made anew";
    EXPECT_FALSE(std::filesystem::exists(VectorIndex::side_path(path)));
  }
}

TEST_F(VectorSnapshotTest, AFileOfAnotherStateOfTheStoreIsNotUsed) {
  index_.add(two(), true);
  const auto early = current();
  index_.replace(two()[0], {"a.py", "something else"});
  index_.add({{"a2.py", "another"}}, true);
  leave(*current());
  const auto now = current()->ids();
  // A file that was copied back: it would be caught up with, but the store left another.
  ASSERT_TRUE(early->save(index_.workspace().vectors_path()).ok());
  seal();
  EXPECT_EQ(current()->ids(), now);
  // One from later than the store, which was put back.
  VectorIndexBuilder builder(*early);
  const auto late = std::move(builder).freeze(generation() + 5);
  ASSERT_TRUE(late->save(index_.workspace().vectors_path()).ok());
  seal();
  EXPECT_EQ(current()->ids(), now);
}

TEST_F(VectorSnapshotTest, NoFlippedByteOrCutGivesOtherVectors) {
  index_.add(two(), true);
  leave(*current());
  const auto path = index_.workspace().vectors_path();
  const std::string whole = read_file(path).value();
  const auto ids = current()->ids();
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    if (at % 2 == 1) bytes.resize(at);
    ASSERT_TRUE(replace_file(path, bytes).ok());
    EXPECT_FALSE(VectorIndex::load(path).ok()) << at;
  }
  EXPECT_EQ(current()->ids(), ids);
}

TEST_F(VectorSnapshotTest, VectorsOfRewrittenAndRemovedFilesGo) {
  index_.add(two(), true);
  auto before = current();
  index_.replace(two()[0], {"a.py", "something else"});
  before = current(before);
  EXPECT_EQ(before->size(), 2U) << "a.py was written without vectors";
  index_.remove(two()[1]);
  EXPECT_EQ(current(before)->size(), 0U);
}

TEST_F(VectorSnapshotTest, RebuiltVectorsReplaceTheKeptOnes) {
  index_.add(two(), true);
  const auto before = current();
  leave(*before);
  // The same vectors count as new ones: the kept index has an older generation.
  ASSERT_TRUE(index_.writer().begin_generation().ok());
  ASSERT_TRUE(index_.writer().put_meta("vectors_generation", std::to_string(generation())).ok());
  const auto after = current(before);
  EXPECT_NE(after, before);
  EXPECT_EQ(after->generation(), generation());
  EXPECT_EQ(after->size(), 5U);
}

TEST_F(VectorSnapshotTest, SavingBringsTheFileUpToDate) {
  const auto path = index_.workspace().vectors_path();
  ASSERT_TRUE(save(index_).ok());
  EXPECT_FALSE(std::filesystem::exists(path)) << "there are none";
  index_.add(two(), true);
  ASSERT_TRUE(save(index_).ok());
  EXPECT_EQ(VectorIndex::load(path).value()->size(), 5U);
  index_.remove(two()[1]);
  ASSERT_TRUE(save(index_).ok());
  EXPECT_EQ(VectorIndex::load(path).value()->size(), 3U);
  EXPECT_EQ(VectorIndex::load(path).value()->generation(), generation());
  index_.remove(two()[0]);
  ASSERT_TRUE(save(index_).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(VectorSnapshotTest, ManyAreDividedIntoListsWhenTheyAreSaved) {
  const auto path = index_.workspace().vectors_path();
  index_.add(two(), true);
  const auto before = current(nullptr, 1);
  EXPECT_EQ(before->list_count(), 0U) << "a search does not wait for it";
  ASSERT_TRUE(save(index_).ok());
  EXPECT_EQ(VectorIndex::load(path).value()->list_count(), 0U) << "too few";
  ASSERT_TRUE(save(index_, 1).ok());
  const auto saved = VectorIndex::load(path).value();
  EXPECT_GT(saved->list_count(), 0U);
  EXPECT_EQ(saved->generation(), generation());
  EXPECT_EQ(saved->ids(), before->ids());
  ASSERT_TRUE(
      index_.writer().put_meta(store::kVectorsFileKey, std::to_string(saved->generation())).ok());
  // Whoever searched all along takes the lists with the next change.
  index_.add({{"c.py", "parse a header"}}, true);
  const auto after = current(before, 1);
  EXPECT_EQ(after->list_count(), saved->list_count());
  EXPECT_EQ(after->size(), 7U);
  // A damaged file is rebuilt, including its lists.
  const auto ids = after->ids();
  std::ofstream(path) << "no index";
  EXPECT_FALSE(after->is_whole());
  EXPECT_EQ(current(after, 1)->ids(), ids) << "what is cut is not gone on with";
  EXPECT_EQ(current(nullptr, 1)->ids(), ids);
  ASSERT_TRUE(save(index_, 1).ok());
  EXPECT_GT(VectorIndex::load(path).value()->list_count(), 0U);
}

TEST_F(VectorSnapshotTest, AFileOfAnotherStoreIsNotUsed) {
  SmallIndex other;
  other.add({{"x.py", "one\n\ntwo\n\nthree\n\nfour"}}, true);
  index_.add(two(), true);
  {
    const auto foreign = current_of(other, nullptr, kRankedListComponents);
    ASSERT_TRUE(foreign->save(index_.workspace().vectors_path()).ok());
    seal();
  }
  index_.remove(two()[1]);
  EXPECT_EQ(current()->size(), 3U);
}

}  // namespace
}  // namespace codexmem::embed

#include "graph/imports/folder_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FolderLayers, WithoutImportsThereAreNone) {
  const FolderLayers found = find_folder_layers(3, {});
  EXPECT_THAT(found.layers, IsEmpty());
  EXPECT_THAT(found.cycles, IsEmpty());
}

TEST(FolderLayers, AFolderIsAboveTheHighestThatItImports) {
  // 0 -> 1 -> 2, 0 -> 2, 3 -> 2; 4 has no edges.
  const FolderLayers found = find_folder_layers(5, {{0, 1}, {1, 2}, {0, 2}, {3, 2}});
  EXPECT_THAT(found.layers, ElementsAre(ElementsAre(0), ElementsAre(1, 3), ElementsAre(2)));
  EXPECT_THAT(found.cycles, IsEmpty());
  EXPECT_THAT(found.inversions, IsEmpty());
}

TEST(FolderLayers, TheFewImportsAgainstManyAreTheInversion) {
  const FolderLayers found = find_folder_layers(2, {{1, 0, 2}, {0, 1, 20}});
  EXPECT_THAT(found.layers, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(found.inversions, ElementsAre(0));
}

TEST(FolderLayers, OneInversionMayCloseSeveralCycles) {
  // 0 -> 1 -> 2 -> 3 and 3 -> 0 once.
  const FolderLayers found =
      find_folder_layers(4, {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 1}, {1, 3, 9}});
  EXPECT_THAT(found.layers,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(found.inversions, ElementsAre(3));
}

TEST(FolderLayers, CyclesAreTheLargestFirstAndInversionsTheFewestImportsFirst) {
  const FolderLayers found = find_folder_layers(
      6, {{0, 1, 9}, {1, 0, 3}, {2, 3, 9}, {3, 4, 9}, {4, 2, 1}, {1, 2, 5}, {5, 0, 1}});
  EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(2, 3, 4), ElementsAre(0, 1)));
  EXPECT_THAT(found.inversions, ElementsAre(4, 1));
  EXPECT_THAT(found.layers, ElementsAre(ElementsAre(5), ElementsAre(0), ElementsAre(1),
                                        ElementsAre(2), ElementsAre(3), ElementsAre(4)));
}

TEST(FolderLayers, ALongChainNeedsNoDeepStack) {
  std::vector<FolderEdge> edges;
  for (std::uint32_t i = 0; i + 1 < 100'000; ++i) edges.push_back({i, i + 1});
  EXPECT_EQ(find_folder_layers(100'000, edges).layers.size(), 100'000U);
}

}  // namespace
}  // namespace codexmem::graph

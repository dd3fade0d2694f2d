#include "search/scores.h"

#include <gtest/gtest.h>

namespace codexmem::search {
namespace {

TEST(ShownScore, PassesAtTheShareOfTheBestThatCostsLittle) {
  EXPECT_NEAR(shown_score(0.42, {1, 1}), 0.7, 1e-9);
  EXPECT_LT(shown_score(0.419, {1, 1}), 0.7);
  EXPECT_GT(shown_score(1, {1, 1}), 0.78);
}

TEST(ShownScore, RisesWithTheRawScoreAndStaysInBounds) {
  for (const double best : {0.01, 0.3, 0.6, 0.71, 2.0, 50.0}) {
    for (const double known : {0.0, 0.5, 1.0}) {
      double before = 0;
      for (int i = 1; i <= 100; ++i) {
        const double score = shown_score(best * i / 100, {best, known});
        EXPECT_GE(score, before);
        EXPECT_LE(score, 1);
        before = score;
      }
    }
  }
}

TEST(ShownScore, AWeakBestHitStaysBelowTheThreshold) {
  EXPECT_LT(shown_score(0.5, {0.5, 1}), 0.7);
  EXPECT_TRUE(is_weak({0.5, 1}));
  EXPECT_LT(shown_score(1, {1, 0}), 0.7) << "no file has any of the words";
  EXPECT_TRUE(is_weak({1, 0}));
  EXPECT_FALSE(is_weak({1, 1}));
  EXPECT_EQ(shown_score(0, {0, 0}), 0);
}

TEST(HitProbability, FallsWithRankEvidenceAndUnknownWords) {
  const HitEvidence strong{0.6, 0.7, 0.9, 0}, weak{0.1, 0.2, 0.1, 0};
  for (const bool has_vectors : {true, false}) {
    const double best = hit_probability(strong, 1, 1, has_vectors);
    EXPECT_GT(best, 0.6);
    EXPECT_LT(best, 1);
    EXPECT_LT(hit_probability(strong, 2, 1, has_vectors), best);
    EXPECT_LT(hit_probability(weak, 1, 1, has_vectors), best);
    EXPECT_LT(hit_probability(strong, 1, 0.2, has_vectors), best);
    EXPECT_LT(hit_probability(weak, 10, 1, has_vectors), 0.05);
    EXPECT_EQ(hit_probability(strong, 0, 1, has_vectors), 0);
  }
}

}  // namespace
}  // namespace codexmem::search

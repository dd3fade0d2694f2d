#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/text.h"
#include "memory/decisions/decisions.h"
#include "memory/decisions_fixture.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> ids_of(const std::vector<DecisionHit>& hits) {
  std::vector<std::string> ids;
  for (const DecisionHit& hit : hits) ids.push_back(hit.id);
  return ids;
}

// Two dimensions: about storage, about colours.
class TwoTopics final : public embed::Embedder {
 public:
  const std::string& model_id() const override { return id_; }
  std::size_t dimension() const override { return 2; }
  Result<std::vector<float>> embed_query(std::string_view text) const override {
    if (fails_) return Error{ErrorCode::kIo, "the model is away"};
    return vector_of(text);
  }
  Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                             std::stop_token) const override {
    std::vector<float> all;
    for (const std::string_view text : texts) {
      const auto one = vector_of(text);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  bool fails_ = false;

 private:
  // Stored components reach 0.6375 at most.
  static std::vector<float> vector_of(std::string_view text) {
    if (text.find("disk") != std::string_view::npos) return {0.6F, 0.0F};
    if (text.find("green") != std::string_view::npos) return {0.0F, 0.6F};
    return {0.4F, 0.4F};
  }
  std::string id_ = "two-topics";
};

using SearchDecisions = DecisionsTest;

TEST_F(SearchDecisions, ScoresAsTheContractSays) {
  const std::string rationale = "kettle kettle reasons";
  const std::string agents = record(kAgent, about("a", "first", rationale));
  const std::string persons = record(kPerson, about("b", "second", rationale));
  const std::string old = record(kAgent, about("c", "third", rationale));
  const std::string now = supersede(kAgent, about("c", "third", rationale), {old});
  const std::string gone = record(kAgent, about("d", "fourth", rationale));
  ASSERT_TRUE(decisions_->deprecate(kAdmin, gone, "").ok());
  const std::string draft = propose(kAgent, about("e", "fifth", rationale));
  const std::string rejected = propose(kAgent, about("f", "sixth", rationale));
  ASSERT_TRUE(decisions_->reject(kAdmin, rejected, "").ok());

  std::map<std::string, double> score;
  for (const auto& hit : search("kettle", DecisionMode::kAudit, 20)) score[hit.id] = hit.score;
  const double similarity = score[agents] - 1;
  EXPECT_GT(similarity, 0.1);
  EXPECT_LT(similarity, 1);
  const auto near = [](double want) { return ::testing::DoubleNear(want, 1e-4); };
  EXPECT_THAT(score[persons], near(1.1 + similarity));
  EXPECT_THAT(score[now], near(1 + similarity));
  EXPECT_THAT(score[old], near(0.2 * similarity));
  EXPECT_THAT(score[gone], near(0.05 * similarity));
  EXPECT_THAT(score[draft], near(0.4 * similarity));
  EXPECT_THAT(score[rejected], near(0.05 * similarity));
  for (const auto& [id, value] : score) {
    EXPECT_DOUBLE_EQ(value, std::round(value * 10'000) / 10'000) << id;
  }

  EXPECT_THAT(ids_of(search("kettle", DecisionMode::kStrict, 20)),
              ElementsAre(persons, now, agents));  // ties newer first
  EXPECT_THAT(ids_of(search("kettle", DecisionMode::kBalanced, 20)),
              ElementsAre(persons, now, agents, draft, rejected, gone));
}

TEST_F(SearchDecisions, AnOldVersionLeadsToTheEndOfItsChain) {
  const std::string first = record(kAgent, about("db", "Use Postgres", "relational elephants"));
  const std::string second =
      supersede(kAgent, about("db", "Use MySQL", "dolphins are faster"), {first});
  const std::string third =
      supersede(kAgent, about("db", "Use SQLite", "no server is needed"), {second});
  for (const DecisionMode mode : {DecisionMode::kBalanced, DecisionMode::kStrict}) {
    const auto hits = search("elephants", mode);
    ASSERT_THAT(ids_of(hits), ElementsAre(third)) << mode_name(mode);
    EXPECT_GT(hits[0].score, 1);
    EXPECT_EQ(hits[0].status, "active");
  }
  EXPECT_THAT(ids_of(search("elephants", DecisionMode::kAudit)), ElementsAre(third, first));
  ASSERT_TRUE(decisions_->deprecate(kAdmin, third, "").ok());
  const auto ended = search("elephants");
  ASSERT_THAT(ids_of(ended), ElementsAre(third));
  EXPECT_EQ(ended[0].status, "deprecated");
  // Another decision on the target, without a link, is the truth now.
  const std::string fourth = record(kAgent, about("DB", "Use files", "simpler by far"));
  EXPECT_THAT(ids_of(search("elephants")), ElementsAre(fourth));
}

TEST_F(SearchDecisions, AThousandOldVersionsCrowdOutNoActiveOne) {
  quick();
  std::string id = record(kAgent, about("kettle", "kettle", "kettle kettle kettle"));
  for (int i = 0; i < 1'000; ++i) {
    id = supersede(kAgent, about("kettle", "kettle", "kettle kettle kettle"), {id});
  }
  ASSERT_TRUE(decisions_->deprecate(kAdmin, id, "").ok());
  const std::string other =
      record(kAgent, about("tea", "Pots", "a long text in which a kettle is named once"));
  EXPECT_THAT(ids_of(search("kettle", DecisionMode::kStrict, 1)), ElementsAre(other));
  EXPECT_THAT(ids_of(search("kettle", DecisionMode::kBalanced, 2)), ElementsAre(other, id));
  EXPECT_EQ(ids_of(search("kettle", DecisionMode::kAudit, 1))[0], other);
}

TEST_F(SearchDecisions, CoversAllProjectsUnlessOneIsAskedFor) {
  NewDecision other = about("db", "Elsewhere", "kettles are used here");
  other.project = "other";
  const std::string there = record(kAgent, other);
  const std::string here = record(kAgent, about("db", "Here", "kettles are used here"));
  const auto both = search("kettles");
  EXPECT_THAT(ids_of(both), ElementsAre(here, there));
  EXPECT_EQ(both[1].project, "other");
  DecisionSearch one;
  one.query = "kettles";
  one.projects = {"other"};
  EXPECT_THAT(ids_of(decisions_->search(kViewer, one)->hits), ElementsAre(there));
}

TEST_F(SearchDecisions, ComparesMeaningWhenThereAreVectors) {
  const auto model = std::make_shared<TwoTopics>();
  vectors_ = DocumentVectors(model, true);
  const std::string storage =
      record(kAgent, about("storage", "Files", "kept on the disk for years"));
  const std::string colour = record(kAgent, about("colour", "Walls", "green, for it is restful"));
  EXPECT_THAT(ids_of(search("what about the disk-like", DecisionMode::kBalanced, 1)),
              ElementsAre(storage));
  const auto hits = search("greenish", DecisionMode::kBalanced, 1);
  ASSERT_THAT(ids_of(hits), ElementsAre(colour));
  EXPECT_NEAR(hits[0].score, 1.36, 0.01);  // 0.6 x 0.6

  model->fails_ = true;
  DecisionSearch lexical;
  lexical.query = "restful";
  const auto answer = decisions_->search(kViewer, lexical);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->degraded, "the model is away");
  EXPECT_THAT(ids_of(answer->hits), ElementsAre(colour));
}

TEST_F(SearchDecisions, AnyTextIsAQuery) {
  record(kAgent, about("db"));
  for (const char* query : {"\"", "' OR 1=1 --", "NEAR(a b) AND NOT *", "???", "数据库", "the",
                            "\xff\xfe", "a:b {c} ^d", "power cuts"}) {
    DecisionSearch search;
    search.query = query;
    EXPECT_TRUE(decisions_->search(kViewer, search).ok()) << query;
  }
}

TEST_F(SearchDecisions, RefusesAnEmptyQueryAndOtherLimits) {
  DecisionSearch search;
  for (const char* query : {"", "  \n"}) {
    search.query = query;
    const auto answer = decisions_->search(kViewer, search);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().message(), "query must have at least 1 character, got 0");
  }
  search.query = "x";
  for (const std::size_t limit : {std::size_t{0}, std::size_t{21}}) {
    search.limit = limit;
    const auto answer = decisions_->search(kViewer, search);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(answer.error().message(), HasSubstr("limit must be from 1 to 20"));
  }
}

TEST_F(SearchDecisions, APreviewIsShortAndWithoutTheMarker) {
  std::string reasons;
  for (int i = 0; i < 100; ++i) reasons += "größer\n";
  record(kAgent, about("db", "Title", reasons));
  const auto hits = search("größer");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(hits[0].preview, ::testing::StartsWith("Title: größer größer "));
  EXPECT_THAT(hits[0].preview, EndsWith("..."));
  EXPECT_EQ(code_point_count(hits[0].preview), 243U);
}

}  // namespace
}  // namespace codexmem::memory::testing

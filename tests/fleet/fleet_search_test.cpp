// Searches of a fleet, and who may see what.
#include <gtest/gtest.h>

#include "fleet/search.h"
#include "fleet/small_fleet.h"

namespace codexmem::fleet {
namespace {

using search::SmallIndex;
using State = testing::FakeChroma::State;

class FleetSearch : public ::testing::Test {
 protected:
  FleetSearch() {
    SmallIndex cart, pay;
    cart.add({cart_file()}, true);
    pay.add({charge_file()}, true);
    small_.push(cart, "shop/cart");
    small_.push(pay, "shop/pay");
  }

  static FleetRequest request(const std::string& query) {
    FleetRequest request;
    request.search.query = query;
    request.search.threshold = 0;
    return request;
  }

  std::vector<std::string> found(Fleet& fleet, const FleetRequest& asked,
                                 const Admits& admits = {}) {
    const auto answer = search(fleet, asked, admits, {});
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    std::vector<std::string> places;
    if (!answer.ok()) return places;
    for (std::size_t i = 0; i < answer->found.hits.size(); ++i) {
      places.push_back(answer->places[i].repository + ":" + answer->found.hits[i].path);
    }
    return places;
  }

  SmallFleet small_;
};

TEST_F(FleetSearch, FindsByWordsAndNamesOverAllRepositories) {
  EXPECT_EQ(found(small_.fleet(), request("charge a card with backoff")).front(),
            "shop/pay:src/charge.py");
  const auto answer = search(small_.fleet(), request("total_price"), {}, {});
  ASSERT_TRUE(answer.ok());
  const search::SearchHit& hit = answer->found.hits.front();
  EXPECT_EQ(hit.symbol->name, "total_price");
  EXPECT_EQ(hit.line, 4U);
  EXPECT_EQ(answer->places.front().revision, "ab12");
  EXPECT_EQ(found(small_.fleet(), request("\"cart.append\"")),
            std::vector<std::string>{"shop/cart:src/cart.py"});
}

TEST_F(FleetSearch, AScopeHidesTheOthersWhateverIsAsked) {
  const Admits only_cart = [](std::string_view name) { return name == "shop/cart"; };
  const auto scoped = small_.open({"shop/cart"});
  for (const char* query : {"charge_card", "charge a card with backoff", "\"bank.post\"", "card"}) {
    for (const std::vector<std::string>& wanted :
         {std::vector<std::string>{}, {"*"}, {"shop/*"}, {"shop/cart"}}) {
      FleetRequest asked = request(query);
      asked.repositories = wanted;
      for (const std::string& place : found(small_.fleet(), asked, only_cart)) {
        EXPECT_EQ(place, "shop/cart:src/cart.py");
      }
      for (const std::string& place : found(*scoped, asked)) {
        EXPECT_EQ(place, "shop/cart:src/cart.py");
      }
    }
  }
  FleetRequest foreign = request("card");
  foreign.repositories = {"shop/pay"};
  const auto refused = search(small_.fleet(), foreign, only_cart, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(FleetSearch, RowsOfOthersAreDroppedOnArrival) {
  const auto state = small_.fleet().refresh({});
  const View view(small_.fleet(), *state, [](std::string_view name) { return name == "shop/cart"; },
                  {});
  const std::vector<float> vector(128, 0.1F);
  ASSERT_TRUE(view.nearest(View::Rows::kFiles, vector, 10, {}, {}).ok());
  EXPECT_EQ(small_.one().last_where().dump(), R"({"repository":"shop/cart"})");
  // A condition that others meet is no way around, nor is a list of their ids.
  embed::ChromaFilter filter{.conditions = {of_repositories({"shop/pay"})}};
  const auto rows = view.nearest(View::Rows::kFiles, vector, 10, filter, {});
  ASSERT_TRUE(rows.ok());
  EXPECT_TRUE(rows->empty());
  const auto listed = view.matching(View::Rows::kFiles, {}, 100, {});
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed->size(), 1U);
  // Nor does a list that is cut lose what may be seen behind what may not.
  const auto cut = view.matching(View::Rows::kFiles, {}, 1, {});
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->size(), 1U);
  EXPECT_EQ(small_.one().last_where().dump(), R"({"repository":"shop/cart"})");
  std::vector<std::string> ids;
  for (const auto& [id, row] : small_.files(small_.one())) ids.push_back(id);
  EXPECT_EQ(ids.size(), 2U);
  const auto fetched = view.fetch(View::Rows::kFiles, ids, {.documents = true}, {});
  ASSERT_TRUE(fetched.ok());
  EXPECT_EQ(fetched->size(), 1U);
}

TEST_F(FleetSearch, ARowThatOnlySharesTheMarkIsDroppedWhateverIsRead) {
  const auto state = small_.fleet().refresh({});
  const View view(small_.fleet(), *state, [](std::string_view name) { return name == "shop/cart"; },
                  {});
  // 32 bits of a hash can be made to meet: another repository's row with this one's mark.
  const CollectionNames& names = small_.fleet().servers().all().front()->names();
  const std::string stolen = repository_mark("shop/cart") + std::string(24, '0');
  for (const auto& [id, row] : small_.files(small_.one())) {
    if (mark_of(id) != repository_mark("shop/pay")) continue;
    small_.one().put(names.files, stolen, row);
    small_.two().put(names.files, stolen, row);
  }
  for (const embed::ChromaParts parts :
       {embed::ChromaParts{}, {.documents = true}, {.metadata = false, .documents = true}}) {
    const auto fetched = view.fetch(View::Rows::kFiles, {stolen}, parts, {});
    ASSERT_TRUE(fetched.ok());
    EXPECT_TRUE(fetched->empty());
  }
  FleetRequest asked = request("charge_card");
  asked.repositories = {"shop/cart"};
  for (const std::string& place : found(small_.fleet(), asked)) {
    EXPECT_EQ(place, "shop/cart:src/cart.py");
  }
}

TEST_F(FleetSearch, WhoMaySeeNothingAsksNothing) {
  const int before = small_.one().requests() + small_.two().requests();
  const auto state = small_.fleet().refresh({});
  const int after = small_.one().requests() + small_.two().requests();
  EXPECT_GT(after, before);
  const View view(small_.fleet(), *state, [](std::string_view) { return false; }, {});
  const std::vector<float> vector(128, 0.1F);
  EXPECT_TRUE(view.nearest(View::Rows::kPieces, vector, 10, {}, {})->empty());
  EXPECT_TRUE(view.matching(View::Rows::kPieces, {}, 10, {})->empty());
  EXPECT_TRUE(view.fetch(View::Rows::kPieces, {"x"}, {}, {})->empty());
  EXPECT_EQ(small_.one().requests() + small_.two().requests(), after);
}

TEST_F(FleetSearch, AServerThatDiesOrSaysNothingFailsNoSearch) {
  for (const State state : {State::kDown, State::kSilent}) {
    small_.one().set_state(state);
    EXPECT_EQ(found(small_.fleet(), request("charge a card")).front(), "shop/pay:src/charge.py");
    small_.one().set_state(State::kUp);
    small_.two().set_state(state);
    EXPECT_EQ(found(small_.fleet(), request("charge a card")).front(), "shop/pay:src/charge.py");
    small_.two().set_state(State::kUp);
  }
}

TEST_F(FleetSearch, AServerThatIsBehindIsAskedLast) {
  small_.one().wipe();
  EXPECT_EQ(found(small_.fleet(), request("charge a card")).front(), "shop/pay:src/charge.py");
  const auto state = small_.fleet().refresh({});
  EXPECT_EQ((*state)->order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ((*state)->servers[0].behind, 2U);
}

TEST_F(FleetSearch, OfAFileThatIsThereTwiceTheNewerCounts) {
  SmallIndex later;
  search::SmallFile file = charge_file();
  file.content += "    # of the second push\n";
  later.add({file}, true);
  const auto before = small_.files(small_.one());
  const auto pieces = small_.pieces(small_.one());
  small_.push(later, "shop/pay");
  const CollectionNames& names = small_.fleet().servers().all().front()->names();
  // As it is for a moment while it is being pushed.
  for (const auto& [id, row] : before) {
    small_.one().put(names.files, id, row);
    small_.two().put(names.files, id, row);
  }
  for (const auto& [id, row] : pieces) {
    small_.one().put(names.pieces, id, row);
    small_.two().put(names.pieces, id, row);
  }
  const auto answer = search(small_.fleet(), request("charge a card with backoff"), {}, {});
  ASSERT_TRUE(answer.ok());
  std::size_t times = 0;
  for (const auto& hit : answer->found.hits) times += hit.path == "src/charge.py" ? 1 : 0;
  EXPECT_EQ(times, 1U);
  EXPECT_NE(answer->found.hits.front().snippet.find("second push"), std::string::npos);
}

TEST_F(FleetSearch, AFileThatSeveralRepositoriesHaveIsOneHit) {
  SmallIndex vendoring;
  search::SmallFile vendored = charge_file();
  vendored.path = "vendor/pay/charge.py";
  vendoring.add({vendored}, true);
  small_.push(vendoring, "shop/site");
  const auto answer = search(small_.fleet(), request("charge a card with backoff"), {}, {});
  ASSERT_TRUE(answer.ok());
  std::size_t times = 0;
  for (const auto& hit : answer->found.hits) times += hit.path.ends_with("charge.py") ? 1 : 0;
  EXPECT_EQ(times, 1U);
  EXPECT_EQ(answer->found.hits.front().path, "src/charge.py");
  EXPECT_EQ(answer->places.front().copies,
            std::vector<std::string>{"shop/site/vendor/pay/charge.py"});
  // Who may see only the copy is given it, and no word of the other.
  FleetRequest asked = request("charge a card with backoff");
  asked.repositories = {"shop/site"};
  const auto own = search(small_.fleet(), asked, {}, {});
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->found.hits.front().path, "vendor/pay/charge.py");
  EXPECT_TRUE(own->places.front().copies.empty());
}

TEST_F(FleetSearch, WithoutAServerItSaysSo) {
  small_.one().set_state(State::kDown);
  small_.two().set_state(State::kDown);
  const auto answer = search(*small_.open({"*"}), request("card"), {}, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kIo);
}

}  // namespace
}  // namespace codexmem::fleet

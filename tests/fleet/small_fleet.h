// tests/fleet/small_fleet.h - a fleet of two servers in memory, and repositories to push.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "embed/static_model.h"
#include "fleet/fleet.h"
#include "fleet/push.h"
#include "fleet/search.h"
#include "search/small_index.h"
#include "support/fake_chroma.h"

namespace codexmem::fleet {

class SmallFleet {
 public:
  SmallFleet() { fleet_ = open({"*"}); }

  testing::FakeChroma& one() { return one_; }
  testing::FakeChroma& two() { return two_; }
  Fleet& fleet() { return *fleet_; }

  /// The same servers for a user who may see `repositories`.
  std::unique_ptr<Fleet> open(std::vector<std::string> repositories) {
    Fleet::Options options;
    options.embedder = embed::make_static_embedder(embed::StaticModel::built_in().value());
    options.servers.urls = {one_.url(), two_.url()};
    options.servers.model = options.embedder->model_id();
    options.servers.rest = std::chrono::milliseconds(1);
    options.servers.patience = std::chrono::milliseconds(500);
    options.repositories = std::move(repositories);
    options.fresh = std::chrono::milliseconds(0);
    return std::make_unique<Fleet>(std::move(options));
  }

  std::vector<PushReport> push(search::SmallIndex& index, const std::string& name,
                               const std::string& revision = "ab12") {
    const auto content = Content::read(index.workspace(), name, revision);
    EXPECT_TRUE(content.ok());
    PushOptions options;
    options.patience = std::chrono::milliseconds(50);
    options.least_request = least_request;
    return fleet::push(fleet_->servers(), *content, options, {});
  }

  std::chrono::milliseconds least_request{10'000};

  std::map<std::string, testing::FakeChroma::Row> files(testing::FakeChroma& server) {
    return server.rows(fleet_->servers().all().front()->names().files);
  }
  std::map<std::string, testing::FakeChroma::Row> pieces(testing::FakeChroma& server) {
    return server.rows(fleet_->servers().all().front()->names().pieces);
  }

 private:
  testing::FakeChroma one_, two_;
  std::unique_ptr<Fleet> fleet_;
};

inline search::SmallFile cart_file() {
  return {"src/cart.py",
          "def add_article(cart):\n    cart.append(1)\n\ndef total_price(cart):\n    return 2\n",
          {{"add_article"}, {"total_price"}}};
}

inline search::SmallFile charge_file() {
  return {"src/charge.py",
          "def charge_card(card, cents):\n    # again with backoff when the bank is away\n    "
          "return bank.post(card, cents)\n",
          {{"charge_card"}}};
}

}  // namespace codexmem::fleet

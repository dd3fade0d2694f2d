#include "ask/cited_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "mcp/tools_fixture.h"
#include "memory/memory.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CitedCodeTest : public ::testing::Test {
 protected:
  CitedCodeTest() : store_(store::UserStore::open(directory_.path() / "data").value()) {
    services_.code = &fixture_.services();
    context_.services = &services_;
  }

  // Stores an entry with `text`, which may cite code.
  void remember(const std::string& text) {
    const auto citations = ask::find_cited_code(context_, {.text = text});
    ASSERT_TRUE(citations.ok()) << citations.error().message();
    auto writer = store_->writer();
    ASSERT_TRUE((*writer)
                    ->execute("INSERT INTO projects (id, name, created_at_ms) VALUES (1, 'p', 0);"
                              "INSERT INTO entries (id, project_id, entry_type, title, "
                              "has_own_title, body, source, content_hash, created_at_ms) VALUES "
                              "(1, 1, 'discovery', 't', 1, 'b', 'manual', x'00', 1)")
                    .ok());
    ASSERT_TRUE(memory::put_citations(**writer, kDocument, *citations, 1).ok());
  }

  std::vector<std::string> states() {
    const std::array documents = {kDocument};
    const auto cited = ask::look_up_cited_code(context_, *store_, documents);
    EXPECT_TRUE(cited.ok()) << cited.error().message();
    std::vector<std::string> all;
    for (const auto& [document, states] : *cited) {
      for (const memory::CitationState& state : states) {
        all.push_back(state.citation.symbol + " " +
                      std::string(memory::code_state_name(state.state)));
        if (!state.path.empty()) all.back() += " in " + state.path;
        if (!state.symbol.empty()) all.back() += " as " + state.symbol;
      }
    }
    return all;
  }

  static constexpr memory::DocumentKey kDocument = memory::document_key(memory::EntryId{1});
  codexmem::testing::TemporaryDirectory directory_;
  ToolsFixture fixture_;
  std::unique_ptr<store::UserStore> store_;
  ask::Services services_;
  CallContext context_;
};

TEST_F(CitedCodeTest, FollowsWhatHappensToTheFiles) {
  remember("UserService.findUser merges the id, see also round_amount() in app/money.py");
  EXPECT_THAT(states(), ElementsAre(" unchanged", "UserService.findUser unchanged",
                                    "round_amount unchanged"));
  // Edited: noticed before an index run has been asked for.
  fixture_.write("py/app/money.py", "def round_amount(value, digits=3):\n    return value\n");
  EXPECT_THAT(states(),
              ElementsAre(" changed", "UserService.findUser unchanged", "round_amount changed"));
  // Renamed in its file, and another change in the same file.
  fixture_.write("web/src/services/UserService.ts",
                 "export class UserService {\n"
                 "  constructor(private store: Store) {}\n"
                 "  lookUp(id: string): string {\n"
                 "    return this.store.load(merge(id));\n"
                 "  }\n"
                 "}\n");
  EXPECT_THAT(states(),
              ElementsAre(" changed", "UserService.findUser unchanged as UserService.lookUp",
                          "round_amount changed"));
  fixture_.remove("py/app/money.py");
  EXPECT_THAT(states(), ElementsAre(" gone", "UserService.findUser unchanged as UserService.lookUp",
                                    "round_amount gone"));
}

TEST_F(CitedCodeTest, FollowsAMovedFile) {
  remember("compute_invoice_total adds amounts");
  EXPECT_THAT(states(), ElementsAre("compute_invoice_total unchanged"));
  std::filesystem::create_directories(fixture_.root() / "py/bills");
  std::filesystem::rename(fixture_.root() / "py/app/billing.py",
                          fixture_.root() / "py/bills/total.py");
  // No path of the question leads there.
  EXPECT_THAT(states(), ElementsAre("compute_invoice_total unchanged in py/bills/total.py"));
}

TEST_F(CitedCodeTest, FollowedCodeIsKnownAfterFurtherChanges) {
  remember("compute_invoice_total adds amounts");
  const auto follow = [&] {
    ASSERT_TRUE(fixture_.services().index({}, {}, {}).ok());
    const auto done =
        ask::follow_cited_code(fixture_.services().workspace, directory_.path() / "data");
    ASSERT_TRUE(done.ok()) << done.error().message();
  };
  fixture_.write("py/app/billing.py",
                 "def total_of(amounts):\n"
                 "    \"\"\"Adds amounts up and rounds the total to cents.\"\"\"\n"
                 "    return round_amount(sum(amounts))\n");
  follow();
  std::filesystem::rename(fixture_.root() / "py/app/billing.py",
                          fixture_.root() / "py/app/totals.py");
  follow();
  EXPECT_THAT(states(), ElementsAre("total_of unchanged"));
  fixture_.write("py/app/totals.py", "def total_of(amounts):\n    return 0\n");
  follow();
  EXPECT_THAT(states(), ElementsAre("total_of changed"));
}

TEST_F(CitedCodeTest, GetContextTellsWhatWasRemembered) {
  memory::LazyMemory memory(directory_.path() / "data", [&] {
    memory::MemoryOptions options;
    options.directory = directory_.path() / "data";
    return memory::Memory::open(std::move(options));
  });
  services_.memory = &memory;
  remember("Money is rounded by round_amount, half to even.");
  const auto ask = [&](const char* arguments) {
    const Tool& tool = *fixture_.table().find("get_context");
    const auto answer = fixture_.table().call(tool, JsonValue::parse(arguments).value(), context_);
    return Json::parse(answer.structured);
  };
  const Json memories = ask(R"({"file_path":"py/app/money.py"})")["memories"];
  ASSERT_EQ(memories.size(), 1U);
  EXPECT_EQ(memories[0]["id"], "1");
  EXPECT_EQ(memories[0]["title"], "t");
  EXPECT_EQ(memories[0]["symbol"], "round_amount");
  EXPECT_EQ(memories[0]["code_state"], "unchanged");
  fixture_.write("py/app/money.py", "def round_amount(value, digits=3):\n    return value\n");
  EXPECT_EQ(ask(R"({"file_path":"py/app/money.py","symbol":"round_amount"})")["memories"][0]
                                                                             ["code_state"],
            "changed");
  EXPECT_FALSE(ask(R"({"file_path":"py/app/billing.py"})").contains("memories"));
}

TEST_F(CitedCodeTest, WithoutARepositoryNothingIsKnown) {
  remember("compute_invoice_total adds amounts");
  services_.code = nullptr;
  EXPECT_THAT(states(), ElementsAre("compute_invoice_total unknown"));
  EXPECT_THAT(*ask::find_cited_code(context_, {.text = "compute_invoice_total"}), IsEmpty());
}

TEST_F(CitedCodeTest, PathsOutOfTheRepositoryAreNotCited) {
  remember("/etc/passwd and ../../etc/hosts.conf and web/../../x.ts and `DROP TABLE`");
  EXPECT_THAT(states(), IsEmpty());
}

}  // namespace
}  // namespace codexmem::mcp::testing

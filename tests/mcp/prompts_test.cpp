#include "mcp/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "mcp/tools.h"
#include "mcp/tools_fixture.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PromptsTest : public ::testing::Test {
 protected:
  static const Prompt& prompt(std::string_view name) {
    static const std::vector<Prompt> kAll = prompts_for(*ToolTable::make(tools()));
    for (const Prompt& each : kAll) {
      if (each.name == name) return each;
    }
    ADD_FAILURE() << name;
    return kAll.front();
  }

  // The messages, or the error.
  Json render(std::string_view name, const Json& arguments) {
    const auto result = prompt(name).render(*JsonValue::parse(arguments.dump()), context());
    if (!result.ok()) return {{"error", result.error().message()}};
    Json messages = Json::array();
    for (const PromptMessage& message : result->messages) {
      EXPECT_EQ(message.role, "user");
      messages.push_back(Json::parse(message.content));
    }
    EXPECT_FALSE(result->description.empty());
    return messages;
  }

  CallContext context() {
    CallContext context;
    context.services = &fixture_.all_services();
    return context;
  }

  ToolsFixture fixture_;
};

TEST_F(PromptsTest, ASymbolIsExplainedWithItsDefinition) {
  const Json messages = render("explain", {{"subject", "findUser"}});
  ASSERT_EQ(messages.size(), 2U) << messages;
  EXPECT_THAT(messages[0]["text"].get<std::string>(), HasSubstr("Explain findUser"));
  EXPECT_EQ(messages[1]["type"], "resource");
  EXPECT_EQ(messages[1]["resource"]["uri"], "codexmem://symbol/findUser");
  EXPECT_THAT(messages[1]["resource"]["text"].get<std::string>(), HasSubstr("this.store.load"));
}

TEST_F(PromptsTest, AFileIsExplainedWithItsContext) {
  const Json messages = render("explain", {{"subject", "py/app/billing.py"}});
  ASSERT_EQ(messages.size(), 2U) << messages;
  EXPECT_THAT(messages[1]["text"].get<std::string>(), HasSubstr("compute_invoice_total"));
}

TEST_F(PromptsTest, ImpactHoldsTheUses) {
  const Json messages = render("impact", {{"subject", "findUser"}, {"change", "make it async"}});
  ASSERT_EQ(messages.size(), 3U) << messages;
  EXPECT_THAT(messages[0]["text"].get<std::string>(), HasSubstr("make it async"));
  EXPECT_THAT(messages[2]["text"].get<std::string>(),
              AllOf(HasSubstr("UserController.ts"), HasSubstr("UserService.test.ts")));
  const Json of_file = render("impact", {{"subject", "py/app/money.py"}});
  ASSERT_EQ(of_file.size(), 2U) << of_file;
  EXPECT_THAT(of_file[1]["text"].get<std::string>(), HasSubstr("py/app/billing.py"));
}

TEST_F(PromptsTest, FindingHoldsTheHitsAndATourTheStatus) {
  const Json hits = render("find_code", {{"what", "add up an invoice"}});
  ASSERT_EQ(hits.size(), 2U) << hits;
  EXPECT_THAT(hits[1]["text"].get<std::string>(), HasSubstr("py/app/billing.py"));
  const Json tour = render("onboard", Json::object());
  ASSERT_EQ(tour.size(), 2U) << tour;
  EXPECT_EQ(tour[1]["resource"]["uri"], "codexmem://status");
}

TEST_F(PromptsTest, MissingThingsAreReportedBeforeTheWorkBegins) {
  EXPECT_THAT(render("explain", {{"subject", "finduser"}})["error"].get<std::string>(),
              HasSubstr("findUser"));
  EXPECT_THAT(render("impact", {{"subject", " "}})["error"].get<std::string>(),
              HasSubstr("subject must not be empty"));
}

TEST_F(PromptsTest, SubjectsCompleteToSymbolsAndFiles) {
  const auto complete = [&](std::string_view typed) {
    return prompt("explain").complete({"subject", typed}, context())->values;
  };
  EXPECT_THAT(complete("UserS"),
              AllOf(Contains("UserService"), Contains("web/src/services/UserService.ts")));
  EXPECT_THAT(complete("py/app/mon"), ElementsAre("py/app/money.py"));
  EXPECT_THAT(complete("py/app/money.py::r"), ElementsAre("py/app/money.py::round_amount"));
  EXPECT_THAT(prompt("impact").complete({"change", "a"}, context())->values, IsEmpty());
}

TEST_F(PromptsTest, NameNoToolThatIsNotOffered) {
  for (const char* selection : {"code", "memory", "search_code,get_context", "find_symbol"}) {
    const auto table = ToolTable::make(tools(), selection);
    for (const Prompt& each : prompts_for(*table)) {
      const auto result = each.render(
          *JsonValue::parse(R"({"subject":"findUser","what":"invoice total","topic":"bills"})"),
          context());
      if (!result.ok()) continue;  // recall needs a memory
      const std::string text = Json::parse(result->messages.front().content)["text"];
      for (const Tool& tool : tools()) {
        if (table->find(tool.name) != nullptr || tool.name == "search") continue;
        EXPECT_FALSE(std::regex_search(text, std::regex("\\b" + std::string(tool.name) + "\\b")))
            << each.name << " speaks of " << tool.name << " with " << selection;
      }
    }
  }
}

TEST_F(PromptsTest, AreFewWithDistinctNames) {
  const auto all = prompts_for(*ToolTable::make(tools()));
  std::set<std::string_view> names;
  for (const Prompt& each : all) {
    names.insert(each.name);
    EXPECT_FALSE(each.description.empty() || each.title.empty());
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_THAT(prompts_for(*ToolTable::make(tools(), "index_repository")), IsEmpty());
}

}  // namespace
}  // namespace codexmem::mcp::testing

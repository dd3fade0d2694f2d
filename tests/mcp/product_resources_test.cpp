#include "mcp/product_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mcp/tools_fixture.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ProductResourcesTest : public ::testing::Test {
 protected:
  // The text of the resource, or of the error.
  std::string read(std::string_view uri) {
    const auto contents = resources_.read(uri, context());
    if (!contents.ok()) return contents.error().message();
    EXPECT_EQ(contents->size(), 1U);
    EXPECT_EQ(contents->front().uri, uri);
    mime_type_ = contents->front().mime_type;
    return contents->front().text;
  }

  ErrorCode failure(std::string_view uri) {
    const auto contents = resources_.read(uri, context());
    EXPECT_FALSE(contents.ok()) << uri;
    return contents.ok() ? ErrorCode::kIo : contents.error().code();
  }

  std::vector<std::string> complete(std::string_view uri_template, std::string_view argument,
                                    std::string_view value) {
    const auto found = resources_.complete(uri_template, {argument, value}, context());
    EXPECT_TRUE(found.ok());
    return found.ok() ? found->values : std::vector<std::string>();
  }

  CallContext context() {
    CallContext context;
    context.services = &fixture_.all_services();
    return context;
  }

  ToolsFixture fixture_;
  ProductResources resources_;
  std::string mime_type_;
};

TEST_F(ProductResourcesTest, StatusShowsTheIndex) {
  const Json status = Json::parse(read("codexmem://status"));
  EXPECT_EQ(mime_type_, "application/json");
  EXPECT_EQ(status["root"], fixture_.root().string());
  EXPECT_EQ(status["files"], sample_files().size());
  EXPECT_EQ(status["vectors"]["provider"], "builtin");
  EXPECT_TRUE(status["incompleteRun"].is_null());
  EXPECT_TRUE(status["lastRun"].contains("finished_at"));
}

TEST_F(ProductResourcesTest, FilesAreReadAsTheyAreNow) {
  EXPECT_EQ(read("codexmem://file/py/app/money.py"), sample_files().at("py/app/money.py"));
  EXPECT_EQ(mime_type_, "text/x-python");
  fixture_.write("py/app/money.py", "def changed():\n    pass\n");
  EXPECT_EQ(read("codexmem://file/py/app/money.py"), "def changed():\n    pass\n");
  fixture_.write("py/new one.py", "x = 1\n");
  EXPECT_EQ(read("codexmem://file/py/new%20one.py"), "x = 1\n");
  EXPECT_EQ(read("codexmem://file/py/new one.py"), "x = 1\n");
  fixture_.write("100%.md", "all\n");
  EXPECT_EQ(read("codexmem://file/100%.md"), "all\n");
  EXPECT_EQ(file_uri("py/new one%.py"), "codexmem://file/py/new%20one%25.py");
}

TEST_F(ProductResourcesTest, MissingThingsAreReported) {
  EXPECT_EQ(failure("codexmem://file/py/none.py"), ErrorCode::kNotFound);
  EXPECT_THAT(read("codexmem://file/web/UserService.ts"),
              HasSubstr("web/src/services/UserService.ts"));
  EXPECT_EQ(failure("codexmem://file/../etc/passwd"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://file//etc/passwd"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://file/%2e%2e/etc/passwd"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://file/"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://file/py/app/money.py%00x"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://symbol/nobody"), ErrorCode::kNotFound);
  EXPECT_THAT(read("codexmem://symbol/finduser"), HasSubstr("UserService.findUser"));
  EXPECT_EQ(failure("codexmem://symbol/"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure("codexmem://other"), ErrorCode::kNotFound);
  EXPECT_EQ(failure("file:///etc/passwd"), ErrorCode::kNotFound);
}

TEST_F(ProductResourcesTest, ASymbolIsItsDefinitionDocumentationAndCode) {
  EXPECT_EQ(read("codexmem://symbol/UserService.findUser"),
            "# UserService.findUser\n"
            "\n"
            "exported method, web/src/services/UserService.ts:9-11\n"
            "\n"
            "Finds a user by its id.\n"
            "\n"
            "```typescript\n"
            "  findUser(id: string): string {\n"
            "    return this.store.load(merge(id));\n"
            "  }\n"
            "```\n");
  EXPECT_EQ(mime_type_, "text/markdown");
  EXPECT_THAT(read("codexmem://symbol/py/app/money.py::round_amount"),
              StartsWith("# round_amount"));
}

TEST_F(ProductResourcesTest, ManyLargeDefinitionsStayWithinTheBoundAndAreCounted) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "    total = total + 1  # a line of some length\n";
  for (int i = 0; i < 30; ++i) {
    fixture_.write("py/many/m" + std::to_string(i) + ".py", "def many(total):\n" + body);
  }
  ASSERT_TRUE(fixture_.services().index({}, {}, {}).ok());
  const std::string text = read("codexmem://symbol/many");
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_THAT(text, AllOf(HasSubstr("10 more definitions: "), HasSubstr("more lines are in")));
}

TEST_F(ProductResourcesTest, CodeWithFencesIsStillOneBlock) {
  fixture_.write("py/fence.py", "def fence():\n    return '''\n```\n'''\n");
  EXPECT_THAT(read("codexmem://symbol/py/fence.py::fence"), HasSubstr("````python\n"));
}

TEST_F(ProductResourcesTest, ThePagesOfTheListAreTheStatusAndEveryFileOnce) {
  for (int i = 0; i < 250; ++i) fixture_.write("py/n" + std::to_string(i) + ".py", "x = 1\n");
  ASSERT_TRUE(fixture_.services().index({}, {}, {}).ok());
  std::vector<std::string> names;
  std::size_t pages = 0;
  for (std::string cursor;;) {
    const auto page = resources_.list(cursor, context());
    ASSERT_TRUE(page.ok());
    ++pages;
    EXPECT_LE(page->resources.size(), kResourcesAPage);
    for (const Resource& resource : page->resources) names.push_back(resource.name);
    cursor = page->next_cursor;
    if (cursor.empty()) break;
  }
  EXPECT_EQ(pages, 3U);
  ASSERT_EQ(names.size(), 250 + sample_files().size() + 1);
  EXPECT_EQ(names.front(), "status");
  EXPECT_TRUE(std::is_sorted(names.begin() + 1, names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  const auto bad = resources_.list("py/n1.py", context());
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(ProductResourcesTest, TemplatesComplete) {
  EXPECT_THAT(complete("codexmem://file/{+path}", "path", "money"), ElementsAre("py/app/money.py"));
  EXPECT_THAT(complete("codexmem://symbol/{+name}", "name", "UserService."),
              Contains("UserService.findUser"));
  EXPECT_FALSE(resources_.complete("codexmem://file/{+path}", {"name", ""}, context()).ok());
  EXPECT_FALSE(resources_.complete("codexmem://none/{+path}", {"path", ""}, context()).ok());
}

TEST_F(ProductResourcesTest, WithoutARepositoryTheListIsEmpty) {
  ask::Services services;
  CallContext context;
  context.services = &services;
  EXPECT_THAT(resources_.list("", context)->resources, IsEmpty());
  EXPECT_EQ(resources_.read("codexmem://status", context).error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(resources_.complete("codexmem://file/{+path}", {"path", ""}, context)->values,
              IsEmpty());
}

}  // namespace
}  // namespace codexmem::mcp::testing

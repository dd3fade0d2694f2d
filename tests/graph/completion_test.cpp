#include "graph/uses/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CompleterTest : public ::testing::Test {
 protected:
  std::vector<std::string> paths(std::string_view typed, std::size_t limit = 100) {
    const auto answer = completer_.paths(fixture_.workspace(), typed, limit);
    EXPECT_TRUE(answer.ok());
    total_ = answer->total;
    return answer->values;
  }

  std::vector<std::string> symbols(std::string_view typed, std::size_t limit = 100) {
    const auto answer = completer_.symbols(fixture_.workspace(), typed, limit);
    EXPECT_TRUE(answer.ok());
    total_ = answer->total;
    return answer->values;
  }

  testing::CodeFixture fixture_{{
      {"src/user.ts",
       "export class UserService {\n  getUserById() {}\n  getName() {}\n}\nfunction local() {}\n"},
      {"src/deep/store.ts", "export class Store {\n  save() {}\n}\n"},
      {"src/deep/UserPanel.ts", "export function userPanel() {}\n"},
      {"tests/user.test.ts", "export function local() {}\n"},
      {"pkg/models.py", "class User:\n    def _hidden(self):\n        pass\n"},
  }};
  Completer completer_;
  std::size_t total_ = 0;
};

TEST_F(CompleterTest, PathsByBeginningThenNameThenPart) {
  EXPECT_THAT(paths("src/u"), ElementsAre("src/user.ts"));
  EXPECT_THAT(paths("user"),
              ElementsAre("src/user.ts", "src/deep/UserPanel.ts", "tests/user.test.ts"));
  EXPECT_THAT(paths("deep/"), ElementsAre("src/deep/UserPanel.ts", "src/deep/store.ts"));
  EXPECT_THAT(paths("odel"), ElementsAre("pkg/models.py"));
  EXPECT_THAT(paths("usPan"), ElementsAre("src/deep/UserPanel.ts"));
  EXPECT_THAT(paths("nowhere"), IsEmpty());
}

TEST_F(CompleterTest, NothingTypedIsEveryPathShallowSourceFirst) {
  EXPECT_THAT(paths("", 3), ElementsAre("pkg/models.py", "src/user.ts", "src/deep/UserPanel.ts"));
  EXPECT_EQ(total_, 5U);
}

TEST_F(CompleterTest, OfManySymbolsThoseThatBeginSo) {
  Completer few(3);
  const auto typed = [&](std::string_view text) {
    return few.symbols(fixture_.workspace(), text, 100).value().values;
  };
  EXPECT_THAT(typed("user"), ElementsAre("User", "userPanel", "UserService"));
  EXPECT_THAT(typed("USERP"), ElementsAre("userPanel"));
  EXPECT_THAT(typed("_h"), ElementsAre("_hidden"));
  EXPECT_THAT(typed("gUBI"), IsEmpty()) << "by humps only where names are kept";
  EXPECT_EQ(typed("").size(), 9U);
  EXPECT_THAT(typed("UserService.getN"), ElementsAre("UserService.getName"));
}

TEST_F(CompleterTest, SymbolsByBeginningAndByHumps) {
  EXPECT_THAT(symbols("getU"), ElementsAre("getUserById"));
  EXPECT_THAT(symbols("gUBI"), ElementsAre("getUserById"));
  EXPECT_THAT(symbols("g"), ElementsAre("getName", "getUserById"));
  EXPECT_THAT(symbols("user"), ElementsAre("User", "userPanel", "UserService", "getUserById"));
  EXPECT_THAT(symbols("user", 1), ElementsAre("User"));
  EXPECT_EQ(total_, 4U);
}

TEST_F(CompleterTest, SymbolsByAPartThatBeginsAWord) {
  EXPECT_THAT(symbols("userby"), ElementsAre("getUserById"));
  EXPECT_THAT(symbols("byid"), ElementsAre("getUserById"));
  EXPECT_THAT(symbols("serby"), IsEmpty());
  testing::CodeFixture snake{{{"links.py", "def http_batch_link():\n    pass\n"}}};
  EXPECT_THAT(completer_.symbols(snake.workspace(), "batchlink", 5).value().values,
              ElementsAre("http_batch_link"));
}

TEST_F(CompleterTest, AfterAnOwnerItsMembers) {
  EXPECT_THAT(symbols("UserService."),
              ElementsAre("UserService.getName", "UserService.getUserById"));
  EXPECT_THAT(symbols("UserService.getU"), ElementsAre("UserService.getUserById"));
  EXPECT_THAT(
      symbols("src/user.ts::"),
      ElementsAre("src/user.ts::local", "src/user.ts::UserService",
                  "src/user.ts::UserService.getName", "src/user.ts::UserService.getUserById"));
  EXPECT_THAT(symbols("src/user.ts::UserService.getN"),
              ElementsAre("src/user.ts::UserService.getName"));
  EXPECT_THAT(symbols("src/us"), ElementsAre("src/user.ts::"));
  EXPECT_THAT(symbols("Nobody."), IsEmpty());
}

}  // namespace
}  // namespace codexmem::graph

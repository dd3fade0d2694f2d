#include "app/init/skill_file.h"

#include <gtest/gtest.h>

#include <string>

#include "ask/input_schema.h"
#include "ask/question.h"
#include "ask/questions.h"
#include "text/json_value.h"

namespace codexmem::app {
namespace {

TEST(Skill, ShowsCallsThatTheServerTakes) {
  FileChange change;
  ASSERT_TRUE(change_skill(change, /*wanted=*/true).ok());
  ASSERT_TRUE(is_our_skill(change.after));
  for (const char* name : {"locate", "search_code", "find_symbol", "get_references", "get_context",
                           "analyze_dependencies", "trace_calls", "plan_rename", "analyze_change",
                           "repository_overview", "search", "save_memory"}) {
    const std::size_t at = change.after.find("`" + std::string(name) + " {");
    ASSERT_NE(at, std::string::npos) << name;
    const std::size_t begin = change.after.find('{', at);
    const std::size_t end = change.after.find('`', begin);
    const auto arguments = JsonValue::parse(change.after.substr(begin, end - begin));
    ASSERT_TRUE(arguments.ok()) << name;
    const ask::Question& question = ask::get_question(name);
    const auto schema = ask::InputSchema::make(
        ask::input_schema(question), ask::whole_params(question), ask::text_list_params(question));
    ASSERT_TRUE(schema.ok()) << name;
    EXPECT_EQ(schema->find_fault(*arguments).value_or(""), "") << name;
    EXPECT_EQ(schema->note_on_unknown(*arguments), "") << name;
  }
}

TEST(Skill, LeavesWhatOthersWrote) {
  FileChange change;
  change.existed = true;
  change.before = "---\nname: codexmem\n---\nmine\n";
  EXPECT_FALSE(change_skill(change, /*wanted=*/true).ok());
  EXPECT_FALSE(change_skill(change, /*wanted=*/false).ok());
}

}  // namespace
}  // namespace codexmem::app

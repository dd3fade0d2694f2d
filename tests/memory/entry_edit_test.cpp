#include "memory/entries/entry_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory/entries/citations.h"
#include "memory/store_fixture.h"

namespace codexmem::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class EntryEditing : public testing::StoreFixture {
 protected:
  Entries entries() { return Entries(*store_, vectors_, clock()); }

  EntryId save(const std::string& text, const std::string& metadata = "") {
    const auto saved = entries().save({.project = "demo", .text = text, .metadata = metadata});
    EXPECT_TRUE(saved.ok());
    return saved->id;
  }
  Entry get(EntryId id) { return entries().get({&id, 1}).value().at(0); }
  Result<SavedEntry> edit(const EntryEdit& change) {
    return edit_entry(*store_, entries(), change, clock());
  }

  const DocumentVectors vectors_{nullptr, true};
};

TEST_F(EntryEditing, AnEditSupersedesAndTakesOverTheRest) {
  const EntryId old = save("Use port 80", R"({"pinned":true,"a":1})");
  const auto saved = edit({.id = old, .text = "Use port 8080"});
  ASSERT_TRUE(saved.ok()) << saved.error().message();
  const Entry now = get(saved->id);
  EXPECT_EQ(now.body, "Use port 8080");
  EXPECT_EQ(now.title, "Use port 8080");  // it was made from the text
  EXPECT_EQ(now.project, "demo");
  EXPECT_TRUE(is_pinned(now));
  EXPECT_THAT(now.succession.supersedes, ElementsAre(old));
  const auto late = edit({.id = old, .text = "Use port 81"});
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().message(), HasSubstr("was superseded"));
  // Back again: the first one is current once more.
  const auto back = edit({.id = saved->id, .text = "Use port 80"});
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->id, old);
  EXPECT_FALSE(get(old).succession.superseded_by);
}

TEST_F(EntryEditing, AnEditBackToAnEarlierTextKeepsThePin) {
  const EntryId old = save("Use port 80");
  const EntryId now = edit({.id = old, .text = "Use port 8080"})->id;
  ASSERT_TRUE(pin_entry(*store_, now, true).ok());
  Citation citation;
  citation.workspace = "/work/shop";
  citation.path = "src/port.ts";
  {
    auto writer = store_->writer();
    ASSERT_TRUE(put_citations(**writer, document_key(now), {&citation, 1}, 1).ok());
  }
  ASSERT_EQ(edit({.id = now, .text = "Use port 80"})->id, old);
  EXPECT_TRUE(is_pinned(get(old)));
  const DocumentKey key = document_key(old);
  auto reader = store_->reader();
  EXPECT_EQ(list_citations(**reader, {&key, 1})->at(key).size(), 1U);
}

TEST_F(EntryEditing, AnEditKeepsCitations) {
  const EntryId old = save("About money");
  Citation citation;
  citation.workspace = "/work/shop";
  citation.path = "src/money.ts";
  {
    auto writer = store_->writer();
    ASSERT_TRUE(put_citations(**writer, document_key(old), {&citation, 1}, 1).ok());
  }
  const auto saved = edit({.id = old, .title = "Money"});
  ASSERT_TRUE(saved.ok());
  const DocumentKey key = document_key(saved->id);
  auto reader = store_->reader();
  const auto cited = list_citations(**reader, {&key, 1});
  ASSERT_EQ(cited->at(key).size(), 1U);
  EXPECT_EQ(cited->at(key)[0].path, "src/money.ts");
}

TEST_F(EntryEditing, UnchangedOrForbiddenEditsWriteNothing) {
  const EntryId id = save("Use port 80");
  const auto same = edit({.id = id, .text = "Use port 80"});
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->id, id);
  const std::string secret = std::string("ghp") + "_" + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  EXPECT_EQ(edit({.id = id, .text = "use " + secret}).error().code(), ErrorCode::kBlocked);
  EXPECT_EQ(edit({.id = EntryId{999}, .text = "x"}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(edit({.id = id, .text = ""}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(get(id).succession.superseded_by);
}

TEST_F(EntryEditing, PinsComeAndGo) {
  const EntryId id = save("Use port 80", R"({"a":1})");
  ASSERT_TRUE(pin_entry(*store_, id, true).ok());
  EXPECT_TRUE(is_pinned(get(id)));
  ASSERT_TRUE(pin_entry(*store_, id, false).ok());
  EXPECT_FALSE(is_pinned(get(id)));
  EXPECT_EQ(get(id).metadata, R"({"a":1})");
  EXPECT_EQ(pin_entry(*store_, EntryId{999}, true).error().code(), ErrorCode::kNotFound);
}

TEST_F(EntryEditing, ForgettingTakesEarlierTextsAlong) {
  const EntryId old = save("Use port 80");
  const EntryId now = edit({.id = old, .text = "Use port 8080"})->id;
  const EntryId other = save("Another");
  const auto gone = forget_entry(*store_, now, clock());
  ASSERT_TRUE(gone.ok()) << gone.error().message();
  EXPECT_THAT(*gone, ElementsAre(now, old));
  const std::vector<EntryId> ids = {old, now};
  EXPECT_THAT(entries().get(ids).value(), IsEmpty());
  EXPECT_EQ(get(other).body, "Another");
  EXPECT_EQ(forget_entry(*store_, now, clock()).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace codexmem::memory

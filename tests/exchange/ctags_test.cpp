#include "exchange/ctags.h"

#include <gtest/gtest.h>

#include "support/code_fixture.h"

namespace codexmem::exchange {
namespace {

std::string tags_of(const std::map<std::string, std::string>& texts, const TagHead& head) {
  testing::CodeFixture fixture(texts);
  auto reader = fixture.workspace().reader().value();
  std::string bytes;
  EXPECT_TRUE(export_tags(*reader, head, [&](std::string_view more) -> Result<void> {
                bytes += more;
                return {};
              }).ok());
  return bytes;
}

const std::map<std::string, std::string> kTagged = {
    {"a b.py", "class Shop:\n    def open(self):\n        pass\n"},
    {"z.go", "package z\n\nfunc close() {\n}\n"}};

TEST(ExportTags, AreSortedWithFields) {
  const std::string text = tags_of(kTagged, TagHead());
  EXPECT_EQ(text.substr(text.find("Shop")),
            "Shop\ta b.py\t1;\"\tclass\tline:1\tlanguage:Python\tend:3\n"
            "close\tz.go\t3;\"\tfunction\tline:3\tlanguage:Go\tpackage:z\tfile:\tend:4\n"
            "open\ta b.py\t2;\"\tmethod\tline:2\tlanguage:Python\tclass:Shop\tend:3\n");
  EXPECT_TRUE(text.starts_with("!_TAG_FILE_FORMAT\t2\t"));
}

TEST(ExportTags, PathsHaveAPrefixForAFileElsewhere) {
  EXPECT_NE(tags_of(kTagged, {TagFormat::kTags, "/work/shop/", ""}).find("\t/work/shop/z.go\t"),
            std::string::npos);
}

TEST(ExportTags, JsonHasALineForEach) {
  const std::string text = tags_of(kTagged, {TagFormat::kJson, "", ""});
  EXPECT_NE(
      text.find(R"({"_type":"tag","name":"open","path":"a b.py","language":"Python","line":2,)"
                R"("kind":"method","scope":"Shop","scopeKind":"class","end":3})"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace codexmem::exchange

#include "fleet/question.h"

#include <gtest/gtest.h>

namespace codexmem::fleet {
namespace {

FileRow file_at(const std::string& path, const std::string& language) {
  FileRow file;
  file.path = path;
  file.language = language;
  return file;
}

TEST(FleetFilter, KeepsByExtensionLanguagePathAndTests) {
  search::SearchRequest request;
  EXPECT_TRUE(Filter::make(request)->is_empty());
  request.languages = {"py"};
  request.paths = {"src/**"};
  request.tests = search::TestFiles::kExclude;
  const auto filter = Filter::make(request);
  ASSERT_TRUE(filter.ok());
  EXPECT_TRUE(filter->keeps(file_at("src/a.py", "python")));
  EXPECT_FALSE(filter->keeps(file_at("src/a.ts", "typescript")));
  EXPECT_FALSE(filter->keeps(file_at("lib/a.py", "python")));
  EXPECT_FALSE(filter->keeps(file_at("src/tests/test_a.py", "python")));
  request.languages = {"klingon"};
  EXPECT_FALSE(Filter::make(request).ok());
}

TEST(FleetFilter, KeepsPiecesByTheirDefinitions) {
  search::SearchRequest request;
  request.kinds = {"class"};
  const auto filter = Filter::make(request);
  ASSERT_TRUE(filter.ok());
  PieceRow piece;
  EXPECT_FALSE(filter->keeps(piece));
  piece.definitions = {{"Cart", "class", "class", 1, 9}};
  EXPECT_TRUE(filter->keeps(piece));
}

}  // namespace
}  // namespace codexmem::fleet

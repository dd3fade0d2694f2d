// Each testdata/languages/<language>/<case>/input.* is read and printed; expected.txt in the same
// folder has the expected output. `golden_test --update` rewrites expected.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/facts_print.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {
namespace {

namespace fs = std::filesystem;

bool g_update = false;

const fs::path kRoot = fs::path(CODEXMEM_SOURCE_DIR) / "testdata/languages";

struct Case {
  std::string name;  // language/case
  fs::path input;
};

std::vector<Case> list_cases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot)) {
    const fs::path& path = entry.path();
    if (!path.filename().string().starts_with("input.")) continue;
    cases.push_back({path.parent_path().lexically_relative(kRoot).string(), path});
  }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, IsAsExpected) {
  const Case& c = GetParam();
  std::string text = read_file(c.input).value();
  const Language* language = detect_language(c.input.string(), text);
  ASSERT_NE(language, nullptr);
  EXPECT_EQ(language->name, c.name.substr(0, c.name.find('/')));
  Extractor extractor;
  FileFacts facts = extractor.extract(*language, text).value();
  std::string printed = print_facts(facts, text);

  // A second file through the same extractor finds nothing left of the first.
  EXPECT_EQ(print_facts(extractor.extract(*language, text).value(), text), printed);
  // Unpacking returns the packed facts.
  Result<FileFacts> decoded = decode_facts(encode_facts(facts).value());
  ASSERT_TRUE(decoded.ok()) << decoded.error().message();
  EXPECT_EQ(encode_facts(*decoded).value(), encode_facts(facts).value());

  fs::path expected_path = c.input.parent_path() / "expected.txt";
  if (g_update) {
    std::ofstream(expected_path, std::ios::binary) << printed;
    return;
  }
  Result<std::string> expected = read_file(expected_path);
  ASSERT_TRUE(expected.ok()) << "run golden_test --update";
  EXPECT_EQ(printed, *expected);
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Languages, Golden, testing::ValuesIn(list_cases()), name_of);

TEST(GoldenCases, EveryLanguageWithAGrammarHasSomeAndABrokenOne) {
  std::set<std::string> with_case;
  std::set<std::string> with_broken;
  for (const Case& c : list_cases()) {
    std::string language = c.name.substr(0, c.name.find('/'));
    with_case.insert(language);
    if (c.name.find("/broken_") != std::string::npos) with_broken.insert(language);
  }
  for (const Language& language : languages()) {
    if (!language.has_grammar) continue;
    EXPECT_TRUE(with_case.contains(std::string(language.name))) << language.name;
    EXPECT_TRUE(with_broken.contains(std::string(language.name))) << language.name;
  }
}

}  // namespace
}  // namespace codexmem::parse

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--update") codexmem::parse::g_update = true;
  }
  return RUN_ALL_TESTS();
}

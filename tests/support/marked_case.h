// support/marked_case.h - source text with marks: what a search for references must find.
//
// `<!>` marks the definition that is queried, `<>` each use that must be found, `<?>` each use that
// must be found as likely. With `<~>` before a use by name only, the query is for that name.
// Nothing else may be found.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::testing {

struct MarkedCase {
  std::string name;
  std::map<std::string, std::string> files;
};

struct Marked {
  std::map<std::string, std::string> files;
  std::string symbol, file;
  std::uint32_t line = 0;
  std::vector<std::string> uses;  // "path:line:column", " likely" or " name" behind
  bool by_name = false;
};

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

inline Marked take_marks(const std::map<std::string, std::string>& files) {
  Marked marked;
  for (const auto& [path, text] : files) {
    std::string plain;
    std::uint32_t line = 1;
    std::size_t line_begin = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::string mark;
      for (const char* known : {"<!>", "<?>", "<~>", "<>"}) {
        if (text.compare(at, std::string(known).size(), known) == 0) mark = known;
        if (!mark.empty()) break;
      }
      if (mark.empty()) {
        plain += text[at];
        if (text[at] == '\n') {
          ++line;
          line_begin = plain.size();
        }
        ++at;
        continue;
      }
      at += mark.size();
      if (mark == "<!>") {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        marked.symbol = text.substr(at, end - at);
        marked.file = path;
        marked.line = line;
      } else {
        marked.uses.push_back(path + ":" + std::to_string(line) + ":" +
                              std::to_string(plain.size() - line_begin + 1) +
                              (mark == "<?>"   ? " likely"
                               : mark == "<~>" ? " possible"
                                               : ""));
        marked.by_name = marked.by_name || mark == "<~>";
      }
    }
    marked.files[path] = plain;
  }
  return marked;
}

/// Runs the marked query and compares.
inline void expect_marked(const MarkedCase& given) {
  Marked marked = take_marks(given.files);
  CodeFixture fixture(marked.files);
  graph::FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  graph::ReferenceQuery query;
  query.symbol = marked.symbol;
  query.file_path = marked.file;
  query.line = marked.line;
  query.min_confidence = marked.by_name ? graph::Confidence::kPossible : graph::Confidence::kLikely;
  const auto answer = graph::find_references(cache, **lease, query);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  std::vector<std::string> found;
  for (const graph::ReferenceItem& item : answer->items) {
    if (item.is_definition) continue;
    found.push_back(item.path + ":" + std::to_string(item.position.line) + ":" +
                    std::to_string(item.position.column) +
                    (item.confidence == graph::Confidence::kLikely     ? " likely"
                     : item.confidence == graph::Confidence::kPossible ? " possible"
                                                                       : ""));
  }
  std::ranges::sort(found);  // (Possible uses come last.)
  std::ranges::sort(marked.uses);
  EXPECT_EQ(found, marked.uses);
}

inline std::string case_name(const ::testing::TestParamInfo<MarkedCase>& info) {
  return info.param.name;
}

}  // namespace codexmem::testing

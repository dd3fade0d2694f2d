#include "bare_parse.h"

#include <tree_sitter/api.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "parse/rules/grammar_table.h"

namespace codexmem::bench {
namespace {

const TSLanguage* grammar_of(const std::string& language) {
  for (const parse::GrammarRow& row : parse::grammar_table()) {
    if (row.language == language) return row.get();
  }
  return nullptr;
}

void parse_some(const std::vector<SourceFile>& files, std::atomic<std::size_t>& next) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      &ts_parser_delete);
  std::string text;
  for (std::size_t at = next++; at < files.size(); at = next++) {
    const SourceFile& file = files[at];
    std::ifstream in(file.path, std::ios::binary);
    text.resize(static_cast<std::size_t>(file.size));
    if (!in.read(text.data(), static_cast<std::streamsize>(text.size()))) continue;
    ts_parser_set_language(parser.get(), grammar_of(file.language));
    ts_tree_delete(ts_parser_parse_string(parser.get(), nullptr, text.data(),
                                          static_cast<std::uint32_t>(text.size())));
  }
}

}  // namespace

bool has_grammar(const std::string& language) { return grammar_of(language) != nullptr; }

double bare_parse(const std::vector<SourceFile>& files, unsigned threads) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.emplace_back([&files, &next] { parse_some(files, next); });
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace codexmem::bench

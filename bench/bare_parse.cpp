#include "bare_parse.h"

#include <tree_sitter/api.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

extern "C" {
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_typescript();
const TSLanguage* tree_sitter_tsx();
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_go();
const TSLanguage* tree_sitter_java();
const TSLanguage* tree_sitter_rust();
const TSLanguage* tree_sitter_c();
const TSLanguage* tree_sitter_cpp();
}

namespace codexmem::bench {
namespace {

const TSLanguage* grammar_of(const std::string& language) {
  if (language == "javascript") return tree_sitter_javascript();
  if (language == "typescript") return tree_sitter_typescript();
  if (language == "tsx") return tree_sitter_tsx();
  if (language == "python") return tree_sitter_python();
  if (language == "go") return tree_sitter_go();
  if (language == "java") return tree_sitter_java();
  if (language == "rust") return tree_sitter_rust();
  if (language == "c") return tree_sitter_c();
  if (language == "cpp") return tree_sitter_cpp();
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

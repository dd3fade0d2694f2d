// Source text: the first byte picks the language, the rest is the file. Whatever it is, extraction
// must end, stay inside the text and survive packing.
#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/text.h"
#include "parse/extract.h"
#include "parse/facts_codec.h"
#include "parse/facts_print.h"
#include "parse/languages.h"

using codexmem::ByteRange;
using namespace codexmem::parse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static Extractor extractor;
  constexpr std::string_view kNames[] = {"typescript", "tsx", "javascript", "python", "markdown"};
  const Language* language = find_language(kNames[data[0] % std::size(kNames)]);
  std::string text = codexmem::repair_utf8({reinterpret_cast<const char*>(data + 1), size - 1});
  ExtractOptions options;
  options.time_limit = std::chrono::milliseconds(500);
  codexmem::Result<FileFacts> extracted = extractor.extract(*language, text, options);
  CODEXMEM_CHECK(extracted.ok());
  const FileFacts& facts = *extracted;

  ByteRange whole{0, static_cast<std::uint32_t>(text.size())};
  std::uint32_t end = 0;
  for (const Chunk& chunk : facts.chunks) {
    CODEXMEM_CHECK(chunk.range.begin >= end && whole.contains(chunk.range));
    end = chunk.range.end;
  }
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    const Symbol& symbol = facts.symbols[i];
    CODEXMEM_CHECK(symbol.range.begin <= symbol.range.end && whole.contains(symbol.range));
    CODEXMEM_CHECK(whole.contains(symbol.name_range) && whole.contains(symbol.body));
    CODEXMEM_CHECK(symbol.parent == kNoIndex || symbol.parent < i);
  }
  for (std::uint32_t i = 0; i < facts.occurrences.size(); ++i) {
    const Occurrence& occurrence = facts.occurrences[i];
    const std::string& name = facts.names.at(occurrence.name);
    CODEXMEM_CHECK(std::string_view(text).substr(occurrence.offset, name.size()) == name);
    CODEXMEM_CHECK(occurrence.receiver == kNoIndex || occurrence.receiver < i);
    CODEXMEM_CHECK(i == 0 || facts.occurrences[i - 1].offset <= occurrence.offset);
  }
  print_facts(facts, text);
  std::string blob = encode_facts(facts);
  codexmem::Result<FileFacts> decoded = decode_facts(blob);
  CODEXMEM_CHECK(decoded.ok() && encode_facts(*decoded) == blob);
  return 0;
}

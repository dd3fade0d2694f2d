// Any file at all: it is decoded or called binary. What is decoded is valid UTF-8, and its chunks,
// those of a language without grammar, hold every byte of it.
#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/text.h"
#include "index/discovery/decode.h"
#include "parse/walk/extract.h"
#include "parse/rules/languages.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static parse::Extractor extractor;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  parse::detect_language(bytes.substr(0, 40), bytes);
  const auto decoded = index::decode_text(bytes);
  if (!decoded) return 0;
  const std::string& text = decoded->text;
  CODEXMEM_CHECK(is_valid_utf8(text) && text.find('\0') == std::string::npos);
  for (const bool is_prose : {false, true}) index::generated_kind("a.js", text, is_prose);

  const auto facts = extractor.extract(*parse::find_language("markdown"), text);
  CODEXMEM_CHECK(facts.ok());
  std::uint32_t end = 0;
  for (const parse::Chunk& chunk : facts->chunks) {
    CODEXMEM_CHECK(chunk.range.begin == end && chunk.range.begin < chunk.range.end);
    end = chunk.range.end;
  }
  CODEXMEM_CHECK(end == text.size());
  return 0;
}

// Source text in one language: that of the name by which the program is called,
// source_LANGUAGE_fuzz. Whatever it is, extraction must end, stay inside the text and survive
// packing; so must the outline that frameworks are read from.
//
// One input in eight is given next to no time, so that the parse is abandoned somewhere: nothing
// may leak, and the next parse of the thread must not notice.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/crc32.h"
#include "base/result.h"
#include "base/text.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/facts_print.h"
#include "parse/facts/whole_facts.h"
#include "parse/rules/languages.h"
#include "parse/walk/outline.h"

using codexmem::ByteRange;
using namespace codexmem::parse;

namespace {

const Language* language_;  // set before the first input

void check_inside(const FileFacts& facts, std::string_view text, bool has_names_put_in) {
  const ByteRange whole{0, static_cast<std::uint32_t>(text.size())};
  std::uint32_t end = 0;
  for (const Chunk& chunk : facts.chunks) {
    CODEXMEM_CHECK(chunk.range.begin >= end && whole.contains(chunk.range));
    end = chunk.range.end;
  }
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    const Symbol& symbol = facts.symbols[i];
    CODEXMEM_CHECK(symbol.range.begin <= symbol.range.end && whole.contains(symbol.range));
    CODEXMEM_CHECK(whole.contains(symbol.name_range) && whole.contains(symbol.body));
    CODEXMEM_CHECK(whole.contains(symbol.signature) && whole.contains(symbol.docstring));
    CODEXMEM_CHECK(symbol.parent == kNoIndex || symbol.parent < i);
  }
  for (std::uint32_t i = 0; i < facts.occurrences.size(); ++i) {
    const Occurrence& occurrence = facts.occurrences[i];
    const std::string& name = facts.names.at(occurrence.name);
    // (A name in backticks is kept without them.)
    const std::size_t ticks = text.substr(occurrence.offset).starts_with('`') ? 1 : 0;
    const bool is_there = text.substr(occurrence.offset, name.size()) == name ||
                          text.substr(occurrence.offset + ticks, name.size()) == name;
    // (Of a component names are put in, and are written in other letters.)
    CODEXMEM_CHECK(occurrence.offset <= text.size() &&
                   (is_there || occurrence.by_syntax || has_names_put_in));
    const bool is_name = occurrence.receiver_kind == ReceiverKind::kName;
    const std::size_t receivers = is_name ? i : facts.terms.size();
    CODEXMEM_CHECK(occurrence.receiver == kNoIndex || occurrence.receiver < receivers);
    CODEXMEM_CHECK(i == 0 || facts.occurrences[i - 1].offset <= occurrence.offset);
  }
  for (TermId id = 0; id < facts.terms.size(); ++id) {
    const Term& term = facts.terms[id];
    for (std::uint32_t i = 0; i < term.part_count; ++i) {
      const TermId part = facts.term_parts.at(term.first_part + i);
      CODEXMEM_CHECK(part == kNoIndex || part < id);
    }
  }
  for (const Object& object : facts.objects) {
    for (const ObjectKey& key : object.keys) {
      CODEXMEM_CHECK(key.occurrence == kNoIndex ||
                     facts.occurrences.at(key.occurrence).name == key.name);
    }
  }
  for (const Narrowing& narrowing : facts.narrowings) {
    CODEXMEM_CHECK(whole.contains(narrowing.range));
  }
}

void check_pieces(const std::vector<Piece>& pieces, std::string_view text) {
  for (const Piece& piece : pieces) {
    CODEXMEM_CHECK(piece.range.begin <= piece.range.end && piece.range.end <= text.size());
    CODEXMEM_CHECK(piece.at <= text.size());
    CODEXMEM_CHECK(piece.name.empty() ||
                   (piece.name.data() >= text.data() &&
                    piece.name.data() + piece.name.size() <= text.data() + text.size()));
    for (const auto* const parts :
         {&piece.receiver, &piece.parts, &piece.parameters, &piece.inside}) {
      check_pieces(*parts, text);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
  std::string name = std::filesystem::path((*argv)[0]).filename().string();
  if (name.starts_with("source_")) name.erase(0, std::string_view("source_").size());
  if (name.ends_with("_fuzz")) name.resize(name.size() - std::string_view("_fuzz").size());
  language_ = find_language(name);
  CODEXMEM_CHECK(language_ != nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Extractor extractor;
  const Language& language = *language_;
  const std::string text = codexmem::repair_utf8({reinterpret_cast<const char*>(data), size});
  ExtractOptions options;
  options.time_limit = std::chrono::milliseconds(codexmem::crc32(text) % 8 == 7 ? 1 : 500);
  codexmem::Result<FileFacts> extracted = extractor.extract(language, text, options);
  CODEXMEM_CHECK(extracted.ok());
  const bool is_component = language.repair == codexmem::parse::Repair::kVue ||
                            language.repair == codexmem::parse::Repair::kSvelte;
  check_inside(*extracted, text, is_component);
  print_facts(*extracted, text);
  check_pieces(read_outline(language, text), text);
  const codexmem::Result<std::string> blob = encode_facts(*extracted);
  CODEXMEM_CHECK(blob.ok());
  const codexmem::Result<FileFacts> decoded = decode_facts(*blob);
  CODEXMEM_CHECK(decoded.ok() && encode_facts(*decoded).value() == *blob);
  // A file with a NUL is never indexed, so packs refuse names that have one.
  CODEXMEM_CHECK(extracted->truncated || text.find('\0') != std::string::npos ||
                 decode_whole_facts(encode_whole_facts(*extracted), text).ok());
  return 0;
}

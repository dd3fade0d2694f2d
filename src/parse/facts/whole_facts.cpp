// The bytes of a file's facts in a pack.
//
//     facts    = flags:u8 size:v payload rest          payload as in facts_codec.cpp, `size` bytes
//     flags    = 1 has_all
//     rest     = 0:u8 { symbol, of each } n { chunk }
//     symbol   = kind qualified signature_begin:d size:v docstring_begin:d size:v n { modifier }
//     kind, modifier = length:v bytes
//     qualified = 0 the parent's qualified name, if it has one, and the name; 1 the name alone;
//                 else length+2:v bytes
//     chunk    = step:v from the end of the one before, size:v, lines:v from the last line of the
//                one before, lines:v from its first to its last
//
// v and d as in facts_codec.cpp. The bytes come from strangers: they are checked against the text
// while reading, and the memory for the result is limited by the size of the text, because a row in
// memory may be eighty times as large as its bytes.
//
// Tested by parse/whole_facts_test.cpp, fuzz/pack_fuzz.cpp.
#include "parse/facts/whole_facts.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/packing.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kHasAll = 1;
// Limit of ids for symbols and chunks in a file.
constexpr std::size_t kMaxRows = (std::size_t{1} << 20U) - 2;
// Facts are smaller than their text unless it is dense; no known text came near these limits.
constexpr std::size_t kPayloadOfByte = 16, kSparePayload = std::size_t{16} << 10U;
constexpr std::size_t kNamesOfByte = 4, kSpareNames = std::size_t{4} << 10U;
constexpr std::size_t kComponentSymbols = 2;  // even of an empty file: a component, its properties
constexpr std::size_t kLongestKind = 64, kMaxModifiers = 256;

// The qualified name as a store's rows keep it. They also have the name and the parent, so they
// keep a path that ends with the name, or only the name.
std::string stored_qualified(const Symbol& symbol) {
  const std::string& qualified = symbol.qualified_name;
  if (qualified.size() <= symbol.name.size() + 1 || !qualified.ends_with(symbol.name)) {
    return symbol.name;
  }
  return qualified.substr(0, qualified.size() - symbol.name.size() - 1) + "." + symbol.name;
}

// Likewise: an empty range has no place.
ByteRange stored_range(const ByteRange& range) { return range.empty() ? ByteRange{} : range; }

std::string below_parent(const FileFacts& facts, const Symbol& symbol) {
  const std::string parent =
      symbol.parent == kNoIndex ? std::string() : stored_qualified(facts.symbols[symbol.parent]);
  return parent.empty() ? symbol.name : parent + "." + symbol.name;
}

void put_qualified(Writer& out, const FileFacts& facts, const Symbol& symbol) {
  const std::string qualified = stored_qualified(symbol);
  if (qualified == below_parent(facts, symbol)) return out.number(0);
  if (qualified == symbol.name) return out.number(1);
  out.count(qualified.size() + 2);
  out.bytes(qualified);
}

std::string take_qualified(Reader& in, const FileFacts& facts, const Symbol& symbol) {
  const std::uint32_t how = in.number();
  if (how == 0) return below_parent(facts, symbol);
  if (how == 1) return symbol.name;
  return std::string(in.bytes(how - 2));
}

// Checks that ranges are in the text, at the bounds of its characters.
class Bounds {
 public:
  explicit Bounds(std::string_view text) : text_(text) {}

  bool has(std::uint32_t offset) const {
    return offset <= text_.size() &&
           (offset == text_.size() || (static_cast<unsigned char>(text_[offset]) & 0xC0U) != 0x80U);
  }
  bool has(const ByteRange& range) const {
    return range.begin <= range.end && has(range.begin) && has(range.end);
  }
  template <typename Row>
  bool has_offsets(const std::vector<Row>& rows) const {
    return std::ranges::all_of(rows, [&](const Row& row) { return has(row.offset); });
  }
  bool has_ranges(const std::vector<ByteRange>& ranges) const {
    return std::ranges::all_of(ranges, [&](const ByteRange& range) { return has(range); });
  }

 private:
  std::string_view text_;
};

bool is_small_enough(const FileFacts& facts, std::string_view text) {
  std::size_t names = facts.package.size();
  for (const std::string& name : facts.names) names += name.size() + 1;
  for (const Import& import : facts.imports) names += import.path.size();
  return names <= kNamesOfByte * text.size() + kSpareNames &&
         facts.symbols.size() <= std::min(text.size() + kComponentSymbols, kMaxRows);
}

// Indexed text contains no NUL, so names do not either; full-text queries end at a NUL.
bool is_text_good(std::string_view text) {
  return is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
}

bool are_texts_good(const FileFacts& facts) {
  return is_text_good(facts.package) && std::ranges::all_of(facts.names, is_text_good) &&
         std::ranges::all_of(facts.imports,
                             [](const Import& import) { return is_text_good(import.path); });
}

bool is_symbol_within(const Symbol& symbol, const Bounds& bounds) {
  return bounds.has(symbol.range) && bounds.has(symbol.name_range) && bounds.has(symbol.body);
}

bool is_within(const FileFacts& facts, std::string_view text) {
  const Bounds bounds(text);
  const auto is_import_within = [&](const Import& import) {
    return bounds.has(import.range) && bounds.has(import.path_offset) &&
           bounds.has_offsets(import.names);
  };
  const auto is_binding_within = [&](const Binding& binding) {
    return bounds.has(binding.offset) && binding.seen_from <= text.size();
  };
  return std::ranges::all_of(
             facts.symbols,
             [&](const Symbol& symbol) { return is_symbol_within(symbol, bounds); }) &&
         std::ranges::is_sorted(facts.symbols, {},
                                [](const Symbol& symbol) { return symbol.range.begin; }) &&
         std::ranges::all_of(facts.scopes,
                             [&](const Scope& scope) { return bounds.has(scope.range); }) &&
         std::ranges::all_of(facts.bindings, is_binding_within) &&
         std::ranges::all_of(facts.imports, is_import_within) &&
         bounds.has_offsets(facts.exports) && bounds.has_offsets(facts.occurrences) &&
         bounds.has_offsets(facts.dynamics) && bounds.has_ranges(facts.documents) &&
         bounds.has_ranges(facts.unparsed) &&
         std::ranges::all_of(facts.narrowings, [&](const Narrowing& narrowing) {
           return bounds.has(narrowing.range);
         });
}

void put_symbols(Writer& out, const FileFacts& facts) {
  for (const Symbol& symbol : facts.symbols) {
    out.text(symbol.kind);
    put_qualified(out, facts, symbol);
    out.range(stored_range(symbol.signature), symbol.range.begin);
    out.range(stored_range(symbol.docstring), symbol.range.begin);
    out.count(symbol.modifiers.size());
    for (const std::string& modifier : symbol.modifiers) out.text(modifier);
  }
}

void take_symbols(Reader& in, FileFacts& facts, std::string_view text) {
  const Bounds bounds(text);
  // Nested names contain their parents' names: limit their total size as well.
  std::size_t left = kPayloadOfByte * text.size() + kSparePayload;
  const auto take = [&](const std::string& taken, std::size_t most) {
    if (in.failed()) return;
    if (taken.size() > most || taken.size() > left || !is_text_good(taken)) return in.fail();
    left -= taken.size();
  };
  for (Symbol& symbol : facts.symbols) {
    in.text(symbol.kind);
    take(symbol.kind, kLongestKind);
    symbol.qualified_name = take_qualified(in, facts, symbol);
    take(symbol.qualified_name, text.size() + kSpareNames);
    in.range(symbol.signature, symbol.range.begin);
    in.range(symbol.docstring, symbol.range.begin);
    in.rows(symbol.modifiers, 1, kMaxModifiers);
    for (std::string& modifier : symbol.modifiers) {
      in.text(modifier);
      take(modifier, text.size() + kLongestKind);  // "@" and the text after it, or a word of ours
    }
    if (in.failed()) return;
    if (!bounds.has(symbol.signature) || !bounds.has(symbol.docstring)) return in.fail();
  }
}

void put_chunks(Writer& out, const FileFacts& facts) {
  out.count(facts.chunks.size());
  std::uint32_t end = 0, line = 1;
  for (const Chunk& chunk : facts.chunks) {
    out.number(chunk.range.begin - end);
    out.number(chunk.range.size());
    out.number(chunk.start_line - line);
    out.number(chunk.end_line - chunk.start_line);
    end = chunk.range.end;
    line = chunk.end_line;
  }
}

void take_chunks(Reader& in, FileFacts& facts, std::string_view text) {
  const Bounds bounds(text);
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  std::uint32_t end = 0, line = 1;
  for (Chunk& chunk : in.rows(facts.chunks, 4, std::min(text.size(), kMaxRows))) {
    in.step(chunk.range.begin, end);
    const std::uint32_t size = in.number();
    const std::uint32_t skipped = in.number();
    const std::uint32_t more_lines = in.number();
    if (in.failed()) return;
    if (size == 0 || size > text.size() - std::min<std::size_t>(chunk.range.begin, text.size()) ||
        skipped > lines - line || more_lines > lines - line - skipped) {
      return in.fail();
    }
    chunk.start_line = line + skipped;
    end = chunk.range.end = chunk.range.begin + size;
    line = chunk.end_line = chunk.start_line + more_lines;
    if (!bounds.has(chunk.range)) return in.fail();
  }
}

}  // namespace

std::string encode_whole_facts(const FileFacts& facts) {
  const std::string payload = facts_payload(facts);
  Writer rest(kNoIndex);  // begins with a zero
  put_symbols(rest, facts);
  put_chunks(rest, facts);
  std::string bytes(1, static_cast<char>(flag(facts.has_all, kHasAll)));
  for (std::size_t size = payload.size();; size >>= 7U) {
    bytes += static_cast<char>((size & 0x7FU) | (size >= 0x80 ? 0x80U : 0U));
    if (size < 0x80) break;
  }
  bytes += payload;
  bytes += rest.take();
  return bytes;
}

std::size_t most_whole_facts(std::size_t text_bytes) {
  return 2 * (kPayloadOfByte * text_bytes + kSparePayload);
}

Result<FileFacts> decode_whole_facts(std::string_view bytes, std::string_view text) {
  const Error damaged{ErrorCode::kCorrupt, "packed facts: not of this text, or damaged"};
  const std::size_t most = kPayloadOfByte * text.size() + kSparePayload;
  if (bytes.empty() || bytes.size() > most_whole_facts(text.size()) ||
      text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return damaged;
  }
  const std::uint32_t flags = static_cast<unsigned char>(bytes.front());
  // A Reader takes its first number as the size plus one.
  Reader head(bytes.substr(1));
  const std::uint32_t size = head.literal() + 1;
  if (head.failed() || (flags & ~kHasAll) != 0 || size > most || size > head.left()) return damaged;
  const std::string_view payload = bytes.substr(bytes.size() - head.left(), size);
  CODEXMEM_ASSIGN(FileFacts facts, read_facts_payload(payload));
  if (!is_small_enough(facts, text) || !are_texts_good(facts) || !is_within(facts, text)) {
    return damaged;
  }
  facts.has_all = (flags & kHasAll) != 0;
  const std::string_view rest = bytes.substr(bytes.size() - head.left() + size);
  if (rest.empty() || rest.front() != '\0') return damaged;
  Reader in(rest);
  take_symbols(in, facts, text);
  take_chunks(in, facts, text);
  if (in.failed() || !in.at_end()) return damaged;
  return facts;
}

}  // namespace codexmem::parse

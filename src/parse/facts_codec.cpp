// The packed form of a file's facts.
//
//     blob        = "CF" version:u8 flags:u8 checksum:u32le payload, the payload compressed
//     flags       = 1 has_all | 2 truncated
//     payload     = literal+1:v names symbols scopes imports exports occurrences heritage bindings
//                   terms functions objects narrowings dynamics documents unparsed
//     names       = n { shared:v length:v bytes }      sorted; `shared` bytes as in the name before
//     symbols     = n { head:u8 name:v begin:d size:v [parent:v] [name_begin:d name_size:v]
//                       [body_begin:d body_size:v] [term:t] }
//     head        = type | 8 exported | 16 has parent | 32 has name range | 64 has body | 128 term
//     scopes      = n { head:u8 begin:d size:v [parent:v] [symbol:v] }
//     imports     = n { head:u8 flags:u8 length:v path begin:d size:v path_begin:d scope:v
//                       m { flags:u8 imported:v [local:v] offset:d } }
//     exports     = n { head:u8 exported:v [local:v] [import:v] [symbol:v] offset:d }
//     occurrences = n {head:u8} {name:v} {step:v} {receiver, of those with 128}
//     head        = role | receiver kind << 3 | 64 receiver is the one before, or the term of the
//                   occurrence before that has one | 128 receiver given
//     receiver    = distance:v of a name, term:t of others
//     heritage    = n { symbol:v occurrence:v term+1:v }
//     bindings    = n { head:u8 name:v step:v scope:v [target:v [imported_name:v]] [term:t]
//                       [fallback:t] }
//     terms       = n {kind | parts << 5:u8} {parts:v, of those with 7 or more} {at}
//                   {part, of each part}
//     at          = occurrence:d of names and types, symbol:v of kThis, name:v of kMember, the
//                   step from one more than the one before of functions and objects, number+1:v
//                   of items, parameters and arguments, nothing of the others
//     part        = from the last: 0 the last term that was not given so before, but the literal,
//                   1 none, 2 the literal, else 3 + how many terms stand between
//     functions   = n { flags:u8 m [result:t] m { flags:u8 name+1:v [term:t] } }
//     objects     = n { has other:u8 m m m, keys, { call:r }, { spread:t }, [other:t] }
//     key         = 0:u8 occurrence:r term:t | name+1:v term:t
//     narrowings  = n { name:v begin:d size:v term:t }
//     dynamics    = n { kind:u8 step:v }
//     unparsed    = n { begin:d size:v }
//     r           = zigzag difference to the one of its kind given before it in the section
//     t           = 0 none, 1 the literal (the first term that is one), else 2 + r
//     v           = unsigned LEB128 of up to 32 bits
//     d           = v, the zigzag difference to the field before
//
// Everything is checked as it is read: counts against the bytes that are left, indices against
// counts, ranges against 32 bits. The checksum, of the compressed bytes, catches what would still
// be well-formed.
// Tested by facts_codec_test.cpp, fuzz/facts_fuzz.cpp.
#include "parse/facts_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/compress.h"

namespace codexmem::parse {
namespace {

constexpr char kMagic[] = {'C', 'F'};
constexpr std::size_t kHeaderBytes = 8;
// Facts of a file of 1 MB are smaller; a damaged frame may claim anything.
constexpr std::size_t kMaxPayloadBytes = std::size_t{16} << 20U;
constexpr std::size_t kMaxNamesBytes = std::size_t{16} << 20U;
constexpr std::uint32_t kMaxSymbols = 1U << 20U;  // as many as a file has ids for

std::uint32_t checksum_of(std::string_view bytes) {
  // Eight bytes a step, mixed by multiplication; not against malice, which owns the file anyway.
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ULL;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  while (left > 0) {
    std::uint64_t word = 0;
    std::size_t step = std::min<std::size_t>(left, 8);
    for (std::size_t i = 0; i < step; ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    }
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
    at += step;
    left -= step;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

class Writer {
 public:
  void byte(std::uint32_t value) { out_.push_back(static_cast<char>(value)); }

  void number(std::uint32_t value) {
    while (value >= 0x80) {
      byte((value & 0x7F) | 0x80);
      value >>= 7;
    }
    byte(value);
  }

  void count(std::size_t value) { number(static_cast<std::uint32_t>(value)); }

  // The difference to `before`, modulo 2^32, small in either direction.
  void difference(std::uint32_t value, std::uint32_t before) {
    auto signed_value = static_cast<std::int32_t>(value - before);
    number((static_cast<std::uint32_t>(signed_value) << 1) ^
           static_cast<std::uint32_t>(signed_value >> 31));
  }

  void range(const ByteRange& range, std::uint32_t before) {
    difference(range.begin, before);
    number(range.size());
  }

  void bytes(std::string_view text) { out_ += text; }

  // A reference, close to the one before.
  void reference(std::uint32_t value, std::uint32_t& before) {
    difference(value, before);
    before = value;
  }

  // A reference to a term or none; most are the one literal, or close to the one before.
  void term(TermId value, TermId& before) {
    if (value == kNoIndex) return number(0);
    if (value == literal_) return number(1);
    const auto step = static_cast<std::int32_t>(value - before);
    number(((static_cast<std::uint32_t>(step) << 1) ^ static_cast<std::uint32_t>(step >> 31)) + 2);
    before = value;
  }

  void set_literal(TermId literal) { literal_ = literal; }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  TermId literal_ = kNoIndex;
};

template <typename Enum>
std::uint32_t code(Enum value) {
  return static_cast<std::uint32_t>(value);
}

std::uint32_t flag(bool is_set, std::uint32_t bit) { return is_set ? bit : 0; }

// Reads a payload; after the first failure everything is zero and failed() says so.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }
  bool at_end() const { return at_ == bytes_.size(); }

  std::uint32_t byte() {
    if (at_ >= bytes_.size()) {
      fail();
      return 0;
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      std::uint32_t part = byte();
      if (shift == 28 && part > 0x0F) break;
      value |= (part & 0x7F) << shift;
      if (part < 0x80) return value;
    }
    fail();
    return 0;
  }

  // A count of entries, each of which takes `least` bytes or more.
  std::uint32_t count(std::uint32_t least) {
    std::uint32_t value = number();
    if (value > (bytes_.size() - at_) / least) {
      fail();
      return 0;
    }
    return value;
  }

  std::uint32_t index(std::size_t limit) {
    std::uint32_t value = number();
    if (value >= limit) {
      fail();
      return 0;
    }
    return value;
  }

  std::uint32_t difference(std::uint32_t before) {
    std::uint32_t value = number();
    return before + ((value >> 1) ^ (0U - (value & 1U)));
  }

  ByteRange range(std::uint32_t before) {
    ByteRange range;
    range.begin = difference(before);
    std::uint32_t size = number();
    if (size > 0xFFFFFFFFU - range.begin) {
      fail();
      return {};
    }
    range.end = range.begin + size;
    return range;
  }

  std::string_view bytes(std::uint32_t size) {
    if (size > bytes_.size() - at_) {
      fail();
      return {};
    }
    std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
  }

  // An enum of `size` values.
  template <typename Enum>
  Enum choice(std::uint32_t value, std::uint32_t size) {
    if (value >= size) {
      fail();
      return Enum{};
    }
    return static_cast<Enum>(value);
  }

  std::uint32_t reference(std::uint32_t& before) { return before = difference(before); }

  TermId term(TermId& before) {
    const std::uint32_t value = number();
    if (value == 0) return kNoIndex;
    if (value == 1) return literal_;
    return before = before + (((value - 2) >> 1) ^ (0U - ((value - 2) & 1U)));
  }

  TermId literal() const { return literal_; }
  void set_literal(TermId literal) { literal_ = literal; }

  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
  TermId literal_ = kNoIndex;
};

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  std::size_t limit = std::min(a.size(), b.size());
  std::size_t shared = 0;
  while (shared < limit && a[shared] == b[shared]) ++shared;
  return shared;
}

void encode_names(const FileFacts& facts, Writer& out) {
  out.count(facts.names.size());
  std::string_view before;
  for (const std::string& name : facts.names) {
    std::size_t shared = shared_prefix(before, name);
    out.count(shared);
    out.count(name.size() - shared);
    out.bytes(std::string_view(name).substr(shared));
    before = name;
  }
}

NameId name_id(const FileFacts& facts, std::string_view name) {
  return static_cast<NameId>(std::ranges::lower_bound(facts.names, name) - facts.names.begin());
}

void encode_symbols(const FileFacts& facts, Writer& out) {
  out.count(facts.symbols.size());
  std::uint32_t begin = 0;
  std::uint32_t term = 0;
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    const Symbol& symbol = facts.symbols[i];
    bool has_parent = symbol.parent != kNoIndex;
    bool has_name = symbol.name_range != ByteRange{};
    bool has_body = symbol.body != ByteRange{};
    bool has_term = symbol.term != kNoIndex;
    out.byte(code(symbol.type) | flag(symbol.exported, 8) | flag(has_parent, 16) |
             flag(has_name, 32) | flag(has_body, 64) | flag(has_term, 128));
    out.number(name_id(facts, symbol.name));
    out.range(symbol.range, begin);
    begin = symbol.range.begin;
    if (has_parent) out.number(i - symbol.parent);
    if (has_name) out.range(symbol.name_range, symbol.range.begin);
    if (has_body) out.range(symbol.body, symbol.name_range.end);
    if (has_term) out.term(symbol.term, term);
  }
}

void decode_symbols(Reader& in, FileFacts& facts) {
  const std::uint32_t count = in.count(4);
  if (count > kMaxSymbols) return in.fail();
  facts.symbols.resize(count);
  std::uint32_t begin = 0;
  std::uint32_t term = 0;
  for (std::uint32_t i = 0; i < facts.symbols.size() && !in.failed(); ++i) {
    Symbol& symbol = facts.symbols[i];
    std::uint32_t head = in.byte();
    symbol.type = in.choice<SymbolType>(head & 7, code(SymbolType::kProperty) + 1);
    symbol.exported = (head & 8) != 0;
    std::uint32_t name = in.index(facts.names.size());
    if (in.failed()) return;
    symbol.name = facts.names[name];
    symbol.range = in.range(begin);
    begin = symbol.range.begin;
    if ((head & 16) != 0) {
      std::uint32_t distance = in.number();
      if (distance == 0 || distance > i) return in.fail();
      symbol.parent = i - distance;
    }
    if ((head & 32) != 0) symbol.name_range = in.range(symbol.range.begin);
    if ((head & 64) != 0) symbol.body = in.range(symbol.name_range.end);
    if ((head & 128) != 0) symbol.term = in.term(term);
  }
}

void encode_scopes(const FileFacts& facts, Writer& out) {
  out.count(facts.scopes.size());
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < facts.scopes.size(); ++i) {
    const Scope& scope = facts.scopes[i];
    bool has_parent = scope.parent != kNoIndex;
    bool has_symbol = scope.symbol != kNoIndex;
    out.byte(code(scope.kind) | flag(has_parent, 8) | flag(has_symbol, 16));
    out.range(scope.range, begin);
    begin = scope.range.begin;
    if (has_parent) out.number(i - scope.parent);
    if (has_symbol) out.number(scope.symbol);
  }
}

void decode_scopes(Reader& in, FileFacts& facts) {
  facts.scopes.resize(in.count(3));
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < facts.scopes.size() && !in.failed(); ++i) {
    Scope& scope = facts.scopes[i];
    std::uint32_t head = in.byte();
    scope.kind = in.choice<ScopeKind>(head & 7, code(ScopeKind::kGlobal) + 1);
    scope.range = in.range(begin);
    begin = scope.range.begin;
    if ((head & 8) != 0) {
      std::uint32_t distance = in.number();
      if (distance == 0 || distance > i) return in.fail();
      scope.parent = i - distance;
    }
    if ((head & 16) != 0) scope.symbol = in.index(facts.symbols.size());
  }
}

void encode_imports(const FileFacts& facts, Writer& out) {
  out.count(facts.imports.size());
  std::uint32_t begin = 0;
  for (const Import& import : facts.imports) {
    out.byte(code(import.kind));
    out.byte(flag(import.type_only, 1) | flag(import.conditional, 2) | flag(import.from_import, 4) |
             flag(import.binds_top_package, 8));
    out.count(import.path.size());
    out.bytes(import.path);
    out.range(import.range, begin);
    begin = import.range.begin;
    out.difference(import.path_offset, begin);
    out.number(import.scope);
    out.count(import.names.size());
    std::uint32_t offset = begin;
    for (const ImportedName& name : import.names) {
      out.byte(flag(name.type_only, 1) | flag(name.local != kNoIndex, 2));
      out.number(name.imported);
      if (name.local != kNoIndex) out.number(name.local);
      out.difference(name.offset, offset);
      offset = name.offset;
    }
  }
}

void decode_imports(Reader& in, FileFacts& facts) {
  facts.imports.resize(in.count(8));
  std::uint32_t begin = 0;
  for (Import& import : facts.imports) {
    if (in.failed()) return;
    import.kind = in.choice<ImportKind>(in.byte(), code(ImportKind::kDocumented) + 1);
    std::uint32_t flags = in.byte();
    import.type_only = (flags & 1) != 0;
    import.conditional = (flags & 2) != 0;
    import.from_import = (flags & 4) != 0;
    import.binds_top_package = (flags & 8) != 0;
    import.path = in.bytes(in.number());
    import.range = in.range(begin);
    begin = import.range.begin;
    import.path_offset = in.difference(begin);
    import.scope = in.index(facts.scopes.size());
    import.names.resize(in.count(3));
    std::uint32_t offset = begin;
    for (ImportedName& name : import.names) {
      std::uint32_t name_flags = in.byte();
      name.type_only = (name_flags & 1) != 0;
      name.imported = in.index(facts.names.size());
      if ((name_flags & 2) != 0) name.local = in.index(facts.names.size());
      name.offset = in.difference(offset);
      offset = name.offset;
    }
  }
}

void encode_exports(const FileFacts& facts, Writer& out) {
  out.count(facts.exports.size());
  std::uint32_t offset = 0;
  for (const Export& exported : facts.exports) {
    out.byte(flag(exported.type_only, 1) | flag(exported.commonjs, 2) |
             flag(exported.local != kNoIndex, 4) | flag(exported.import != kNoIndex, 8) |
             flag(exported.symbol != kNoIndex, 16));
    out.number(exported.exported);
    if (exported.local != kNoIndex) out.number(exported.local);
    if (exported.import != kNoIndex) out.number(exported.import);
    if (exported.symbol != kNoIndex) out.number(exported.symbol);
    out.difference(exported.offset, offset);
    offset = exported.offset;
  }
}

void decode_exports(Reader& in, FileFacts& facts) {
  facts.exports.resize(in.count(3));
  std::uint32_t offset = 0;
  for (Export& exported : facts.exports) {
    if (in.failed()) return;
    std::uint32_t head = in.byte();
    exported.type_only = (head & 1) != 0;
    exported.commonjs = (head & 2) != 0;
    exported.exported = in.index(facts.names.size());
    if ((head & 4) != 0) exported.local = in.index(facts.names.size());
    if ((head & 8) != 0) exported.import = in.index(facts.imports.size());
    if ((head & 16) != 0) exported.symbol = in.index(facts.symbols.size());
    exported.offset = in.difference(offset);
    offset = exported.offset;
  }
}

bool is_name_receiver(const Occurrence& occurrence) {
  return occurrence.receiver_kind == ReceiverKind::kName;
}

// Field by field: like stands beside like, which compresses to four fifths of the size.
void encode_occurrences(const FileFacts& facts, TermId literal, Writer& out) {
  const auto& all = facts.occurrences;
  out.count(all.size());
  std::uint32_t term = 0;
  const auto is_close = [&](std::uint32_t i) {
    return is_name_receiver(all[i]) ? all[i].receiver + 1 == i : all[i].receiver == term;
  };
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const bool has_receiver = all[i].receiver != kNoIndex;
    out.byte(code(all[i].role) | (code(all[i].receiver_kind) << 3) |
             flag(has_receiver && is_close(i), 64) | flag(has_receiver && !is_close(i), 128));
    if (has_receiver && !is_name_receiver(all[i]) && all[i].receiver != literal) {
      term = all[i].receiver;
    }
  }
  for (const Occurrence& occurrence : all) out.number(occurrence.name);
  std::uint32_t offset = 0;
  for (const Occurrence& occurrence : all) {
    out.number(occurrence.offset - offset);
    offset = occurrence.offset;
  }
  term = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].receiver == kNoIndex || is_close(i)) continue;
    if (is_name_receiver(all[i])) {
      out.number(i - all[i].receiver);
    } else {
      out.term(all[i].receiver, term);
    }
  }
}

void decode_occurrences(Reader& in, FileFacts& facts) {
  // Until they are read.
  constexpr std::uint32_t kGiven = kNoIndex - 1;
  constexpr std::uint32_t kTermBefore = kNoIndex - 2;
  std::uint32_t term = 0;
  auto& all = facts.occurrences;
  all.resize(in.count(3));
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    const std::uint32_t head = in.byte();
    all[i].role = static_cast<Role>(head & 7);
    all[i].receiver_kind = in.choice<ReceiverKind>((head >> 3) & 7, code(ReceiverKind::kKey) + 1);
    if ((head & 192) == 64) {
      if (i == 0 && is_name_receiver(all[i])) return in.fail();
      all[i].receiver = is_name_receiver(all[i]) ? i - 1 : kTermBefore;
    } else if ((head & 192) != 0) {
      all[i].receiver = kGiven;
    }
  }
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    all[i].name = in.index(facts.names.size());
  }
  std::uint32_t offset = 0;
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    const std::uint32_t step = in.number();
    if (step > 0xFFFFFFFFU - offset) return in.fail();
    offset += step;
    all[i].offset = offset;
  }
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    if (is_name_receiver(all[i])) {
      if (all[i].receiver != kGiven) continue;
      const std::uint32_t distance = in.number();
      if (distance == 0 || distance > i) return in.fail();
      all[i].receiver = i - distance;
    } else if (all[i].receiver == kGiven) {
      all[i].receiver = in.term(term);
      if (all[i].receiver >= kMaxTerms) return in.fail();
    } else if (all[i].receiver == kTermBefore) {
      all[i].receiver = term;
    }
  }
}

void encode_bindings(const FileFacts& facts, Writer& out) {
  out.count(facts.bindings.size());
  std::uint32_t offset = 0;
  std::uint32_t term = 0;
  std::uint32_t fallback = 0;
  for (const Binding& binding : facts.bindings) {
    bool has_target = binding.target != kNoIndex;
    bool has_name = binding.imported_name != kNoIndex;
    bool has_term = binding.term != kNoIndex;
    bool has_fallback = binding.fallback != kNoIndex;
    out.byte(code(binding.kind) | flag(has_target, 8) | flag(has_name, 16) | flag(has_term, 32) |
             flag(has_fallback, 64));
    out.number(binding.name);
    out.number(binding.offset - offset);
    offset = binding.offset;
    out.number(binding.scope);
    if (has_target) out.number(binding.target);
    if (has_name) out.number(binding.imported_name);
    if (has_term) out.term(binding.term, term);
    if (has_fallback) out.term(binding.fallback, fallback);
  }
}

void decode_bindings(Reader& in, FileFacts& facts) {
  facts.bindings.resize(in.count(4));
  std::uint32_t offset = 0;
  std::uint32_t term = 0;
  std::uint32_t fallback = 0;
  for (Binding& binding : facts.bindings) {
    if (in.failed()) return;
    std::uint32_t head = in.byte();
    binding.kind = in.choice<BindingKind>(head & 7, code(BindingKind::kAlias) + 1);
    binding.name = in.index(facts.names.size());
    std::uint32_t step = in.number();
    if (step > 0xFFFFFFFFU - offset) return in.fail();
    offset += step;
    binding.offset = offset;
    binding.scope = in.index(facts.scopes.size());
    if ((head & 8) != 0) {
      bool is_import = binding.kind == BindingKind::kImport;
      binding.target = in.index(is_import ? facts.imports.size() : facts.symbols.size());
    }
    if ((head & 16) != 0) {
      bool is_import = binding.kind == BindingKind::kImport && binding.target != kNoIndex;
      if (!is_import || in.failed()) return in.fail();
      binding.imported_name = in.index(facts.imports[binding.target].names.size());
    }
    if ((head & 32) != 0) binding.term = in.term(term);
    if ((head & 64) != 0) binding.fallback = in.term(fallback);
  }
}

enum class At : std::uint8_t { kNone, kOccurrence, kSymbol, kName, kNext, kNumber };

// What `at` of a kind of term is.
At at_of(TermKind kind) {
  switch (kind) {
    case TermKind::kName:
    case TermKind::kType:
      return At::kOccurrence;
    case TermKind::kThis:
      return At::kSymbol;
    case TermKind::kMember:
      return At::kName;
    case TermKind::kFunction:
    case TermKind::kObject:
      return At::kNext;
    case TermKind::kItem:
    case TermKind::kParameter:
    case TermKind::kArgument:
    case TermKind::kModule:
      return At::kNumber;
    default:
      return At::kNone;
  }
}

constexpr std::uint32_t kManyParts = 7;

// What a part is given as.
constexpr std::uint32_t kLastFree = 0;
constexpr std::uint32_t kNoPart = 1;
constexpr std::uint32_t kLiteralPart = 2;
constexpr std::uint32_t kFirstDistance = 3;

void encode_terms(const FileFacts& facts, TermId literal, Writer& out) {
  out.count(facts.terms.size());
  for (const Term& term : facts.terms) {
    out.byte(code(term.kind) | (std::min(term.part_count, kManyParts) << 5));
  }
  for (const Term& term : facts.terms) {
    if (term.part_count >= kManyParts) out.number(term.part_count);
  }
  std::uint32_t occurrence = 0;
  std::uint32_t next[2] = {0, 0};  // function, object
  for (const Term& term : facts.terms) {
    switch (at_of(term.kind)) {
      case At::kOccurrence:
        out.reference(term.at, occurrence);
        break;
      case At::kSymbol:
      case At::kName:
        out.number(term.at);
        break;
      case At::kNext: {
        std::uint32_t& expected = next[term.kind == TermKind::kObject ? 1 : 0];
        out.difference(term.at, expected);
        expected = term.at + 1;
        break;
      }
      case At::kNumber:
        out.number(term.at + 1);
        break;
      case At::kNone:
        break;
    }
  }
  // A term is made right after its parts, as a rule: they are the last that no other has taken.
  std::vector<TermId> free;
  for (TermId id = 0; id < facts.terms.size(); ++id) {
    const Term& term = facts.terms[id];
    for (std::uint32_t i = term.part_count; i > 0; --i) {
      const TermId part = facts.term_parts[term.first_part + i - 1];
      if (!free.empty() && part == free.back()) {
        out.number(kLastFree);
        free.pop_back();
      } else if (part == kNoIndex) {
        out.number(kNoPart);
      } else if (part == literal) {
        out.number(kLiteralPart);
      } else {
        out.number(kFirstDistance + id - 1 - part);
      }
    }
    if (id != literal) free.push_back(id);
  }
}

void decode_terms(Reader& in, FileFacts& facts) {
  const std::uint32_t count = in.count(1);
  if (count > kMaxTerms) return in.fail();
  facts.terms.resize(count);
  for (Term& term : facts.terms) {
    const std::uint32_t head = in.byte();
    term.kind = in.choice<TermKind>(head & 31, code(TermKind::kModule) + 1);
    term.part_count = head >> 5;
  }
  std::size_t parts = 0;
  for (Term& term : facts.terms) {
    if (term.part_count == kManyParts) term.part_count = in.number();
    if (term.part_count > in.left()) return in.fail();
    term.first_part = static_cast<std::uint32_t>(parts);
    parts += term.part_count;
    if (parts > in.left()) return in.fail();
  }
  std::uint32_t occurrence = 0;
  std::uint32_t next[2] = {0, 0};
  for (Term& term : facts.terms) {
    if (in.failed()) return;
    switch (at_of(term.kind)) {
      case At::kOccurrence:
        term.at = in.reference(occurrence);
        break;
      case At::kSymbol:
      case At::kName:
        term.at = in.number();
        break;
      case At::kNext: {
        std::uint32_t& expected = next[term.kind == TermKind::kObject ? 1 : 0];
        term.at = in.difference(expected);
        expected = term.at + 1;
        break;
      }
      case At::kNumber:
        term.at = in.number() - 1;
        break;
      case At::kNone:
        break;
    }
  }
  if (parts > in.left()) return in.fail();
  facts.term_parts.resize(parts);
  std::vector<TermId> free;
  for (TermId id = 0; id < facts.terms.size() && !in.failed(); ++id) {
    const Term& term = facts.terms[id];
    for (std::uint32_t i = term.part_count; i > 0; --i) {
      TermId& part = facts.term_parts[term.first_part + i - 1];
      const std::uint32_t value = in.number();
      if (value == kLastFree) {
        if (free.empty()) return in.fail();
        part = free.back();
        free.pop_back();
      } else if (value == kNoPart) {
        part = kNoIndex;
      } else {
        part = value == kLiteralPart ? in.literal() : id - 1 - (value - kFirstDistance);
        if (part >= id) return in.fail();
      }
    }
    if (id != in.literal()) free.push_back(id);
  }
}

void encode_functions(const FileFacts& facts, Writer& out) {
  out.count(facts.functions.size());
  std::uint32_t result = 0;
  std::uint32_t term = 0;
  for (const Function& function : facts.functions) {
    out.byte(flag(function.is_annotated, 1) | flag(function.is_async, 2) |
             flag(function.is_generator, 4) | flag(function.is_constructor, 8) |
             flag(function.result != kNoIndex, 16));
    out.count(function.parameters.size());
    if (function.result != kNoIndex) out.term(function.result, result);
    for (const Parameter& parameter : function.parameters) {
      out.byte(flag(parameter.is_annotated, 1) | flag(parameter.is_optional, 2) |
               flag(parameter.is_rest, 4) | flag(parameter.is_keyword, 8) |
               flag(parameter.term != kNoIndex, 16));
      out.number(parameter.name + 1);
      if (parameter.term != kNoIndex) out.term(parameter.term, term);
    }
  }
  out.count(facts.objects.size());
  std::uint32_t occurrence = 0;
  std::uint32_t call = 0;
  for (const Object& object : facts.objects) {
    out.byte(flag(object.other != kNoIndex, 1));
    out.count(object.keys.size());
    out.count(object.calls.size());
    out.count(object.spreads.size());
    for (const ObjectKey& key : object.keys) {
      // The name is the occurrence's, where there is one.
      const bool has_occurrence =
          key.occurrence != kNoIndex && facts.occurrences[key.occurrence].name == key.name;
      out.number(has_occurrence ? 0 : key.name + 1);
      if (has_occurrence) out.reference(key.occurrence, occurrence);
      out.term(key.term, term);
    }
    for (std::uint32_t index : object.calls) out.reference(index, call);
    for (TermId spread : object.spreads) out.term(spread, term);
    if (object.other != kNoIndex) out.term(object.other, term);
  }
  out.count(facts.narrowings.size());
  std::uint32_t begin = 0;
  for (const Narrowing& narrowing : facts.narrowings) {
    out.number(narrowing.name);
    out.range(narrowing.range, begin);
    begin = narrowing.range.begin;
    out.term(narrowing.term, term);
  }
}

void decode_functions(Reader& in, FileFacts& facts) {
  const std::uint32_t functions = in.count(2);
  if (functions > kMaxTerms) return in.fail();
  facts.functions.resize(functions);
  std::uint32_t result = 0;
  std::uint32_t term = 0;
  for (Function& function : facts.functions) {
    if (in.failed()) return;
    const std::uint32_t flags = in.byte();
    function.is_annotated = (flags & 1) != 0;
    function.is_async = (flags & 2) != 0;
    function.is_generator = (flags & 4) != 0;
    function.is_constructor = (flags & 8) != 0;
    function.parameters.resize(in.count(2));
    if ((flags & 16) != 0) function.result = in.term(result);
    for (Parameter& parameter : function.parameters) {
      const std::uint32_t head = in.byte();
      parameter.is_annotated = (head & 1) != 0;
      parameter.is_optional = (head & 2) != 0;
      parameter.is_rest = (head & 4) != 0;
      parameter.is_keyword = (head & 8) != 0;
      parameter.name = in.index(facts.names.size() + 1) - 1;
      if ((head & 16) != 0) parameter.term = in.term(term);
    }
  }
  const std::uint32_t objects = in.count(4);
  if (objects > kMaxTerms) return in.fail();
  facts.objects.resize(objects);
  std::uint32_t occurrence = 0;
  std::uint32_t call = 0;
  for (Object& object : facts.objects) {
    if (in.failed()) return;
    const std::uint32_t flags = in.byte();
    const std::uint32_t keys = in.count(2);
    const std::uint32_t calls = in.count(1);
    const std::uint32_t spreads = in.count(1);
    object.keys.resize(keys);
    for (ObjectKey& key : object.keys) {
      const std::uint32_t name = in.index(facts.names.size() + 1);
      if (name == 0) {
        key.occurrence = in.reference(occurrence);
        if (in.failed() || key.occurrence >= facts.occurrences.size()) return in.fail();
        key.name = facts.occurrences[key.occurrence].name;
      } else {
        key.name = name - 1;
      }
      key.term = in.term(term);
    }
    if (in.failed() || calls > in.left() || spreads > in.left()) return in.fail();
    object.calls.resize(calls);
    for (std::uint32_t& index : object.calls) index = in.reference(call);
    object.spreads.resize(spreads);
    for (TermId& spread : object.spreads) spread = in.term(term);
    if ((flags & 1) != 0) object.other = in.term(term);
  }
  facts.narrowings.resize(in.count(4));
  std::uint32_t begin = 0;
  for (Narrowing& narrowing : facts.narrowings) {
    if (in.failed()) return;
    narrowing.name = in.index(facts.names.size());
    narrowing.range = in.range(begin);
    begin = narrowing.range.begin;
    narrowing.term = in.term(term);
  }
}

void encode_rest(const FileFacts& facts, Writer& out) {
  out.count(facts.dynamics.size());
  std::uint32_t offset = 0;
  for (const DynamicConstruct& dynamic : facts.dynamics) {
    out.byte(code(dynamic.kind));
    out.number(dynamic.offset - offset);
    offset = dynamic.offset;
  }
  for (const auto* ranges : {&facts.documents, &facts.unparsed}) {
    out.count(ranges->size());
    std::uint32_t begin = 0;
    for (const ByteRange& range : *ranges) {
      out.range(range, begin);
      begin = range.begin;
    }
  }
}

void decode_rest(Reader& in, FileFacts& facts) {
  facts.dynamics.resize(in.count(2));
  std::uint32_t offset = 0;
  for (DynamicConstruct& dynamic : facts.dynamics) {
    dynamic.kind = in.choice<DynamicKind>(in.byte(), code(DynamicKind::kComputedImport) + 1);
    std::uint32_t step = in.number();
    if (step > 0xFFFFFFFFU - offset) return in.fail();
    offset += step;
    dynamic.offset = offset;
  }
  for (auto* ranges : {&facts.documents, &facts.unparsed}) {
    ranges->resize(in.count(2));
    std::uint32_t begin = 0;
    for (ByteRange& range : *ranges) {
      range = in.range(begin);
      begin = range.begin;
    }
  }
}

void decode_names(Reader& in, FileFacts& facts) {
  std::string name;
  std::size_t total = 0;
  std::uint32_t count = in.count(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t shared = in.number();
    std::string_view rest = in.bytes(in.number());
    if (in.failed() || shared > name.size()) return in.fail();
    // Sorted and distinct: what follows the shared part is greater than what it replaces.
    if (i > 0 && rest <= std::string_view(name).substr(shared)) return in.fail();
    name.resize(shared);
    name += rest;
    total += name.size();
    if (total > kMaxNamesBytes) return in.fail();
    facts.names.push_back(name);
  }
}

bool needs_part(TermKind kind) {
  switch (kind) {
    case TermKind::kName:
    case TermKind::kType:
    case TermKind::kThis:
    case TermKind::kLiteral:
    case TermKind::kUnion:
    case TermKind::kArray:
    case TermKind::kTuple:
    case TermKind::kFunction:
    case TermKind::kObject:
    case TermKind::kModule:
      return false;
    default:
      return true;
  }
}

// That every index in the terms and to them exists.
bool are_terms_sound(const FileFacts& facts) {
  const auto is_term = [&](TermId id) { return id == kNoIndex || id < facts.terms.size(); };
  const auto is_sound = [&](const Term& term) {
    if (needs_part(term.kind) &&
        (term.part_count == 0 || facts.term_parts[term.first_part] == kNoIndex)) {
      return false;
    }
    switch (term.kind) {
      case TermKind::kName:
      case TermKind::kType:
        return term.at < facts.occurrences.size();
      case TermKind::kThis:
        return term.at < facts.symbols.size();
      case TermKind::kMember:
        return term.at < facts.names.size();
      case TermKind::kFunction:
        return term.at < facts.functions.size();
      case TermKind::kObject:
        return term.at < facts.objects.size();
      case TermKind::kModule:
        return term.at < facts.imports.size();
      default:
        return true;
    }
  };
  const auto is_function_sound = [&](const Function& function) {
    return is_term(function.result) &&
           std::ranges::all_of(function.parameters, is_term, &Parameter::term);
  };
  const auto is_object_sound = [&](const Object& object) {
    return is_term(object.other) && std::ranges::all_of(object.keys, is_term, &ObjectKey::term) &&
           std::ranges::all_of(object.keys,
                               [&](const ObjectKey& key) {
                                 return key.occurrence == kNoIndex ||
                                        key.occurrence < facts.occurrences.size();
                               }) &&
           std::ranges::all_of(object.calls,
                               [&](std::uint32_t call) { return call < facts.functions.size(); }) &&
           std::ranges::all_of(object.spreads,
                               [&](TermId spread) { return spread < facts.terms.size(); });
  };
  const auto is_receiver_sound = [&](const Occurrence& occurrence) {
    return is_name_receiver(occurrence) || is_term(occurrence.receiver);
  };
  return std::ranges::all_of(facts.terms, is_sound) &&
         std::ranges::all_of(facts.functions, is_function_sound) &&
         std::ranges::all_of(facts.objects, is_object_sound) &&
         std::ranges::all_of(facts.symbols, is_term, &Symbol::term) &&
         std::ranges::all_of(facts.bindings, is_term, &Binding::term) &&
         std::ranges::all_of(facts.bindings, is_term, &Binding::fallback) &&
         std::ranges::all_of(facts.heritage, is_term, &Heritage::term) &&
         std::ranges::all_of(
             facts.narrowings, [&](TermId term) { return term < facts.terms.size(); },
             &Narrowing::term) &&
         std::ranges::all_of(facts.occurrences, is_receiver_sound);
}

// What readers of facts rely on besides: a module's scope around everything, a receiver and a
// target where the kind says that there is one.
bool is_sound(const FileFacts& facts) {
  if (facts.scopes.empty() && !(facts.symbols.empty() && facts.occurrences.empty())) return false;
  const auto is_binding_sound = [&](const Binding& binding) {
    switch (binding.kind) {
      case BindingKind::kSymbol:
      case BindingKind::kAlias:
      case BindingKind::kImport:
        return binding.target != kNoIndex;
      case BindingKind::kGlobal:
      case BindingKind::kNonlocal:
        return binding.scope != 0;
      default:
        return true;
    }
  };
  return are_terms_sound(facts) && std::ranges::all_of(facts.bindings, is_binding_sound) &&
         std::ranges::all_of(facts.occurrences, [](const Occurrence& occurrence) {
           const bool needs_receiver = occurrence.receiver_kind == ReceiverKind::kName ||
                                       occurrence.receiver_kind == ReceiverKind::kTerm;
           return !needs_receiver || occurrence.receiver != kNoIndex;
         });
}

std::string seal(std::string_view plain, std::uint32_t flags) {
  const std::string payload = compress(plain);
  std::string blob(kMagic, sizeof(kMagic));
  blob.push_back(static_cast<char>(kFactsVersion));
  blob.push_back(static_cast<char>(flags));
  std::uint32_t checksum = checksum_of(payload);
  for (int i = 0; i < 4; ++i) blob.push_back(static_cast<char>((checksum >> (8 * i)) & 0xFF));
  blob += payload;
  return blob;
}

// The plain payload of a blob.
Result<std::string> unseal(std::string_view blob) {
  if (blob.size() < kHeaderBytes || blob.substr(0, 2) != std::string_view(kMagic, 2)) {
    return Error{ErrorCode::kCorrupt, "packed facts: not packed facts"};
  }
  if (static_cast<std::uint8_t>(blob[2]) != kFactsVersion) {
    return Error{ErrorCode::kUnsupported, "packed facts: written by another version"};
  }
  std::string_view payload = blob.substr(kHeaderBytes);
  std::uint32_t checksum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    checksum |= static_cast<std::uint32_t>(static_cast<unsigned char>(blob[4 + i])) << (8 * i);
  }
  if (checksum != checksum_of(payload)) {
    return Error{ErrorCode::kCorrupt, "packed facts: the checksum does not match"};
  }
  return decompress(payload, kMaxPayloadBytes);
}

}  // namespace

std::string encode_facts(const FileFacts& facts) {
  Writer out;
  const auto found = std::ranges::find(facts.terms, TermKind::kLiteral, &Term::kind);
  const TermId literal =
      found == facts.terms.end() ? kNoIndex : static_cast<TermId>(found - facts.terms.begin());
  out.set_literal(literal);
  out.number(literal + 1);
  encode_names(facts, out);
  encode_symbols(facts, out);
  encode_scopes(facts, out);
  encode_imports(facts, out);
  encode_exports(facts, out);
  encode_occurrences(facts, literal, out);
  out.count(facts.heritage.size());
  for (const Heritage& heritage : facts.heritage) {
    out.number(heritage.symbol);
    out.number(heritage.occurrence);
    out.number(heritage.term + 1);
  }
  encode_bindings(facts, out);
  encode_terms(facts, literal, out);
  encode_functions(facts, out);
  encode_rest(facts, out);
  return seal(out.take(), flag(facts.has_all, 1) | flag(facts.truncated, 2));
}

std::string seal_facts(std::string_view payload) { return seal(payload, 0); }

Result<FileFacts> decode_facts(std::string_view blob) {
  CODEXMEM_ASSIGN(const std::string payload, unseal(blob));
  FileFacts facts;
  facts.has_all = (blob[3] & 1) != 0;
  facts.truncated = (blob[3] & 2) != 0;
  Reader in(payload);
  in.set_literal(in.number() - 1);
  decode_names(in, facts);
  decode_symbols(in, facts);
  decode_scopes(in, facts);
  decode_imports(in, facts);
  decode_exports(in, facts);
  decode_occurrences(in, facts);
  facts.heritage.resize(in.count(3));
  for (Heritage& heritage : facts.heritage) {
    heritage.symbol = in.index(facts.symbols.size());
    heritage.occurrence = in.index(facts.occurrences.size());
    heritage.term = in.number() - 1;
  }
  decode_bindings(in, facts);
  decode_terms(in, facts);
  decode_functions(in, facts);
  decode_rest(in, facts);
  if (in.failed() || !in.at_end() || !is_sound(facts)) {
    return Error{ErrorCode::kCorrupt, "packed facts: damaged"};
  }
  return facts;
}

}  // namespace codexmem::parse

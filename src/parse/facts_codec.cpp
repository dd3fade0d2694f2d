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
#include "parse/packing.h"
#include "parse/terms_codec.h"

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

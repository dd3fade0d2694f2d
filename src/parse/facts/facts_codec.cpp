// The packed form of a file's facts.
//
//     blob        = "CF" version:u8 flags:u8 checksum:u32le payload, the payload compressed
//     flags       = 1 has_all | 2 truncated
//     payload     = literal+1:v package names symbols scopes imports exports occurrences heritage
//                   bindings terms functions objects narrowings dynamics documents unparsed calls
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
//                   n {step:v}, the occurrences that are by syntax
//     heritage    = n { symbol:v occurrence:v term+1:v }
//     bindings    = n { head:u8 name:v step:v scope:v [target:v [imported_name:v]] [term:t]
//                       [fallback:t] [seen_from:r] }
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
//     package     = length:v bytes
//     calls       = n { step:v term:t }
//     extensions  = n { scope:v type:o trait:o type_term:o trait_term:o }
//     r           = zigzag difference to the one of its kind given before it in the section
//     t           = 0 none, 1 the literal (the first term that is one), else 2 + r
//     v           = unsigned LEB128 of up to 32 bits
//     d           = v, the zigzag difference to the field before
//
// Everything is checked while reading: counts against the remaining bytes, indices against counts,
// ranges against 32 bits. The same is checked while writing. The checksum, over the compressed
// bytes, catches damage that would still be well-formed. Tested by facts_codec_test.cpp,
// fuzz/facts_fuzz.cpp.
#include "parse/facts/facts_codec.h"

#include <algorithm>

#include "base/compress.h"
#include "parse/facts/packing.h"
#include "parse/terms/terms_codec.h"

namespace codexmem::parse {
namespace {

constexpr char kMagic[] = {'C', 'F'};
constexpr std::size_t kHeaderBytes = 8;
// A file of 1 MB needs less; a damaged frame may claim any size.
constexpr std::size_t kMaxPayloadBytes = std::size_t{16} << 20U;
constexpr std::size_t kMaxNamesBytes = std::size_t{16} << 20U;
constexpr std::uint32_t kMaxSymbols = 1U << 20U;  // the number of symbol ids per file

// Reads up to eight bytes as a number.
std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return word;
}

std::uint32_t checksum_of(std::string_view bytes) {
  // Eight bytes a step, mixed by multiplication. It does not resist attackers, who could replace
  // the file anyway.
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ULL;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    hash = (hash ^ little_endian(bytes.substr(at, 8))) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  std::size_t limit = std::min(a.size(), b.size());
  std::size_t shared = 0;
  while (shared < limit && a[shared] == b[shared]) ++shared;
  return shared;
}

void code_names(Writer& out, const FileFacts& facts) {
  out.count(facts.names.size());
  std::string_view before;
  std::size_t total = 0;
  for (const std::string& name : facts.names) {
    total += name.size();
    out.demand((&name == facts.names.data() || before < name) && total <= kMaxNamesBytes);
    std::size_t shared = shared_prefix(before, name);
    out.count(shared);
    out.count(name.size() - shared);
    out.bytes(std::string_view(name).substr(shared));
    before = name;
  }
}

void code_names(Reader& in, FileFacts& facts) {
  std::string name;
  std::size_t total = 0;
  std::uint32_t count = in.count(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t shared = in.number();
    std::string_view rest = in.bytes(in.number());
    if (in.failed() || shared > name.size()) return in.fail();
    // Sorted and distinct: the suffix is greater than the suffix it replaces.
    if (i > 0 && rest <= std::string_view(name).substr(shared)) return in.fail();
    name.resize(shared);
    name += rest;
    total += name.size();
    if (total > kMaxNamesBytes) return in.fail();
    facts.names.push_back(name);
  }
}

template <typename Coder>
void code_symbols(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t i = 0;
  std::uint32_t begin = 0;
  TermId term = 0;
  for (auto& symbol : coder.rows(facts.symbols, 4, kMaxSymbols)) {
    bool has_parent = symbol.parent != kNoIndex;
    bool has_name = symbol.name_range != ByteRange{};
    bool has_body = symbol.body != ByteRange{};
    bool has_term = symbol.term != kNoIndex;
    coder.head(symbol.type, SymbolType::kProperty, symbol.exported, has_parent, has_name, has_body,
               has_term);
    coder.name(symbol.name, facts.names);
    coder.next_range(symbol.range, begin);
    if (has_parent) coder.distance(symbol.parent, i);
    if (has_name) coder.range(symbol.name_range, begin);
    if (has_body) coder.range(symbol.body, symbol.name_range.end);
    if (has_term) coder.term(symbol.term, term);
    ++i;
  }
}

template <typename Coder>
void code_scopes(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t i = 0;
  std::uint32_t begin = 0;
  for (auto& scope : coder.rows(facts.scopes, 3)) {
    bool has_parent = scope.parent != kNoIndex;
    bool has_symbol = scope.symbol != kNoIndex;
    coder.head(scope.kind, ScopeKind::kGlobal, has_parent, has_symbol);
    coder.next_range(scope.range, begin);
    if (has_parent) coder.distance(scope.parent, i);
    if (has_symbol) coder.index(scope.symbol, facts.symbols.size());
    ++i;
  }
}

template <typename Coder>
void code_imports(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t begin = 0;
  for (auto& import : coder.rows(facts.imports, 8)) {
    coder.choice(import.kind, ImportKind::kInclude);
    coder.flags(import.type_only, import.conditional, import.from_import, import.binds_top_package);
    coder.text(import.path);
    coder.next_range(import.range, begin);
    coder.difference(import.path_offset, begin);
    coder.index(import.scope, facts.scopes.size());
    std::uint32_t offset = begin;
    for (auto& name : coder.rows(import.names, 3)) {
      bool has_local = name.local != kNoIndex;
      coder.flags(name.type_only, has_local);
      coder.index(name.imported, facts.names.size());
      if (has_local) coder.index(name.local, facts.names.size());
      coder.reference(name.offset, offset);
    }
  }
}

template <typename Coder>
void code_exports(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t offset = 0;
  for (auto& exported : coder.rows(facts.exports, 3)) {
    bool has_local = exported.local != kNoIndex;
    bool has_import = exported.import != kNoIndex;
    bool has_symbol = exported.symbol != kNoIndex;
    coder.flags(exported.type_only, exported.commonjs, has_local, has_import, has_symbol);
    coder.index(exported.exported, facts.names.size());
    if (has_local) coder.index(exported.local, facts.names.size());
    if (has_import) coder.index(exported.import, facts.imports.size());
    if (has_symbol) coder.index(exported.symbol, facts.symbols.size());
    coder.reference(exported.offset, offset);
  }
}

// True if the head of an occurrence with a receiver suffices: it is the previous one, `term`.
bool is_close(const std::vector<Occurrence>& all, std::uint32_t i, TermId term) {
  return is_name_receiver(all[i]) ? all[i].receiver + 1 == i : all[i].receiver == term;
}

void code_occurrence_heads(Writer& out, const std::vector<Occurrence>& all) {
  TermId term = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const bool has_receiver = all[i].receiver != kNoIndex;
    const bool is_explicit = has_receiver && !is_close(all, i, term);
    out.demand(all[i].role <= Role::kDefinition && all[i].receiver_kind <= ReceiverKind::kTag);
    out.byte(code(all[i].role) | (code(all[i].receiver_kind) << 3) |
             flag(has_receiver && !is_explicit, 64) | flag(is_explicit, 128));
    if (is_explicit && !is_name_receiver(all[i]) && all[i].receiver != out.literal()) {
      term = all[i].receiver;
    }
  }
}

void code_receivers(Writer& out, const std::vector<Occurrence>& all) {
  TermId term = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].receiver == kNoIndex || is_close(all, i, term)) continue;
    if (is_name_receiver(all[i])) {
      out.distance(all[i].receiver, i);
    } else {
      out.term(all[i].receiver, term);
    }
  }
}

// Placeholders for receivers, from the heads, until they are read.
constexpr std::uint32_t kGiven = kNoIndex - 1;
constexpr std::uint32_t kTermBefore = kNoIndex - 2;

void code_occurrence_heads(Reader& in, std::vector<Occurrence>& all) {
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    const std::uint32_t head = in.byte();
    all[i].role = static_cast<Role>(head & 7);
    all[i].receiver_kind = in.enum_of((head >> 3) & 7, ReceiverKind::kTag);
    if ((head & 192) == 64) {
      if (i == 0 && is_name_receiver(all[i])) return in.fail();
      all[i].receiver = is_name_receiver(all[i]) ? i - 1 : kTermBefore;
    } else if ((head & 192) != 0) {
      all[i].receiver = kGiven;
    }
  }
}

void code_receivers(Reader& in, std::vector<Occurrence>& all) {
  TermId term = 0;
  for (std::uint32_t i = 0; i < all.size() && !in.failed(); ++i) {
    if (is_name_receiver(all[i])) {
      if (all[i].receiver == kGiven) in.distance(all[i].receiver, i);
    } else if (all[i].receiver == kGiven) {
      in.term(all[i].receiver, term);
      if (all[i].receiver >= kMaxTerms) return in.fail();
    } else if (all[i].receiver == kTermBefore) {
      all[i].receiver = term;
    }
  }
}

void code_by_syntax(Writer& out, const std::vector<Occurrence>& all) {
  out.count(static_cast<std::size_t>(std::ranges::count_if(all, &Occurrence::by_syntax)));
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].by_syntax) out.step(i, before);
  }
}

void code_by_syntax(Reader& in, std::vector<Occurrence>& all) {
  std::uint32_t at = 0;
  for (std::uint32_t left = in.count(1); left > 0 && !in.failed(); --left) {
    in.step(at, at);
    if (at >= all.size()) return in.fail();
    all[at].by_syntax = true;
  }
}

// Fields are stored by column: similar values next to each other compress to four fifths of the
// size.
template <typename Coder>
void code_occurrences(Coder& coder, typename Coder::Facts& facts) {
  auto& all = coder.rows(facts.occurrences, 3);
  code_occurrence_heads(coder, all);
  for (auto& occurrence : all) coder.index(occurrence.name, facts.names.size());
  std::uint32_t offset = 0;
  for (auto& occurrence : all) coder.step(occurrence.offset, offset);
  code_receivers(coder, all);
  code_by_syntax(coder, all);
}

template <typename Coder>
void code_heritage(Coder& coder, typename Coder::Facts& facts) {
  for (auto& heritage : coder.rows(facts.heritage, 3)) {
    coder.index(heritage.symbol, facts.symbols.size());
    coder.index(heritage.occurrence, facts.occurrences.size());
    coder.optional(heritage.term);
  }
}

template <typename Coder>
void code_bindings(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t offset = 0;
  TermId term = 0;
  TermId fallback = 0;
  std::uint32_t seen_from = 0;
  for (auto& binding : coder.rows(facts.bindings, 4)) {
    bool has_target = binding.target != kNoIndex;
    bool has_name = binding.imported_name != kNoIndex;
    bool has_term = binding.term != kNoIndex;
    bool has_fallback = binding.fallback != kNoIndex;
    bool is_late = binding.seen_from > binding.offset;
    coder.head(binding.kind, BindingKind::kAlias, has_target, has_name, has_term, has_fallback,
               is_late);
    coder.index(binding.name, facts.names.size());
    coder.step(binding.offset, offset);
    coder.index(binding.scope, facts.scopes.size());
    const bool is_import = binding.kind == BindingKind::kImport;
    if (has_target) {
      coder.index(binding.target, is_import ? facts.imports.size() : facts.symbols.size());
    }
    if (has_name) {
      const bool has_names = is_import && binding.target < facts.imports.size();
      coder.index(binding.imported_name,
                  has_names ? facts.imports[binding.target].names.size() : 0);
    }
    if (has_term) coder.term(binding.term, term);
    if (has_fallback) coder.term(binding.fallback, fallback);
    if (is_late) coder.reference(binding.seen_from, seen_from);
  }
}

template <typename Coder>
void code_rest(Coder& coder, typename Coder::Facts& facts) {
  std::uint32_t offset = 0;
  for (auto& dynamic : coder.rows(facts.dynamics, 2)) {
    coder.choice(dynamic.kind, DynamicKind::kComputedImport);
    coder.step(dynamic.offset, offset);
  }
  for (auto* ranges : {&facts.documents, &facts.unparsed}) {
    std::uint32_t begin = 0;
    for (auto& range : coder.rows(*ranges, 2)) coder.next_range(range, begin);
  }
  std::uint32_t occurrence = 0;
  TermId term = 0;
  for (auto& call : coder.rows(facts.calls, 2)) {
    coder.step(call.occurrence, occurrence);
    coder.term(call.term, term);
  }
  for (auto& extension : coder.rows(facts.extensions, 5)) {
    coder.index(extension.scope, facts.scopes.size());
    coder.optional(extension.type);
    coder.optional(extension.trait);
    coder.optional(extension.type_term);
    coder.optional(extension.trait_term);
  }
}

template <typename Coder>
void code_to_imports(Coder& coder, typename Coder::Facts& facts) {
  coder.text(facts.package);
  code_names(coder, facts);
  code_symbols(coder, facts);
  code_scopes(coder, facts);
  code_imports(coder, facts);
}

template <typename Coder>
void code_payload(Coder& coder, typename Coder::Facts& facts) {
  code_to_imports(coder, facts);
  code_exports(coder, facts);
  code_occurrences(coder, facts);
  code_heritage(coder, facts);
  code_bindings(coder, facts);
  code_terms(coder, facts);
  code_functions(coder, facts);
  code_rest(coder, facts);
}

// Further guarantees to readers of facts: the module's scope contains everything, and receivers and
// targets exist if the kind requires them.
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
  const auto is_call_sound = [&](const Call& call) {
    return call.occurrence < facts.occurrences.size() &&
           (call.term == kNoIndex || call.term < facts.terms.size());
  };
  const auto is_extension_sound = [&](const Extension& extension) {
    const auto is_in = [](std::uint32_t index, std::size_t size) {
      return index == kNoIndex || index < size;
    };
    return is_in(extension.type, facts.occurrences.size()) &&
           is_in(extension.trait, facts.occurrences.size()) &&
           is_in(extension.type_term, facts.terms.size()) &&
           is_in(extension.trait_term, facts.terms.size());
  };
  return are_terms_sound(facts) && std::ranges::all_of(facts.extensions, is_extension_sound) &&
         std::ranges::all_of(facts.calls, is_call_sound) &&
         std::ranges::all_of(facts.bindings, is_binding_sound) &&
         std::ranges::all_of(facts.occurrences, [](const Occurrence& occurrence) {
           const bool needs_receiver = occurrence.receiver_kind == ReceiverKind::kName ||
                                       occurrence.receiver_kind == ReceiverKind::kTerm;
           return !needs_receiver || occurrence.receiver != kNoIndex;
         });
}

TermId find_literal(const FileFacts& facts) {
  const auto found = std::ranges::find(facts.terms, TermKind::kLiteral, &Term::kind);
  return found == facts.terms.end() ? kNoIndex : static_cast<TermId>(found - facts.terms.begin());
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

// Returns the plain payload of a blob.
Result<std::string> unseal(std::string_view blob) {
  if (blob.size() < kHeaderBytes || blob.substr(0, 2) != std::string_view(kMagic, 2)) {
    return Error{ErrorCode::kCorrupt, "packed facts: not packed facts"};
  }
  if (static_cast<std::uint8_t>(blob[2]) != kFactsVersion) {
    return Error{ErrorCode::kUnsupported, "packed facts: written by another version"};
  }
  std::string_view payload = blob.substr(kHeaderBytes);
  if (little_endian(blob.substr(4, 4)) != checksum_of(payload)) {
    return Error{ErrorCode::kCorrupt, "packed facts: the checksum does not match"};
  }
  return decompress(payload, kMaxPayloadBytes);
}

}  // namespace

std::string facts_payload(const FileFacts& facts) {
  Writer out(find_literal(facts));
  code_payload(out, facts);
  return out.take();
}

Result<FileFacts> read_facts_payload(std::string_view payload) {
  FileFacts facts;
  Reader in(payload);
  code_payload(in, facts);
  if (in.failed() || !in.at_end() || !is_sound(facts)) {
    return Error{ErrorCode::kCorrupt, "packed facts: damaged"};
  }
  return facts;
}

Result<std::string> encode_facts(const FileFacts& facts) {
  const auto refused = [] {
    return Error{ErrorCode::kUnsupported,
                 "its facts contradict each other or are too many, which is a fault of codexmem"};
  };
  if (!is_sound(facts)) return refused();
  Writer out(find_literal(facts));
  code_payload(out, facts);
  const bool failed = out.failed();
  const std::string payload = out.take();
  if (failed || payload.size() > kMaxPayloadBytes) return refused();
  return seal(payload, flag(facts.has_all, 1) | flag(facts.truncated, 2));
}

Result<FileFacts> decode_imports(std::string_view blob) {
  CODEXMEM_ASSIGN(const std::string payload, unseal(blob));
  FileFacts facts;
  Reader in(payload);
  code_to_imports(in, facts);
  if (in.failed()) return Error{ErrorCode::kCorrupt, "packed facts: damaged"};
  return facts;
}

std::string seal_facts(std::string_view payload) { return seal(payload, 0); }

Result<FileFacts> decode_facts(std::string_view blob) {
  CODEXMEM_ASSIGN(const std::string payload, unseal(blob));
  CODEXMEM_ASSIGN(FileFacts facts, read_facts_payload(payload));
  facts.has_all = (blob[3] & 1) != 0;
  facts.truncated = (blob[3] & 2) != 0;
  return facts;
}

}  // namespace codexmem::parse

#include "parse/terms/terms_codec.h"

#include <algorithm>

namespace codexmem::parse {
namespace {

enum class At : std::uint8_t { kNone, kOccurrence, kSymbol, kName, kNext, kNumber };

// The meaning of `at` for a kind of term.
At at_of(TermKind kind) {
  switch (kind) {
    case TermKind::kName:
    case TermKind::kType:
    case TermKind::kVariant:
      return At::kOccurrence;
    case TermKind::kThis:
      return At::kSymbol;
    case TermKind::kMember:
    case TermKind::kOperator:
    case TermKind::kLanguageType:
      return At::kName;
    case TermKind::kFunction:
    case TermKind::kObject:
      return At::kNext;
    case TermKind::kItem:
    case TermKind::kParameter:
    case TermKind::kArgument:
    case TermKind::kModule:
    case TermKind::kNth:
    case TermKind::kRanged:
    case TermKind::kOwnParameter:
      return At::kNumber;
    default:
      return At::kNone;
  }
}

constexpr std::uint32_t kManyParts = 7;

// How a part is encoded.
constexpr std::uint32_t kLastFree = 0;
constexpr std::uint32_t kNoPart = 1;
constexpr std::uint32_t kLiteralPart = 2;
constexpr std::uint32_t kFirstDistance = 3;

void code_term_heads(Writer& out, const std::vector<Term>& terms) {
  for (const Term& term : terms) {
    out.demand(term.kind <= TermKind::kVariant);
    out.byte(code(term.kind) | (std::min(term.part_count, kManyParts) << 5));
  }
  for (const Term& term : terms) {
    if (term.part_count >= kManyParts) out.number(term.part_count);
  }
}

void code_term_heads(Reader& in, std::vector<Term>& terms) {
  for (Term& term : terms) {
    const std::uint32_t head = in.byte();
    term.kind = in.enum_of(head & 31, TermKind::kVariant);
    term.part_count = head >> 5;
  }
  std::size_t parts = 0;
  for (Term& term : terms) {
    if (term.part_count == kManyParts) term.part_count = in.number();
    if (term.part_count > in.left()) return in.fail();
    term.first_part = static_cast<std::uint32_t>(parts);
    parts += term.part_count;
    if (parts > in.left()) return in.fail();
  }
}

// A term usually comes right after its parts: they are the last terms without a parent.
void code_parts(Writer& out, const FileFacts& facts) {
  std::vector<TermId> free;
  for (TermId id = 0; id < facts.terms.size(); ++id) {
    const Term& term = facts.terms[id];
    for (std::uint32_t i = term.part_count; i > 0; --i) {
      const TermId part = facts.term_parts[term.first_part + i - 1];
      out.demand(part == kNoIndex || part < id);
      if (!free.empty() && part == free.back()) {
        out.number(kLastFree);
        free.pop_back();
      } else if (part == kNoIndex) {
        out.number(kNoPart);
      } else if (part == out.literal()) {
        out.number(kLiteralPart);
      } else {
        out.number(kFirstDistance + id - 1 - part);
      }
    }
    if (id != out.literal()) free.push_back(id);
  }
}

void code_parts(Reader& in, FileFacts& facts) {
  if (facts.terms.empty()) return;
  const std::uint32_t parts = facts.terms.back().first_part + facts.terms.back().part_count;
  if (in.failed() || parts > in.left()) return in.fail();
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

template <typename Coder>
void code_objects(Coder& coder, typename Coder::Facts& facts, TermId& term) {
  std::uint32_t occurrence = 0;
  std::uint32_t call = 0;
  for (auto& object : coder.rows(facts.objects, 4, kMaxTerms)) {
    bool has_other = object.other != kNoIndex;
    bool has_keys = object.keys_of != kNoIndex;
    coder.flags(has_other, has_keys);
    coder.choice(object.key_sort, KeySort::kListed);
    auto& keys = coder.rows(object.keys, 2);
    auto& calls = coder.rows(object.calls, 1);
    auto& spreads = coder.rows(object.spreads, 1);
    for (auto& key : keys) {
      // The occurrence, if present, has the name.
      const bool has_occurrence =
          key.occurrence != kNoIndex && facts.occurrences[key.occurrence].name == key.name;
      NameId name = has_occurrence ? kNoIndex : key.name;
      coder.optional(name, facts.names.size());
      if (name == kNoIndex) coder.reference(key.occurrence, occurrence);
      if constexpr (Coder::kReads) {
        if (name == kNoIndex) {
          if (coder.failed() || key.occurrence >= facts.occurrences.size()) return coder.fail();
          name = facts.occurrences[key.occurrence].name;
        }
        key.name = name;
      }
      coder.term(key.term, term);
    }
    for (auto& index : calls) coder.reference(index, call);
    for (auto& spread : spreads) coder.term(spread, term);
    if (has_other) coder.term(object.other, term);
    if (has_keys) coder.term(object.keys_of, term);
  }
}

}  // namespace

template <typename Coder>
void code_terms(Coder& coder, typename Coder::Facts& facts) {
  auto& terms = coder.rows(facts.terms, 1, kMaxTerms);
  code_term_heads(coder, terms);
  std::uint32_t occurrence = 0;
  std::uint32_t next[2] = {0, 0};  // function, object
  for (auto& term : terms) {
    switch (at_of(term.kind)) {
      case At::kOccurrence:
        coder.reference(term.at, occurrence);
        break;
      case At::kSymbol:
      case At::kName:
        coder.number(term.at);
        break;
      case At::kNext: {
        std::uint32_t& expected = next[term.kind == TermKind::kObject ? 1 : 0];
        coder.difference(term.at, expected);
        expected = term.at + 1;
        break;
      }
      case At::kNumber:
        coder.optional(term.at);
        break;
      case At::kNone:
        break;
    }
  }
  code_parts(coder, facts);
}

template <typename Coder>
void code_functions(Coder& coder, typename Coder::Facts& facts) {
  TermId result = 0;
  TermId term = 0;
  for (auto& function : coder.rows(facts.functions, 2, kMaxTerms)) {
    bool has_result = function.result != kNoIndex;
    coder.flags(function.is_annotated, function.is_async, function.is_generator,
                function.is_constructor, function.is_private, has_result, function.is_extension);
    auto& parameters = coder.rows(function.parameters, 2);
    if (has_result) coder.term(function.result, result);
    for (auto& parameter : parameters) {
      bool has_term = parameter.term != kNoIndex;
      coder.flags(parameter.is_annotated, parameter.is_optional, parameter.is_rest,
                  parameter.is_keyword, has_term);
      coder.optional(parameter.name, facts.names.size());
      if (has_term) coder.term(parameter.term, term);
    }
  }
  code_objects(coder, facts, term);
  std::uint32_t begin = 0;
  for (auto& narrowing : coder.rows(facts.narrowings, 4)) {
    coder.index(narrowing.name, facts.names.size());
    coder.next_range(narrowing.range, begin);
    coder.term(narrowing.term, term);
  }
}

template void code_terms(Writer& out, const FileFacts& facts);
template void code_terms(Reader& in, FileFacts& facts);
template void code_functions(Writer& out, const FileFacts& facts);
template void code_functions(Reader& in, FileFacts& facts);

namespace {

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
    case TermKind::kMap:
    case TermKind::kChannel:
    case TermKind::kLanguageType:
    case TermKind::kConditional:  // has four parts; any may be absent
      return false;
    default:
      return true;
  }
}

}  // namespace

// Checks that every index in and to the terms exists.
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
      case TermKind::kVariant:
        return term.at < facts.occurrences.size();
      case TermKind::kThis:
        return term.at < facts.symbols.size();
      case TermKind::kMember:
      case TermKind::kOperator:
      case TermKind::kLanguageType:
        return term.at < facts.names.size();
      case TermKind::kFunction:
        return term.at < facts.functions.size();
      case TermKind::kObject:
        return term.at < facts.objects.size();
      case TermKind::kModule:
        return term.at < facts.imports.size();
      case TermKind::kConditional:
        return term.part_count == 4;
      default:
        return true;
    }
  };
  const auto is_function_sound = [&](const Function& function) {
    return is_term(function.result) &&
           std::ranges::all_of(function.parameters, is_term, &Parameter::term);
  };
  const auto is_object_sound = [&](const Object& object) {
    return is_term(object.other) && is_term(object.keys_of) &&
           std::ranges::all_of(object.keys, is_term, &ObjectKey::term) &&
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

}  // namespace codexmem::parse

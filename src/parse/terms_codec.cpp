#include "parse/terms_codec.h"

#include <algorithm>
#include <array>
#include <utility>

namespace codexmem::parse {
namespace {

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

}  // namespace

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
      return false;
    default:
      return true;
  }
}

}  // namespace

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

}  // namespace codexmem::parse

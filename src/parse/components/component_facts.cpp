// Moves the facts of a component's script into the component (component_script.h). Places ascend in
// both texts, so the order of facts stays. Tested by component_script_test.cpp and golden_test.cpp
// (testdata/languages/vue, svelte).
#include <algorithm>
#include <array>

#include "base/path.h"
#include "parse/components/component_script.h"

namespace codexmem::parse {
namespace {

// Words in inserted text that are not names.
constexpr std::array<std::string_view, 11> kKeywords = {"as",   "const",    "default",   "export",
                                                     "for",  "function", "interface", "let",
                                                     "null", "type",     "typeof"};

// Maps each place in the script to its place in the component.
class SourcePlaces {
 public:
  explicit SourcePlaces(const ComponentScript& script) : pieces_(script.pieces) {}

  const ComponentScript::Piece& piece_of(std::uint32_t place) const {
    return *(std::ranges::upper_bound(pieces_, place, {}, &ComponentScript::Piece::place) - 1);
  }
  std::uint32_t of(std::uint32_t place) const {
    const ComponentScript::Piece& piece = piece_of(place);
    return piece.is_put_in ? piece.source : piece.source + (place - piece.place);
  }

 private:
  const std::vector<ComponentScript::Piece>& pieces_;
};

void move_range(ByteRange& range, const SourcePlaces& places) {
  range = {places.of(range.begin), places.of(range.end)};
}

// Removes copied names; references to a copy then refer to its original.
void drop_copies(FileFacts& facts, const ComponentScript& script) {
  if (script.copies.empty()) return;
  std::vector<Occurrence>& all = facts.occurrences;
  std::vector<std::uint32_t> map(all.size());
  std::vector<bool> is_copy(all.size());
  const auto at = [&](std::uint32_t place) {
    const auto found = std::ranges::lower_bound(all, place, {}, &Occurrence::offset);
    return found != all.end() && found->offset == place
               ? static_cast<std::uint32_t>(found - all.begin())
               : kNoIndex;
  };
  auto copy = script.copies.begin();
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    while (copy != script.copies.end() && copy->place + copy->size <= all[i].offset) ++copy;
    map[i] = kept;
    if (copy != script.copies.end() && copy->place <= all[i].offset) {
      const std::uint32_t original = at(copy->original + (all[i].offset - copy->place));
      if (original < i) {
        map[i] = map[original];
        is_copy[i] = true;
        continue;
      }
    }
    ++kept;
  }
  const auto follow = [&](std::uint32_t& index) {
    if (index != kNoIndex) index = map[index];
  };
  for (Occurrence& each : all) {
    if (each.receiver_kind == ReceiverKind::kName) follow(each.receiver);
  }
  for (Term& term : facts.terms) {
    if (term.kind == TermKind::kName || term.kind == TermKind::kType ||
        term.kind == TermKind::kVariant) {
      follow(term.at);
    }
  }
  for (Object& object : facts.objects) {
    for (ObjectKey& key : object.keys) follow(key.occurrence);
  }
  for (Heritage& each : facts.heritage) follow(each.occurrence);
  for (Call& each : facts.calls) follow(each.occurrence);
  for (Extension& each : facts.extensions) {
    follow(each.type);
    follow(each.trait);
  }
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!is_copy[i]) all[next++] = all[i];
  }
  all.resize(next);
}

}  // namespace

std::string_view asked_name(const Symbol& symbol, std::string_view path) {
  return symbol.kind == kComponentKind ? file_stem(path) : std::string_view(symbol.name);
}

bool has_names_in_place(const FileFacts& facts, const ComponentScript& script,
                        std::string_view component) {
  const SourcePlaces places(script);
  return std::ranges::all_of(facts.occurrences, [&](const Occurrence& each) {
    const std::string& name = facts.names[each.name];
    const ComponentScript::Piece& piece = places.piece_of(each.offset);
    if (piece.is_put_in) return std::ranges::find(kKeywords, name) == kKeywords.end();
    return component.substr(places.of(each.offset), name.size()) == name;
  });
}

void move_to_component(FileFacts& facts, const ComponentScript& script, std::uint32_t size) {
  drop_copies(facts, script);
  const SourcePlaces places(script);
  for (Symbol& each : facts.symbols) {
    for (ByteRange* range :
         {&each.range, &each.name_range, &each.body, &each.signature, &each.docstring}) {
      move_range(*range, places);
    }
  }
  for (Scope& each : facts.scopes) move_range(each.range, places);
  for (Binding& each : facts.bindings) {
    each.offset = places.of(each.offset);
    if (each.seen_from != 0) each.seen_from = places.of(each.seen_from);
  }
  for (Import& each : facts.imports) {
    move_range(each.range, places);
    each.path_offset = places.of(each.path_offset);
    for (ImportedName& name : each.names) name.offset = places.of(name.offset);
  }
  for (Export& each : facts.exports) each.offset = places.of(each.offset);
  for (Occurrence& each : facts.occurrences) each.offset = places.of(each.offset);
  for (Narrowing& each : facts.narrowings) move_range(each.range, places);
  for (DynamicConstruct& each : facts.dynamics) each.offset = places.of(each.offset);
  for (ByteRange& each : facts.documents) move_range(each, places);
  for (ByteRange& each : facts.unparsed) move_range(each, places);
  for (const Export& each : facts.exports) {
    if (each.symbol == kNoIndex || facts.names[each.exported] != "default") continue;
    Symbol& component = facts.symbols[each.symbol];
    if (!component.name_range.empty()) continue;
    component.kind = kComponentKind;
    const bool is_function =
        component.term != kNoIndex && facts.terms[component.term].kind == TermKind::kFunction;
    if (!is_function) continue;
    component.type = SymbolType::kFunction;
    // The function's body is the whole file.
    if (each.symbol == 0) component.range.end = std::max(component.range.end, size);
  }
}

}  // namespace codexmem::parse

// Names of C. A file sees its own declarations and the declarations of included files. Declarations
// with external linkage in several files are one function or variable: prototypes and the
// definition mean each other. Nothing is linked: the index of symbols gives the declarations of a
// name.
//
// Tested by graph/c_test.cpp.
#include <algorithm>
#include <vector>

#include "config/path_kind.h"
#include "graph/c/c_files.h"
#include "graph/c/c_macros.h"
#include "graph/c/c_semantics.h"
#include "graph/core/resolver_step.h"

extern "C" const char codexmem_c_library[], codexmem_c_library_end[];

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using store::SymbolRow;

constexpr std::string_view kCReserved[] = {
    "auto",    "break",  "case",     "char",   "const",    "continue", "default",
    "do",      "double", "else",     "enum",   "extern",   "float",    "for",
    "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
    "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
    "typedef", "union",  "unsigned", "void",   "volatile", "while"};

constexpr std::string_view kCCalledUnseen[] = {"DllMain", "LLVMFuzzerInitialize",
                                               "LLVMFuzzerTestOneInput", "WinMain", "wmain"};

constexpr LanguageTraits kCTraits = {
    .knowledge = Knowledge::kChecked,
    .names = {.main_function = "main", .called_unseen = kCCalledUnseen, .reserved = kCReserved},
    .absent_names_are_external = true,
    .shares_names_with = "cpp",
    .names_are_seen_behind = true,
    .is_compiled = true,
    .arrays_are_elements = true,
    .alternatives_are_likely = true,
    .values_hold_functions = true,
};

store::FileId file_of(const SymbolRow& row) { return store::file_of(row.id); }

bool is_value(const SymbolRow& row) {
  return !is_macro(row) && (row.type == SymbolType::kFunction || row.type == SymbolType::kVariable);
}

// A function or variable that all files of a program share.
bool is_linked(const SymbolRow& row) { return row.exported && is_value(row); }

bool is_field(const SymbolRow& row) {
  return row.type == SymbolType::kProperty && row.kind != "enum_member";
}

bool may_be_tag(const SymbolRow& row) {
  return row.kind == "struct" || row.kind == "union" || row.kind == "enum";
}

bool is_tag(const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol) return false;
  const std::uint32_t at = entity.file->occurrence_at(symbol_of(entity).name_range.begin);
  return at != kNoIndex &&
         entity.file->facts.occurrences[at].receiver_kind == parse::ReceiverKind::kTag;
}

bool is_source(std::string_view path) { return path.ends_with(".c"); }

// A prototype and its definition of which one file includes the other: static ones are shared by
// including only.
bool is_static_pair(Resolver& resolver, const SymbolRow& a, const SymbolRow& b) {
  return is_prototype(a) != is_prototype(b) &&
         (files_seen(resolver, file_of(a))->contains(file_of(b)) ||
          files_seen(resolver, file_of(b))->contains(file_of(a)));
}

// The meaning of `name` in `file`: a tag, or any other name; only from its includes if
// `is_elsewhere`.
Entities declared(Resolver& resolver, const FileModel& file, std::string_view name, bool wants_tag,
                  bool is_elsewhere = false) {
  std::vector<const SymbolRow*> rows;
  for (const SymbolRow& row : resolver.symbol_rows(file.family, std::string(name))) {
    if (is_field(row)) continue;
    if (wants_tag && !may_be_tag(row)) continue;
    if (may_be_tag(row)) {
      const auto entity = resolver.symbol(row.id);
      if (entity && is_tag(*entity) != wants_tag) continue;
    }
    rows.push_back(&row);
  }
  // A tag of the system, or a name that may have been removed.
  if (rows.empty()) return {wants_tag ? kExternalEntity : kUnknownEntity};
  const auto of_files = [&](const FileSet& files, bool are_seen) {
    Entities found;
    for (const SymbolRow* row : rows) {
      if (!files.contains(file_of(*row)) || (is_elsewhere && file_of(*row) == file.id)) continue;
      // (A file may be included between two definitions.)
      if (are_seen && is_replaced(*row, rows)) continue;
      if (const auto entity = resolver.symbol(row->id)) found.push_back(*entity);
    }
    return found;
  };
  Entities found = of_files(*files_seen(resolver, file.id), true);
  // An included file may rely on declarations of its includers.
  if (found.empty()) {
    found = of_files(*files_around(resolver, file.id), false);
  }
  if (!found.empty() || is_elsewhere) return found;
  // Headers may be generated: if only one file defines the name, that definition is meant.
  store::FileId definer{};
  for (const SymbolRow* row : rows) {
    if (!row->exported) continue;
    const store::FileRow* declarer = resolver.files().find(file_of(*row));
    if (declarer == nullptr) continue;
    // A test's own definitions are not called by the program.
    if (is_test_path(declarer->path) && !is_test_path(file.path)) continue;
    if (!is_linked(*row) && !wants_tag && is_source(declarer->path)) continue;
    if (!is_prototype(*row)) {
      if (definer != store::FileId{} && definer != file_of(*row)) return {kUnknownEntity};
      definer = file_of(*row);
    }
    if (const auto entity = resolver.symbol(row->id)) found.push_back(*entity);
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

}  // namespace

CSemantics::CSemantics()
    : IncludingSemantics(kCTraits, {codexmem_c_library, codexmem_c_library_end}) {}

std::optional<Entities> CSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                    std::uint32_t index) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.receiver_kind == parse::ReceiverKind::kTag) {
    return declared(resolver, file, file.name(at.name), true);
  }
  if (at.receiver_kind != parse::ReceiverKind::kNone) return std::nullopt;
  auto macros = own_macros(resolver, file, index);
  const bool is_before = macros && macros->empty();  // the first definition
  if (!is_before && !is_asked_for(resolver, file, at.name)) return macros;
  Entities elsewhere = declared(resolver, file, file.name(at.name), false, true);
  if (elsewhere.empty()) return is_before ? std::nullopt : macros;
  if (is_before) return elsewhere;
  Entities found = macros ? *std::move(macros) : resolver.bindings_of(file, 0, at.name);
  add_all(found, elsewhere);
  return found;
}

Entities CSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                  std::string_view name) const {
  return declared(resolver, file, name, false);
}

Entities CSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                 std::uint32_t symbol) const {
  const SymbolRow* own = resolver.row_of(file, symbol);
  if (own == nullptr || !is_value(*own)) return {};
  std::vector<const SymbolRow*> rows;
  for (const SymbolRow& row : resolver.symbol_rows(file.family, own->name)) {
    if (!is_value(row) || row.exported != own->exported) continue;
    if (own->exported || is_static_pair(resolver, *own, row)) rows.push_back(&row);
  }
  Entities found;
  for (const SymbolRow* row : declarations_of_one(resolver, *own, rows)) {
    if (const auto entity = resolver.symbol(row->id)) found.push_back(*entity);
  }
  return found;
}

}  // namespace codexmem::graph

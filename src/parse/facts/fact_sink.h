// parse/facts/fact_sink.h - collects the facts of a file.
//
// Internal to parse. The sink holds facts and never the syntax tree: builders read facts() and
// write with the other functions. While a file is read, names have the sink's own numbers, and
// terms refer to occurrences by byte offset; finish() turns both into indices. Names and ids are
// valid until the next reset(). Not thread-safe; reusable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/facts/facts.h"
#include "parse/walk/intern.h"
#include "parse/rules/languages.h"
#include "parse/terms/term_table.h"

namespace codexmem::parse {

// A longer qualified name is cut and starts over: thousands of nested functions would need
// quadratic space.
inline constexpr std::size_t kMaxQualifiedBytes = 512;
inline constexpr std::size_t kMaxNameBytes = 256;  // longer names are ignored

class FactSink {
 public:
  FactSink() = default;
  FactSink(const FactSink&) = delete;
  FactSink& operator=(const FactSink&) = delete;

  /// Begins a new file.
  void reset();

  /// The facts so far; always the same object.
  const FileFacts& facts() const { return facts_; }
  TermTable& terms() { return terms_; }

  /// The number of a name; its text must outlive the reading of the file.
  NameId id_of(std::string_view name) { return names_.id_of(name); }
  /// The number of a name, if it has one.
  std::optional<NameId> find_name(std::string_view name) const { return names_.find(name); }
  std::string_view text_of(NameId name) const { return names_.text_of(name); }
  /// The number of a name that is not part of the file's text.
  NameId id_of_made(std::string name) { return id_of(kept_.emplace_back(std::move(name))); }
  /// Adds the names of types, functions and methods in lower case as well, so that look-ups find
  /// both. Call it before end_occurrences().
  void fold_names();

  // The functions below return the index of the added item.

  /// Adds a name of the text. A receiver kind kName or kTerm without a known receiver becomes
  /// kOther.
  std::uint32_t add_occurrence(std::string_view name, std::uint32_t offset, Role role,
                               ReceiverKind receiver_kind = ReceiverKind::kNone,
                               std::uint32_t receiver = kNoIndex);
  std::uint32_t add_scope(const Scope& scope);
  /// `name` is the symbol's name; its text must stay valid.
  std::uint32_t add_symbol(Symbol symbol, std::string_view name);
  std::uint32_t add_binding(std::string_view name, std::uint32_t scope, BindingKind kind,
                            std::uint32_t target, std::uint32_t offset, TermId term = kNoIndex);
  /// Adds a binding that find_binding() does not find.
  std::uint32_t add_binding(const Binding& binding);
  std::uint32_t add_import(Import import);
  /// Binds the name `imported` of an import.
  void bind_import(std::uint32_t import, std::string_view imported, std::string_view local,
                   std::uint32_t scope, std::uint32_t imported_offset, std::uint32_t local_offset);
  /// Binds the imported module as a whole.
  void bind_module(std::uint32_t import, std::string_view local, std::uint32_t scope,
                   std::uint32_t local_offset);
  /// Notes the name `imported` of an import without binding it, or all names of the import.
  void name_import(std::uint32_t import, std::string_view imported, std::uint32_t offset,
                   bool type_only);
  void name_all(std::uint32_t import);
  std::uint32_t add_export(Export added, std::string_view exported, std::string_view local);
  std::uint32_t add_function();
  /// Returns the term of the object; kNoIndex when there are too many.
  TermId add_object(Object object);
  /// A use of a type in the body takes precedence over a use in the head.
  void add_heritage(const Heritage& added);
  void add_narrowing(const Narrowing& added) { facts_.narrowings.push_back(added); }
  void add_dynamic(const DynamicConstruct& added) { facts_.dynamics.push_back(added); }
  void add_document(ByteRange comment) { facts_.documents.push_back(comment); }
  void add_call(const Call& added) { facts_.calls.push_back(added); }
  void add_extension(const Extension& added) { facts_.extensions.push_back(added); }
  void set_package(std::string_view name) { facts_.package = name; }
  void add_unparsed(ByteRange range) { facts_.unparsed.push_back(range); }
  void set_has_all() { facts_.has_all = true; }
  void set_truncated() { facts_.truncated = true; }

  // Access for changes; valid until the next item is added.

  Occurrence& occurrence(std::uint32_t index) { return facts_.occurrences[index]; }
  Symbol& symbol(std::uint32_t index) { return facts_.symbols[index]; }
  Scope& scope(std::uint32_t index) { return facts_.scopes[index]; }
  Binding& binding(std::uint32_t index) { return facts_.bindings[index]; }
  Import& import(std::uint32_t index) { return facts_.imports[index]; }
  Export& export_at(std::uint32_t index) { return facts_.exports[index]; }
  Function& function(std::uint32_t index) { return facts_.functions[index]; }

  /// The binding of a name in that scope; PairMap::kAbsent when it has none.
  std::uint32_t find_binding(std::uint32_t scope, NameId name) const {
    return bound_.find(scope, name);
  }
  /// The first member of that name of a symbol, or of the file for kNoIndex; else kAbsent.
  std::uint32_t find_member(std::uint32_t symbol, NameId name) const {
    return members_.find(symbol, name);
  }

  /// True if the type of a binding is written, so that its values do not matter.
  bool is_annotated(std::uint32_t binding) const { return is_annotated_[binding]; }
  void set_annotated(std::uint32_t binding, bool value) { is_annotated_[binding] = value; }

  /// Announces that the name at `offset` defines something; its identifier comes later.
  void announce(std::uint32_t offset) { announced_.push_back(offset); }
  /// True once for an announced identifier at `offset`. Announced offsets before it whose
  /// identifiers did not come (a quoted key) are dropped.
  bool take_announced(std::uint32_t offset) {
    return !announced_.empty() && find_announced(offset);
  }

  /// Puts the occurrences in their final order; add no more after that.
  void end_occurrences();
  /// All facts in their final order. Call it once, after end_occurrences().
  FileFacts finish(Visibility visibility);

 private:
  bool find_announced(std::uint32_t offset);

  FileFacts facts_;
  TermTable terms_{facts_};
  Interner names_;
  PairMap bound_;                         // (scope, name) -> binding
  PairMap members_;                       // (symbol, name) -> the first member of that name
  std::vector<bool> is_annotated_;        // by binding
  std::vector<std::uint32_t> announced_;  // offsets
  std::deque<std::string> kept_;          // texts that are not in the file
};

}  // namespace codexmem::parse

// parse/fact_sink.h - the facts of a file as they are written down.
//
// Internal to parse. What is written, and nothing of the tree: builders read facts() and write with
// the rest. While a file is read, names are the sink's own numbers, and terms refer to occurrences
// by byte offset; finish() makes both indices. Names, ids and what they stand for are good until
// the next reset(). Not thread-safe; reusable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/facts.h"
#include "parse/intern.h"
#include "parse/languages.h"
#include "parse/term_table.h"

namespace codexmem::parse {

// A longer path of names begins anew: thousands of nested functions would be of quadratic size.
inline constexpr std::size_t kMaxQualifiedBytes = 512;
inline constexpr std::size_t kMaxNameBytes = 256;  // a longer name is none

class FactSink {
 public:
  FactSink() = default;
  FactSink(const FactSink&) = delete;
  FactSink& operator=(const FactSink&) = delete;

  /// Begins a new file.
  void reset();

  /// What is written so far; the same object always.
  const FileFacts& facts() const { return facts_; }
  TermTable& terms() { return terms_; }

  /// The number of a name, whose text outlives the file's reading.
  NameId id_of(std::string_view name) { return names_.id_of(name); }
  /// The number of a name that has one.
  std::optional<NameId> find_name(std::string_view name) const { return names_.find(name); }
  std::string_view text_of(NameId name) const { return names_.text_of(name); }
  /// The number of a name that is no piece of the file's text.
  NameId id_of_made(std::string name) { return id_of(kept_.emplace_back(std::move(name))); }
  /// Adds the names of types, functions and methods in small letters, so that they are found by
  /// those too. Before end_occurrences().
  void fold_names();

  // Each of these gives the index of what it adds.

  /// A name of the text. A receiver that is a name or a term but is not known counts as another.
  std::uint32_t add_occurrence(std::string_view name, std::uint32_t offset, Role role,
                               ReceiverKind receiver_kind = ReceiverKind::kNone,
                               std::uint32_t receiver = kNoIndex);
  std::uint32_t add_scope(const Scope& scope);
  /// `name` is that of `symbol`, as a piece of text that stays.
  std::uint32_t add_symbol(Symbol symbol, std::string_view name);
  std::uint32_t add_binding(std::string_view name, std::uint32_t scope, BindingKind kind,
                            std::uint32_t target, std::uint32_t offset, TermId term = kNoIndex);
  /// A binding that find_binding() does not find.
  std::uint32_t add_binding(const Binding& binding);
  std::uint32_t add_import(Import import);
  /// Binds what an import gives under the name `imported`.
  void bind_import(std::uint32_t import, std::string_view imported, std::string_view local,
                   std::uint32_t scope, std::uint32_t imported_offset, std::uint32_t local_offset);
  /// The same of the module itself, for which the import stands as a whole.
  void bind_module(std::uint32_t import, std::string_view local, std::uint32_t scope,
                   std::uint32_t local_offset);
  /// The name `imported` of an import, bound to none; or all that it gives.
  void name_import(std::uint32_t import, std::string_view imported, std::uint32_t offset,
                   bool type_only);
  void name_all(std::uint32_t import);
  std::uint32_t add_export(Export added, std::string_view exported, std::string_view local);
  std::uint32_t add_function();
  /// The term of the object; kNoIndex when there are too many.
  TermId add_object(Object object);
  /// What a type uses in its body counts before what its head names.
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

  // What was added, to be changed; good until the next is added.

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

  /// Whether a binding's type is written, so that what it is given says no more.
  bool is_annotated(std::uint32_t binding) const { return is_annotated_[binding]; }
  void set_annotated(std::uint32_t binding, bool value) { is_annotated_[binding] = value; }

  /// The name at `offset` defines something, though its identifier is still to come.
  void announce(std::uint32_t offset) { announced_.push_back(offset); }
  /// True once for the identifier at `offset` if it was announced. What stands before it and never
  /// came (a quoted key) never will.
  bool take_announced(std::uint32_t offset) {
    return !announced_.empty() && find_announced(offset);
  }

  /// Puts the occurrences in their final order; none is added after that.
  void end_occurrences();
  /// All facts in their final order. To be called once, after end_occurrences().
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
  std::deque<std::string> kept_;          // texts that the file has not
};

}  // namespace codexmem::parse

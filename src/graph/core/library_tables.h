// graph/core/library_tables.h - tables that describe the library of a language.
//
// Names that need no declaration, and how the library passes types of the repository on: what its
// generic types contain, and what its functions and methods return (a list of A, the callbacks of
// map(), the value of an awaited promise). Read from a text that is compiled in, one for each
// family (ecma/library.txt, python/library.txt):
//
//     text    = { section }
//     section = "[" title "]" newline { line }    blank lines and lines that begin with "# "
//               do not count
//     title   = "types" | "functions" | "methods" { container } | "operators" | any other: a list
//               of words
//     line    = of types: name rule [first]; of functions: name flow; of methods: name flow
//               [flow [flow]]; of operators: the sign, x after it if it takes one operand, the
//               method of the operand before it and of the operand behind
//
// Immutable once built.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace codexmem::graph {

enum class ContainerKind : std::uint8_t {
  kList,      // arguments: element. Arrays, sets, iterators
  kTuple,     // arguments: each item
  kMap,       // arguments: key, value
  kRecord,    // arguments: key, value, which any member is
  kPromise,   // arguments: what awaiting it gives
  kCallable,  // arguments: its parameters, a tuple, if they are declared; the result of a call
  kClassOf,   // arguments: instances of the class that it is
  kChannel,   // arguments: the type of the values received from it
  // Of a template that nothing here declares, its type arguments as arguments:
  kForeign,  // an instance, which may be, point to or hold values of these
  kReached,  // what its members give: one of these values, or what leads to them
};
inline constexpr std::size_t kContainerKinds = 10;

/// What a generic type of the library is.
enum class LibraryType : std::uint8_t {
  kContainer,   // `container` of its arguments, from `first` on
  kSame,        // its argument number `first`: Partial<T>, Optional[T]
  kUnion,       // any of its arguments: Union[A, B]
  kTuple,       // Tuple[A, B], Tuple[A, ...]
  kResultOf,    // what calling its argument gives: ReturnType<F>
  kInstanceOf,  // an instance of the class that its argument is: InstanceType<typeof A>
};

struct LibraryTypeRule {
  LibraryType type = LibraryType::kSame;
  ContainerKind container = ContainerKind::kList;
  std::uint32_t first = 0;
};

/// What a method or function of the library gives, or hands to a callback.
enum class Flow : std::uint8_t {
  kNothing,
  kSame,      // the container itself (of a function: its first argument)
  kElement,   // what iterating it gives
  kKey,       // the first argument of a map
  kValue,     // the second
  kElements,  // a list of the elements
  kKeys,      // lists of these
  kValues,
  kEntries,
  kEnumerated,        // a list of pairs: a number, an element
  kAwaited,           // what awaiting it gives
  kCallbackList,      // a list of what the callback gives
  kCallbackElements,  // a list of what iterating that gives
  kCallbackPromise,   // a promise of what the callback gives
  kSecond,            // the second argument
  kPromiseOf,         // a promise of the first argument
  kPromiseOfEach,     // a promise of a list of what awaiting each element gives
  kSecondElements,    // a list of the elements of the second argument
  kStep,              // an object whose members give what iterating it gives
};

struct LibraryMethodRule {
  std::string_view name;
  Flow result = Flow::kNothing;
  Flow first = Flow::kNothing;   // what the callback, its first argument, gets first
  Flow second = Flow::kNothing;  // and second
};

/// The methods that an operator calls.
struct OperatorMethods {
  std::string_view left;   // of the first operand
  std::string_view right;  // of the second, where the first has none
};

class LibraryTables {
 public:
  /// Of a language whose library is unknown.
  LibraryTables() = default;

  /// Reads `text`, which must outlive this.
  explicit LibraryTables(std::string_view text);

  /// True if `word` is in section `title`, a list of words.
  bool has(std::string_view title, std::string_view word) const;

  /// The generic type called `name`.
  std::optional<LibraryTypeRule> find_type(std::string_view name) const;

  /// The number of the method `name` of a container; for method().
  std::optional<std::uint32_t> find_method(ContainerKind container, std::string_view name) const;
  const LibraryMethodRule& method(ContainerKind container, std::uint32_t number) const {
    return methods_[static_cast<std::size_t>(container)][number];
  }

  /// What the function called `name`, of the library or of one of its objects (Object.values),
  /// gives.
  Flow function(std::string_view name) const;

  /// What the operator `sign` (with x behind it: the one with one operand) calls; empty when it is
  /// the language's own.
  OperatorMethods operator_methods(std::string_view sign) const;

 private:
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> words_;  // by section
  std::unordered_map<std::string_view, LibraryTypeRule> types_;
  std::array<std::vector<LibraryMethodRule>, kContainerKinds> methods_;
  std::unordered_map<std::string_view, Flow> functions_;
  std::unordered_map<std::string_view, OperatorMethods> operators_;
};

}  // namespace codexmem::graph

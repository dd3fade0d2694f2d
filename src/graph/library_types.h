// graph/library_types.h - the generic types and functions of the languages' own libraries.
//
// What they contain, give and pass on, as far as it carries types of the repository along: a list
// of A, the callbacks of map(), what await of a promise gives. Tables; stateless.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/core/file_model.h"

namespace codexmem::graph {

enum class ContainerKind : std::uint8_t {
  kList,      // arguments: element. Arrays, sets, iterators
  kTuple,     // arguments: each item
  kMap,       // arguments: key, value
  kRecord,    // arguments: key, value, which any member is
  kPromise,   // arguments: what awaiting it gives
  kCallable,  // arguments: what calling it gives
  kClassOf,   // arguments: instances of the class that it is
};

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

/// The generic type called `name` in the library of `family`.
std::optional<LibraryTypeRule> find_library_type(Family family, std::string_view name);

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
};

struct LibraryMethodRule {
  std::string_view name;
  Flow result = Flow::kNothing;
  Flow first = Flow::kNothing;   // what the callback, its first argument, gets first
  Flow second = Flow::kNothing;  // and second
};

/// Index of the method `name` of containers of a kind; for LibraryMethodRule.
std::optional<std::uint32_t> find_library_method(Family family, ContainerKind container,
                                                 std::string_view name);
const LibraryMethodRule& library_method(std::uint32_t index);

/// The kind of container whose method `index` is.
ContainerKind library_method_container(std::uint32_t index);

/// What the function called `name`, of the library or of one of its objects (Object.values), gives.
Flow library_function(Family family, std::string_view name);

}  // namespace codexmem::graph

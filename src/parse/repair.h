// parse/repair.h - JavaScript, TypeScript and Kotlin as their grammars take them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// TypeScript `text` with a `;` in place of the white space that ends a member of an interface
/// before a line that opens with `<`; nothing when there is no such place.
///
///     interface Get {
///       <P>(path: P): Result<P>     the grammar takes this line's end and the next line's `<` for
///       <P, Q>(path: P): Result<Q>  one type, and then the whole file for an error
///     }
///
/// All offsets stay. Strings and comments are left alone; what stands in a template or a regular
/// expression may be changed, so the result is for parsing alone.
std::optional<std::string> end_members(std::string_view text);

/// JavaScript or TypeScript `text` with `const` in place of `using` and `await using`, which the
/// grammars do not know; nothing when there is no such declaration. All offsets stay. What stands
/// in strings and comments may be changed, so the result is for parsing alone.
std::optional<std::string> declare_used(std::string_view text);

/// Kotlin `text` in which the grammar groups what belongs together; nothing when it does anyway.
///
///     class C : A by b { }    the grammar takes the body for a lambda of b: A(b) { }
///     !a.b(c)                 it reads (!a).b(c): the sign is left out
///
/// All offsets stay. Strings and comments are left alone. For parsing alone.
std::optional<std::string> regroup(std::string_view text);

/// Kotlin `text` with `;` in place of the space before a `}` that is in the line of the last
/// member, and an annotation in place of the words before a primary constructor that begins a
/// line, and `,` in place of the `if` of `is A if b ->`, other names in place of those that are
/// words of the language elsewhere, and what is said below; nothing when there is none of these.
///
///     class A { fun f() {} }     the grammar wants a line's end, or `;`, behind a member
///     class B
///     private constructor(...)   it takes the line's end for the end of the class
///     context(a: A) fun f() {}   it does not know what is left out here
///     inline = true; a get b     it takes a name for a modifier, `get` for an accessor
///     $$"$a $$b"                 a string with two dollars where others have one
///
/// All offsets stay. Other strings and comments are left alone. For parsing alone.
std::optional<std::string> close_members(std::string_view text);

}  // namespace codexmem::parse

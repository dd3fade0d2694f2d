// parse/preprocess/repair.h - adapts JavaScript, TypeScript and Kotlin for their grammars.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// TypeScript `text` with a `;` in place of the white space that ends a member of an interface
/// before a line that begins with `<`; nothing if the text has no such place.
///
///     interface Get {
///       <P>(path: P): Result<P>     the grammar takes this line's end and the next line's `<` for
///       <P, Q>(path: P): Result<Q>  one type, and then the whole file for an error
///     }
///
/// All offsets stay the same. Strings and comments are not changed; templates and regular
/// expressions may be, so use the result only for parsing.
std::optional<std::string> end_members(std::string_view text);

/// JavaScript or TypeScript `text` with `const` in place of `using` and `await using`, which the
/// grammars do not know; nothing if the text has no such declaration. All offsets stay the same.
/// Strings and comments may be changed, so use the result only for parsing.
std::optional<std::string> declare_used(std::string_view text);

/// Kotlin `text` changed so that the grammar groups it correctly; nothing if no change is needed.
///
///     class C : A by b { }    the grammar takes the body for a lambda of b: A(b) { }
///     !a.b(c)                 it reads (!a).b(c): the sign is left out
///
/// All offsets stay the same. Strings and comments are not changed. Use the result only for
/// parsing.
std::optional<std::string> regroup(std::string_view text);

/// Kotlin `text` with these changes; nothing if none applies: `;` replaces the space before a `}`
/// on the line of the last member; an annotation replaces the words before a primary constructor
/// that begins a line; `,` replaces the `if` in `is A if b ->`; names that are keywords elsewhere
/// are replaced by other names; and the changes below.
///
///     class A { fun f() {} }     the grammar wants a line's end, or `;`, behind a member
///     class B
///     private constructor(...)   it takes the line break for the end of the class
///     context(a: A) fun f() {}   it does not know context parameters
///     inline = true; a get b     it takes a name for a modifier, `get` for an accessor
///     $$"$a $$b"                 a string with two dollars where others have one
///
/// All offsets stay. Other strings and comments are left alone. For parsing alone.
std::optional<std::string> close_members(std::string_view text);

}  // namespace codexmem::parse

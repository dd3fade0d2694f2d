// parse/component_script.h - Vue's single-file components as TypeScript.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::parse {

/// The scripts of a Vue component and the expressions of its template as one TypeScript text of the
/// same length: all else is spaces, so all offsets and lines stay.
///
///     <li v-for="item in items" @click="pick(item)">{{ item.name }}</li>
///          for(let item of items) {     {pick(item)}; ;( item.name );}
///
/// A component in a tag is a name, `v-for` a loop and a slot's parameters those of a function, with
/// what is in the element in them. A component that exports nothing itself exports an anonymous
/// default. Where a template's tags are not balanced its expressions are left out; so are
/// expressions whose brackets are not. Without `with_markup` the scripts alone. Time and memory
/// grow with the text alone.
std::string script_of_component(std::string_view text, bool with_markup = true);

}  // namespace codexmem::parse

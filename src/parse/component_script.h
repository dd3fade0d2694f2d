// parse/component_script.h - the components of Vue and Svelte as TypeScript.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::parse {

/// Whose components: they differ in their markup.
enum class Component { kVue, kSvelte };

/// The scripts of a component and the expressions of its markup as one TypeScript text of the same
/// length: all else is spaces, so all offsets and lines stay.
///
///     <li v-for="item in items" @click="pick(item)">{{ item.name }}</li>
///          for(let item of items) {     {pick(item)}; ;( item.name );}
///
///     {#each items as item, i (item.id)}<li on:click={pick}>{item.name}</li>{/each}
///     ;{let{[items]:  item, i};item.id;               (pick);;item.name;     }
///
/// A component in a tag is a name, `v-for` a loop and a slot's parameters those of a function, with
/// what is in the element in them. Blocks of Svelte are blocks; `{#each}` takes its items apart in
/// the way above, a pattern without a value. `$store` is `store`. A component that exports nothing
/// itself exports an anonymous default. Where tags or blocks are not balanced, the markup's
/// expressions are left out; so are expressions of Vue whose brackets are not. Without
/// `with_markup` the scripts alone. Time and memory grow with the text alone.
std::string script_of_component(std::string_view text, Component kind, bool with_markup = true);

}  // namespace codexmem::parse

// parse/component_script.h - the components of Vue and Svelte as TypeScript.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/facts.h"

namespace codexmem::parse {

/// Whose components: they differ in their markup.
enum class Component { kVue, kSvelte };

/// The scripts of a component and the expressions of its markup as one TypeScript text. What stands
/// in it is where it was, but for pieces that are put between.
struct ComponentScript {
  std::string text;

  /// From `place` in `text` on, what stands at `source` in the component. Of a piece that is put
  /// in, all of it stands there.
  struct Piece {
    std::uint32_t place = 0;
    std::uint32_t source = 0;
    bool is_put_in = false;
  };
  std::vector<Piece> pieces;  // by place

  /// A name that is put in once more: what it means is what the one at `original` means.
  struct Copy {
    std::uint32_t place = 0;
    std::uint32_t size = 0;
    std::uint32_t original = 0;  // a place too
  };
  std::vector<Copy> copies;  // by place
};

/// The text above, of time and memory that grow with the component alone.
///
///     <li v-for="item in items" @click="pick(item)">{{ item.name }}</li>
///          for(let item of items) {     {pick(item)}; ;( item.name );}
///
///     {#each items as item, i (item.id)}<li on:click={pick}>{item.name}</li>{/each}
///     ;{let{[items]:  item, i};item.id;               (pick);;item.name;     }
///
/// `v-for` is a loop, and a slot's parameters are those of a function, with what is in the element
/// in them. Blocks of Svelte are blocks; `{#each}` takes its items apart in the way above, a
/// pattern without a value. `$store` is `store`. A component in a tag is a name (`<my-row>` is
/// MyRow where the script has that), each of its attributes a call of it:
///
///     <Row :item="a" @pick="b"/>         ;Row;Row({item:(a)});Row(0,{pick:0});{b};
///
/// So the component is a function: what it is given is of the type `$Props`, which is what
/// `defineProps` or `$props` says, its events of `$Emits`, what it gives is `$exposed`. Of Svelte
/// without `$props`, `$Props` is an interface that is empty: what the component exports is in it.
///
///     const props = defineProps<{ a: A }>()
///     const props = null! as $Props;type $Props =  { a: A }  ;
///
/// Where tags or blocks are not balanced, the markup's expressions are left out; so are expressions
/// of Vue whose brackets are not. Without `with_markup` the scripts alone, as they are.
ComponentScript script_of_component(std::string_view text, Component kind, bool with_markup = true);

/// False where a word that was put in was taken for a name, as in broken code. `facts` are those of
/// the script's text.
bool has_names_in_place(const FileFacts& facts, const ComponentScript& script,
                        std::string_view component);

/// The facts of a script's text as those of the component: offsets are those of the component, and
/// copies of names are gone.
void move_to_component(FileFacts& facts, const ComponentScript& script);

}  // namespace codexmem::parse

// parse/components/component_script.h - turns Vue and Svelte components into TypeScript.
//
// Pieces that are put in stand where they were made from, and may be spelled in another way there
// (`<my-row>` is MyRow, `:user-name` is userName). Each attribute of a component is a key of
// `$Props`: of Vue what defineProps says, of Svelte the annotation of $props, else an empty
// interface, in which graph finds the exports. `$Emits` has its events, `$exposed` the argument of
// defineExpose; these symbols have no place for their name. The component is the default export.
// `<row>`, `<my-row>` and `<myRow>` may be Row and MyRow, except for names of HTML, SVG and Vue.
// `{#each}` takes its items apart by a pattern; `$store` is `store`, `$state(value)` its value.
//
// Not read: templates in Pug, values that slots give, attributes of components whose props are
// options, styles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/facts/facts.h"

namespace codexmem::parse {

/// The framework of a component; their markup differs.
enum class Component { kVue, kSvelte };

/// The scripts of a component and the expressions of its markup as one TypeScript text. They keep
/// their places, except for inserted pieces.
struct ComponentScript {
  std::string text;

  /// The text from `place` on corresponds to `source` in the component. An inserted piece as a
  /// whole corresponds to one place.
  struct Piece {
    std::uint32_t place = 0;
    std::uint32_t source = 0;
    bool is_put_in = false;
  };
  std::vector<Piece> pieces;  // by place

  /// An inserted copy of a name: it means the same as the name at `original`.
  struct Copy {
    std::uint32_t place = 0;
    std::uint32_t size = 0;
    std::uint32_t original = 0;  // also a place in the text
  };
  std::vector<Copy> copies;  // by place
};

/// Builds the text above; its time and memory grow with the component only.
///
///     <li v-for="item in items" @click="pick(item)">{{ item.name }}</li>
///          for(let item of items) {     {pick(item)}; ;( item.name );}
///
///     {#each items as item, i (item.id)}<li on:click={pick}>{item.name}</li>{/each}
///     ;{let{[items]:  item, i};item.id;               (pick);;item.name;     }
///
/// `v-for` is a loop. A slot's parameters are parameters of a function that contains the
/// expressions of the element. Blocks of Svelte are blocks; `{#each}` destructures its items as
/// shown above, with a pattern without a value. `$store` is `store`. A component in a tag is a name
/// (`<my-row>` is MyRow if the script has that name), and each of its attributes is a call of it:
///
///     <Row :item="a" @pick="b"/>         ;Row();Row({item:(a)});Row(0,{pick:0});{b};
///
/// So the component is a function. Its parameter has the type `$Props`, which `defineProps` or
/// `$props` declares; its events have the type `$Emits`; its result is `$exposed`. In Svelte
/// without `$props`, `$Props` is an empty interface that contains the exports of the component.
///
///     const props = defineProps<{ a: A }>()
///     const props = null! as $Props;type $Props =  { a: A }  ;
///
/// If tags or blocks are not balanced, the markup's expressions are left out; so are Vue
/// expressions with unbalanced brackets. Without `with_markup`, the result contains only the
/// scripts, unchanged.
ComponentScript script_of_component(std::string_view text, Component kind, bool with_markup = true);

/// False when an inserted word was taken for a name, as happens in broken code. `facts` are the
/// facts of the script's text.
bool has_names_in_place(const FileFacts& facts, const ComponentScript& script,
                        std::string_view component);

/// The kind of a component's symbol. The symbol has no name range, and is called `default` in the
/// facts, because these do not depend on the file's path.
inline constexpr std::string_view kComponentKind = "component";

/// The name by which users ask for `symbol` of the file at `path`: a component has its file's name.
std::string_view asked_name(const Symbol& symbol, std::string_view path);

/// Turns the facts of a script's text into facts of the component, which has `size` bytes: offsets
/// refer to the component, copies of names are removed, and the component's default export becomes
/// one of the file.
void move_to_component(FileFacts& facts, const ComponentScript& script, std::uint32_t size);

}  // namespace codexmem::parse

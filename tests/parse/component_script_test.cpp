#include "parse/components/component_script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "parse/components/component_text.h"
#include "support/growth.h"

namespace codexmem::parse {
namespace {

TEST(ComponentScript, KeepsScriptsAndExpressionsInPlace) {
  const struct {
    const char* text;
    const char* want;  // of its second line
  } cases[] = {
      {"<script setup>\nconst a = 1\n</script>", "const a = 1"},
      {"<template>\n<p :id=\"a.b\" @click=\"go(1)\">{{ c }}</p>\n</template>",
       "      ;(a.b);      ;{go(1)};;( c );    "},
      {"<template>\n <li v-for=\"(x, i) in xs\" :key=\"x.id\">{{ i }}</li>\n</template>",
       "            ;for(let [x, i] of xs){     ;(x.id);;( i );}     "},
      {"<template>\n  <Row #item=\"{ row }\" v-if=\"a &amp;&amp; b\">{{ row }}</Row>\n</template>",
       "  ;Row();        ;!function({ row }){     ;(a &&         b);;( row );}; Row;"},
      {"<template>\n<template #item=\"{ row }\"><b>{{ row }}</b></template>\n</template>",
       "                 ;!function({ row }){    ;( row );    }           "},
      {"<template>\n<i v-for=\"{ x, y }, i in xs\">{{ i }}</i>\n</template>",
       "          ;for(let [{ x, y }, i] of xs){ ;( i );}    "},
      {"<template>\n<input v-for=\"n in 3\" /><br>{{ a }}\n</template>",
       "              ;for(let n of 3){  }    ;( a );"},
      // Incomplete parts are left out.
      {"<template>\n<p>{{ a }}\n</template", "          "},
      {"<template>\n<p :a=\"f(\">{{ b }}</p>\n</template>", "           ;( b );    "},
      {"<template lang=\"pug\">\np {{ a }}\n</template>", "         "},
      {"<template>\n<!-- {{ a }} --><i>{{ b }}</i>\n</template>", "                   ;( b );    "},
      {"<style>\n.a { b: c }\n</style>", "           "},
  };
  for (const auto& c : cases) {
    const std::string script = script_of_component(c.text, Component::kVue).text;
    const std::size_t line = script.find('\n') + 1;
    EXPECT_EQ(script.substr(line, script.find('\n', line) - line), c.want) << c.text;
  }
}

TEST(ComponentScript, ReadsTheBlocksOfSvelte) {
  const struct {
    const char* text;
    const char* want;  // of its second line
  } cases[] = {
      {"<script>\nlet a = $b.c + $state(1)\n</script>", "let a =  b.c +       (1)"},
      {"<script>\n$: a = $b\n$: c = 1\n$: $b = 2\nlet c\n</script>", "$: a =  b"},
      {"<b>\n{#each xs as x, i (x.id)}<i on:click={f}>{x}</i>{/each}\n</b>",
       ";{let{[xs ]: x},i ;x.id;;           ;(f);;x;    }      "},
      {"<b>\n{#each xs as { a, b }}{#if a}{b}{:else if c}{c}{/if}{/each}\n</b>",
       ";{let{[xs ]: { a, b }};{  ;a;;b;}{      ; c;;c;}    }      "},
      {"<b>\n{#await p then v}{v}{:catch e}{e}{/await}\n</b>",
       ";{     ;p ;let v;;v;}{ ;let e;;e;}       "},
      {"<b>\n{#snippet s(a: A)}{@const b = `${a}`}{b}{/snippet}{@render s(1)}\n</b>",
       " function s(a: A){; const b = `${a}`;;b;}         ;        s(1);"},
      {"<b>\n<Row {a} {...b} c=\"d {e}\" use:f={{ g }} bind:h let:i={j} class:k />\n</b>", nullptr},
      {"<b>\n{#if a}{b}{/each}\n</b>", "                 "},
      {"<b>\n{a {b}\n</b>", "      "},
  };
  for (const auto& c : cases) {
    // (What exports the component has room in the first line.)
    const std::string text = "<!-- a -->" + std::string(c.text);
    const std::string script = script_of_component(text, Component::kSvelte).text;
    const std::size_t line = script.find('\n') + 1;
    if (c.want == nullptr) {
      EXPECT_TRUE(is_balanced(script)) << script;
      continue;
    }
    EXPECT_EQ(script.substr(line, script.find('\n', line) - line), c.want) << c.text;
  }
}

TEST(ComponentScript, MakesAFunctionOfTheComponent) {
  const struct {
    Component kind;
    const char* text;
    const char* want;  // without spaces that follow another
  } cases[] = {
      {Component::kVue, "<script setup>\nconst p = defineProps<{ a: A }>()\n</script>",
       "export default null! as ($p: $Props ) => void ; "
       "\nconst p = null! as $Props;type $Props = { a: A } ;\n "},
      {Component::kVue,
       "<script setup>\nwithDefaults(defineProps<P>(), { a: 1 })\ndefineExpose({ b })\n</script>",
       "export default null! as ($p: $Props ) => typeof $exposed ; "
       "\n null! as $Props;type $Props = P ; ( { a: 1 }) as $Props;"
       "\nnull! as typeof $exposed;const $exposed = { b } ;\n "},
      {Component::kVue, "<script setup>\ndefineProps({ a: A }); defineEmits<E>()\n</script>",
       "export default null! as ($p: $Props , $e: $Emits ) => void ; "
       "\nnull! as $Props;type $Props = typeof $props;const $props = { a: A } ;; "
       "null! as $Emits;type $Emits = E ;\n "},
      {Component::kVue,
       "<script setup>\nR\n</script>\n<template>\n"
       "<R a=\"x\" :b-c=\"d\" v-model=\"e\" :f @g=\"h\">i</R><r/>\n</template>",
       "export default null! as ($p: {} ) => void ; \nR\n \n \n"
       ";R(); ;R({a:0}); ;R({bC: (d)}); ;R({modelValue: (e)}); ;R({f}); ;R(0,{g:0});;{h}; ; "
       "R;;R(); \n "},
      {Component::kSvelte, "<script>\nlet { a }: A = $props()\n</script>\n<R {a} b={c} bind:d />",
       "export default null! as ($p: $Props ) => void ; "
       "\nlet { a }:$Props = null!;type $Props = A ;\n \n;R(); ;R({a}); ;R({b: (c)}); ;R({d}); "},
      {Component::kSvelte, "<script>\nexport let a\n</script>",
       "export default null! as ($p: $Props ) => void ;interface $Props {} \nexport let a\n "},
  };
  for (const auto& c : cases) {
    std::string script = script_of_component(c.text, c.kind).text;
    // (std::ranges::unique is one that clang 14 cannot compile.)
    const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
    script.erase(std::unique(script.begin(), script.end(), both_blank), script.end());
    EXPECT_EQ(script, c.want) << c.text;
  }
}

// Ended the program: a rune was read past the end of the text.
TEST(ComponentScript, ARuneMayEndTheText) {
  for (const std::string_view rune : {"$state", "$state.raw", "$state<", "$state<a>", "$state(",
                                      "$state.raw<a>(", "$props", "$props(", "$derived."}) {
    const std::string text = "<script>let a = " + std::string(rune);
    for (std::size_t size = 0; size <= text.size(); ++size) {
      for (const Component kind : {Component::kVue, Component::kSvelte}) {
        EXPECT_GE(script_of_component(text.substr(0, size), kind).text.size(), size);
      }
    }
  }
}

TEST(ComponentScript, ExportsTheComponent) {
  const auto has_default = [](std::string_view text) {
    const std::string script = script_of_component(text, Component::kVue).text;
    return script.find("export default") != std::string::npos;
  };
  EXPECT_TRUE(has_default("<script setup lang=\"ts\">\nlet a\n</script>"));
  EXPECT_TRUE(has_default("<script setup>\nlet a\n</script>\n<template>\n{{ a }}\n</template>\n"));
  EXPECT_TRUE(has_default("<template>\n{{ a }}\n</template>\n<script setup>\nlet a\n</script>\n"));
  EXPECT_TRUE(has_default("<template>\n<svg></svg>\n</template>\n"));
  const std::string own = "<script>\nexport default {}\n</script>\n<style>\n.a { b: c }\n</style>";
  EXPECT_EQ(script_of_component(own, Component::kVue).text.find("default"), own.find("default"));
}

TEST(ComponentScript, TakesTimeThatGrowsWithTheText) {
  const struct {
    const char* head;
    const char* part;
  } cases[] = {
      {"<template>", "<a>"},
      {"<template>", "{{"},
      {"<template>", "<!--"},
      {"<template>", "<a b=\"c\""},
      {"<template>", "<a v-for=\"b in c\">"},
      {"", "<a "},
      {"", "<script>"},
      {"<template>", "</a>"},
      {"<template>", "<a></b>"},
      {"", "{#each a as b}"},
      {"", "{"},
      {"", "{/if}"},
      {"", "<b {a}"},
      {"<script>", "$: a = $b\n"},
      {"", "<script></b>"},
      {"{#each (", "(a) as "},
      {"", "<b>{#if a}</b>"},
      {"<script>", "$state<a "},
      {"<script>", "$state<a\n"},
      {"<script>", "$props "},
      {"<script setup>", "defineProps<a "},
      {"<script setup>", "withDefaults("},
      {"<script>a:b = $props()</script>", "<script>"},
  };
  for (const auto& c : cases) {
    const auto text_of = [&](std::size_t size) { return testing::repeated(c.head, c.part, size); };
    const double growth = testing::growth_of_time(text_of, [](const std::string& text) {
      (void)script_of_component(text, Component::kVue);
      (void)script_of_component(text, Component::kSvelte);
    });
    EXPECT_LT(growth, testing::kMaxLinearGrowth) << c.head << c.part;
  }
}

}  // namespace
}  // namespace codexmem::parse

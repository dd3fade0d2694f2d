#include "parse/component_script.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "parse/component_text.h"

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
       "    for(let [x, i] of xs){    ;(x.id);;( i );}    "},
      {"<template>\n  <Row #item=\"{ row }\" v-if=\"a &amp;&amp; b\">{{ row }}</Row>\n</template>",
       "  ;Row;                    ;(a &&         b);;( row );      "},
      {"<template>\n<template #item=\"{ row }\"><b>{{ row }}</b></template>\n</template>",
       "       !function({ row }){   ;( row );    }          "},
      {"<template>\n<input v-for=\"n in 3\" /><br>{{ a }}\n</template>",
       "      for(let n of 3){ }    ;( a );"},
      // What is not whole is left out.
      {"<template>\n<p>{{ a }}\n</template", "          "},
      {"<template>\n<p :a=\"f(\">{{ b }}</p>\n</template>", "           ;( b );    "},
      {"<template lang=\"pug\">\np {{ a }}\n</template>", "         "},
      {"<template>\n<!-- {{ a }} --><i>{{ b }}</i>\n</template>", "                   ;( b );    "},
      {"<style>\n.a { b: c }\n</style>", "export=0;  "},
  };
  for (const auto& c : cases) {
    const std::string text = c.text;
    const std::string script = script_of_component(text, Component::kVue);
    ASSERT_EQ(script.size(), text.size());
    for (std::size_t i = 0; i < text.size(); ++i) EXPECT_EQ(text[i] == '\n', script[i] == '\n');
    const std::size_t line = script.find('\n') + 1;
    EXPECT_EQ(script.substr(line, script.find('\n', line) - line), c.want) << text;
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
       " function s(a: A){; const b = `${a}`;;b;}export=0;;        s(1);"},
      {"<b>\n<Row {a} {...b} c=\"d {e}\" use:f={{ g }} bind:h let:i={j} class:k />\n</b>", nullptr},
      {"<b>\n{#if a}{b}{/each}\n</b>", "export default 0;"},
      {"<b>\n{a {b}\n</b>", "      "},
  };
  for (const auto& c : cases) {
    const std::string text = c.text;
    const std::string script = script_of_component(text, Component::kSvelte);
    ASSERT_EQ(script.size(), text.size());
    for (std::size_t i = 0; i < text.size(); ++i) EXPECT_EQ(text[i] == '\n', script[i] == '\n');
    const std::size_t line = script.find('\n') + 1;
    if (c.want == nullptr) {
      EXPECT_TRUE(is_balanced(script)) << script;
      continue;
    }
    EXPECT_EQ(script.substr(line, script.find('\n', line) - line), c.want) << text;
  }
}

TEST(ComponentScript, ExportsTheComponent) {
  const auto has_default = [](std::string_view text) {
    const std::string script = script_of_component(text, Component::kVue);
    const std::size_t first = script.find("export");
    return first != std::string::npos && script.find_first_of("d=", first) != std::string::npos;
  };
  EXPECT_TRUE(has_default("<script setup lang=\"ts\">\nlet a\n</script>"));
  EXPECT_TRUE(has_default("<script setup>\nlet a\n</script>\n<template>\n{{ a }}\n</template>\n"));
  EXPECT_TRUE(has_default("<template>\n{{ a }}\n</template>\n<script setup>\nlet a\n</script>\n"));
  EXPECT_TRUE(has_default("<template>\n<svg></svg>\n</template>\n"));
  const std::string own = "<script>\nexport default {}\n</script>\n<style>\n.a { b: c }\n</style>";
  EXPECT_EQ(script_of_component(own, Component::kVue).find("default"), own.find("default"));
}

TEST(ComponentScript, TakesTimeThatGrowsWithTheText) {
  const auto repeated = [](std::string_view head, std::string_view part) {
    std::string text(head);
    while (text.size() < std::size_t{1} << 20U) text += part;
    return text;
  };
  for (const std::string& text :
       {repeated("<template>", "<a>"), repeated("<template>", "{{"), repeated("<template>", "<!--"),
        repeated("<template>", "<a b=\"c\""), repeated("<template>", "<a v-for=\"b in c\">"),
        repeated("", "<a "), repeated("", "<script>"), repeated("<template>", "</a>"),
        repeated("<template>", "<a></b>"), repeated("", "{#each a as b}"), repeated("", "{"),
        repeated("", "{/if}"), repeated("", "<b {a}"), repeated("<script>", "$: a = $b\n"),
        repeated("", "<script></b>"), repeated("{#each (", "(a) as "),
        repeated("", "<b>{#if a}</b>")}) {
    const auto begin = std::chrono::steady_clock::now();
    (void)script_of_component(text, Component::kVue);
    (void)script_of_component(text, Component::kSvelte);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took, std::chrono::seconds(20)) << text.substr(0, 30);  // a square takes hours
  }
}

}  // namespace
}  // namespace codexmem::parse

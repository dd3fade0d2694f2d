// Which uses of names mean a definition in components of Vue and Svelte.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class ComponentUsages : public UsageTest {};

TEST_P(ComponentUsages, AreThoseThatTheAnalyserSees) { check(); }

const std::map<std::string, std::string> kVueFiles = {
    {"Row.vue",
     "<script setup lang=\"ts\">\n"
     "const props = withDefaults(defineProps<{ userName: string; size?: number }>(), {\n"
     "  size: 1,\n"
     "})\n"
     "defineEmits<{ pick: [id: number] }>()\n"
     "const size2 = () => props.size\n"
     "</script>\n"
     "<template>\n"
     "  <b :class=\"size\">{{ userName }}{{ props.userName }}</b>\n"
     "</template>\n"},
    {"List.vue",
     "<script setup lang=\"ts\">\n"
     "import { computed, ref } from 'vue'\n"
     "import Row from './Row.vue'\n"
     "import type { Item } from './types'\n"
     "const items = ref<Item[]>([])\n"
     "const first = computed(() => items.value[0])\n"
     "const size = 3\n"
     "</script>\n"
     "<template>\n"
     "  <Row v-for=\"item in items\" :user-name=\"item.title\" :size "
     "@pick=\"first.title\">x</Row>\n"
     "  <Row user-name=\"a\" />{{ first.title }}\n"
     "</template>\n"},
    {"types.ts", "export interface Item {\n  title: string\n}\n"}};

const std::map<std::string, std::string> kOptionFiles = {
    {"Old.vue",
     "<script>\n"
     "import { defineComponent } from 'vue'\n"
     "import MyRow from './MyRow.vue'\n"
     "export default defineComponent({\n"
     "  components: { MyRow },\n"
     "  props: { title: String },\n"
     "  data() {\n"
     "    return { open: false }\n"
     "  },\n"
     "  computed: { shown() { return this.open && this.title } },\n"
     "  methods: { toggle() { this.open = !this.shown } },\n"
     "})\n"
     "</script>\n"
     "<template>\n"
     "  <my-row v-if=\"shown\" @click=\"toggle\">{{ title }} {{ open }}</my-row>\n"
     "</template>\n"},
    {"MyRow.vue", "<template>\n  <b><slot /></b>\n</template>\n"}};

const std::map<std::string, std::string> kSvelteFiles = {
    {"Card.svelte",
     "<script lang=\"ts\">\n"
     "  import type { Item } from './types'\n"
     "  let { item, shown = $bindable(), onpick }: Props = $props()\n"
     "  interface Props { item: Item; shown?: boolean; onpick(item: Item): void }\n"
     "</script>\n"
     "<b onclick={() => onpick(item)}>{item.title}{shown}</b>\n"},
    {"Old.svelte",
     "<script>\n"
     "  import { count } from './stores'\n"
     "  export let title = ''\n"
     "</script>\n"
     "<b>{title}{$count.size}</b>\n"},
    {"App.svelte",
     "<script lang=\"ts\">\n"
     "  import Card from './Card.svelte'\n"
     "  import Old from './Old.svelte'\n"
     "  let title = $state('a'), shown = $state(false)\n"
     "</script>\n"
     "<Card item={{ title }} bind:shown onpick={(item) => item.title}>x</Card>\n"
     "<Old {title} />\n"
     "<Old title=\"b {title}\" />\n"},
    {"stores.ts",
     "import { writable } from 'svelte/store'\n"
     "export interface Count { size: number }\n"
     "export const count = writable<Count>({ size: 1 })\n"},
    {"types.ts", "export interface Item {\n  title: string\n}\n"}};

const UsageCase kComponentCases[] = {
    {"GivenToAComponent",
     kVueFiles,
     "userName",
     "Row.vue",
     {"List.vue:10:31", "List.vue:11:8", "Row.vue:9:23", "Row.vue:9:43"}},
    {"DefaultsAndShorthands",
     kVueFiles,
     "size",
     "Row.vue",
     {"List.vue:10:55", "Row.vue:3:3", "Row.vue:6:27", "Row.vue:9:14"}},
    {"Events", kVueFiles, "pick", "Row.vue", {"List.vue:10:61"}},
    {"ValuesThatAreHeld",
     kVueFiles,
     "title",
     "types.ts",
     {"List.vue:10:47", "List.vue:10:73", "List.vue:11:33"}},
    {"Components",
     kVueFiles,
     "Row",
     "Row.vue",
     {"List.vue:3:8", "List.vue:10:4", "List.vue:10:83", "List.vue:11:4"}},
    {"NamesWithHyphens",
     kOptionFiles,
     "MyRow",
     "MyRow.vue",
     {"Old.vue:3:8", "Old.vue:5:17", "Old.vue:15:4", "Old.vue:15:64"}},
    {"TagsInAnySpelling",
     {{"Row.vue", "<script setup lang=\"ts\">\ndefineProps<{ size: number }>()\n</script>\n"},
      {"List.vue",
       "<script setup lang=\"ts\">\nimport BigRow from './Row.vue'\nimport row from './Row.vue'\n"
       "import Label from './Row.vue'\n</script>\n<template>\n  <big-row :size=\"1\" />\n"
       "  <bigRow :size=\"1\"></bigRow>\n  <Big-row :size=\"1\" />\n  <row :size=\"1\" />\n"
       "  <label :size=\"1\" />\n</template>\n"}},
     "size",
     "Row.vue",
     {"List.vue:7:13", "List.vue:8:12", "List.vue:9:13", "List.vue:10:9"}},
    {"SvelteComponents",
     kSvelteFiles,
     "Old",
     "Old.svelte",
     {"App.svelte:3:10", "App.svelte:7:2", "App.svelte:8:2"}},
    {"Data", kOptionFiles, "open", "Old.vue", {"Old.vue:10:37", "Old.vue:11:30", "Old.vue:15:55"}},
    {"ComputedAndMethods", kOptionFiles, "shown", "Old.vue", {"Old.vue:11:43", "Old.vue:15:17"}},
    {"GivenByOptions", kOptionFiles, "title", "Old.vue", {"Old.vue:10:50", "Old.vue:15:43"}},
    {"GivenByRunes",
     kSvelteFiles,
     "Props.shown",
     "Card.svelte",
     {"App.svelte:6:29", "Card.svelte:3:15"}},
    {"ExportedByAComponent",
     kSvelteFiles,
     "title",
     "Old.svelte",
     {"App.svelte:7:7", "App.svelte:8:6", "Old.svelte:5:5"}},
    {"Stores", kSvelteFiles, "size", "stores.ts", {"Old.svelte:5:19", "stores.ts:3:40"}},
    {"KeysOfWhatIsGiven",
     kSvelteFiles,
     "title",
     "types.ts",
     {"App.svelte:6:15", "App.svelte:6:58", "Card.svelte:6:39"}},
};

INSTANTIATE_TEST_SUITE_P(All, ComponentUsages, ::testing::ValuesIn(kComponentCases),
                         usage_case_name);

}  // namespace
}  // namespace codexmem::graph

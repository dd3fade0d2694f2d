// Uses across languages: where two languages see each other's names they are found, where they do
// not the same name is not taken for a use.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

using Files = std::map<std::string, std::string>;

class MixedUsages : public UsageTest {};

TEST_P(MixedUsages, CrossLanguagesThatSeeEachOther) { check(); }

const Files kJvmFiles = {
    {"src/main/java/shop/Cart.java",
     "package shop;\n"
     "public class Cart {\n"
     "  private int total;\n"
     "  public int getTotal() { return total; }\n"
     "  public void add(Price price) { total += price.getCents(); }\n"
     "  public static void main(String[] args) { PricesKt.cheapest(new Cart()); }\n"
     "}\n"},
    {"src/main/kotlin/shop/Prices.kt",
     "package shop\n"
     "data class Price(val cents: Int)\n"
     "fun cheapest(cart: Cart): Price {\n"
     "  cart.add(Price(1))\n"
     "  return Price(cart.total)\n"
     "}\n"},
    {"src/main/kotlin/other/Cart.kt", "package other\nclass Cart { val total = 2 }\n"}};

const Files kCFiles = {{"pool.h",
                        "#ifdef __cplusplus\n"
                        "extern \"C\" {\n"
                        "#endif\n"
                        "struct pool { int size; };\n"
                        "int pool_open(struct pool* pool);\n"
                        "#ifdef __cplusplus\n"
                        "}\n"
                        "#endif\n"},
                       {"pool.c",
                        "#include \"pool.h\"\n"
                        "int pool_open(struct pool* pool) { return pool->size; }\n"},
                       {"user.cpp",
                        "#include \"pool.h\"\n"
                        "namespace app {\n"
                        "int start() { pool p; p.size = 1; return ::pool_open(&p); }\n"
                        "}\n"},
                       {"other.cpp",
                        "namespace app {\n"
                        "static int pool_open(int) { return 0; }\n"
                        "int other() { return pool_open(1); }\n"
                        "}\n"}};

const Files kProtoFiles = {{"api/users.proto",
                            "syntax = \"proto3\";\n"
                            "package api;\n"
                            "message User { string display_name = 1; }\n"
                            "message GetUserRequest { User user = 1; }\n"
                            "service Users { rpc GetUser(GetUserRequest) returns (User); }\n"},
                           {"go.mod", "module example.com/app\n"},
                           {"gen/users.pb.go",
                            "package gen\n"
                            "type User struct { DisplayName string }\n"
                            "func (x *User) GetDisplayName() string { return x.DisplayName }\n"},
                           {"server/server.go",
                            "package server\n"
                            "import \"example.com/app/gen\"\n"
                            "func Name(user *gen.User) string { return user.GetDisplayName() }\n"},
                           {"web/users_pb.ts", "export interface User { displayName: string }\n"},
                           {"web/page.ts",
                            "import type { User } from './users_pb'\n"
                            "export const nameOf = (user: User) => user.displayName\n"}};

const Files kServerAndClientFiles = {
    {"go.mod", "module example.com/app\n"},
    {"server/items.go",
     "package server\n"
     "type Item struct { title string }\n"
     "func loadItems() []Item { return nil }\n"
     "func first() string { return loadItems()[0].title }\n"},
    {"web/api.ts",
     "export interface Item { title: string }\n"
     "export function loadItems(): Item[] { return [] }\n"},
    {"web/page.ts",
     "import { loadItems } from './api'\n"
     "export const first = () => loadItems()[0].title\n"
     "export const guess = (x: any) => x.loadItems()\n"},
    {"tools/check.py", "def loadItems():\n    return []\n\nprint(loadItems())\n"}};

const Files kComponentFiles = {
    {"src/format.ts",
     "export interface Row { label: string }\n"
     "export function format(row: Row) { return row.label }\n"},
    {"src/Table.vue",
     "<script setup lang=\"ts\">\n"
     "import { format, type Row } from './format'\n"
     "defineProps<{ rows: Row[] }>()\n"
     "</script>\n"
     "<template>\n"
     "  <p v-for=\"row in rows\" :title=\"row.label\">{{ format(row) }}</p>\n"
     "</template>\n"},
    {"src/Table.svelte",
     "<script lang=\"ts\">\n"
     "  import { format, type Row } from './format'\n"
     "  let { rows }: { rows: Row[] } = $props()\n"
     "</script>\n"
     "{#each rows as row}<p title={row.label}>{format(row)}</p>{/each}\n"},
    {"src/main.ts",
     "import Table from './Table.vue'\n"
     "import Other from './Table.svelte'\n"
     "export const all = [Table, Other]\n"},
    {"src/format.go", "package src\nfunc format(label string) string { return format(label) }\n"}};

const UsageCase kMixedCases[] = {
    {"KotlinUsesJava",
     kJvmFiles,
     "add",
     "src/main/java/shop/Cart.java",
     {"src/main/kotlin/shop/Prices.kt:4:8"}},
    {"KotlinUsesAGetterAsAProperty",
     kJvmFiles,
     "getTotal",
     "src/main/java/shop/Cart.java",
     {"src/main/kotlin/shop/Prices.kt:5:21"}},
    {"JavaUsesAPropertyByItsGetter",
     kJvmFiles,
     "cents",
     "src/main/kotlin/shop/Prices.kt",
     {"src/main/java/shop/Cart.java:5:49"}},
    {"JavaUsesAFunctionOfAFile",
     kJvmFiles,
     "cheapest",
     "src/main/kotlin/shop/Prices.kt",
     {"src/main/java/shop/Cart.java:6:53"}},
    {"OtherPackagesAreOthers", kJvmFiles, "Cart", "src/main/kotlin/other/Cart.kt", {}},
    {"CppUsesC", kCFiles, "pool_open", "pool.c", {"user.cpp:3:44"}},
    {"CppUsesFieldsOfC", kCFiles, "size", "pool.h", {"pool.c:2:49", "user.cpp:3:25"}},
    {"ANamespaceHidesC", kCFiles, "pool_open", "other.cpp", {"other.cpp:3:22"}},
    {"ProtobufIsNotItsStubs",
     kProtoFiles,
     "User",
     "api/users.proto",
     {"api/users.proto:4:26 possible", "api/users.proto:5:54 possible"}},
    {"StubsOfGoAreGo",
     kProtoFiles,
     "User",
     "gen/users.pb.go",
     {"gen/users.pb.go:3:10", "server/server.go:3:21"}},
    {"StubsOfTypeScriptAreTypeScript",
     kProtoFiles,
     "displayName",
     "web/users_pb.ts",
     {"web/page.ts:2:44"}},
    {"AServerIsNotItsClient",
     kServerAndClientFiles,
     "loadItems",
     "server/items.go",
     {"server/items.go:4:30"}},
    {"AClientIsNotItsServer",
     kServerAndClientFiles,
     "loadItems",
     "web/api.ts",
     {"web/page.ts:1:10", "web/page.ts:2:28"}},
    {"FieldsOfServerAndClient", kServerAndClientFiles, "title", "web/api.ts", {"web/page.ts:2:43"}},
    {"AScriptIsNeither",
     kServerAndClientFiles,
     "loadItems",
     "tools/check.py",
     {"tools/check.py:4:7"}},
    {"ComponentsUseTypeScript",
     kComponentFiles,
     "format",
     "src/format.ts",
     {"src/Table.svelte:2:12", "src/Table.svelte:5:42", "src/Table.vue:2:10",
      "src/Table.vue:6:48"}},
    {"ComponentsUseFieldsOfTypeScript",
     kComponentFiles,
     "label",
     "src/format.ts",
     {"src/Table.svelte:5:34", "src/Table.vue:6:38", "src/format.ts:2:47"}},
    {"TypeScriptUsesComponents",
     kComponentFiles,
     "default",
     "src/Table.vue",
     {"src/main.ts:1:8", "src/main.ts:3:21"}},
    {"EachComponentIsItsOwn",
     kComponentFiles,
     "default",
     "src/Table.svelte",
     {"src/main.ts:2:8", "src/main.ts:3:28"}},
};

INSTANTIATE_TEST_SUITE_P(All, MixedUsages, ::testing::ValuesIn(kMixedCases), usage_case_name);

}  // namespace
}  // namespace codexmem::graph

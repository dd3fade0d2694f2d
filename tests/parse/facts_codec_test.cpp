#include "parse/facts/facts_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "base/file.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_print.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {
namespace {

namespace fs = std::filesystem;

FileFacts facts_of(std::string_view language, std::string_view text) {
  Extractor extractor;
  return extractor.extract(*find_language(language), text).value();
}

// What a decoded blob is said to lack.
FileFacts skeleton(FileFacts facts) {
  facts.chunks.clear();
  for (Symbol& symbol : facts.symbols) {
    symbol.kind.clear();
    symbol.qualified_name.clear();
    symbol.signature = {};
    symbol.docstring = {};
    symbol.modifiers.clear();
  }
  return facts;
}

constexpr char kSource[] = R"(
import fs, { readFile as read } from "node:fs";
export * from "./other";
/** A thing. */
export class Thing<T> extends ns.Base implements I {
  constructor(private db: Db) { super(); this.x = eval("1"); }
  self() { return this; }
  run(a = new Foo(), ...rest) { for (const k of rest) this.db.get(k)[a].z = read(k); }
}
const { p, q: r } = require("./m");
start({ port: 1, onDone: (result) => result instanceof Thing && result.db }, ...rest)[0].go();
type Shape<T extends Thing = Thing> = { a: T | string[]; (): [T]; [key: string]: T };
module.exports = { Thing, f: function () {} };
)";

TEST(FactsCodec, WhatWasPackedComesBack) {
  FileFacts facts = facts_of("typescript", kSource);
  ASSERT_FALSE(facts.occurrences.empty());
  std::string blob = encode_facts(facts).value();
  Result<FileFacts> decoded = decode_facts(blob);
  ASSERT_TRUE(decoded.ok()) << decoded.error().message();
  EXPECT_EQ(print_facts(*decoded, kSource), print_facts(skeleton(facts), kSource));
  EXPECT_EQ(encode_facts(*decoded).value(), blob);
}

TEST(FactsCodec, ImportsComeBackWithoutTheRest) {
  const FileFacts facts = facts_of("typescript", kSource);
  const std::string blob = encode_facts(facts).value();
  const Result<FileFacts> decoded = decode_imports(blob);
  ASSERT_TRUE(decoded.ok()) << decoded.error().message();
  EXPECT_TRUE(decoded->occurrences.empty());
  FileFacts want = skeleton(facts), have = *decoded;
  for (FileFacts* each : {&want, &have}) {
    FileFacts head;
    head.names = each->names;
    head.symbols = each->symbols;
    head.scopes = each->scopes;
    head.imports = each->imports;
    for (Symbol& symbol : head.symbols) symbol.term = kNoIndex;
    *each = std::move(head);
  }
  ASSERT_GT(want.imports.size(), 1U);
  EXPECT_EQ(print_facts(have, kSource), print_facts(want, kSource));
  for (std::size_t at = 0; at < blob.size(); ++at) {
    EXPECT_FALSE(decode_imports(std::string_view(blob).substr(0, at)).ok()) << at;
  }
}

TEST(FactsCodec, QuotedKeysAtTheEndComeBack) {
  // Two bytes each, and only they are at the end of the payload.
  const std::string_view source =
      R"(run({ "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8 }).go();)";
  const FileFacts facts = facts_of("javascript", source);
  const Result<FileFacts> decoded = decode_facts(encode_facts(facts).value());
  ASSERT_TRUE(decoded.ok()) << decoded.error().message();
  EXPECT_EQ(print_facts(*decoded, source), print_facts(skeleton(facts), source));
}

TEST(FactsCodec, EmptyFactsAreAFewBytes) {
  std::string blob = encode_facts(FileFacts{}).value();
  EXPECT_LE(blob.size(), 30U);
  EXPECT_TRUE(decode_facts(blob).ok());
}

TEST(FactsCodec, EveryTruncationIsRefused) {
  std::string blob = encode_facts(facts_of("typescript", kSource)).value();
  for (std::size_t size = 0; size < blob.size(); ++size) {
    Result<FileFacts> decoded = decode_facts(std::string_view(blob).substr(0, size));
    ASSERT_FALSE(decoded.ok()) << size;
    EXPECT_EQ(decoded.error().code(), ErrorCode::kCorrupt);
  }
}

TEST(FactsCodec, AnyFlippedBitOfThePayloadIsRefused) {
  std::string blob = encode_facts(facts_of("typescript", kSource)).value();
  for (std::size_t at = 4; at < blob.size(); ++at) {
    std::string damaged = blob;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_FALSE(decode_facts(damaged).ok()) << at;
  }
}

TEST(FactsCodec, WhatReadersRelyOnIsChecked) {
  const FileFacts good = facts_of("typescript", kSource);
  const auto is_refused = [&](auto damage) {
    FileFacts facts = good;
    damage(facts);
    // Neither is it read, nor would it have been written.
    return !encode_facts(facts).ok() && !decode_facts(seal_facts(facts_payload(facts))).ok();
  };
  const auto first = [](FileFacts& facts, BindingKind kind) -> Binding& {
    return *std::ranges::find(facts.bindings, kind, &Binding::kind);
  };
  EXPECT_FALSE(is_refused([](FileFacts&) {}));
  EXPECT_TRUE(is_refused([](FileFacts& facts) {
    facts = {};  // an occurrence in no scope
    facts.names = {"a"};
    facts.occurrences.resize(1);
  }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) {
    std::ranges::find(facts.occurrences, ReceiverKind::kName, &Occurrence::receiver_kind)
        ->receiver = kNoIndex;
  }));
  const auto term_of = [](FileFacts& facts, TermKind kind) -> Term& {
    return *std::ranges::find(facts.terms, kind, &Term::kind);
  };
  for (TermKind kind : {TermKind::kName, TermKind::kType, TermKind::kThis, TermKind::kMember,
                        TermKind::kFunction, TermKind::kObject}) {
    EXPECT_TRUE(is_refused([&](FileFacts& facts) { term_of(facts, kind).at = 10000; }))
        << static_cast<int>(kind);
  }
  EXPECT_TRUE(is_refused([&](FileFacts& facts) {
    // A term that is its own part.
    const Term& call = term_of(facts, TermKind::kCall);
    facts.term_parts[call.first_part] = static_cast<TermId>(&call - facts.terms.data());
  }));
  EXPECT_TRUE(is_refused([&](FileFacts& facts) {
    facts.term_parts[term_of(facts, TermKind::kItem).first_part] = kNoIndex;
  }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) { facts.narrowings.at(0).term = 10000; }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) { facts.objects.at(0).keys.at(0).term = 10000; }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) { facts.functions.at(0).result = 10000; }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) { facts.symbols.back().term = 10000; }));
  EXPECT_TRUE(is_refused([](FileFacts& facts) {
    std::ranges::find(facts.occurrences, ReceiverKind::kTerm, &Occurrence::receiver_kind)
        ->receiver = 10000;
  }));
  EXPECT_TRUE(
      is_refused([&](FileFacts& facts) { first(facts, BindingKind::kSymbol).target = kNoIndex; }));
  EXPECT_TRUE(is_refused([&](FileFacts& facts) {
    Binding& binding = first(facts, BindingKind::kSymbol);
    binding.kind = BindingKind::kGlobal;
    binding.scope = 0;
    binding.target = kNoIndex;
  }));
}

TEST(FactsCodec, ANewerVersionIsUnsupported) {
  std::string blob = encode_facts(FileFacts{}).value();
  blob[2] = static_cast<char>(kFactsVersion + 1);
  EXPECT_EQ(decode_facts(blob).error().code(), ErrorCode::kUnsupported);
}

TEST(FactsCodec, AFewBytesThatClaimMillionsOfEntriesAreRefused) {
  // No literal, one name, then four million symbols of four zero bytes each.
  std::string payload("\x00\x01\x00\x01x\x80\x80\x80\x02", 9);
  payload += std::string(std::size_t{16} << 20U, '\0');
  const auto decoded = decode_facts(seal_facts(payload));
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace codexmem::parse

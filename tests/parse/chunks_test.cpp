#include "parse/text/chunks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "parse/walk/extract.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {
namespace {

std::vector<Chunk> chunks_of(std::string_view language_name, const std::string& text) {
  const Rules& rules = Rules::of(*find_language(language_name));
  Tree tree = parse_text(rules.grammar(), text, {std::chrono::seconds(10), 1 << 30, {}});
  return chunk_tree(rules, tree.root(), text, {});
}

// The texts of the chunks of a file with its symbols.
std::vector<std::string> texts_of(std::string_view language, const std::string& text) {
  Extractor extractor;
  const FileFacts facts = extractor.extract(*find_language(language), text, {}).value();
  std::vector<std::string> texts;
  for (const Chunk& chunk : facts.chunks) {
    texts.push_back(text.substr(chunk.range.begin, chunk.range.size()));
  }
  return texts;
}

std::string statement(std::size_t bytes) { return "x = '" + std::string(bytes - 6, 'a') + "'"; }

TEST(ChunkTree, StatementsShareAChunkWhileItSpansAtMost1600Bytes) {
  // 799 + 1 + 800 = 1600 bytes, and one byte more.
  std::string fits = statement(799) + "\n" + statement(800) + "\n";
  EXPECT_EQ(chunks_of("python", fits).size(), 1U);
  std::string exceeds = statement(800) + "\n" + statement(800) + "\n";
  std::vector<Chunk> chunks = chunks_of("python", exceeds);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].range, (ByteRange{0, 800}));
  EXPECT_EQ(chunks[1].range, (ByteRange{801, 1601}));
  EXPECT_EQ(chunks[1].start_line, 2U);
  EXPECT_EQ(chunks[1].end_line, 2U);
}

TEST(ChunkTree, CommentsStayWithTheFollowingMember) {
  std::string text =
      statement(1000) + "\n# " + std::string(500, 'c') + "\n" + statement(300) + "\n";
  std::vector<Chunk> chunks = chunks_of("python", text);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[1].start_line, 2U);
  EXPECT_EQ(chunks[1].end_line, 3U);
}

TEST(ChunkTree, ALargeClassIsCutBetweenItsMembersAndItsCommentStaysInFront) {
  std::string text = "/** doc */\nclass A {\n";
  for (int i = 0; i < 10; ++i) {
    text += "  m" + std::to_string(i) + "() { return '" + std::string(400, 'a') + "'; }\n";
  }
  text += "}\nconst last = 1;\n";
  std::vector<Chunk> chunks = chunks_of("javascript", text);
  ASSERT_EQ(chunks.size(), 6U);
  EXPECT_EQ(text.substr(0, chunks[0].range.end), "/** doc */\nclass A {");
  // The class closes its last chunk: what follows it is another one.
  EXPECT_EQ(text.substr(chunks[5].range.begin, chunks[5].range.size()), "const last = 1;");
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    EXPECT_LE(chunks[i - 1].range.end, chunks[i].range.begin);
  }
}

TEST(ChunkTree, AFunctionWithItsCommentIsAChunkUnlessItIsShort) {
  const std::string body = "  return '" + std::string(400, 'a') + "';\n}";
  const std::string text = "import a from 'a';\nlet b = 1;\n// says c\nfunction c() {\n" + body +
                           "\n// says d\nexport const d = () => {\n" + body +
                           "\nfunction e() {}\nfunction f() {}\n";
  EXPECT_EQ(
      texts_of("javascript", text),
      (std::vector<std::string>{
          "import a from 'a';\nlet b = 1;", "// says c\nfunction c() {\n" + body,
          "// says d\nexport const d = () => {\n" + body, "function e() {}\nfunction f() {}"}));
}

TEST(ChunkTree, ABraceThatIsLeftEndsTheChunkBeforeIt) {
  std::string text = "class A {\n";
  for (int i = 0; i < 4; ++i) {
    text += "  m" + std::to_string(i) + "() { return '" + std::string(500, 'a') + "'; }\n";
  }
  text += "}";
  const std::vector<std::string> texts = texts_of("javascript", text);
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[0], "class A {");
  EXPECT_TRUE(texts[4].starts_with("m3()") && texts[4].ends_with("}\n}")) << texts[4];
}

TEST(ChunkTree, WhatCannotBeDividedIsAChunkOfItsOwn) {
  std::string text = "// a\nconst a = `" + std::string(3000, 'a') + "`;\n";
  std::vector<Chunk> chunks = chunks_of("javascript", text);
  ASSERT_FALSE(chunks.empty());
  std::uint32_t largest = 0;
  for (const Chunk& chunk : chunks) largest = std::max(largest, chunk.range.size());
  EXPECT_GE(largest, 3000U);
}

TEST(ChunkLines, EveryByteIsInOneChunkOfWholeLines) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::string(static_cast<std::size_t>(i % 60), 'x') + "\n";
  text += "no end";
  std::vector<Chunk> chunks = chunk_lines(text);
  std::uint32_t at = 0;
  std::uint32_t line = 1;
  for (const Chunk& chunk : chunks) {
    EXPECT_EQ(chunk.range.begin, at);
    EXPECT_EQ(chunk.start_line, line);
    EXPECT_LE(chunk.range.size(), kChunkBytes);
    at = chunk.range.end;
    line = chunk.end_line + 1;
  }
  EXPECT_EQ(at, text.size());
  EXPECT_EQ(line, 202U);
}

TEST(ChunkLines, ALongLineIsCutBetweenCodePoints) {
  std::string text = "short\n";
  for (int i = 0; i < 1000; ++i) text += "é";
  text += "\nend\n";
  std::vector<Chunk> chunks = chunk_lines(text);
  ASSERT_EQ(chunks.size(), 3U);
  EXPECT_EQ(chunks[1].start_line, 2U);
  EXPECT_EQ(chunks[1].range.size(), 1600U);
  // The rest of the line shares a chunk with the next one.
  EXPECT_EQ(chunks[2].start_line, 2U);
  EXPECT_EQ(chunks[2].end_line, 3U);
  EXPECT_EQ(chunks[2].range.end, text.size());
}

TEST(ChunkLines, AnEmptyTextHasNone) { EXPECT_TRUE(chunk_lines("").empty()); }

}  // namespace
}  // namespace codexmem::parse

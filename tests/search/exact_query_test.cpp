#include "search/exact_query.h"

#include <gtest/gtest.h>

namespace codexmem::search {
namespace {

// The parts as "phrase", 'phrase' with its case, /regex/ or /regex/i, then the text for ranking.
std::string describe(std::string_view query) {
  const ExactQuery read = read_exact_query(query);
  std::string text;
  for (const ExactPart& part : read.parts) {
    const char mark = part.is_regex ? '/' : part.ignore_case ? '"' : '\'';
    text += mark + part.text + mark + (part.is_regex && part.ignore_case ? "i " : " ");
  }
  return text + "| " + read.words + (read.has_other_words ? " +" : "");
}

TEST(ExactQuery, IsTakenApart) {
  const struct {
    const char *query, *want;
  } cases[] = {
      {"plain words", "| plain words +"},
      {"\"rate limit\"", "\"rate limit\" | rate limit"},
      {"\"Rate limit\"", "'Rate limit' | Rate limit"},
      {"where is \"rate limit\" set", "\"rate limit\" | where is rate limit set +"},
      {"is it \"foo\"?", "\"foo\" | is it foo? +"},
      {"\"a b\" \"c\"", "\"a b\" \"c\" | a b c"},
      {"\"say \\\"hi\\\" now\"", "\"say \"hi\" now\" | say \"hi\" now"},
      {"\"a\\nb\"", "\"a\\nb\" | a\\nb"},
      {"\"a\"b\"", "\"a\"b\" | a\"b"},
      // Plain text: unbalanced, empty, in the middle of a word, over two lines.
      {"5\" disk", "| 5\" disk +"},
      {"say \"hi", "| say \"hi +"},
      {"\"\"", "| \"\""},
      {"print(\"hello\")", "| print(\"hello\") +"},
      {"\"a\nb\"", "| \"a\nb\" +"},
      {"/foo\\d+/", "/foo\\d+/ | foo"},
      {"/foo\\d+/i", "/foo\\d+/i | foo"},
      {"find /foo.*bar/ here", "/foo.*bar/ | find foo bar here +"},
      {"/a b/", "/a b/ | a b"},
      {"/a\\/b/", "/a/b/ | a b"},
      {"/[/]+x/", "/[/]+x/ | x"},
      {"/^(?:use|with)[A-Z]\\w{3,}/", "/^(?:use|with)[A-Z]\\w{3,}/ | use with"},
      {"/(?P<name>abc)/", "/(?P<name>abc)/ | abc"},
      {"/users/", "/users/ | users"},
      {"\"lit\" /re/ word", "\"lit\" /re/ | lit re word +"},
      // Plain text: paths and routes, comments, divisions, unknown flags, unbalanced.
      {"src/foo/bar", "| src/foo/bar +"},
      {"/api/users/", "| /api/users/ +"},
      {"/usr/lib", "| /usr/lib +"},
      {"/foo/g", "| /foo/g +"},
      {"a / b / c", "| a / b / c +"},
      {"/login and / routes", "| /login and / routes +"},
      {"// comment", "| // comment +"},
      {"/* a */ b", "| /* a */ b +"},
      {"/** doc */", "| /** doc */ +"},
      {"and/or", "| and/or +"},
      {"/foo", "| /foo +"},
      {"see /[x/", "| see /[x/ +"},
      {"/[x/", "/[x/ | "},  // a class without its end is the user's slip
      {"/a\nb/", "| /a\nb/ +"},
  };
  for (const auto& c : cases) EXPECT_EQ(describe(c.query), c.want) << c.query;
}

}  // namespace
}  // namespace codexmem::search

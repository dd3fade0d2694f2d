// parse/walk/outline.h - the calls, texts and definitions of a file, in one form for all languages.
//
// For tables and declarations that frameworks read: @app.get("/x"), resources :users, [HttpGet].
// Stateless. Design: docs/web-routes.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/rules/languages.h"
#include "text/ranges.h"

namespace codexmem::parse {

enum class PieceKind : std::uint8_t {
  kOther,       // anything else, if it is an argument or an item; `parts` are the pieces in it
  kText,        // a literal; `name`: its content
  kName,        // a, a.b.c; `name`: all of it
  kCall,        // f(...), new F(...), @F(...); `name`: the last name of the callee
  kList,        // [..], (..), {..}
  kPair,        // key: value, key=value; `name`: the key; `parts`: the value
  kFunction,    // a function without a name, a block behind a call
  kDefinition,  // a function, method or class
  kAssignment,  // `name`: the first name on the left; `parts`: the right
  kReturn,
};

/// A piece of code. Views refer to the text that was read.
struct Piece {
  PieceKind kind = PieceKind::kOther;
  std::string_view name = {};
  ByteRange range = {};
  std::uint32_t at = 0;              // offset of the last part of `name`
  bool is_computed = false;          // of a text: it has parts to fill in
  bool is_type = false;              // of a definition: a class
  std::vector<Piece> receiver = {};  // of a call or name: the part before the dot; at most one
  std::vector<Piece> parts = {};     // arguments and a block behind them, items, value, decorators
  std::vector<Piece> parameters = {};  // names, of a function or definition
  std::vector<Piece> inside = {};      // the pieces in a body
};

/// The pieces of `text`, read as `language`; empty without a grammar or when parsing takes too
/// long. Code nested deeper than 200 nodes is left out.
std::vector<Piece> read_outline(const Language& language, std::string_view text);

}  // namespace codexmem::parse

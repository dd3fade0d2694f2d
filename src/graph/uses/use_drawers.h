// graph/uses/use_drawers.h - how sure a use is, and the account of all places that have a name.
//
// Plain values; core/use_account.h fills them in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/facts/facts.h"
#include "store/code/code_rows.h"

namespace codexmem::graph {

/// Ordered: a greater one is surer.
enum class Confidence : std::uint8_t {
  kName = 0,      // a place with the name that is not a use, as far as known
  kPossible = 1,  // it may be a use: nothing says what it means
  kLikely = 2,    // the receiver's type is unknown, but few definitions have this name; or the
                  // definition overrides the symbol
  kResolved = 3,  // scopes, imports and types lead to the definition
};

/// "name", "possible", "likely", "resolved".
std::string_view confidence_name(Confidence confidence);
std::optional<Confidence> parse_confidence(std::string_view name);

/// Why a use is only possible, or a place unread.
enum class Doubt : std::uint8_t {
  kNone,
  kReceiver,   // the receiver before the dot is unknown
  kScope,      // no scope that is known declares the name
  kKey,        // what it is a key of is not known
  kOverload,   // it may mean another overload
  kByName,     // names of the language are not resolved
  kQuoted,     // a text that code may look it up by
  kNoFacts,    // code that the facts do not describe
  kUnparsed,   // a part that was not understood
  kNoGrammar,  // the language is known as text only
};

/// "what it belongs to is unknown" ...; "" for kNone.
std::string_view doubt_text(Doubt doubt);

/// What a place is to the symbol that was asked for; in the order in which answers list them.
enum class Drawer : std::uint8_t {
  kDefinition,
  kCertain,   // a use: scopes, imports and types lead to the symbol
  kLikely,    // a use, by strong evidence
  kPossible,  // it may be a use: nothing says what it means
  kOther,     // it means something else
  kText,      // a word in a comment, a string or a text file
  kUnread,    // in what was not understood: it may be anything
};
inline constexpr std::size_t kDrawers = 7;

/// "definition", "certain", "likely", "possible", "other", "text", "unread".
std::string_view drawer_name(Drawer drawer);
Confidence confidence_of(Drawer drawer);

/// How many places are in each drawer. They add up to what `grep -w` finds of the name in the
/// indexed files.
struct UseAccount {
  std::array<std::size_t, kDrawers> places{};
  std::size_t renamed = 0;           // uses under another name: not in the total
  std::size_t renamed_possible = 0;  // of these, possible ones
  std::size_t others = 0;            // other definitions that have the name

  std::size_t operator[](Drawer drawer) const { return places[static_cast<std::size_t>(drawer)]; }
  std::size_t total() const;
  /// Adds the account of another symbol.
  void add(const UseAccount& other);
  /// How many places may be uses, with those that do not write the name.
  std::size_t open() const {
    return (*this)[Drawer::kPossible] + (*this)[Drawer::kUnread] + renamed_possible;
  }
  /// True when no use can be missing: every place is known to be one or to be none.
  bool is_complete() const { return open() == 0; }
};

/// A place that has the name, or uses the symbol under another one.
struct Hit {
  store::FileId file{};
  std::uint32_t offset = 0;
  std::uint32_t occurrence = parse::kNoIndex;  // in the facts of the file, if it is one there
  std::uint32_t target = 0;                    // of a use or definition: index into the targets
  Drawer drawer = Drawer::kOther;
  Doubt doubt = Doubt::kNone;  // why a use is only possible, or a place unread
};

struct AccountedUses {
  std::vector<Hit> hits;  // without definitions: certain and likely ones by path and offset, then
                          // possible ones, then the others
  UseAccount account;
};

/// "2 definitions, 68 certain, 12 possible; 140 of something else (6 other definitions of that
/// name); 9 in text = 231 places": the drawers that hold something, and their sum.
std::string account_text(const UseAccount& account);

}  // namespace codexmem::graph

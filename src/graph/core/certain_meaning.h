// graph/core/certain_meaning.h - what an identifier certainly means, for those who write down all
// of a file.
//
// The same judgement as a search for uses makes (core/usage_search.h), asked from the other side:
// of a place, not of a symbol. One thread, one question.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "graph/core/resolver.h"
#include "graph/core/usage_search.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct CertainMeaning {
  enum class Kind : std::uint8_t {
    kSymbols,    // `entities`: symbols of the repository or of the language's library
    kModule,     // `entities`: one file as a whole
    kLocal,      // `entities`: one local of the file
    kOutside,    // something of another package: `package` and `name` where an import names it
    kUncertain,  // it may mean a symbol of the repository
    kNothing,    // no use: in documentation, or a name without a meaning
  };
  Kind kind = Kind::kNothing;
  Entities entities;
  std::string package, name;
};

class CertainMeanings {
 public:
  CertainMeanings(Resolver& resolver, store::CodeReader& reader)
      : resolver_(resolver), reader_(reader) {}

  /// What occurrence `occurrence` of `file` means; of a name's own declaration that symbol.
  CertainMeaning at(const FileModel& file, std::uint32_t occurrence);

  /// The declaration that represents all that `symbol` merges with: the one with a body, else the
  /// first by path and place. A C prototype and its definition are one symbol.
  Entity representative(const Entity& symbol);

 private:
  using Member = std::pair<const FileModel*, std::uint32_t>;
  bool is_certain(const FileModel& file, std::uint32_t occurrence, const Entity& symbol);
  void name_outside(const FileModel& file, std::uint32_t occurrence, CertainMeaning& meaning);

  Resolver& resolver_;
  store::CodeReader& reader_;
  std::map<Member, UsageSearch> searches_;
  std::map<Member, Entity> representatives_;
};

}  // namespace codexmem::graph

// What clang said of the files of a repository, gathered over all compilation units.
//
// visit.cpp fills it, print.cpp turns it into rows. A place is a file and an offset; a target is
// what a name means: a place, the name of something that is declared in this unit and defined in
// another one, or something outside the repository.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <tuple>
#include <utility>
#include <vector>

using Place = std::uint64_t;  // file << 32 | offset in bytes
constexpr Place kNowhere = ~Place{0};
inline std::uint32_t file_of(Place place) { return place >> 32; }
inline std::uint32_t offset_of(Place place) { return static_cast<std::uint32_t>(place); }
inline Place make_place(std::uint32_t file, std::uint32_t offset) {
  return Place{file} << 32 | offset;
}

enum class Sort : std::uint8_t { kPlace, kLinked, kLocal, kExternal };

/// kPlace and kLocal: `place`. kLinked: `text` is the name that the linker or the tag's name space
/// knows. kExternal: `text` says where it is from.
struct Target {
  Sort sort = Sort::kExternal;
  Place place = kNowhere;
  std::string text;
  auto key() const { return std::tie(sort, place, text); }
  bool operator!=(const Target& other) const { return key() != other.key(); }
  bool operator<(const Target& other) const { return key() < other.key(); }
};

struct Use {
  std::map<Target, std::pair<unsigned, unsigned>>
      targets;  // how many units say so, and the last of them
  std::map<Target, std::pair<unsigned, unsigned>>
      settled;  // what instantiations say where the template cannot
  std::map<Target, std::pair<unsigned, unsigned>>
      likely;                     // the one candidate where nothing instantiates the template
  std::set<Target> constructors;  // called where the class is named
  bool is_call = false;
  bool is_undef = false;
  bool is_self = false;       // the own name of a constructor or destructor
  bool is_dependent = false;  // the template alone does not say it
};

struct Declaration {
  std::string name, qname, kind, detail, scope;
  Place start = kNowhere;
  bool is_definition = false;
  Target target;  // what all declarations of it share
};

struct File {
  std::string path, text;
  bool is_taken = false;
  std::vector<bool> live;  // by offset: some unit did not skip it
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      calls;  // of function-like macros, name to ')'
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> functions;  // extent -> name
};

struct Include {
  std::string spec;
  std::set<std::string> targets;  // files of the repository
  bool is_angled = false;
};

struct Facts {
  std::string root;
  std::vector<File> files;
  std::unordered_map<std::string, std::uint32_t> file_ids;
  std::unordered_map<Place, Use> uses;
  std::map<Place, Declaration> declarations;
  std::map<std::string, std::set<Place>> linked;  // definitions by the name that links them
  std::map<Place, Place> same;                    // repeated typedefs: union-find
  std::map<std::pair<std::uint32_t, unsigned>, Include> includes;  // file and line
  std::set<std::pair<Target, Target>> families;                    // overrides, specialisations
  unsigned units = 0, errors = 0;
  bool is_cpp = false;

  /// The id of a file below the root, by its real path; -1 for others.
  int file(const std::string& real_path);
  Place find(Place place) const {
    for (auto it = same.find(place); it != same.end() && it->second != place; it = same.find(place))
      place = it->second;
    return place;
  }
};

/// Prints all rows to standard output, and counts to standard error.
void print_rows(Facts& facts);

// graph/ruby/ruby_types.h - classes and modules of Ruby by their full path "A.B": what they
// declare, wherever they are opened, and what they include and extend.
//
// Results are kept as long as the Resolver. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The value of `self` at a place.
struct RubySelf {
  std::string type;          // the path of the class or module around; "" at the top level
  bool is_type = false;      // it is that class itself, not an instance
  bool is_in_block = false;  // a block around may have another `self`
  std::uint32_t method = parse::kNoIndex;  // the method around
};

/// The kind of members to look for: of instances, of the class itself, or of the classes that
/// include the module (class_methods do).
enum class RubySide : std::uint8_t { kInstance, kType, kGiven };

struct RubyStep {
  std::string type;
  RubySide side = RubySide::kInstance;
  bool operator==(const RubyStep&) const = default;
};

/// In the order in which Ruby looks for methods.
struct RubyOrder {
  std::vector<RubyStep> steps;
  bool is_open = false;  // some ancestors are not of the repository
};

/// A member that is asked for.
struct RubyAsked {
  std::string name;
  bool is_set = false;  // x.name = 1
};

class RubyTypes : public Resolver::Memory {
 public:
  /// The path of a symbol, with the modules around it.
  const std::string& full_name(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

  RubySelf self_at(Resolver& resolver, const FileModel& file, std::uint32_t offset);

  /// The side that a method or attribute is of.
  RubySide side_of(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

  /// The path that the constant at occurrence `index` means; "" where the repository has none.
  const std::string& constant_at(Resolver& resolver, const FileModel& file, std::uint32_t index);

  /// The class or module that a path means: itself, or the value of a constant.
  std::string type_of(Resolver& resolver, const std::string& path, int depth = 0);

  /// The declaration of a path: for a class that is opened several times, the main one.
  const Entities& declarations(Resolver& resolver, const std::string& path);

  /// All places that open the class or module, the chief one first.
  const Entities& openings(Resolver& resolver, const std::string& path);

  /// Where methods of instances of a type, or of the type itself, are looked for.
  const RubyOrder& order(Resolver& resolver, const std::string& type, RubySide side);

  /// Methods and attributes of one type.
  Entities own_members(Resolver& resolver, const RubyStep& step, const RubyAsked& asked);

  /// The first of an order that has them, from step `first` on.
  Entities members(Resolver& resolver, const std::string& type, RubySide side,
                   const RubyAsked& asked, std::size_t first = 0);

  /// The same of types that stand below `type`.
  Entities members_below(Resolver& resolver, const std::string& type, RubySide side,
                         const RubyAsked& asked);

  /// The same of what classes have that include the module `type`.
  Entities sibling_members(Resolver& resolver, const std::string& type, const RubyAsked& asked);

  /// The values assigned to @name in a type.
  Entities variables(Resolver& resolver, const std::string& type, const std::string& name);
  Entities variables_below(Resolver& resolver, const std::string& type, const std::string& name);

  /// Methods called `name` outside of classes: of the innermost block around `offset`, else of the
  /// file, else the only ones, if it loads their file.
  Entities functions(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                     const std::string& name);

  /// The members called `name` where a single class, as `file` may see it, has some.
  Entities only_members(Resolver& resolver, const FileModel& file, const RubyAsked& asked);

  /// True if a step of the order of `type` is `wanted`.
  bool is_below(Resolver& resolver, const std::string& type, const std::string& wanted);

 private:
  using Rows = std::vector<const store::SymbolRow*>;
  RubySide side_of(const FileModel& file, std::uint32_t symbol, const store::SymbolRow& row) const;
  const Rows& rows_in(Resolver& resolver, const std::string& name, const std::string& container);
  bool has_constant(Resolver& resolver, const std::string& container, const std::string& name);
  std::string found_in(Resolver& resolver, const std::string& type, const std::string& name);
  std::string constant(Resolver& resolver, const FileModel& file, std::uint32_t index);
  std::string type_above(Resolver& resolver, const FileModel& file, std::uint32_t index,
                         bool* is_open);
  bool requires_file(Resolver& resolver, const FileModel& file, const FileModel& other);
  void add_parts(Resolver& resolver, const std::string& type);
  const std::vector<std::string>& includers(Resolver& resolver, const std::string& type);

  /// What the openings of a type say that it is made of.
  struct Parts {
    std::vector<std::string> prepended, included, extended, superclasses;
    bool is_open = false;
    bool extends_itself = false;
  };

  std::unordered_map<std::string, std::unordered_map<std::string, Rows>> rows_;  // by name
  std::map<std::pair<const FileModel*, std::uint32_t>, std::string> full_names_;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::string> constants_;
  std::unordered_map<std::string, Entities> declarations_, openings_;
  std::unordered_map<const FileModel*, std::vector<store::FileId>> loaded_;
  std::unordered_map<std::string, Parts> parts_;
  std::map<std::pair<std::string, RubySide>, RubyOrder> orders_;
  std::unordered_map<std::string, std::vector<std::string>> includers_;
};

/// True for a class or module.
bool is_ruby_type(const parse::Symbol& symbol);

}  // namespace codexmem::graph

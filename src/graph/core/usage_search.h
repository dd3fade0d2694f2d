// graph/core/usage_search.h - the occurrences that mean given symbols, through aliases and
// re-exports.
//
// Does the search for references and neighbours, which present the results. One thread, one
// question.
//
// A use is likely when one candidate is left, or several that are the same to the asker: in C, C++
// and Rust one of several declarations of which each build has one, or that take the same; in C++
// the only declaration of a name that normal lookup does not find; a member of an unknown receiver
// when one class or object of the family has a member of that name (or those that have it inherit
// it from each other, or all were asked for), the name has several words or the file names or
// declares such a class, the library has no such member, and at most three files write object
// literals with such a key; a use of the member that the definition overrides or implements. A
// member of `this` that neither the class nor one above has is of a class below: likely where at
// most three members have the name, else possible. A member of a known type that does not have it
// is possible. A rule that gives each of k candidates a place is right in one of k, so it makes no
// likely use.
//
// A string that the language takes for a member (getattr(x, "a"), x["a"], [$this, 'run']) is a key
// of the value next to it. A call of a class is also a use of the constructor that it runs. A name
// in documentation has the confidence `name`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/uses/references.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// A symbol that is looked for.
struct UsageTarget {
  const FileModel* file = nullptr;
  std::uint32_t symbol = 0;
};

struct Usage {
  const FileModel* file = nullptr;
  std::uint32_t occurrence = 0;
  Confidence confidence = Confidence::kResolved;
  std::size_t target = 0;      // index into the targets
  Doubt doubt = Doubt::kNone;  // of a possible use
};

/// An occurrence of a target's name that is not a use of it.
struct PassedOver {
  const FileModel* file = nullptr;
  std::uint32_t occurrence = 0;
  bool is_mention = false;  // in documentation
};

/// How an occurrence uses its meanings, which contain `used`.
UsageKind usage_kind(const FileModel& file, std::uint32_t occurrence,
                     const parse::Symbol* used = nullptr);

/// True for a name of several words, which is unlikely to match by chance: find_root, firstChild.
bool says_much(std::string_view name);

class UsageSearch {
 public:
  UsageSearch(Resolver& resolver, store::CodeReader& reader, std::vector<UsageTarget> targets);

  /// Finds all usages, of each confidence; by path, then offset. The targets' own declarations are
  /// not usages. Errors: kCancelled; the store's errors.
  Result<std::vector<Usage>> run();

  /// Whether occurrence `occurrence` of `file` certainly means a target, as run() would find it
  /// under any name. Not after run().
  bool certainly_means(const FileModel& file, std::uint32_t occurrence);

  /// The symbols that the search looks for.
  const std::vector<UsageTarget>& targets() const { return targets_; }

  /// The occurrences of the targets' names that run() did not count as uses, in no order; some may
  /// be uses all the same, for a target of another language.
  const std::vector<PassedOver>& passed_over() const { return passed_over_; }

  /// Files whose facts were searched, by path. Valid after run().
  std::vector<const FileModel*> searched() const;

 private:
  // With a receiver of unknown type, at most this many classes may have a member of the name for a
  // use to be likely, and then only if they inherit it.
  static constexpr std::size_t kFewCandidates = 3;

  // A symbol of a file.
  using Member = std::pair<const FileModel*, std::uint32_t>;
  struct MemberHash {
    std::size_t operator()(const Member& member) const {
      return std::hash<const FileModel*>()(member.first) * 31 + member.second * 0x9E3779B9U;
    }
  };
  // The classes and objects that have a member of some name.
  struct Owners {
    bool are_one = false;  // all count as the symbol asked for
    std::set<std::string> names;
    std::set<const FileModel*> files;
  };
  using MemberMap = std::unordered_map<Member, std::size_t, MemberHash>;

  Result<void> search_language(const std::string& language, const std::string& name);
  Result<void> add_other_cases(const std::string& name);
  Result<void> add_makers(std::size_t target, const std::vector<std::string>& words);
  Result<void> add_name(const std::string& name);
  Result<void> search_file(store::FileId id, const std::string& name, bool is_own_name);
  Result<void> search_names(const FileModel& file, parse::NameId name, bool is_own_name);
  Result<void> follow_exports(const FileModel& file, parse::NameId name);
  Result<void> add_dependents(const FileModel& file);
  Confidence confidence_of(const Entities& entities, const UsageTarget& used) const;
  void classify(const FileModel& file, std::uint32_t occurrence, bool is_own_name);
  void classify_own(const FileModel& file, std::uint32_t occurrence, bool is_own_name);
  bool is_lost_member(const FileModel& file, std::uint32_t occurrence);
  void pass_over(const FileModel& file, std::uint32_t occurrence, bool is_own_name,
                 bool is_mention = false);
  void match_name(const FileModel& file, std::uint32_t occurrence);
  void find_overridden();
  std::optional<std::size_t> find_target(const Entities& entities, const FileModel& file,
                                         std::uint32_t occurrence) const;
  bool means_target(const Entities& entities) const;
  bool is_of_loose_objects(const Usage& usage);
  bool is_likely(const FileModel& file, std::uint32_t occurrence, std::size_t target);
  Owners find_owners(const std::string& name, Family family);
  bool override_each_other(const std::vector<Entity>& members);

  Resolver& resolver_;
  store::CodeReader& reader_;
  std::vector<UsageTarget> targets_;
  MemberMap target_index_;
  // Members that targets override: a use of one may reach the target. Member to target.
  MemberMap overridden_;
  MemberMap makes_;  // classes that call a target when they are called, to that target
  Family family_ = Family::kNone;
  std::unordered_map<std::string, std::size_t> first_named_;  // targets of the family, by name
  std::unordered_set<std::string> folded_;  // names whose other letters were looked for
  std::unordered_set<std::string> names_;   // looked for in every file
  std::unordered_set<const FileModel*> dependents_added_;
  // The names that were searched for in each file.
  std::unordered_map<const FileModel*, std::unordered_set<parse::NameId>> files_;
  std::unordered_map<std::string, Owners> owners_;  // by the name of the member
  // Files with object literals that have a key of the name.
  std::unordered_map<std::string, std::set<const FileModel*>> loose_keys_;
  std::vector<PassedOver> passed_over_;
  std::vector<Usage> usages_;  // in the order in which they were met; one place may come twice
};

}  // namespace codexmem::graph

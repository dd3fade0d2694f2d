// graph/core/usage_search.h - the occurrences that mean given symbols, through aliases and
// re-exports.
//
// The part of references and neighbours that finds; they present. One thread, one question.
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
#include "graph/references.h"
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
  std::size_t target = 0;  // index into the targets
};

/// How an occurrence uses what it means.
UsageKind usage_kind(const FileModel& file, std::uint32_t occurrence);

class UsageSearch {
 public:
  UsageSearch(Resolver& resolver, store::CodeReader& reader, std::vector<UsageTarget> targets);

  /// Finds all usages, of each confidence; by path, then offset. The names of the targets
  /// themselves, where they are declared, are no usages. Errors: kCancelled; those of the store.
  Result<std::vector<Usage>> run();

  /// Files whose facts were searched, by path. Valid after run().
  std::vector<const FileModel*> searched() const;

 private:
  // A symbol of a file.
  using Member = std::pair<const FileModel*, std::uint32_t>;
  struct MemberHash {
    std::size_t operator()(const Member& member) const {
      return std::hash<const FileModel*>()(member.first) * 31 + member.second * 0x9E3779B9U;
    }
  };
  using MemberMap = std::unordered_map<Member, std::size_t, MemberHash>;

  Result<void> search_language(const std::string& language, const std::string& name);
  Result<void> add_other_cases(const std::string& name);
  Result<void> add_name(const std::string& name);
  Result<void> search_file(store::FileId id, const std::string& name, bool is_own_name);
  Result<void> search_names(const FileModel& file, parse::NameId name, bool is_own_name);
  Result<void> follow_exports(const FileModel& file, parse::NameId name);
  Result<void> add_dependents(const FileModel& file);
  bool may_be_another(const Entities& entities, const UsageTarget& used) const;
  void classify(const FileModel& file, std::uint32_t occurrence, bool is_own_name);
  void match_name(const FileModel& file, std::uint32_t occurrence);
  void find_overridden();
  std::optional<std::size_t> find_target(const Entities& entities, const FileModel& file,
                                         std::uint32_t occurrence) const;
  bool means_target(const Entities& entities) const;
  bool is_of_loose_objects(const Usage& usage);
  bool is_likely(const FileModel& file, std::uint32_t occurrence, std::size_t target);

  Resolver& resolver_;
  store::CodeReader& reader_;
  std::vector<UsageTarget> targets_;
  MemberMap target_index_;
  // What targets override: a use of it may reach them. Member to target.
  MemberMap overridden_;
  Family family_ = Family::kNone;
  std::unordered_map<std::string, std::size_t> first_named_;  // targets of the family, by name
  std::unordered_set<std::string> folded_;  // names whose other letters were looked for
  std::unordered_set<std::string> names_;   // looked for in every file
  std::unordered_set<const FileModel*> dependents_added_;
  // The names that were searched for in each file.
  std::unordered_map<const FileModel*, std::unordered_set<parse::NameId>> files_;
  std::unordered_map<std::string, std::size_t> member_candidates_;  // by name
  // Files with object literals that have a key of the name.
  std::unordered_map<std::string, std::set<const FileModel*>> loose_keys_;
  std::vector<Usage> usages_;  // in the order in which they were met; one place may come twice
};

}  // namespace codexmem::graph

// store/code/united_reader.h - the stores of several repositories, read as one.
//
// Ids carry the number of the repository above their own bits, and paths begin with the
// repository's folder, `NAME:`. A name holds neither '/' nor ':', so no path of a repository looks
// like one of another, and a repository that is called `tests` makes no test of its files. Lists
// keep the orders that code_reader.h promises. One thread at a time. Design:
// docs/workspace.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"
#include "store/code/cross_links.h"

namespace codexmem::store {

/// Repositories that a united reader has at most.
inline constexpr std::size_t kMaxMembers = 256;

/// The id of the file `own` of repository number `member`. (Ids of one store stay far below 2^32,
/// which would be rows of as many files.)
FileId united_id(std::size_t member, FileId own);
SymbolId united_id(std::size_t member, SymbolId own);
ChunkId united_id(std::size_t member, ChunkId own);

/// The number of the repository whose file it is, and the id that the file has there.
std::size_t member_of(FileId united);
FileId own_id(FileId united);
SymbolId own_id(SymbolId united);

/// True if a repository may be called `name`: text without '/', ':' and control characters, and
/// neither "." nor "..".
bool is_member_name(std::string_view name);

/// The folder of the repository `name` in united paths: "name:".
std::string member_folder(std::string_view name);

/// The united path of `path`; the folder itself for an empty one.
std::string united_path(std::string_view name, std::string_view path);

struct MemberPath {
  std::string_view name;  // of the repository
  std::string_view path;  // in it; empty: its root
};

/// The parts of a united path; nothing for another path.
std::optional<MemberPath> split_united_path(std::string_view path);

/// A repository of a united reader.
struct UnitedMember {
  std::string name;              // is_member_name(); distinct
  CodeReader* reader = nullptr;  // null: it cannot be read now; outlives the united one
};

/// Puts repositories into the order that UnitedReader needs, the order of their paths.
template <typename Members>
void sort_members(Members& members) {
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return member_folder(a.name) < member_folder(b.name);
  });
}

class UnitedReader : public CodeReader {
 public:
  /// `members` are in the order of sort_members(), at most kMaxMembers; a member's place is its
  /// number. `links` are of the moment that is read; null: none.
  static std::unique_ptr<UnitedReader> make(std::vector<UnitedMember> members,
                                            std::shared_ptr<const CrossLinks> links = nullptr);

  const std::vector<UnitedMember>& members() const { return members_; }
  /// From now on these are the links.
  void set_links(std::shared_ptr<const CrossLinks> links) { links_ = std::move(links); }

 protected:
  UnitedReader(std::vector<UnitedMember> members, std::shared_ptr<const CrossLinks> links);

  std::vector<UnitedMember> members_;
  std::shared_ptr<const CrossLinks> links_;
};

}  // namespace codexmem::store

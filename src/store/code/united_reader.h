// store/code/united_reader.h - the stores of several repositories, read as one.
//
// Ids carry the number of the repository above their own bits, and paths begin with the
// repository's folder, `NAME:`. A name holds neither '/' nor ':', so no path of a repository looks
// like one of another, and a repository that is called `tests` makes no test of its files. Lists
// keep the orders that code_reader.h promises. One thread at a time. Design:
// docs/design/workspace.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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
inline constexpr std::size_t kMostMembers = 256;

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

/// The parts of a united path; nothing when it is none.
std::optional<MemberPath> split_united_path(std::string_view path);

/// A repository of a united reader.
struct UnitedMember {
  std::string name;              // is_member_name(); another than the others have
  CodeReader* reader = nullptr;  // null: it cannot be read now; outlives the united one
};

/// Puts repositories into the order that UnitedReader needs, that of their paths.
template <typename Members>
void sort_members(Members& members) {
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return member_folder(a.name) < member_folder(b.name);
  });
}

class UnitedReader final : public CodeReader {
 public:
  /// `members` are in the order of sort_members(), at most kMostMembers; a member's place is its
  /// number. `links` are of the moment that is read; null: there are none.
  explicit UnitedReader(std::vector<UnitedMember> members,
                        std::shared_ptr<const CrossLinks> links = nullptr);

  const std::vector<UnitedMember>& members() const { return members_; }
  /// From now on these are the links.
  void set_links(std::shared_ptr<const CrossLinks> links) { links_ = std::move(links); }

  Result<ReadMoment> begin_read() override;
  /// Another one when that of a member is, or when a member comes or goes.
  Result<std::int64_t> generation() override;

  Result<std::vector<FileRow>> list_files() override;
  Result<void> visit_files(const std::function<void(const FileStamp&)>& visit) override;
  Result<std::vector<FileRow>> list_files_after(std::string_view path, std::size_t limit) override;
  Result<std::vector<FileRow>> list_files_in(std::string_view folder) override;
  Result<std::optional<FileRow>> find_file(std::string_view path) override;
  Result<std::optional<FileRow>> find_file(FileId id) override;
  Result<std::vector<FileId>> list_files_with_hash(std::string_view hash) override;
  Result<std::optional<std::string>> find_content(FileId id) override;
  Result<std::optional<std::string>> find_facts(FileId id) override;
  Result<void> visit_trigrams(const std::function<void(FileId, std::string_view)>& visit) override;
  Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier) override;
  Result<std::vector<SkippedFile>> list_skipped() override;
  Result<std::optional<SkippedFile>> find_skipped(std::string_view path) override;
  Result<std::size_t> count_skipped() override;
  Result<std::vector<LanguageCount>> count_languages() override;
  Result<StoreCounts> counts() override;

  Result<std::vector<SymbolRow>> list_symbols(FileId file) override;
  Result<std::optional<SymbolRow>> find_symbol(SymbolId id) override;
  Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name) override;
  Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(std::string_view name) override;
  Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit) override;
  Result<std::vector<std::string>> list_symbol_names() override;
  Result<std::vector<std::string>> list_symbol_names(std::string_view prefix,
                                                     std::size_t limit) override;
  Result<void> visit_definitions(std::optional<FileId> file,
                                 const std::function<void(const DefinitionName&)>& visit) override;
  Result<void> visit_identifiers(
      const std::function<void(std::string_view, FileId)>& visit) override;
  Result<std::vector<ChunkRow>> list_chunks(FileId file) override;

  Result<std::vector<DependencyRow>> list_dependencies(FileId source) override;
  Result<std::size_t> count_unresolved_imports(FileId source) override;
  Result<std::vector<DependencyRow>> list_dependents(FileId target) override;
  Result<std::vector<DependencyRow>> list_all_dependencies() override;
  Result<void> visit_imports(
      const std::function<void(FileId source, FileId target)>& visit) override;

 private:
  // The reader of the file's repository; null: there is none.
  CodeReader* reader_of(FileId id) const;
  // Calls `read` with each member that can be read and its number.
  template <typename Read>
  Result<void> each(Read read) const;
  // What `list` gives of each member, united, in their order.
  template <typename Row, typename List>
  Result<std::vector<Row>> join_lists(List list) const;

  FileRow united(std::size_t member, FileRow row) const;
  SkippedFile united(std::size_t member, SkippedFile file) const;
  FileId united(std::size_t member, FileId id) const;
  SymbolRow united(std::size_t member, SymbolRow row) const;
  ChunkRow united(std::size_t member, ChunkRow row) const;
  DependencyRow united(std::size_t member, DependencyRow row) const;
  std::string united(std::size_t, std::string name) const { return name; }

  std::vector<UnitedMember> members_;
  std::shared_ptr<const CrossLinks> links_;
};

}  // namespace codexmem::store

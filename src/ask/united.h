// ask/united.h - questions about several repositories at once: a workspace.
//
// Each repository has its own engines and is brought up to date by itself; a question reads all of
// them through one store::UnitedReader. Thread-safe. Design: docs/workspace.md.
#pragma once

#include <filesystem>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/answer.h"
#include "ask/context.h"
#include "base/result.h"
#include "config/workspace_file.h"
#include "index/changes/change_history.h"
#include "search/search.h"
#include "store/code/cross_links.h"
#include "store/code/united_reader.h"

namespace codexmem::ask {

/// A repository of a workspace.
struct UnitedRepository {
  std::string name;              // store::is_member_name(), another than the others have
  std::filesystem::path root;    // absolute, links resolved
  CodeServices* code = nullptr;  // null: it cannot be asked; outlives the UnitedCode
  std::string missing = {};      // why it cannot
};

/// The names of `repositories` but `without`.
template <typename Repositories>
std::vector<std::string> list_names(const Repositories& repositories,
                                    std::string_view without = {}) {
  std::vector<std::string> names;
  for (const auto& each : repositories) {
    if (each.name != without) names.push_back(each.name);
  }
  return names;
}

/// The place among `names` of the repository that a question about one of them is asked of: the one
/// that is called `name`, or where that is empty `otherwise`. Errors: kInvalidArgument, which names
/// `argument` and lists the names, when it is unknown.
Result<std::size_t> choose_repository(const std::vector<std::string>& names, std::string_view name,
                                      std::optional<std::size_t> otherwise,
                                      std::string_view argument);

/// Names that a workspace can have for `repositories`: each has the name that it was given, else
/// its folder's; of equal ones the later get "-2", "-3" behind.
std::vector<std::string> name_repositories(std::span<const WorkspaceRepository> repositories);

/// Whether the files of a repository differ from its commit, as long as both stay what they are: to
/// find out takes longer than most questions. Thread-safe.
class RevisionMemo {
 public:
  /// Of the repository at `root`, whose store has the generation `generation` and whose HEAD is
  /// `head`. Nothing: it cannot be known.
  std::optional<bool> is_changed(const std::filesystem::path& root, const std::string& head,
                                 std::int64_t generation);

 private:
  std::mutex mutex_;  // guards all below
  std::string key_;
  std::optional<bool> is_changed_;
};

/// Who says which repository a question about one of them means.
enum class Home : std::uint8_t {
  kChosen,  // it is asked there
  kFirst,   // nobody: it is the first that can be asked
};

struct UnitedState;

/// The repositories of a workspace, for as long as a question takes. Reusable parts are kept
/// with the engines of home (CodeServices::unions).
class UnitedCode {
 public:
  /// The repository at `home`, which can be asked, is the one that paths without a name mean. There
  /// are at most store::kMaxMembers of them.
  UnitedCode(std::vector<UnitedRepository> repositories, const std::filesystem::path& home,
             Home chosen = Home::kChosen);

  /// In the order of store::sort_members(): a place is the number in united ids.
  const std::vector<UnitedRepository>& repositories() const { return repositories_; }
  const UnitedRepository& home() const { return repositories_[home_]; }
  Home how_home() const { return chosen_; }
  const UnitedRepository* find(std::string_view name) const;
  /// The names of all but `without`.
  std::vector<std::string> list_names(std::string_view without = {}) const {
    return ask::list_names(repositories_, without);
  }
  /// The repository that a question about one of them is asked of: the one that is called `name`,
  /// home where that is empty. Errors: kInvalidArgument, which lists the names, when none is called
  /// so, and when home was not chosen; kNotFound when it cannot be asked.
  Result<const UnitedRepository*> get_one(std::string_view name) const;

  /// What questions are asked with: home's, except `facts` and `united`.
  CodeServices& code() { return *code_; }

  /// What answers say of the repositories; `staleness` has those that are missing.
  std::vector<AnsweredRepository> list_answered(const Staleness& staleness) const;

  /// The links of the moment that `reader` sees; made when a store has changed.
  Result<std::shared_ptr<const store::CrossLinks>> links(store::UnitedReader& reader,
                                                         const std::stop_token& stop);

 private:
  std::vector<UnitedRepository> repositories_;
  std::size_t home_ = 0;
  Home chosen_;
  std::shared_ptr<UnitedState> state_;
  std::optional<CodeServices> code_;
};

/// The path that `given`, from the argument `argument`, means in the united reader: NAME:/path, an
/// absolute path below a repository, a path in the repository `base`, or NAME/path where that has
/// nothing of that name. An empty or unknown `base` means home. Errors: kInvalidArgument when it
/// means none.
Result<std::string> united_argument(const UnitedCode& united, std::string_view argument,
                                    std::string_view given, std::string_view base = {});

/// Whether the file at `path` is of the repository that the question is limited to, if it is.
bool is_asked(const Context& context, std::string_view path);

/// CodeServices::search of the context, or of all its repositories that are asked. Errors: as
/// search::CodeSearch.
Result<search::SearchAnswer> search_code(const Context& context,
                                         const search::SearchRequest& request);
Result<search::LocateAnswer> locate(const Context& context, const search::LocateRequest& request);
Result<search::SearchAnswer> find_related(const Context& context,
                                          const search::RelatedRequest& request);

/// The repository of a file, and what reads it there.
struct OwnCode {
  CodeServices& code;
  store::CodeReader& reader;
  std::string path;    // in that repository
  std::string folder;  // what united paths of that repository begin with, slash included; else ""
};

/// The repository of the file at `path`, a path of `reader`, which is the context's.
OwnCode own_code(const Context& context, store::CodeReader& reader, const std::string& path);

/// The history of the file at `path` of the context's reader, with paths of that reader.
Result<index::FileHistory> find_history(const Context& context, const std::string& path);

/// Puts the repositories into `written`: each object with a united path gets `repository` and a
/// path in it, and the answer a list `repositories`, of those that it names with their revisions
/// and of those that are missing.
void write_repositories(const std::vector<AnsweredRepository>& repositories, Written& written);

}  // namespace codexmem::ask

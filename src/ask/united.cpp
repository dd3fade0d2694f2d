// Tested by clients/workspace_test.py.
#include "ask/united.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include "base/path.h"
#include "base/text.h"
#include "graph/imports/cross_imports.h"
#include "graph/stored/facts_cache.h"
#include "index/discovery/file_origins.h"
#include "index/git/git_changes.h"
#include "search/united_search.h"
#include "text/json.h"

namespace codexmem::ask {

namespace fs = std::filesystem;

namespace {

// What a name may not hold becomes '-'.
std::string member_name_of(const WorkspaceRepository& repository) {
  std::string name =
      repository.name.empty() ? repository.root.filename().string() : repository.name;
  if (!is_valid_utf8(name)) name.clear();
  for (char& c : name) {
    if (const auto byte = static_cast<unsigned char>(c); c == ':' || c == '/' || byte < 0x20) {
      c = '-';
    }
  }
  return store::is_member_name(name) ? name : "repository";
}

bool is_on_disk(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The search over the repositories that the context asks.
search::UnitedSearch united_search(const Context& context) {
  std::vector<search::UnitedSearch::Member> members;
  for (const UnitedRepository& each : context.code().united->repositories()) {
    const bool is_left_out = !context.repository.empty() && context.repository != each.name;
    const bool is_missing = each.code == nullptr ||
                            (context.staleness != nullptr &&
                             std::ranges::any_of(context.staleness->missing, [&](const auto& one) {
                               return one.first == each.name;
                             }));
    if (!is_left_out && !is_missing) members.push_back({each.name, &each.code->search});
  }
  return search::UnitedSearch(std::move(members));
}

// Puts `repository` into the objects of `json` that have a united path, and its name into `names`.
void name_paths(Json& json, std::set<std::string>& names) {
  if (json.is_array()) {
    for (Json& item : json) name_paths(item, names);
    return;
  }
  if (!json.is_object()) return;
  const auto take = [&](Json& path) -> std::string {
    if (!path.is_string()) return {};
    const std::string united = path.get<std::string>();
    const auto split = store::split_united_path(united);
    if (!split) return {};
    path = std::string(split->path);
    names.emplace(split->name);
    return std::string(split->name);
  };
  std::string name;
  if (const auto path = json.find("path"); path != json.end()) name = take(*path);
  if (const auto file = json.find("file"); name.empty() && file != json.end()) {
    if (file->is_object() && file->contains("path")) name = take((*file)["path"]);
  }
  for (auto& [key, value] : json.items()) name_paths(value, names);
  if (!name.empty()) json["repository"] = name;
}

Json repository_json(const AnsweredRepository& repository) {
  Json json = {{"name", repository.name}};
  if (!repository.missing.empty()) {
    json["missing"] = repository.missing;
    return json;
  }
  const std::string revision = index::find_head(repository.root);
  if (revision.empty()) return json;
  json["revision"] = revision;
  const auto is_changed =
      repository.memo->is_changed(repository.root, revision, repository.generation);
  if (is_changed) json["changed"] = *is_changed;
  return json;
}

}  // namespace

struct UnitedState {
  graph::FactsCache facts;
  std::mutex mutex;                                            // guards the rest
  std::map<std::string, std::shared_ptr<RevisionMemo>> memos;  // by name
  std::int64_t linked_generation = -1;
  std::shared_ptr<const store::CrossLinks> links;
};

// The union of the workspace that was asked last.
class UnitedCache {
 public:
  std::shared_ptr<UnitedState> take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (state_ == nullptr || key_ != key) {
      state_ = std::make_shared<UnitedState>();
      key_ = key;
    }
    return state_;
  }

 private:
  std::mutex mutex_;  // guards both below
  std::string key_;
  std::shared_ptr<UnitedState> state_;
};

std::shared_ptr<UnitedCache> make_united_cache() { return std::make_shared<UnitedCache>(); }

std::vector<std::string> name_repositories(std::span<const WorkspaceRepository> repositories) {
  std::vector<std::string> names;
  for (const WorkspaceRepository& repository : repositories) {
    const std::string wanted = member_name_of(repository);
    std::string name = wanted;
    for (int number = 2; std::ranges::find(names, name) != names.end(); ++number) {
      name = fmt::format("{}-{}", wanted, number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

Result<std::size_t> choose_repository(const std::vector<std::string>& names, std::string_view name,
                                      std::optional<std::size_t> otherwise,
                                      std::string_view argument) {
  if (name.empty() && otherwise) return *otherwise;
  const auto found = std::ranges::find(names, name);
  if (!name.empty() && found != names.end()) {
    return static_cast<std::size_t>(found - names.begin());
  }
  return Error{ErrorCode::kInvalidArgument,
               name.empty()
                   ? fmt::format("this question is about one repository: name it with {} ({})",
                                 argument, join(names, ", "))
                   : fmt::format("{} must be one of {}, got \"{}\"", argument, join(names, ", "),
                                 utf8_prefix(name, 100))};
}

UnitedCode::UnitedCode(std::vector<UnitedRepository> repositories, const fs::path& home,
                       Home chosen)
    : repositories_(std::move(repositories)), chosen_(chosen) {
  CODEXMEM_CHECK(repositories_.size() <= store::kMaxMembers);
  store::sort_members(repositories_);
  const auto found = std::ranges::find(repositories_, home, &UnitedRepository::root);
  CODEXMEM_CHECK(found != repositories_.end() && found->code != nullptr);
  home_ = static_cast<std::size_t>(found - repositories_.begin());
  const CodeServices& own = *found->code;
  std::string key;
  for (const UnitedRepository& each : repositories_) {
    key += fmt::format("{}\n{}\n", each.name, each.root.string());
  }
  state_ = own.unions->take(key);
  code_.emplace(
      CodeServices{.workspace = own.workspace, .search = own.search, .facts = state_->facts});
  code_->index = own.index;
  code_->await_ready = own.await_ready;
  code_->provider = own.provider;
  code_->completer = own.completer;
  code_->history = own.history;
  code_->watch_gap = own.watch_gap;
  code_->revisions = own.revisions;
  code_->patience = own.patience;
  code_->united = this;
}

std::optional<bool> RevisionMemo::is_changed(const fs::path& root, const std::string& head,
                                             std::int64_t generation) {
  // Staging changes no files, only what git compares them with.
  std::error_code failed;
  const auto staged = fs::last_write_time(root / ".git/index", failed);
  const auto ticks = failed ? 0 : staged.time_since_epoch().count();
  const std::string key = fmt::format("{} {} {}", head, generation, ticks);
  {
    const std::lock_guard lock(mutex_);
    if (key_ == key) return is_changed_;
  }
  const auto changes = index::GitChanges::find(root, root, {.since = "", .is_staged = false});
  const std::lock_guard lock(mutex_);
  key_ = key;
  is_changed_ = changes.ok() ? std::optional(!changes->changes().empty()) : std::nullopt;
  return is_changed_;
}

std::vector<AnsweredRepository> UnitedCode::list_answered(const Staleness& staleness) const {
  std::vector<AnsweredRepository> all;
  for (const UnitedRepository& each : repositories_) {
    AnsweredRepository one{each.name, each.root};
    for (const auto& [name, why] : staleness.missing) {
      if (name == each.name) one.missing = why;
    }
    if (each.code != nullptr && one.missing.empty()) {
      auto reader = each.code->workspace.reader();
      const auto generation =
          reader.ok() ? (*reader)->generation() : Result<std::int64_t>(reader.error());
      one.generation = generation.ok() ? *generation : 0;
    }
    const std::lock_guard lock(state_->mutex);
    std::shared_ptr<RevisionMemo>& memo = state_->memos[each.name];
    if (memo == nullptr) memo = std::make_shared<RevisionMemo>();
    one.memo = memo;
    all.push_back(std::move(one));
  }
  return all;
}

const UnitedRepository* UnitedCode::find(std::string_view name) const {
  const auto found = std::ranges::find(repositories_, name, &UnitedRepository::name);
  return found == repositories_.end() ? nullptr : &*found;
}

Result<const UnitedRepository*> UnitedCode::get_one(std::string_view name) const {
  const auto otherwise = chosen_ == Home::kFirst ? std::nullopt : std::optional(home_);
  CODEXMEM_ASSIGN(const std::size_t place,
                  choose_repository(list_names(), name, otherwise, "repository"));
  const UnitedRepository& one = repositories_[place];
  if (one.code == nullptr) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: {}", one.name, one.missing)};
  }
  return &one;
}

Result<std::shared_ptr<const store::CrossLinks>> UnitedCode::links(store::UnitedReader& reader,
                                                                   const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->linked_generation == generation) return state_->links;
  }
  CODEXMEM_ASSIGN(graph::CrossImports found, graph::link_imports(reader, stop));
  auto made = std::make_shared<const store::CrossLinks>(std::move(found.rows));
  const std::lock_guard lock(state_->mutex);
  state_->links = made;
  state_->linked_generation = generation;
  return std::shared_ptr<const store::CrossLinks>(std::move(made));
}

Result<std::string> united_argument(const UnitedCode& united, std::string_view argument,
                                    std::string_view given, std::string_view base) {
  const UnitedRepository* const called = united.find(base);
  const UnitedRepository& own = called == nullptr ? united.home() : *called;
  const auto refuse = [&](std::string_view why) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} must be a path in one of the repositories {}, got \"{}\"{}", argument,
                    join(united.list_names(), ", "), utf8_prefix(given, 200), why)};
  };
  if (given.empty() || !is_valid_utf8(given)) return refuse("");
  const auto path_in = [&](const UnitedRepository& repository,
                           const fs::path& path) -> Result<std::string> {
    const auto below = path_below(repository.root, path);
    if (!below) return refuse(", which leads out of it");
    if (below->empty()) return refuse(", a repository itself");
    return store::united_path(repository.name, *below);
  };
  if (const auto split = store::split_united_path(given)) {
    const UnitedRepository* const named = united.find(split->name);
    if (named != nullptr) return path_in(*named, fs::path(split->path));
  }
  if (given.front() == '/') {
    const UnitedRepository* nearest = nullptr;
    for (const UnitedRepository& each : united.repositories()) {
      if (!path_below(each.root, fs::path(given))) continue;
      if (nearest == nullptr || each.root.native().size() > nearest->root.native().size()) {
        nearest = &each;
      }
    }
    if (nearest == nullptr) return refuse(", which is in none of them");
    return path_in(*nearest, fs::path(given));
  }
  const std::size_t slash = given.find('/');
  if (slash != std::string_view::npos && !is_on_disk(own.root / fs::path(given))) {
    const UnitedRepository* const named = united.find(given.substr(0, slash));
    if (named != nullptr) return path_in(*named, fs::path(given.substr(slash + 1)));
  }
  return path_in(own, fs::path(given));
}

bool is_asked(const Context& context, std::string_view path) {
  if (context.repository.empty()) return true;
  const auto split = store::split_united_path(path);
  return split && split->name == context.repository;
}

Result<search::SearchAnswer> search_code(const Context& context,
                                         const search::SearchRequest& request) {
  if (context.code().united == nullptr) return context.code().search.search(request, context.stop);
  return united_search(context).search(request, context.stop);
}

Result<search::LocateAnswer> locate(const Context& context, const search::LocateRequest& request) {
  if (context.code().united == nullptr) return context.code().search.locate(request, context.stop);
  return united_search(context).locate(request, context.stop);
}

Result<search::SearchAnswer> find_related(const Context& context,
                                          const search::RelatedRequest& request) {
  if (context.code().united == nullptr) return context.code().search.find_related(request);
  return united_search(context).find_related(request, context.stop);
}

OwnCode own_code(const Context& context, store::CodeReader& reader, const std::string& path) {
  const UnitedCode* const united = context.code().united;
  const auto split = store::split_united_path(path);
  auto* const all = dynamic_cast<store::UnitedReader*>(&reader);
  if (united != nullptr && split && all != nullptr) {
    for (std::size_t i = 0; i < all->members().size(); ++i) {
      const store::UnitedMember& member = all->members()[i];
      if (member.name != split->name || member.reader == nullptr) continue;
      return {*united->repositories()[i].code, *member.reader, std::string(split->path),
              store::member_folder(member.name) + "/"};
    }
  }
  return {context.code(), reader, path, ""};
}

Result<index::FileHistory> find_history(const Context& context, const std::string& path) {
  const UnitedCode* const united = context.code().united;
  const auto split = store::split_united_path(path);
  if (united == nullptr || !split) return context.code().history->find(path);
  const UnitedRepository* const repository = united->find(split->name);
  if (repository == nullptr || repository->code == nullptr) return index::FileHistory();
  CODEXMEM_ASSIGN(auto history, repository->code->history->find(std::string(split->path)));
  for (index::ChangedFile& file : history.together) {
    file.path = store::united_path(repository->name, file.path);
  }
  return history;
}

void write_repositories(const std::vector<AnsweredRepository>& repositories, Written& written) {
  std::set<std::string> names;
  const auto name_in = [&](std::string& text) {
    Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) return Json();
    name_paths(json, names);
    text = dump_json(json);
    return json;
  };
  const bool text_is_object = written.text == written.structured;
  Json structured = name_in(written.structured);
  if (!text_is_object) name_in(written.text);
  Json siblings = written.siblings.empty() ? Json::object() : name_in(written.siblings);
  if (!structured.is_object()) return;
  Json list = Json::array();
  for (const AnsweredRepository& each : repositories) {
    if (names.contains(each.name) || !each.missing.empty()) list.push_back(repository_json(each));
  }
  structured["repositories"] = list;
  written.structured = dump_json(structured);
  if (text_is_object) {
    written.text = written.structured;
  } else if (siblings.is_object()) {
    siblings["repositories"] = list;
    written.siblings = dump_json(siblings);
  }
}

}  // namespace codexmem::ask

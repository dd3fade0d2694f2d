// Tested by git/revision_test.py.
#include "ask/revision.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "index/git/revision.h"

namespace codexmem::ask {

namespace {

// The engines of a revision.
struct OpenRevision {
  OpenRevision(index::Revision opened, const search::SearchOptions& options)
      : revision(std::move(opened)), search(*revision.workspace, options) {}

  index::Revision revision;
  graph::FactsCache facts;
  search::SearchEngine search;
};

struct OpenServices : RevisionServices {
  std::shared_ptr<OpenRevision> open;
  std::optional<CodeServices> code;
};

}  // namespace

class RevisionCache {
 public:
  // The open one with the files of `made`, which else becomes one.
  std::shared_ptr<OpenRevision> take(index::Revision made, const search::SearchOptions& options) {
    const std::lock_guard lock(mutex_);
    auto known = std::ranges::find(
        open_, made.tree, [](const auto& each) { return std::string_view(each->revision.tree); });
    if (known == open_.end()) {
      open_.push_front(std::make_shared<OpenRevision>(std::move(made), options));
      if (open_.size() > kMaxOpen) open_.pop_back();
    } else {
      open_.splice(open_.begin(), open_, known);
    }
    return open_.front();
  }

 private:
  static constexpr std::size_t kMaxOpen = 2;

  std::mutex mutex_;                               // guards open_
  std::list<std::shared_ptr<OpenRevision>> open_;  // the last used first
};

std::shared_ptr<RevisionCache> make_revision_cache() { return std::make_shared<RevisionCache>(); }

Result<std::shared_ptr<RevisionServices>> open_revision(const Context& context,
                                                        const std::string& revision) {
  CodeServices& base = context.code();
  CODEXMEM_ASSIGN(index::Revision made, index::open_revision(
                                            base.workspace, revision,
                                            [&]() -> Result<void> {
                                              CODEXMEM_TRY(base.index({}, {}, context.stop));
                                              return {};
                                            },
                                            context.stop));
  auto services = std::make_shared<OpenServices>();
  services->services = *context.services;
  if (made.workspace == nullptr) return std::shared_ptr<RevisionServices>(std::move(services));
  services->open = base.revisions->take(std::move(made), base.search.options());
  OpenRevision& open = *services->open;
  services->code.emplace(CodeServices{.workspace = *open.revision.workspace,
                                      .search = open.search,
                                      .facts = open.facts,
                                      .provider = base.provider});
  services->code->history = std::make_shared<index::ChangeHistory>(base.workspace.root(), revision);
  services->code->is_revision = true;
  services->services.code = &*services->code;
  return std::shared_ptr<RevisionServices>(std::move(services));
}

}  // namespace codexmem::ask

// Tested by tests/git/branch_memory_test.py.
#include "ask/memory_branches.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "index/git/branch_fates.h"
#include "store/user/branches.h"

namespace codexmem::ask {
namespace {

struct Landed {
  memory::BranchStage stage;
  std::string how;
};

Result<void> write_fates(store::UserStore& store, const memory::Clock& clock,
                         const std::vector<memory::BranchStage>& changed,
                         const std::vector<Landed>& landed) {
  if (changed.empty() && landed.empty()) return {};
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  for (const memory::BranchStage& stage : changed) {
    CODEXMEM_TRY(store::update_stage(*writer, stage));
  }
  for (const Landed& each : landed) {
    CODEXMEM_TRY(memory::land_stage(*writer, each.stage, each.how, clock()));
  }
  return writer.commit();
}

// Remembers what it saw of each work tree, for git is asked before each answer.
class BranchLook {
 public:
  Result<memory::BranchSight> operator()(store::UserStore& store, const memory::Clock& clock,
                                         const std::filesystem::path& root) {
    auto fates = index::BranchFates::open(root);
    if (!fates.ok()) return memory::BranchSight();  // outside of git nothing of a branch is seen
    std::vector<memory::BranchStage> stages;
    {
      CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
      CODEXMEM_ASSIGN(stages, store::list_stages(*reader, ""));
    }
    std::erase_if(stages, [&](const memory::BranchStage& stage) {
      return stage.place.repository != (*fates)->repository() && !(*fates)->may_adopt(stage);
    });
    const std::lock_guard lock(mutex_);
    auto& [state, sight] = seen_[root];
    if (state == (*fates)->state(stages)) return sight;
    sight = {.place = (*fates)->place()};
    const std::vector<memory::BranchStage> before = stages;
    const std::vector<index::BranchFate> judged = (*fates)->judge(stages);
    std::vector<memory::BranchStage> changed;
    std::vector<Landed> landed;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      stages[i].place.repository = (*fates)->repository();
      if (judged[i].is_here) sight.seen.insert(stages[i].id);
      if (stages[i] != before[i]) changed.push_back(stages[i]);
      if (!judged[i].landed.empty()) landed.push_back({stages[i], judged[i].landed});
    }
    state = landed.empty() ? (*fates)->state(stages) : "";
    // The sight is right even if it cannot be written down now: the next look does that.
    if (const auto written = write_fates(store, clock, changed, landed); !written.ok()) {
      log_warn("what became of branches was not written: {}", written.error().message());
    }
    return sight;
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::map<std::filesystem::path, std::pair<std::string, memory::BranchSight>> seen_;
};

}  // namespace

memory::BranchSource branch_source(std::function<bool(const std::filesystem::path&)> stages) {
  memory::BranchSource source;
  source.stages_entries = std::move(stages);
  source.look = [look = std::make_shared<BranchLook>()](
                    store::UserStore& store, const memory::Clock& clock,
                    const std::filesystem::path& root) { return (*look)(store, clock, root); };
  source.find_place = [](const std::filesystem::path& root) -> std::optional<memory::BranchPlace> {
    auto fates = index::BranchFates::open(root);
    if (fates.ok()) return (*fates)->place();
    if (fates.error().code() != ErrorCode::kNotFound) {
      log_warn("the branch cannot be read, so new documents are everybody's: {}",
               fates.error().message());
    }
    return std::nullopt;
  };
  return source;
}

}  // namespace codexmem::ask

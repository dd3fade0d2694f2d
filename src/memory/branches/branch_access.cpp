// Tested by tests/memory/branches_test.cpp.
#include "memory/branches/branch_access.h"

#include <utility>

#include "base/log.h"

namespace codexmem::memory {

BranchAccess::BranchAccess(store::UserStore& store, BranchSource source, Clock clock,
                           std::filesystem::path root)
    : store_(&store),
      source_(std::move(source)),
      clock_(std::move(clock)),
      root_(std::move(root)),
      sight_{.sees_all = root_.empty()} {}

Result<void> BranchAccess::look() {
  if (!source_.look || root_.empty()) return {};
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
    CODEXMEM_ASSIGN(const bool are_staged, store::has_staged_documents(*reader));
    if (!are_staged) return {};
  }
  CODEXMEM_ASSIGN(BranchSight sight, source_.look(*store_, clock_, root_));
  const std::lock_guard lock(mutex_);
  sight_ = std::move(sight);
  has_looked_ = true;
  return {};
}

std::shared_ptr<const BranchScope> BranchAccess::scope() const {
  const auto read = [&]() -> Result<BranchScope> {
    CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
    return scope_now(*reader);
  };
  auto scope = read();
  if (scope.ok()) return std::make_shared<BranchScope>(*std::move(scope));
  log_warn("what belongs to branches cannot be read: {}", scope.error().message());
  return std::make_shared<BranchScope>();
}

Result<BranchScope> BranchAccess::scope_now(store::Database& database) const {
  CODEXMEM_ASSIGN(const bool are_staged, store::has_staged_documents(database));
  if (!are_staged) return BranchScope();
  BranchSight sight;
  {
    const std::lock_guard lock(mutex_);
    sight = sight_;
    // The first document of a branch may have been written since.
    if (!has_looked_ && !sight.sees_all) sight.place = decision_place();
  }
  return BranchScope::read(database, sight);
}

std::optional<BranchPlace> BranchAccess::decision_place() const {
  if (!source_.find_place || root_.empty()) return std::nullopt;
  return source_.find_place(root_);
}

std::optional<BranchPlace> BranchAccess::entry_place() const {
  const bool is_staged = source_.stages_entries && source_.stages_entries(root_);
  return is_staged ? decision_place() : std::nullopt;
}

}  // namespace codexmem::memory

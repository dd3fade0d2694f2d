// Tested by observe/session_list_test.cpp.
#include "observe/session_list.h"

#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kListedTitleBytes = 200;

Result<std::vector<ListedSession>> select(store::Database& database, memory::SessionId id,
                                          std::string_view project, std::size_t limit,
                                          std::size_t offset) {
  CODEXMEM_ASSIGN(auto sessions, store::select_sessions(database, id, project, limit, offset));
  for (ListedSession& session : sessions) {
    // Redacted before it is cut: no rule knows half of a secret.
    session.title = utf8_prefix(privacy::redacted(session.title), kListedTitleBytes);
  }
  return sessions;
}

}  // namespace

Result<std::vector<ListedSession>> list_sessions(store::Database& database,
                                                 std::string_view project, std::size_t limit,
                                                 std::size_t offset) {
  return select(database, memory::SessionId{0}, project, limit, offset);
}

Result<std::optional<ListedSession>> find_session(store::Database& database, memory::SessionId id) {
  if (id == memory::SessionId{0}) return std::optional<ListedSession>();
  CODEXMEM_ASSIGN(auto found, select(database, id, "", 1, 0));
  if (found.empty()) return std::optional<ListedSession>();
  return std::optional(std::move(found.front()));
}

}  // namespace codexmem::observe

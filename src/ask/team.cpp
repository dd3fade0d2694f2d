#include "ask/team.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ask/cited_code.h"
#include "index/discovery/file_origins.h"
#include "index/git/git_repository.h"

namespace codexmem::ask {

memory::TeamPlace team_place_of(const std::filesystem::path& root) {
  memory::TeamPlace place;
  place.root = root;
  const auto repository = index::GitRepository::find(root.string(), /*here_only=*/true);
  place.repository = repository ? repository->common_folder() : root.string();
  if (!repository) return place;
  place.head = index::find_head(root);
  place.find_origins = [root](std::span<const std::string> paths) {
    std::vector<memory::SharedOrigin> origins;
    for (index::FileOrigin& origin : index::find_file_origins(root, paths)) {
      origins.push_back(
          {std::move(origin.author), std::move(origin.commit_id), origin.committed_at_ms});
    }
    return origins;
  };
  return place;
}

Result<memory::TakenIn> take_in_team(memory::Memory& memory, const memory::CiteText& cite) {
  if (memory.root().empty()) return memory::TakenIn();
  memory::TeamPlace place = team_place_of(memory.root());
  place.cite = cite;
  return memory::take_in_shared(memory, place);
}

memory::CiteText citing(store::Workspace& workspace, memory::Clock clock) {
  return [&workspace, clock = std::move(clock)](
             const memory::Mentions& mentions) -> Result<memory::DocumentWriter> {
    CODEXMEM_ASSIGN(auto reader, workspace.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    IndexedCode code(workspace, *reader);
    CODEXMEM_ASSIGN(auto citations, memory::find_citations(code, mentions));
    if (citations.empty()) return memory::DocumentWriter();
    return memory::DocumentWriter([citations = std::move(citations), now = clock()](
                                      store::Database& database, memory::DocumentKey document) {
      return memory::put_citations(database, document, citations, now);
    });
  };
}

}  // namespace codexmem::ask

// Tested by memory/team_memory_test.cpp and ask/memory_answers_test.cpp.
#include "ask/memory/shared_mark.h"

#include <utility>

#include "store/user/shared_files.h"
#include "text/json.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kCommitDigits = 12;

}  // namespace

SharedMarks find_shared_marks(const MemoryCall& call,
                              std::span<const memory::DocumentKey> documents) {
  SharedMarks marks;
  const auto find = [&]() -> Result<void> {
    CODEXMEM_ASSIGN(auto reader, call.memory.store().reader());
    for (const memory::DocumentKey document : documents) {
      CODEXMEM_ASSIGN(const auto files, store::find_shared_files(*reader, document));
      if (files.empty()) continue;
      const store::SharedFile& file = files.front();
      SharedMark mark{
          file.path, file.origin.author, file.origin.commit_id.substr(0, kCommitDigits), {}};
      CODEXMEM_ASSIGN(mark.rivals, store::list_rivals(*reader, document));
      marks.emplace(document, std::move(mark));
    }
    return {};
  };
  return find().ok() ? marks : SharedMarks();
}

std::optional<SharedMark> mark_of(const SharedMarks& marks, memory::DocumentKey document) {
  const auto found = marks.find(document);
  return found == marks.end() ? std::nullopt : std::optional(found->second);
}

std::string shared_json(const SharedMark& mark) {
  Json json = {{"file", mark.file}};
  if (!mark.by.empty()) json["by"] = mark.by;
  if (!mark.commit.empty()) json["commit"] = mark.commit;
  if (!mark.rivals.empty()) json["rivals"] = mark.rivals;
  return dump_json(json);
}

}  // namespace codexmem::ask

// Tested by memory/team_memory_test.cpp and ask/memory_answers_test.cpp.
#include "ask/memory/shared_mark.h"

#include <utility>

#include "store/user/shared_files.h"
#include "text/json_object.h"

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
  return json_object("file", mark.file, "by", some(mark.by), "commit", some(mark.commit), "rivals",
                     some(mark.rivals));
}

}  // namespace codexmem::ask

// Tested by ask/page_test.cpp.
#include "ask/page/memory_map.h"

#include <algorithm>
#include <vector>

#include "store/user/citations.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxCitedFiles = 300;
constexpr std::size_t kMaxNotesOfFile = 10;

}  // namespace

Result<std::string> make_memory_map(const PageCall& call) {
  const std::string root = call.code.workspace.root().string();
  std::vector<store::PathCitations> cited;
  {
    CODEXMEM_ASSIGN(store::UserReader user, call.memory.store().reader());
    CODEXMEM_ASSIGN(cited, store::count_citations(*user, root, call.shown_project()));
  }
  std::size_t cut = cited.size() - std::min(cited.size(), kMaxCitedFiles);
  cited.resize(cited.size() - cut);
  CODEXMEM_ASSIGN(store::ReaderLease reader, call.code.workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  std::vector<JsonText> files;
  for (const store::PathCitations& each : cited) {
    const PageNotes notes = find_page_notes(call, *reader, each.path, "", kMaxNotesOfFile);
    if (!notes.missing.empty()) return Error{ErrorCode::kIo, notes.missing};
    cut += notes.omitted;
    files.push_back(
        json_object("path", each.path, "memories", notes.records, "decisions", notes.decisions));
  }
  return json_object("repo", root, "files", files, "cut", cut).text;
}

}  // namespace codexmem::ask

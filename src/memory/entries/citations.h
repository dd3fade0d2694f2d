// memory/entries/citations.h - memories and decisions that cite code, and whether it is still what
// it was.
//
// A citation names a file, or a symbol in one, and keeps a hash of its text. The hash passes over
// the symbol's own name, its indentation and white space at the ends of lines, so it finds a symbol
// again that was renamed or moved. What code there is now is asked of a CodeView, which those above
// implement over a repository's index; tests bring their own. Stateless; one thread for each
// connection and view. Design: docs/how-it-works.md, "Memory and code".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/branches/branch_scope.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/citations.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

using store::Citation;
using store::list_citations;
using store::put_citations;

/// A definition as it is indexed now.
struct CodeSymbol {
  std::string path = {};
  std::string name = {};  // qualified: Class.method
  std::string kind = {};  // function, class, method, ...
  std::string body = {};  // from its declaration to its end
  std::uint32_t start_line = 1, end_line = 1;
  bool is_test = false;  // in a file of tests
};

/// The index of one repository at one moment. Errors: its store's.
class CodeView {
 public:
  virtual ~CodeView() = default;

  /// The repository's root, absolute.
  virtual const std::string& workspace() const = 0;

  /// Indexed paths that `path` may mean, by path: itself, given from the root or absolute; else
  /// those that end with it, whole names only.
  virtual Result<std::vector<std::string>> find_paths(std::string_view path) = 0;

  /// The hash of the indexed file at `path`, from the root; empty without one.
  virtual Result<std::string> find_file_hash(std::string_view path) = 0;

  /// Files with this hash, by path.
  virtual Result<std::vector<std::string>> find_files_with_hash(std::string_view hash) = 0;

  /// The definitions of the file at `path`, in source order; none when there is no such file.
  virtual Result<std::vector<CodeSymbol>> list_symbols(std::string_view path) = 0;

  /// True if there is a file at `path` that defines `symbol`; with an empty symbol, if there is
  /// one.
  virtual Result<bool> has(std::string_view path, std::string_view symbol) = 0;

  /// Definitions that `symbol` names exactly: a name, Class.method, or path::name. At most 50.
  virtual Result<std::vector<CodeSymbol>> find_symbols(std::string_view symbol) = 0;
};

enum class CodeState : std::uint8_t { kUnknown, kUnchanged, kChanged, kGone };

/// "unknown", "unchanged", "changed", "gone".
std::string_view code_state_name(CodeState state);

/// A citation next to the code of now.
struct CitationState {
  Citation citation;
  CodeState state = CodeState::kUnknown;
  // Where it is now, if that is elsewhere; else empty.
  std::string path = {}, symbol = {};
};

/// The state of a document as a whole: gone if anything is, else changed, else unknown, else
/// unchanged. If symbols of a file are cited too, they decide, not the file.
/// Nothing for a document that cites no code.
std::optional<CodeState> code_state_of(std::span<const CitationState> states);

/// What a text cites, and what was named next to it.
struct Mentions {
  std::string text = {};                  // title and text
  std::vector<std::string> files = {};    // given: paths, from the root or absolute
  std::vector<std::string> symbols = {};  // given: name, Class.method, path::name
};

/// The code that `mentions` cites. Given files and symbols are cited even when there is no such
/// code (without a hash). In the text are recognised: paths, also path:line and path::name; in
/// backticks or with () any name; otherwise names that no prose has (getUser, get_user,
/// Class.method). A name counts when one definition has it, or when one of the cited files defines
/// it.
///
/// At most 32 come back, given ones first. Errors: `view`'s.
Result<std::vector<Citation>> find_citations(CodeView& view, const Mentions& mentions);

/// The files and symbols that `mentions` gives, for when there is no index to look them up in:
/// without a hash, of the repository at `workspace`.
std::vector<Citation> cite_by_name(const std::filesystem::path& workspace,
                                   const Mentions& mentions);

/// Looks up citations in the present code, each file once. One thread.
class CodeLookup {
 public:
  /// `view`, which may be null, must outlive it.
  explicit CodeLookup(CodeView* view) : view_(view) {}

  /// The code that is cited, now. A symbol that is not where it was is looked for in its file under
  /// other names, and under its name in other files, by its text. Without a view, or with one of
  /// another repository, kUnknown. Errors: the view's.
  Result<CitationState> look_up(const Citation& citation);

  /// A definition by what distinguishes it from others.
  struct Known {
    std::string path, name, kind, body_hash;
  };

  /// The definitions of the file at `path`, in source order.
  Result<const std::vector<Known>*> list_symbols(const std::string& path);

 private:
  Result<CitationState> look_up_file(const Citation& citation);
  Result<CitationState> look_up_symbol(const Citation& citation);

  CodeView* view_;
  std::map<std::string, std::vector<Known>> files_;
};

/// True if a store in `directory` holds citations of the repository at `workspace`. It is only
/// read: neither made nor migrated, and one of another schema has none. Errors: the store's.
Result<bool> is_cited(const std::filesystem::path& directory, std::string_view workspace);

/// Has the citations of the view's repository follow code that was renamed or moved, so that they
/// find it although it changes later. Returns how many have moved; only then the store is written
/// to. Errors: the store's and `view`'s.
Result<std::size_t> follow_moves(store::UserStore& store, CodeView& view);

/// A memory or decision that cites a piece of code.
struct CodeNote : store::CitingDocument {
  CitationState cited;
  std::string branch = {};  // that it belongs to, if that is not merged
};

struct CodeNotes {
  std::vector<CodeNote> notes;
  std::size_t omitted = 0;
};

/// What notes are looked for: of the file at `path`, or of a symbol in it.
struct NoteQuestion {
  std::string path;
  std::string symbol = {};   // qualified; empty: all of the file
  std::string project = {};  // of this one alone; empty: of all
  std::size_t limit = 5;
  std::shared_ptr<const BranchScope> scope = {};  // hides documents; null: nothing is hidden
};

/// Entries, and decisions that hold or are proposed, that cite the code of `question`: active
/// decisions first, then what cites the symbol itself, then newer ones; at most its limit. Code
/// that has moved here is known by its text. Entries that a newer one supersedes are left out.
/// Errors: the store's and `view`'s.
Result<CodeNotes> find_notes(store::Database& database, CodeView& view,
                             const NoteQuestion& question);

}  // namespace codexmem::memory

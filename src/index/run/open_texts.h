// index/run/open_texts.h - the texts that an editor has open, read as an index run would read them.
//
// Every question sees them over the store; they are never written to it. A text is parsed when it
// is first asked about, so typing costs nothing until then. One thread. Design: docs/lsp.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "graph/imports/import_resolver.h"
#include "index/discovery/root_directory.h"
#include "index/run/configurations.h"
#include "parse/walk/extract.h"
#include "store/code/overlay_reader.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

class OpenTexts {
 public:
  /// Of the repository at `root`. Errors: kIo.
  static Result<std::unique_ptr<OpenTexts>> make(const std::filesystem::path& root);

  /// From now on the file at `path` (relative to the root) has `text`.
  void put(const std::string& path, std::string text);

  /// From now on the store says what the file at `path` holds.
  void remove(const std::string& path) { texts_.erase(path); }

  /// The texts that differ from what `reader` has of their files. Left out are texts that no run
  /// would index: of unknown languages, and texts of more than 1 MB. Errors: kCancelled; the
  /// store's.
  Result<std::shared_ptr<const store::Overlay>> over(store::StoreReader& reader);

 private:
  struct OpenText {
    std::string text;
    std::shared_ptr<const store::OverlaidFile> file = {};  // null: nothing to lay over the store
    std::int64_t generation = -1;  // of the store that `file` is for; -1: the text is new
  };
  // Looks up declarations in the store that is asked now.
  struct Declarations : graph::DeclarationSource {
    std::vector<graph::Declaration> find(std::string_view name) override;
    std::string package_of(store::FileId file) override;
    store::StoreReader* reader = nullptr;
  };

  explicit OpenTexts(RootDirectory root);
  Result<void> read(const std::string& path, OpenText& open, store::StoreReader& reader,
                    std::int64_t generation);
  Result<std::vector<store::DependencyRow>> resolve_imports(store::StoreReader& reader,
                                                            const store::FileRow& file,
                                                            const parse::FileFacts& facts,
                                                            const LineIndex& lines,
                                                            std::int64_t generation);

  RootDirectory root_;
  Configurations configurations_;
  Declarations declarations_;
  parse::Extractor extractor_;
  std::map<std::string, OpenText> texts_;  // by path
  std::shared_ptr<const store::Overlay> overlay_ = std::make_shared<store::Overlay>();
  std::int64_t new_files_ = 0;  // ids given to files that the store does not have
  std::map<std::string, store::FileId> new_ids_;
  std::optional<graph::ImportResolver> resolver_;
  std::int64_t resolver_generation_ = -1;
};

}  // namespace codexmem::index

#include "graph/imports/import_table.h"

namespace codexmem::graph {

Result<std::shared_ptr<const ImportTable>> ImportTable::load(store::CodeReader& reader,
                                                             const FileTable& files) {
  auto table = std::make_shared<ImportTable>();
  table->imports.resize(files.rows().size());
  table->importers.resize(files.rows().size());
  CODEXMEM_TRY(reader.visit_imports([&](store::FileId source, store::FileId target) {
    const store::FileRow* const from = files.find(source);
    const store::FileRow* const to = files.find(target);
    if (from == nullptr || to == nullptr) return;
    const auto importer = static_cast<std::uint32_t>(from - files.rows().data());
    const auto imported = static_cast<std::uint32_t>(to - files.rows().data());
    table->imports[importer].push_back(imported);
    table->importers[imported].push_back(importer);
  }));
  return std::shared_ptr<const ImportTable>(std::move(table));
}

}  // namespace codexmem::graph

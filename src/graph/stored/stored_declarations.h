// graph/stored/stored_declarations.h - the declarations of a store, for imports that name them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/imports/import_resolver.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class StoredDeclarations final : public DeclarationSource {
 public:
  /// `reader` must outlive this.
  explicit StoredDeclarations(store::CodeReader& reader) : reader_(reader) {}

  std::vector<Declaration> find(std::string_view name) override;
  std::string package_of(store::FileId file) override;

  /// The first error of a look-up, which found nothing then: kIo. Facts that cannot be read name no
  /// package.
  Result<void> status() const;

 private:
  template <typename T>
  std::optional<T> taken(Result<T> result);

  store::CodeReader& reader_;
  std::optional<Error> failure_;
};

}  // namespace codexmem::graph

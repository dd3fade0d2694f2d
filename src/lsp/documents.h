// lsp/documents.h - the texts that the client has open. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "lsp/positions.h"
#include "text/json_value.h"

namespace codexmem::lsp {

struct Document {
  std::string path;  // relative to the root; empty: outside of it
  std::string text;
  std::optional<std::int64_t> version = {};
  bool is_new_text = true;  // since take_changes() was last called
};

class Documents {
 public:
  /// The client opens `uri`, which is the file at `path`.
  void open(const std::string& uri, Document document) { open_[uri] = std::move(document); }
  void close(const std::string& uri) { open_.erase(uri); }

  /// Carries out `changes`, the contentChanges of the protocol, in their order. Errors:
  /// kInvalidArgument for anything but a change of an open text; the changes before it
  /// hold.
  Result<void> change(const std::string& uri, const JsonValue& changes,
                      std::optional<std::int64_t> version, Encoding encoding);

  /// Null when it is not open.
  const Document* find(const std::string& uri) const;

  /// The address under which the client has opened the file at `path`; null when it has not.
  const std::string* uri_of(const std::string& path) const;

  /// By address.
  std::map<std::string, Document>& all() { return open_; }

 private:
  std::map<std::string, Document> open_;
};

}  // namespace codexmem::lsp

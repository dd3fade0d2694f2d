// graph/core/source_texts.h - the texts that an answer quotes, each read once. One thread, one
// question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "text/line_index.h"
#include "base/result.h"
#include "base/text.h"
#include "privacy/shown_code.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class SourceTexts {
 public:
  explicit SourceTexts(store::CodeReader& reader) : reader_(reader) {}

  struct Text {
    explicit Text(std::string text) : content(std::move(text)), lines(content), shown(content) {}
    const std::string content;
    const LineIndex lines;
    mutable privacy::ShownCode shown;
  };

  /// The text of a file, empty when the file has no text. Valid as long as this object. Errors: the
  /// store's errors.
  Result<const Text*> get(store::FileId id) {
    const auto known = texts_.find(id);
    if (known != texts_.end()) return static_cast<const Text*>(known->second.get());
    CODEXMEM_ASSIGN(auto content, reader_.find_content(id));
    auto& text = texts_[id] = std::make_unique<Text>(std::move(content).value_or(""));
    return static_cast<const Text*>(text.get());
  }

 private:
  store::CodeReader& reader_;
  std::unordered_map<store::FileId, std::unique_ptr<Text>> texts_;
};

/// A line as answers quote it: without surrounding white space, at most 300 bytes, secrets masked,
/// also those that only the lines around give away.
inline std::string quoted_line(const SourceTexts::Text& text, std::uint32_t line) {
  constexpr std::size_t kMaxBytes = 300;
  const std::string_view shown = utf8_prefix(trim(text.lines.line_text(line)), kMaxBytes);
  if (shown.empty()) return {};
  const auto begin = static_cast<std::uint32_t>(shown.data() - text.content.data());
  return text.shown.part({begin, begin + static_cast<std::uint32_t>(shown.size())});
}

}  // namespace codexmem::graph

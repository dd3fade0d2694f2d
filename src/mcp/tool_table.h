// mcp/tool_table.h - the tools that a server offers, checked and ready to be listed and called.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

/// Immutable, so safe to share. The rows must outlive it.
class ToolTable {
 public:
  /// The rows of `tools` that `selection` names, in their order. `selection` is a comma list of
  /// profiles and tool names; "all" and the empty string select all. With a `refusal` the other
  /// rows are included, and fail with it, and the empty string selects no row.
  ///
  /// Errors: kInvalidArgument for an unknown name in `selection`, with the nearest one; and for an
  /// invalid row: a bad or repeated name, or an invalid schema.
  static Result<ToolTable> make(std::span<const Tool> tools, std::string_view selection = "all",
                                std::string_view refusal = "");

  ~ToolTable();
  ToolTable(ToolTable&&) noexcept;
  ToolTable& operator=(ToolTable&&) noexcept;

  /// How an answer reads as text, if it has a form for models.
  using TextForm = std::optional<std::string> (*)(const ask::Question& question,
                                                  const ask::Answer& answer);

  /// From now on answers are text alone: by `form`, else the contract's text. Listings lose their
  /// output schemas and guides (ask::Question::is_guide). A call with the argument `format: "json"`
  /// gets the contract's answer.
  void answer_in_text(TextForm form);
  bool answers_in_text() const;

  std::size_t size() const;

  /// The tool called `name`, or null.
  const Tool* find(std::string_view name) const;

  /// The names in order.
  std::vector<std::string> names() const;

  /// The tool at `index` as tools/list shows it: a JSON object on one line. Empty: it is not
  /// listed.
  std::string_view listing(std::size_t index) const;

  /// Runs `tool` of this table: reads (InputSchema::read) and validates `arguments` (absent is an
  /// empty object), calls it, and turns whatever it throws into a failure. Never throws.
  ToolResult call(const Tool& tool, const JsonValue& arguments, const CallContext& context) const;

  /// The failure for `arguments`, or nothing.
  std::optional<ToolResult> refuse(const Tool& tool, const JsonValue& arguments) const;

 private:
  struct Impl;
  explicit ToolTable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::mcp

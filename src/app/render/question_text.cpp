// Tested by mcp/text_answers_test.py.
#include "app/render/question_text.h"

#include "ask/memory/search.h"
#include "base/terminal_text.h"

namespace codexmem::app {
namespace {

Rendered render_all_references(const ask::Answer& answer, const Console& console) {
  return render_references(answer, console);
}

// The contract's table, and what its first row says.
Rendered render_memories(const ask::Answer& given, const Console&) {
  const auto& answer = static_cast<const ask::SearchAnswer&>(given);
  Rendered out;
  out.found = !answer.rows.empty();
  out.text = answer.to_json().text + "\n";
  if (!answer.first.empty() && !answer.params.has_json_text) {
    out.text += "\nThe first says: " + answer.first + "\n";
  }
  return out;
}

struct Row {
  std::string_view question;
  Render render;
};

constexpr Row kRenders[] = {
    {"repository_overview", render_overview},
    {"search_code", render_search},
    {"locate", render_located},
    {"find_symbol", render_symbols},
    {"get_references", render_all_references},
    {"analyze_dependencies", render_dependencies},
    {"get_context", render_context},
    {"analyze_change", render_change},
    {"trace_calls", render_calls},
    {"unused_code", render_unused},
    {"list_routes", render_routes},
    {"symbol_history", render_history},
    {"plan_rename", render_rename},
    {"plan_change", render_rename},
    {"search", render_memories},
};

}  // namespace

Render find_render(std::string_view question) {
  for (const Row& row : kRenders) {
    if (row.question == question) return row.render;
  }
  return nullptr;
}

std::optional<std::string> text_for_model(const ask::Question& question,
                                          const ask::Answer& answer) {
  const Render render = find_render(question.name);
  if (render == nullptr) return std::nullopt;
  const Rendered out = render(answer, Console::for_model());
  return out.text.empty() ? "nothing was found\n" : terminal_text(out.text);
}

}  // namespace codexmem::app

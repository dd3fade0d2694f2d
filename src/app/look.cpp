#include "app/look.h"

#include <fmt/core.h>

namespace codexmem::app {

void Look::declare(Arguments& arguments) {
  arguments.text("--color", color, "Colours: auto (default, on a terminal), always or never")
      .are({"auto", "always", "never"});
  arguments.flag("--no-pager", no_pager, "Print a long answer without a pager");
}

Result<void> Look::apply(Console& console) const {
  if (no_pager) console.use_pager(false);
  if (color == "auto") return {};
  if (color != "always" && color != "never") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("--color must be auto, always or never; got \"{}\"", color)};
  }
  console.use_colours(color == "always");
  return {};
}

}  // namespace codexmem::app

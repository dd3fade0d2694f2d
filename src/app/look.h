// app/look.h - the options that say how an answer looks on a terminal.
#pragma once

#include <string>

#include "app/arguments.h"
#include "app/render/console.h"
#include "base/result.h"

namespace codexmem::app {

struct Look {
  std::string color = "auto";
  bool no_pager = false;

  void declare(Arguments& arguments);

  /// Has `console` look so. Errors: kInvalidArgument for another word than auto, always or never.
  Result<void> apply(Console& console) const;
};

}  // namespace codexmem::app

// graph/routes/entry_rules.h - how frameworks declare commands and tasks. Tables only;
// entry_points.h reads them.
#pragma once

#include <span>
#include <string_view>

#include "graph/routes/route_rules.h"

namespace codexmem::graph {

/// What declares an entry point.
enum class EntryForm : unsigned char {
  kDecorator,  // on a function, method or class; ".name": with something before the dot
  kAbove,      // a class above it, also through others: the last name, or with what is before it
  kInside,     // a call in a class or module: include Sidekiq::Job
  kCall,       // a call whose first text is the name; "A.f": on A
  kTable,      // an object with such a key, whose text is the name
  kVariants,   // the variants of an enum with such a derived trait
  kPlace,      // the file is at one of the framework's paths, below which its path is the name
};

struct EntryRule {
  Framework framework;
  std::string_view kind;  // "command" or "task"
  EntryForm form;
  std::string_view names = {};    // of what declares it
  std::string_view option = {};   // named arguments, keys or members that hold the name
  std::string_view handler = {};  // keys that hold the handler
  bool has_spread = false;        // its files need not import the framework if another of them does
};
std::span<const EntryRule> entry_rules();

}  // namespace codexmem::graph

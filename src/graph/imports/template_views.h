// graph/imports/template_views.h - the code that names a template of markup in a text.
//
// Read when asked: no compiler knows these edges. Stateless. Design: docs/how-it-works.md,
// "Dependencies".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// The import_type of code that names a template.
inline constexpr std::string_view kTemplateImport = "template";

/// Whether a file may be a template that code names: markup.
bool is_template(const store::FileRow& file);

struct Views {
  std::vector<store::DependencyRow> rows;  // one for each file of code
  bool is_cut = false;                     // too many files hold the name: not all were read
};

/// Where code names `file`: by its path below some folder (`render(request, "shop/cart.html")`), by
/// the path without an ending in a call that renders (`res.render("cart")`), or as the views of a
/// Rails controller are named. At most 200 files that hold the name are read. Errors: the store's;
/// kCancelled.
Result<Views> find_views(store::CodeReader& reader, const store::FileRow& file);

/// The templates that the code in `file` names, by place; at most 50. Errors: the store's;
/// kCancelled.
Result<std::vector<store::DependencyRow>> find_templates(store::CodeReader& reader,
                                                         const store::FileRow& file);

}  // namespace codexmem::graph

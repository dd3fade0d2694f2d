// graph/cpp/cpp_operators.h - uses of the operators that classes of C++ define: a == b, a[i], a().
#pragma once

#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The uses of `function`, which is called operator and a sign, in files that see it: at the
/// operand of its class. Those whose operands are not known are too.
std::vector<UnwrittenUse> uses_of_operator(Resolver& resolver, const Entity& function);

/// True for a name that begins with "operator" and ends with a sign.
bool is_operator_sign(std::string_view name);

}  // namespace codexmem::graph

// parse/components/vue_macros.h - turns the macros of a Vue component into TypeScript declarations.
//
// Internal to parse.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/ranges.h"

namespace codexmem::parse {

/// The declarations for the macros of a script: blanked ranges, inserted pieces, and the resulting
/// names.
///
///     defineProps<T>()                   null! as $Props;type $Props = T;
///     withDefaults(defineProps<T>(), d)  null! as $Props;type $Props = T;(d) as $Props;
///     defineProps({ a: A })              null! as $Props;type $Props = typeof $props;const
///     $props={ a: A }; defineEmits<T>()                   null! as $Emits;type $Emits = T;
///     defineExpose({ a })                null! as typeof $exposed;const $exposed={ a };
struct VueMacros {
  std::vector<ByteRange> blanks;
  std::vector<std::pair<std::size_t, std::string>> pieces;  // before which place
  bool has_props = false;                                   // $Props exists
  bool has_events = false;                                  // $Emits exists
  bool gives = false;                                       // $exposed exists
};

/// Reads the macros in [begin, end) of `text`, a script. Linear.
VueMacros vue_macros(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace codexmem::parse

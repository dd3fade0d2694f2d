// parse/vue_macros.h - what the macros of a component of Vue declare, as declarations of
// TypeScript.
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

/// How the macros of a script become declarations: what goes, what is put in, and what there is
/// then.
///
///     defineProps<T>()                   null! as $Props;type $Props = T;
///     withDefaults(defineProps<T>(), d)  null! as $Props;type $Props = T;(d) as $Props;
///     defineProps({ a: A })              null! as $Props;type $Props = typeof $props;const
///     $props={ a: A }; defineEmits<T>()                   null! as $Emits;type $Emits = T;
///     defineExpose({ a })                null! as typeof $exposed;const $exposed={ a };
struct VueMacros {
  std::vector<ByteRange> blanks;
  std::vector<std::pair<std::size_t, std::string>> pieces;  // before which place
  bool has_props = false;                                   // there is a $Props
  bool has_events = false;                                  // there is a $Emits
  bool gives = false;                                       // there is a $exposed
};

/// The macros in [begin, end) of `text`, a script. Linear.
VueMacros vue_macros(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace codexmem::parse

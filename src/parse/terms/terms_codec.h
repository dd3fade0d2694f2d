// parse/terms/terms_codec.h - the sections of packed facts for terms, functions and objects.
//
// Internal to parse; facts_codec.cpp describes their layout.
#pragma once

#include "parse/facts/packing.h"

namespace codexmem::parse {

inline bool is_name_receiver(const Occurrence& occurrence) {
  return occurrence.receiver_kind == ReceiverKind::kName;
}

/// Works with a Writer or a Reader.
template <typename Coder>
void code_terms(Coder& coder, typename Coder::Facts& facts);
template <typename Coder>
void code_functions(Coder& coder, typename Coder::Facts& facts);

/// True if everything that terms, functions, objects and narrowings refer to exists and precedes
/// them.
bool are_terms_sound(const FileFacts& facts);

}  // namespace codexmem::parse

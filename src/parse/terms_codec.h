// parse/terms_codec.h - the sections of packed facts that hold terms, functions and objects.
//
// Internal to parse; their layout is described in facts_codec.cpp.
#pragma once

#include "parse/packing.h"

namespace codexmem::parse {

inline bool is_name_receiver(const Occurrence& occurrence) {
  return occurrence.receiver_kind == ReceiverKind::kName;
}

/// Of a Writer or a Reader.
template <typename Coder>
void code_terms(Coder& coder, typename Coder::Facts& facts);
template <typename Coder>
void code_functions(Coder& coder, typename Coder::Facts& facts);

/// True if what terms, functions, objects and narrowings refer to exists and stands before them.
bool are_terms_sound(const FileFacts& facts);

}  // namespace codexmem::parse

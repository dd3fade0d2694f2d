// parse/terms_codec.h - the sections of packed facts that hold terms, functions and objects.
//
// Internal to parse; their layout is described in facts_codec.cpp.
#pragma once

#include "parse/packing.h"

namespace codexmem::parse {

inline bool is_name_receiver(const Occurrence& occurrence) {
  return occurrence.receiver_kind == ReceiverKind::kName;
}

/// `literal` is the first term that is a literal, or kNoIndex.
void encode_terms(const FileFacts& facts, TermId literal, Writer& out);
void decode_terms(Reader& in, FileFacts& facts);
void encode_functions(const FileFacts& facts, Writer& out);
void decode_functions(Reader& in, FileFacts& facts);

/// True if what terms, functions, objects and narrowings refer to exists and stands before them.
bool are_terms_sound(const FileFacts& facts);

}  // namespace codexmem::parse

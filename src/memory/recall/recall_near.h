// memory/recall/recall_near.h - the documents whose vectors are nearest to a query.
//
// Internal to recall; by FAISS, Chroma or both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "memory/recall/recall_filter.h"
#include "memory/recall/recall_search.h"

namespace codexmem::memory {

struct NearDocuments {
  std::vector<embed::VectorHit> hits;  // of FAISS, then those that only Chroma has
  std::size_t faiss_hits = 0, chroma_hits = 0;
  bool is_hybrid = false;  // vectors were asked
  std::string degraded;    // what failed first; empty: nothing

  std::vector<float> query_vector;  // empty: no vectors are asked
  double usual_cosine = 0;          // which says nothing yet; 0 of the built-in model
  bool is_in_faiss = false;         // cosines are
  std::unordered_map<std::int64_t, float> chroma_cosines;
};

/// The documents near to `text` that pass. Errors: kCancelled; the store's. What else fails
/// is said in the answer, and the other or words alone find.
Result<NearDocuments> find_near(const RecallContext& context, const RecallFilter& filter,
                                const RecallRequest& request, std::string_view text);

}  // namespace codexmem::memory

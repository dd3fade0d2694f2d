// search/united_search.h - the searches of several repositories, answered as one.
//
// Each repository ranks its own files by its own statistics; what they found is merged. Paths are
// those of store/code/united_reader.h. Thread-safe; members are searched at once, on as many
// threads as there are processors, the calling one among them. Design: docs/design/workspace.md,
// "Search".
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "search/search.h"

namespace codexmem::search {

class UnitedSearch final : public CodeSearch {
 public:
  struct Member {
    std::string name;
    CodeSearch* search = nullptr;  // outlives this; called from any thread
  };

  explicit UnitedSearch(std::vector<Member> members) : members_(std::move(members)) {}

  using CodeSearch::search;
  /// What all of them found, the likelier first (SearchHit::probability), then the stronger; hits
  /// of one repository keep their order. Only the best hit of all is there whatever its score. A
  /// filter that only some repositories know is for these. The note says which could not be
  /// searched. Errors: those of the members, when none answers; kCancelled.
  Result<SearchAnswer> search(const SearchRequest& request, const std::stop_token& stop) override;

  /// For a text all are asked, for a file its own repository.
  Result<SearchAnswer> find_related(const RelatedRequest& request) override {
    return find_related(request, {});
  }
  Result<SearchAnswer> find_related(const RelatedRequest& request, const std::stop_token& stop);

 private:
  const std::vector<Member> members_;
};

}  // namespace codexmem::search

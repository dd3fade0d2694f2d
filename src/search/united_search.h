// search/united_search.h - combines the searches of several repositories.
//
// Each repository ranks its own files by its own statistics; the results are merged. Paths are as
// in store/code/united_reader.h. Thread-safe; members are searched at once, on as many threads as
// processors, including the calling one. Design: docs/workspace.md, "Search".
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
    CodeSearch* search = nullptr;  // must outlive this object; called from any thread
  };

  explicit UnitedSearch(std::vector<Member> members) : members_(std::move(members)) {}

  using CodeSearch::search;
  /// The merged results, by probability (SearchHit::probability), then by score; hits of one
  /// repository keep their order. Only the best hit of all is included regardless of its score. A
  /// filter that only some repositories know selects only from these. The note lists repositories
  /// that could not be searched. Errors: as the members, when none answers; kCancelled.
  Result<SearchAnswer> search(const SearchRequest& request, const std::stop_token& stop) override;

  /// A text is searched in all repositories, a file in its own.
  Result<SearchAnswer> find_related(const RelatedRequest& request) override {
    return find_related(request, {});
  }
  Result<SearchAnswer> find_related(const RelatedRequest& request, const std::stop_token& stop);
  /// The merged functions, by probability, then by score. Errors: as the members, when none
  /// answers; kCancelled.
  Result<LocateAnswer> locate(const LocateRequest& request, const std::stop_token& stop) override;

 private:
  const std::vector<Member> members_;
};

}  // namespace codexmem::search

// bench/memory/bench_store.h - entries put into a store by the hundred thousand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "memory/documents/document_vectors.h"
#include "store/user/user_store.h"

namespace codexmem::bench {

struct BenchEntry {
  std::string project;
  std::string session;  // empty: none
  std::string type = "discovery";
  std::string title;  // empty: none of its own
  std::string body;
  std::string concepts = "[]", files_read = "[]", files_modified = "[]";
  std::int64_t created_at_ms = 0;
};

/// Writes entries in transactions of some thousands, with their vectors.
class BenchWriter {
 public:
  BenchWriter(store::UserStore& store, const memory::DocumentVectors& vectors)
      : store_(store), vectors_(vectors) {}

  /// The ids of `entries` are those that follow the last one's.
  Result<std::vector<std::int64_t>> write(const std::vector<BenchEntry>& entries);

 private:
  Result<std::int64_t> project_id(store::Database& database, const std::string& name);
  Result<std::int64_t> session_id(store::Database& database, const std::string& name,
                                  std::int64_t project);

  store::UserStore& store_;
  const memory::DocumentVectors& vectors_;
  std::unordered_map<std::string, std::int64_t> projects_, sessions_;
};

}  // namespace codexmem::bench

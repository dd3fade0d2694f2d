// memory/vector_backend.h - where the vectors of documents are looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace codexmem::memory {

/// kSqlite: FAISS next to SQLite; kChroma: a Chroma server; kHybrid: both, the better of two
/// scores.
enum class VectorBackend : std::uint8_t { kSqlite, kChroma, kHybrid };

constexpr std::string_view vector_backend_name(VectorBackend backend) {
  constexpr std::string_view kNames[] = {"sqlite", "chroma", "hybrid"};
  return kNames[static_cast<std::size_t>(backend)];
}

/// The backend of a name; nothing for any other.
constexpr std::optional<VectorBackend> parse_vector_backend(std::string_view name) {
  for (const VectorBackend backend :
       {VectorBackend::kSqlite, VectorBackend::kChroma, VectorBackend::kHybrid}) {
    if (name == vector_backend_name(backend)) return backend;
  }
  return std::nullopt;
}

}  // namespace codexmem::memory

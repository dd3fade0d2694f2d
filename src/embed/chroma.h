// embed/chroma.h - a client for a Chroma server, limited to vectors of documents.
//
// Uses Chroma's v2 HTTP API. Thread-safe. Waits are short: a query takes at most a second, and
// after a call got no answer, queries are refused at once for a while. Messages name the host but
// never contain the user, password or token of the settings. Design: docs/how-it-works.md, "Vector
// backends".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

struct ChromaOptions {
  std::string url = {};    // http:// or https://, optionally with a user, and a path before /api
  std::string token = {};  // sent as `x-chroma-token`; may be empty
  std::string tenant = "default_tenant";
  std::string database = "default_database";
  std::chrono::milliseconds query_timeout{1'000};
  std::chrono::milliseconds write_timeout{20'000};
  std::chrono::milliseconds rest_after_failure{10'000};
  std::size_t batch = 100;  // rows per writing request
};

using ChromaValue = std::variant<std::int64_t, std::string>;
using ChromaMetadata = std::map<std::string, ChromaValue, std::less<>>;

struct ChromaCollection {
  std::string id;     // identifies its rows; changes when the collection is deleted and made again
  std::string model;  // the model of its vectors; empty: made by another program
  bool is_cosine = false;
  bool has_rows = false;  // it has or had rows: its dimension is fixed
};

struct ChromaRow {
  std::string id;
  std::string document;  // the text, for other readers
  ChromaMetadata metadata;
  std::vector<float> vector;  // of length 1
};

/// A condition on a row's metadata: one of `any_of`, or a number within the bounds.
struct ChromaCondition {
  std::string key;
  std::vector<ChromaValue> any_of = {};  // empty: only the bounds apply
  std::optional<std::int64_t> at_least = {}, at_most = {};
};

/// Selects the rows that meet all conditions and whose document contains all texts in `contains`
/// and one in `contains_any`, case-sensitively; with ids, only among these.
struct ChromaFilter {
  std::vector<ChromaCondition> conditions = {};
  std::vector<std::string> contains = {};
  std::vector<std::string> contains_any = {};  // empty: no condition
  std::vector<std::string> ids = {};
};

/// The parts to read of rows, in addition to ids. From a local server a vector takes 20 us,
/// metadata and document together about 70 (docs/fleet.md).
struct ChromaParts {
  bool metadata = true;
  bool documents = false;
  bool vectors = false;  // only by list()
};

/// A row as read; of its metadata, only texts and whole numbers.
struct ChromaRecord {
  std::string id;
  std::string document = {};
  ChromaMetadata metadata = {};
  std::vector<float> vector = {};
  float similarity = 0;  // cosine; 0 without a query vector
};

struct ChromaListing {
  ChromaFilter filter = {};
  std::size_t limit = 1000;
  std::size_t offset = 0;  // rows to skip; the server decides their order
  ChromaParts parts = {};
};

/// Errors of all calls: kIo when there was no answer, or 429 or 5xx, but a retry may succeed;
/// kNotFound for 404: no such collection; kInvalidArgument for requests that the server refuses;
/// kCorrupt for an answer in another format; kUnsupported when a retry cannot succeed; kCancelled,
/// at once, when `stop` was requested.
class Chroma {
 public:
  /// Sends nothing yet.
  explicit Chroma(ChromaOptions options);
  ~Chroma();
  Chroma(const Chroma&) = delete;
  Chroma& operator=(const Chroma&) = delete;

  /// Host, port and path of the server, without the user.
  const std::string& address() const;

  /// Checks that the server answers. Waits at most half a second.
  Result<void> heartbeat(std::stop_token stop = {});

  /// The collection `name`; if missing, it is created with cosine space for vectors of `model`.
  Result<ChromaCollection> get_or_create(std::string_view name, std::string_view model,
                                         std::stop_token stop = {});
  /// Assigns `model` to a collection without a model.
  Result<void> claim(std::string_view collection, std::string_view model,
                     std::stop_token stop = {});
  Result<void> drop(std::string_view name, std::stop_token stop = {});

  /// Adds rows, or replaces those with the same ids, ChromaOptions::batch at a time.
  Result<void> upsert(std::string_view collection, std::span<const ChromaRow> rows,
                      std::stop_token stop = {});

  /// Deletes the rows that meet all conditions; at least one is required.
  Result<void> remove(std::string_view collection, std::span<const ChromaCondition> conditions,
                      std::stop_token stop = {});

  /// Deletes the rows with these ids, ChromaOptions::batch at a time.
  Result<void> remove_ids(std::string_view collection, std::span<const std::string> ids,
                          std::stop_token stop = {});

  /// The collection `name`; nothing if missing. Waits at most query_timeout.
  Result<std::optional<ChromaCollection>> find_collection(std::string_view name,
                                                          std::stop_token stop = {});

  /// Lists rows. Waits at most `patience`, and at most query_timeout; fails at once (kIo) while the
  /// server is not queried.
  Result<std::vector<ChromaRecord>> list(std::string_view collection, const ChromaListing& listing,
                                         std::chrono::milliseconds patience,
                                         std::stop_token stop = {});

  /// The `k` rows nearest to `vector` among those that `filter` selects, best first. Waits like
  /// list().
  Result<std::vector<ChromaRecord>> near(std::string_view collection, std::span<const float> vector,
                                         std::size_t k, const ChromaFilter& filter,
                                         ChromaParts parts, std::chrono::milliseconds patience,
                                         std::stop_token stop = {});

  /// Number of rows in a collection.
  Result<std::size_t> count(std::string_view collection, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A name that Chroma accepts: "cm__" and `project`, with each character except ASCII letters,
/// digits, ".", "_" and "-" replaced by "_", and without such characters at the end; "cm__unknown"
/// if nothing is left.
std::string chroma_collection_name(std::string_view project);

/// True if Chroma accepts `name` unchanged.
bool is_chroma_collection_name(std::string_view name);

}  // namespace codexmem::embed

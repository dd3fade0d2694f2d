// embed/chroma.h - a Chroma server, as far as vectors of documents need one.
//
// Chroma's v2 HTTP API. Thread-safe. Nobody waits long: a question has a second, and after no
// answer came to anything questions are refused at once for a while. Messages name the host; user,
// password and token of the settings are in none. Design: docs/design/worker.md, "Vector backends".
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
  std::string url = {};    // http:// or https://, with a user and a path before /api if need be
  std::string token = {};  // sent as `x-chroma-token`; empty: none
  std::string tenant = "default_tenant";
  std::string database = "default_database";
  std::chrono::milliseconds query_timeout{1'000};
  std::chrono::milliseconds write_timeout{20'000};
  std::chrono::milliseconds rest_after_failure{10'000};
  std::size_t batch = 100;  // rows of one request that writes
};

using ChromaValue = std::variant<std::int64_t, std::string>;
using ChromaMetadata = std::map<std::string, ChromaValue, std::less<>>;

struct ChromaCollection {
  std::string id;     // by which its rows are reached: another one after it was deleted and made
  std::string model;  // whose vectors it was made for; empty: not by this program
  bool is_cosine = false;
  bool has_rows = false;  // or had: its dimension is settled
};

struct ChromaRow {
  std::string id;
  std::string document;  // the text, for whoever looks
  ChromaMetadata metadata;
  std::vector<float> vector;  // of length 1
};

/// What a row's metadata must be: one of `any_of`, or a number within the bounds.
struct ChromaCondition {
  std::string key;
  std::vector<ChromaValue> any_of = {};  // empty: bounds alone
  std::optional<std::int64_t> at_least = {}, at_most = {};
};

/// Which rows are meant: those that meet all conditions and whose document has all of the texts
/// `contains` and one of `contains_any`, letter case minded; with ids, only these.
struct ChromaFilter {
  std::vector<ChromaCondition> conditions = {};
  std::vector<std::string> contains = {};
  std::vector<std::string> contains_any = {};  // empty: nothing is asked of it
  std::vector<std::string> ids = {};
};

/// What is read of rows beside their ids. Of a local server a vector takes 20 us, metadata and
/// document together some 70 (docs/design/fleet.md).
struct ChromaParts {
  bool metadata = true;
  bool documents = false;
  bool vectors = false;  // only by list()
};

/// A row as it is read: of metadata its texts and whole numbers.
struct ChromaRecord {
  std::string id;
  std::string document = {};
  ChromaMetadata metadata = {};
  std::vector<float> vector = {};
  float similarity = 0;  // cosine; 0 where no vector was asked about
};

struct ChromaListing {
  ChromaFilter filter = {};
  std::size_t limit = 1000;
  std::size_t offset = 0;  // rows that are passed over; their order is the server's own
  ChromaParts parts = {};
};

/// Errors of all calls: kIo when there was no answer, or 429 or 5xx, and another time there may be
/// one; kNotFound for 404: no such collection; kInvalidArgument for what the server refuses;
/// kCorrupt for an answer of another shape; kUnsupported when there never will be one; kCancelled,
/// at once, when `stop` was requested.
class Chroma {
 public:
  /// Sends nothing yet.
  explicit Chroma(ChromaOptions options);
  ~Chroma();
  Chroma(const Chroma&) = delete;
  Chroma& operator=(const Chroma&) = delete;

  /// Host, port and path of the server, without user.
  const std::string& address() const;

  /// Whether it is there. Waits half a second at most.
  Result<void> heartbeat(std::stop_token stop = {});

  /// The collection `name`, made with cosine space for vectors of `model` if there is none.
  Result<ChromaCollection> get_or_create(std::string_view name, std::string_view model,
                                         std::stop_token stop = {});
  /// Makes a collection without a model one of `model`.
  Result<void> claim(std::string_view collection, std::string_view model,
                     std::stop_token stop = {});
  Result<void> drop(std::string_view name, std::stop_token stop = {});

  /// Puts rows in place of those with their ids, ChromaOptions::batch at a time.
  Result<void> upsert(std::string_view collection, std::span<const ChromaRow> rows,
                      std::stop_token stop = {});

  /// Deletes the rows that meet all conditions, of which there is at least one.
  Result<void> remove(std::string_view collection, std::span<const ChromaCondition> conditions,
                      std::stop_token stop = {});

  /// Deletes the rows with these ids, ChromaOptions::batch at a time.
  Result<void> remove_ids(std::string_view collection, std::span<const std::string> ids,
                          std::stop_token stop = {});

  /// The collection called `name`; nothing when there is none. Waits no longer than query_timeout.
  Result<std::optional<ChromaCollection>> find_collection(std::string_view name,
                                                          std::stop_token stop = {});

  /// Rows. Waits `patience` at most, and no longer than query_timeout; not at all (kIo) while the
  /// server is left alone.
  Result<std::vector<ChromaRecord>> list(std::string_view collection, const ChromaListing& listing,
                                         std::chrono::milliseconds patience,
                                         std::stop_token stop = {});

  /// The `k` rows nearest to `vector` among those that `filter` means, best first. Waits as list()
  /// does.
  Result<std::vector<ChromaRecord>> near(std::string_view collection, std::span<const float> vector,
                                         std::size_t k, const ChromaFilter& filter,
                                         ChromaParts parts, std::chrono::milliseconds patience,
                                         std::stop_token stop = {});

  /// Rows of a collection.
  Result<std::size_t> count(std::string_view collection, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A name that Chroma takes: "cm__" and `project`, each character but ASCII letters, digits, ".",
/// "_" and "-" as "_", without such at the end; "cm__unknown" when nothing is left.
std::string chroma_collection_name(std::string_view project);

/// Whether Chroma takes `name` as it is.
bool is_chroma_collection_name(std::string_view name);

}  // namespace codexmem::embed

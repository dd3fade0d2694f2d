// Tested by embed/chroma_test.cpp, and against a real server by tests/chroma/chroma_test.py.
#include "embed/chroma.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/ascii.h"
#include "text/json.h"
#include "text/parse_json.h"
#include "base/text.h"
#include "net/http_client.h"

namespace codexmem::embed {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kHeartbeatTimeout{500};
constexpr std::chrono::milliseconds kConnectTimeout{500};
constexpr std::size_t kMaxAnswerBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxChromaReason = 200;  // maximum bytes of the server's message in errors
constexpr std::size_t kMaxNameBytes = 500;     // Chroma's limit is 512

bool is_of_name(char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; }

Json json_of(const ChromaValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

// Six digits per component: distances are exact to five, and the JSON is half as long.
Json json_of(std::span<const float> vector) {
  Json list = Json::array();
  for (const float v : vector) list.push_back(std::round(static_cast<double>(v) * 1e6) / 1e6);
  return list;
}

Json json_of(std::span<const ChromaCondition> conditions) {
  Json all = Json::array();
  for (const ChromaCondition& condition : conditions) {
    if (condition.any_of.size() == 1) {
      all.push_back({{condition.key, json_of(condition.any_of.front())}});
    } else if (!condition.any_of.empty()) {
      Json values = Json::array();
      for (const ChromaValue& value : condition.any_of) values.push_back(json_of(value));
      all.push_back({{condition.key, {{"$in", std::move(values)}}}});
    }
    if (condition.at_least) all.push_back({{condition.key, {{"$gte", *condition.at_least}}}});
    if (condition.at_most) all.push_back({{condition.key, {{"$lte", *condition.at_most}}}});
  }
  return all.size() == 1 ? all.front() : Json{{"$and", std::move(all)}};
}

// Writes `filter` as members of a request.
void put_filter(const ChromaFilter& filter, Json* body) {
  if (!filter.ids.empty()) (*body)["ids"] = filter.ids;
  if (!filter.conditions.empty()) (*body)["where"] = json_of(filter.conditions);
  Json texts = Json::array(), any = Json::array();
  for (const std::string& text : filter.contains) texts.push_back({{"$contains", text}});
  for (const std::string& text : filter.contains_any) any.push_back({{"$contains", text}});
  if (!any.empty()) texts.push_back(any.size() == 1 ? Json(any.front()) : Json{{"$or", any}});
  if (texts.empty()) return;
  (*body)["where_document"] = texts.size() == 1 ? Json(texts.front()) : Json{{"$and", texts}};
}

std::string text_of(const Json& object, std::string_view key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// Nothing if it is not a collection.
std::optional<ChromaCollection> read_collection(const Json& answer) {
  if (!answer.is_object()) return std::nullopt;
  ChromaCollection collection;
  collection.id = text_of(answer, "id");
  if (collection.id.empty()) return std::nullopt;
  if (const auto at = answer.find("metadata"); at != answer.end() && at->is_object()) {
    collection.model = text_of(*at, "embedding_model");
  }
  // An older server reports the space only in the metadata.
  std::string space;
  if (const auto at = answer.find("configuration_json"); at != answer.end() && at->is_object()) {
    if (const auto hnsw = at->find("hnsw"); hnsw != at->end() && hnsw->is_object()) {
      space = text_of(*hnsw, "space");
    } else if (const auto spann = at->find("spann"); spann != at->end() && spann->is_object()) {
      space = text_of(*spann, "space");
    }
  }
  if (const auto at = answer.find("metadata");
      space.empty() && at != answer.end() && at->is_object()) {
    space = text_of(*at, "hnsw:space");
  }
  collection.is_cosine = space == "cosine";
  const auto dimension = answer.find("dimension");
  collection.has_rows = dimension != answer.end() && dimension->is_number();
  return collection;
}

ChromaMetadata read_metadata(const Json& object) {
  ChromaMetadata metadata;
  if (!object.is_object()) return metadata;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) {
      metadata.emplace(key, value.get<std::string>());
    } else if (value.is_number_integer()) {
      metadata.emplace(key, value.get<std::int64_t>());
    }
  }
  return metadata;
}

Json names_of(ChromaParts parts) {
  Json names = Json::array();
  if (parts.metadata) names.push_back("metadatas");
  if (parts.documents) names.push_back("documents");
  if (parts.vectors) names.push_back("embeddings");
  return names;
}

// Empty if an element is not a number.
std::vector<float> vector_from(const Json& list) {
  std::vector<float> vector;
  if (!list.is_array()) return vector;
  vector.reserve(list.size());
  for (const Json& number : list) {
    const float value = number.is_number() ? number.get<float>() : INFINITY;
    if (!std::isfinite(value)) return {};
    vector.push_back(value);
  }
  return vector;
}

// At most `most` rows from an answer's parallel lists, which `list_of` finds by their keys (null if
// missing). Nothing if a requested list is missing or has another length.
template <typename ListOf>
std::optional<std::vector<ChromaRecord>> read_records(const ListOf& list_of, ChromaParts parts,
                                                      bool with_distances, std::size_t most) {
  const Json* const ids = list_of("ids");
  if (ids == nullptr) return std::nullopt;
  bool is_whole = true;
  const auto asked = [&](std::string_view key, bool is_asked) -> const Json* {
    const Json* const list = is_asked ? list_of(key) : nullptr;
    if (is_asked && (list == nullptr || list->size() != ids->size())) is_whole = false;
    return list;
  };
  const Json* const documents = asked("documents", parts.documents);
  const Json* const metadatas = asked("metadatas", parts.metadata);
  const Json* const vectors = asked("embeddings", parts.vectors);
  const Json* const distances = asked("distances", with_distances);
  if (!is_whole) return std::nullopt;
  std::vector<ChromaRecord> records;
  records.reserve(std::min(ids->size(), most));
  for (std::size_t i = 0; i < ids->size() && records.size() < most; ++i) {
    if (!(*ids)[i].is_string()) return std::nullopt;
    ChromaRecord record{.id = (*ids)[i].get<std::string>()};
    if (documents != nullptr && (*documents)[i].is_string()) {
      record.document = (*documents)[i].get<std::string>();
    }
    if (metadatas != nullptr) record.metadata = read_metadata((*metadatas)[i]);
    if (vectors != nullptr) record.vector = vector_from((*vectors)[i]);
    if (distances != nullptr) {
      if (!(*distances)[i].is_number()) continue;  // null: a vector of zeroes
      record.similarity = std::clamp(1 - (*distances)[i].get<float>(), -1.0F, 1.0F);
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace

struct Chroma::Impl {
  ChromaOptions options;
  std::string address, collections;  // their addresses
  net::HttpClient client;

  std::mutex mutex;  // guards the members below
  std::optional<Error> failure;
  SteadyClock::time_point rest_until;

  explicit Impl(ChromaOptions given)
      : options(std::move(given)), address(net::address_of(options.url)) {
    while (options.url.ends_with('/')) options.url.pop_back();
    collections = fmt::format("{}/api/v2/tenants/{}/databases/{}/collections", options.url,
                              options.tenant, options.database);
  }

  // Returns the answer's JSON; remembers a failure.
  Result<Json> call(std::string method, std::string url, const Json* body,
                    std::chrono::milliseconds timeout, const std::stop_token& stop) {
    net::HttpRequest request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.headers = {{"Accept", "application/json"}};
    if (!options.token.empty()) request.headers.push_back({"x-chroma-token", options.token});
    if (body != nullptr) {
      request.headers.push_back({"Content-Type", "application/json"});
      request.body = dump_json(*body);
    }
    request.connect_timeout = std::min(kConnectTimeout, timeout);
    request.timeout = timeout;
    request.max_answer_bytes = kMaxAnswerBytes;
    auto sent = client.send(request, stop);
    {
      // A server that answers with an error soon need not rest.
      const std::lock_guard lock(mutex);
      if (sent.ok()) {
        failure.reset();
      } else if (sent.error().code() != ErrorCode::kCancelled) {
        failure = Error(sent.error()).with_context("Chroma");
        rest_until = SteadyClock::now() + options.rest_after_failure;
      }
    }
    if (!sent.ok()) return std::move(sent).error().with_context("Chroma");
    return read_answer(*sent);
  }

  Result<Json> read_answer(const net::HttpAnswer& sent) const {
    const Json json = parse_json(sent.body);
    if (sent.status >= 200 && sent.status < 300) {
      if (!json.is_discarded()) return json;
      return Error{ErrorCode::kCorrupt, fmt::format("Chroma: {} answers with no JSON", address)};
    }
    std::string reason = json.is_object() ? text_of(json, "message") : std::string();
    reason = fold_whitespace(utf8_prefix(reason, kMaxChromaReason));
    const ErrorCode code = sent.status == 404                         ? ErrorCode::kNotFound
                           : sent.status == 429 || sent.status >= 500 ? ErrorCode::kIo
                                                                      : ErrorCode::kInvalidArgument;
    return Error{code, fmt::format("Chroma: {} answers {}{}{}", address, sent.status,
                                   reason.empty() ? "" : ": ", reason)};
  }

  // Why the server is not queried for now; nothing if it may be.
  std::optional<Error> why_resting() {
    const std::lock_guard lock(mutex);
    return failure && SteadyClock::now() < rest_until ? failure : std::nullopt;
  }

  std::chrono::milliseconds within(std::chrono::milliseconds patience) const {
    return std::max(std::chrono::milliseconds(1), std::min(patience, options.query_timeout));
  }

  std::string rows_of(std::string_view collection, std::string_view what) const {
    return fmt::format("{}/{}/{}", collections, collection, what);
  }

  Error other_shape() const {
    return {ErrorCode::kCorrupt,
            fmt::format("Chroma: {} answers in another shape than version 2", address)};
  }
};

Chroma::Chroma(ChromaOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Chroma::~Chroma() = default;

const std::string& Chroma::address() const { return impl_->address; }

Result<void> Chroma::heartbeat(std::stop_token stop) {
  auto answer = impl_->call("GET", impl_->options.url + "/api/v2/heartbeat", nullptr,
                            kHeartbeatTimeout, stop);
  if (!answer.ok()) return std::move(answer).error();
  return {};
}

Result<ChromaCollection> Chroma::get_or_create(std::string_view name, std::string_view model,
                                               std::stop_token stop) {
  const Json body = {{"name", name},
                     {"get_or_create", true},
                     {"metadata", {{"hnsw:space", "cosine"}, {"embedding_model", model}}},
                     {"configuration", {{"hnsw", {{"space", "cosine"}}}}}};
  auto answer = impl_->call("POST", impl_->collections, &body, impl_->options.write_timeout, stop);
  // If two create it at once, one may get the answer that it exists (409).
  if (!answer.ok() && answer.error().code() == ErrorCode::kInvalidArgument) {
    auto found = impl_->call("GET", fmt::format("{}/{}", impl_->collections, name), nullptr,
                             impl_->options.write_timeout, stop);
    if (found.ok()) answer = std::move(found);
  }
  if (!answer.ok()) return std::move(answer).error();
  if (auto collection = read_collection(*answer)) return *std::move(collection);
  return impl_->other_shape();
}

Result<void> Chroma::claim(std::string_view collection, std::string_view model,
                           std::stop_token stop) {
  const Json body = {{"new_metadata", {{"hnsw:space", "cosine"}, {"embedding_model", model}}}};
  auto answer = impl_->call("PUT", fmt::format("{}/{}", impl_->collections, collection), &body,
                            impl_->options.write_timeout, stop);
  if (!answer.ok()) return std::move(answer).error();
  return {};
}

Result<void> Chroma::drop(std::string_view name, std::stop_token stop) {
  auto answer = impl_->call("DELETE", fmt::format("{}/{}", impl_->collections, name), nullptr,
                            impl_->options.write_timeout, stop);
  if (!answer.ok() && answer.error().code() != ErrorCode::kNotFound) {
    return std::move(answer).error();
  }
  return {};
}

Result<void> Chroma::upsert(std::string_view collection, std::span<const ChromaRow> rows,
                            std::stop_token stop) {
  const std::size_t batch = std::max<std::size_t>(impl_->options.batch, 1);
  for (std::size_t begin = 0; begin < rows.size(); begin += batch) {
    Json ids = Json::array(), vectors = Json::array(), documents = Json::array(),
         metadatas = Json::array();
    for (const ChromaRow& row : rows.subspan(begin, std::min(batch, rows.size() - begin))) {
      ids.push_back(row.id);
      vectors.push_back(json_of(row.vector));
      documents.push_back(row.document);
      Json metadata = Json::object();
      for (const auto& [key, value] : row.metadata) metadata[key] = json_of(value);
      metadatas.push_back(std::move(metadata));
    }
    const Json body = {{"ids", std::move(ids)},
                       {"embeddings", std::move(vectors)},
                       {"documents", std::move(documents)},
                       {"metadatas", std::move(metadatas)}};
    auto answer = impl_->call("POST", impl_->rows_of(collection, "upsert"), &body,
                              impl_->options.write_timeout, stop);
    if (!answer.ok()) return std::move(answer).error();
  }
  return {};
}

Result<void> Chroma::remove(std::string_view collection,
                            std::span<const ChromaCondition> conditions, std::stop_token stop) {
  const Json body = {{"where", json_of(conditions)}};
  auto answer = impl_->call("POST", impl_->rows_of(collection, "delete"), &body,
                            impl_->options.write_timeout, stop);
  if (!answer.ok()) return std::move(answer).error();
  return {};
}

Result<void> Chroma::remove_ids(std::string_view collection, std::span<const std::string> ids,
                                std::stop_token stop) {
  const std::size_t batch = std::max<std::size_t>(impl_->options.batch, 1);
  for (std::size_t begin = 0; begin < ids.size(); begin += batch) {
    Json list = Json::array();
    for (const std::string& id : ids.subspan(begin, std::min(batch, ids.size() - begin))) {
      list.push_back(id);
    }
    const Json body = {{"ids", std::move(list)}};
    auto answer = impl_->call("POST", impl_->rows_of(collection, "delete"), &body,
                              impl_->options.write_timeout, stop);
    if (!answer.ok()) return std::move(answer).error();
  }
  return {};
}

Result<std::optional<ChromaCollection>> Chroma::find_collection(std::string_view name,
                                                                std::stop_token stop) {
  if (auto resting = impl_->why_resting()) return *std::move(resting);
  auto answer = impl_->call("GET", fmt::format("{}/{}", impl_->collections, name), nullptr,
                            impl_->options.query_timeout, stop);
  if (!answer.ok()) {
    if (answer.error().code() == ErrorCode::kNotFound) return std::optional<ChromaCollection>();
    return std::move(answer).error();
  }
  if (auto collection = read_collection(*answer)) return collection;
  return impl_->other_shape();
}

Result<std::vector<ChromaRecord>> Chroma::list(std::string_view collection,
                                               const ChromaListing& listing,
                                               std::chrono::milliseconds patience,
                                               std::stop_token stop) {
  if (auto resting = impl_->why_resting()) return *std::move(resting);
  Json body = {{"limit", listing.limit}, {"offset", listing.offset}};
  body["include"] = names_of(listing.parts);
  put_filter(listing.filter, &body);
  auto answer =
      impl_->call("POST", impl_->rows_of(collection, "get"), &body, impl_->within(patience), stop);
  if (!answer.ok()) return std::move(answer).error();
  const auto list_of = [&](std::string_view key) -> const Json* {
    const auto at = answer->find(key);
    return at != answer->end() && at->is_array() ? &*at : nullptr;
  };
  if (answer->is_object()) {
    if (auto records = read_records(list_of, listing.parts, false, listing.limit)) {
      return *std::move(records);
    }
  }
  return impl_->other_shape();
}

Result<std::vector<ChromaRecord>> Chroma::near(std::string_view collection,
                                               std::span<const float> vector, std::size_t k,
                                               const ChromaFilter& filter, ChromaParts parts,
                                               std::chrono::milliseconds patience,
                                               std::stop_token stop) {
  if (auto resting = impl_->why_resting()) return *std::move(resting);
  Json body = {{"query_embeddings", Json::array({json_of(vector)})}, {"n_results", k}};
  body["include"] = names_of(parts);
  body["include"].push_back("distances");
  put_filter(filter, &body);
  auto answer = impl_->call("POST", impl_->rows_of(collection, "query"), &body,
                            impl_->within(patience), stop);
  if (!answer.ok()) return std::move(answer).error();
  // A list of lists: one for each query vector.
  const auto list_of = [&](std::string_view key) -> const Json* {
    const auto at = answer->find(key);
    if (at == answer->end() || !at->is_array() || at->size() != 1) return nullptr;
    return at->front().is_array() ? &at->front() : nullptr;
  };
  if (answer->is_object()) {
    if (auto records = read_records(list_of, parts, true, k)) return *std::move(records);
  }
  return impl_->other_shape();
}

Result<std::size_t> Chroma::count(std::string_view collection, std::stop_token stop) {
  auto answer = impl_->call("GET", impl_->rows_of(collection, "count"), nullptr,
                            impl_->options.query_timeout, stop);
  if (!answer.ok()) return std::move(answer).error();
  if (!answer->is_number_unsigned()) return impl_->other_shape();
  return answer->get<std::size_t>();
}

std::string chroma_collection_name(std::string_view project) {
  std::string name;
  for (const char c : project) {
    if (is_of_name(c)) {
      name += c;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {  // the first byte of a character
      name += '_';
    }
    if (name.size() == kMaxNameBytes) break;
  }
  while (!name.empty() && !is_alnum(name.back())) name.pop_back();
  return "cm__" + (name.empty() ? std::string("unknown") : name);
}

bool is_chroma_collection_name(std::string_view name) {
  return name.size() >= 3 && name.size() <= kMaxNameBytes + 12 && is_alnum(name.front()) &&
         is_alnum(name.back()) && std::all_of(name.begin(), name.end(), is_of_name);
}

}  // namespace codexmem::embed

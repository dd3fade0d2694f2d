// Vectors are requested in base64, because 1,536 components take 8 KB in it and 30 KB in decimals;
// servers that do not know it answer with numbers, and both are read.
//
// Servers report too long a text in many ways: 400, 413, 422, 500 (llama.cpp), or a vector of NaN.
// So each of these is treated as a problem with some text of the batch. Halving a batch of n finds
// the text in log n requests; if every text is refused, one more request with a plain word shows
// whether texts are the problem at all. A 500 or NaN may also be temporary: before a text is cut
// because of one, the plain word must be accepted and the whole text refused once more.
//
// Tested by embed/openai_embedder_test.cpp.
#include "embed/openai_embedder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/base64.h"
#include "text/json.h"
#include "base/log.h"
#include "text/parse_json.h"
#include "base/text.h"
#include "net/http_client.h"
#include "net/secret_text.h"

namespace codexmem::embed {
namespace {

using Clock = std::chrono::steady_clock;
using Texts = std::span<const std::string_view>;

constexpr std::size_t kMaxEndpointDimension = 65536;
constexpr std::size_t kShortText = 256;     // a refused text that is not longer is not too long
constexpr std::size_t kShortQuery = 1'000;  // a refused query is retried with this length
constexpr std::string_view kPlainText = "text";  // accepted by every model
constexpr std::size_t kMaxReason = 200;          // maximum bytes of a server's message in errors

// The result of one request.
struct Outcome {
  std::vector<float> vectors;  // if there is no error
  std::optional<Error> error = {};
  bool may_be_a_text = false;  // fewer or shorter texts may be accepted
  bool is_a_text = false;      // the server blames the request: 400, 413, 422
  bool try_again = false;
  std::optional<std::chrono::milliseconds> wait = {};  // requested by the server
};

// The components of a vector; nothing if `value` has neither format.
std::optional<std::vector<float>> read_vector(const Json& value) {
  std::vector<float> vector;
  if (value.is_string()) {
    static_assert(std::endian::native == std::endian::little);
    const auto bytes = decode_base64(value.get_ref<const std::string&>(), Base64::kAny);
    if (!bytes || bytes->size() % sizeof(float) != 0) return std::nullopt;
    vector.resize(bytes->size() / sizeof(float));
    std::memcpy(vector.data(), bytes->data(), bytes->size());
    return vector;
  }
  if (!value.is_array()) return std::nullopt;
  vector.reserve(value.size());
  for (const Json& component : value) {
    // JSON has no NaN; servers write null.
    if (component.is_null()) {
      vector.push_back(std::nanf(""));
    } else if (component.is_number()) {
      vector.push_back(component.get<float>());
    } else {
      return std::nullopt;
    }
  }
  return vector;
}

// Scales `vector` to length 1; false if that is not possible.
bool normalise(std::span<float> vector) {
  double sum = 0;
  for (const float v : vector) sum += static_cast<double>(v) * static_cast<double>(v);
  if (!std::isfinite(sum) || sum <= 0) return false;
  const double scale = 1 / std::sqrt(sum);
  for (float& v : vector) v = static_cast<float>(static_cast<double>(v) * scale);
  return true;
}

// Vectors of queries, most recently used first.
class QueryCache {
 public:
  explicit QueryCache(std::size_t size) : size_(size) {}

  std::optional<std::vector<float>> find(std::string_view text) {
    const auto found = places_.find(text);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->vector;
  }
  void put(std::string_view text, const std::vector<float>& vector) {
    if (size_ == 0 || places_.contains(text)) return;
    entries_.push_front({std::string(text), vector});
    places_.emplace(entries_.front().text, entries_.begin());
    if (entries_.size() <= size_) return;
    places_.erase(entries_.back().text);
    entries_.pop_back();
  }

 private:
  struct Entry {
    std::string text;
    std::vector<float> vector;
  };
  const std::size_t size_;
  std::list<Entry> entries_;  // newest first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;
};

// Different endpoints on a host are different models. '#' never occurs in an address.
std::string model_id_of(const OpenAiOptions& options) {
  std::string address = net::address_of(options.base_url);
  constexpr std::string_view kEnd = "/embeddings";
  if (address.ends_with(kEnd)) address.resize(address.size() - kEnd.size());
  while (address.ends_with('/')) address.pop_back();
  return fmt::format("openai:{}#{}", address, options.model);
}

class OpenAiEmbedder : public Embedder {
 public:
  explicit OpenAiEmbedder(OpenAiOptions options)
      : options_(std::move(options)),
        host_(net::host_of(options_.base_url)),
        id_(model_id_of(options_)),
        queries_(options_.kept_queries) {
    url_ = options_.base_url;
    while (url_.ends_with('/')) url_.pop_back();
    if (!url_.ends_with("/embeddings")) url_ += "/embeddings";
  }

  const std::string& model_id() const override { return id_; }
  std::size_t dimension() const override { return dimension_; }

  Result<std::vector<float>> embed_query(std::string_view text) const override {
    {
      const std::lock_guard lock(mutex_);
      if (auto known = queries_.find(text)) return *std::move(known);
      if (failure_ && Clock::now() < rest_until_) return *failure_;
    }
    std::string_view cut = utf8_prefix(text, options_.max_text_bytes);
    Outcome outcome = ask({&cut, 1}, options_.query_timeout, {});
    if (outcome.may_be_a_text && !outcome.try_again && cut.size() > kShortQuery) {
      cut = utf8_prefix(text, kShortQuery);
      outcome = ask({&cut, 1}, options_.query_timeout, {});
    }
    const std::lock_guard lock(mutex_);
    if (outcome.error) {
      // A refused text says nothing about the next query.
      if (!outcome.may_be_a_text || outcome.try_again) {
        failure_ = outcome.error;
        rest_until_ = Clock::now() + options_.rest_after_failure;
      }
      return *std::move(outcome.error);
    }
    failure_.reset();
    queries_.put(text, outcome.vectors);
    return std::move(outcome.vectors);
  }

  Result<std::vector<float>> embed_documents(Texts texts, std::stop_token stop) const override {
    std::vector<std::string_view> cut;
    cut.reserve(texts.size());
    for (const std::string_view text : texts) {
      cut.push_back(utf8_prefix(text, options_.max_text_bytes));
    }
    std::vector<float> vectors;
    for (std::size_t begin = 0; begin < cut.size();) {
      std::size_t end = begin, bytes = 0;
      while (end < cut.size() && end - begin < options_.max_texts &&
             (end == begin || bytes + cut[end].size() <= options_.max_batch_bytes)) {
        bytes += cut[end++].size();
      }
      const Texts batch = Texts(cut).subspan(begin, end - begin);
      CODEXMEM_TRY(embed_batch(batch, options_.attempts, stop, vectors));
      begin = end;
    }
    return vectors;
  }

 private:
  // Appends the vectors of `texts` to `vectors`.
  Result<void> embed_batch(Texts texts, int attempts, const std::stop_token& stop,
                           std::vector<float>& vectors) const {
    Outcome outcome = ask_patiently(texts, attempts, stop);
    if (!outcome.error) {
      vectors.insert(vectors.end(), outcome.vectors.begin(), outcome.vectors.end());
      return {};
    }
    if (!outcome.may_be_a_text) return *std::move(outcome.error);
    // The server answers and has had its attempts: each part of the batch gets one.
    if (texts.size() > 1) {
      const std::size_t half = texts.size() / 2;
      CODEXMEM_TRY(embed_batch(texts.first(half), 1, stop, vectors));
      return embed_batch(texts.subspan(half), 1, stop, vectors);
    }
    bool has_probed = false;
    if (!outcome.is_a_text) {
      if (!takes_plain_text(stop)) return *std::move(outcome.error);
      has_probed = true;
      outcome = ask(texts, options_.timeout, stop);
      if (!outcome.error) {
        vectors.insert(vectors.end(), outcome.vectors.begin(), outcome.vectors.end());
        return {};
      }
      if (!outcome.may_be_a_text) return *std::move(outcome.error);
    }
    if (texts[0].size() > kShortText) {
      const std::string_view cut = utf8_prefix(texts[0], texts[0].size() / 2);
      return embed_batch({&cut, 1}, 1, stop, vectors);
    }
    if (!has_probed && !takes_plain_text(stop)) return *std::move(outcome.error);
    log_info("a text without a vector: {}", outcome.error->message());
    vectors.resize(vectors.size() + dimension_);
    return {};
  }

  // True if the server accepts a plain word.
  bool takes_plain_text(const std::stop_token& stop) const {
    return !ask({&kPlainText, 1}, options_.timeout, stop).error;
  }

  Outcome ask_patiently(Texts texts, int attempts, const std::stop_token& stop) const {
    auto delay = options_.first_delay;
    for (int attempt = 1;; ++attempt) {
      Outcome outcome = ask(texts, options_.timeout, stop);
      if (!outcome.error || !outcome.try_again || attempt >= attempts) return outcome;
      log_info("{}; another try", outcome.error->message());
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      never.wait_for(lock, stop,
                     std::min(std::max(delay, outcome.wait.value_or(delay)), options_.max_delay),
                     [] { return false; });
      delay *= 2;
    }
  }

  // Sends one request.
  Outcome ask(Texts texts, std::chrono::milliseconds timeout, const std::stop_token& stop) const {
    Json input = Json::array();
    for (const std::string_view text : texts) input.push_back(std::string(text));
    net::HttpRequest request = net::post_json(url_,
                                              dump_json({{"model", options_.model},
                                                         {"input", std::move(input)},
                                                         {"encoding_format", "base64"}}),
                                              options_.api_key);
    request.timeout = timeout;
    request.connect_timeout = std::min(request.connect_timeout, timeout);
    auto answer = client_.send(request, stop);
    if (!answer.ok()) {
      const ErrorCode code = answer.error().code();
      return {.vectors = {},
              .error = std::move(answer).error().with_context("embeddings"),
              .try_again = code == ErrorCode::kIo};
    }
    if (answer->status == 200) return read_answer(answer->body, texts.size());
    return read_refusal(*answer);
  }

  Outcome read_refusal(const net::HttpAnswer& answer) const {
    const int status = answer.status;
    Outcome outcome;
    outcome.try_again = status == 408 || status == 429 || status >= 500;
    outcome.is_a_text = status == 400 || status == 413 || status == 422;
    outcome.may_be_a_text = outcome.is_a_text || status == 500;
    outcome.wait = answer.retry_after;
    std::string stated = fmt::format("embeddings: {} answers {}", host_, status);
    if (status == 401 || status == 403) {
      stated += options_.api_key.empty() ? ": it wants an API key" : ": the API key is refused";
    } else if (const std::string reason = reason_in(answer.body); !reason.empty()) {
      stated += ": " + reason;
    } else if (status == 404) {
      stated += fmt::format(": no model {} there, or no {}", options_.model, net::address_of(url_));
    } else if (status == 429) {
      stated += ": too many requests, or the quota is used up";
    }
    outcome.error.emplace(outcome.try_again ? ErrorCode::kIo : ErrorCode::kInvalidArgument,
                          std::move(stated));
    return outcome;
  }

  // The server's error message, on one line, without the key.
  std::string reason_in(const std::string& body) const {
    const Json json = parse_json(body);
    if (!json.is_object() || !json.contains("error")) return {};
    const Json& error = json["error"];
    std::string reason;
    if (error.is_string()) {
      reason = error.get<std::string>();
    } else if (error.is_object() && error.contains("message") && error["message"].is_string()) {
      reason = error["message"].get<std::string>();
    }
    reason = net::without_secret(std::move(reason), options_.api_key);
    return std::string(utf8_prefix(fold_whitespace(reason), kMaxReason));
  }

  Outcome read_answer(const std::string& body, std::size_t count) const {
    const auto corrupt = [&](std::string_view what) {
      return Outcome{.vectors = {},
                     .error = Error{ErrorCode::kCorrupt,
                                    fmt::format("embeddings: {} answers {}", host_, what)}};
    };
    const Json json = parse_json(body);
    if (!json.is_object() || !json.contains("data") || !json["data"].is_array()) {
      return corrupt("something that is not a list of embeddings");
    }
    const Json& data = json["data"];
    if (data.size() != count) {
      return corrupt(fmt::format("{} embeddings for {} texts", data.size(), count));
    }
    std::vector<std::optional<std::vector<float>>> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Json& item = data[i];
      if (!item.is_object() || !item.contains("embedding"))
        return corrupt("no embedding in an item");
      std::size_t index = i;
      if (const auto stated = item.find("index"); stated != item.end() && !stated->is_null()) {
        if (!stated->is_number_unsigned()) return corrupt("an index that is not a number");
        index = stated->get<std::size_t>();
      }
      if (index >= count || rows[index]) return corrupt("an index twice, or one too large");
      rows[index] = read_vector(item["embedding"]);
      if (!rows[index]) return corrupt("an embedding that is neither numbers nor base64");
    }
    const std::size_t size = rows[0]->size();
    if (size == 0 || size > kMaxEndpointDimension) {
      return corrupt(fmt::format("embeddings of {} components", size));
    }
    Outcome outcome;
    outcome.vectors.reserve(count * size);
    for (auto& row : rows) {
      if (row->size() != size) return corrupt("embeddings of different lengths");
      if (!normalise(*row)) {
        Outcome bad = corrupt("an embedding that is zero or not finite");
        bad.may_be_a_text = true;
        return bad;
      }
      outcome.vectors.insert(outcome.vectors.end(), row->begin(), row->end());
    }
    std::size_t known = 0;
    if (!dimension_.compare_exchange_strong(known, size) && known != size) {
      return corrupt(fmt::format("embeddings of {} components after some of {}", size, known));
    }
    return outcome;
  }

  const OpenAiOptions options_;
  const std::string host_;
  const std::string id_;
  std::string url_;
  mutable net::HttpClient client_;
  mutable std::atomic<std::size_t> dimension_ = 0;

  mutable std::mutex mutex_;  // guards the members below
  mutable QueryCache queries_;
  mutable std::optional<Error> failure_;  // of the last query
  mutable Clock::time_point rest_until_;
};

}  // namespace

std::shared_ptr<const Embedder> make_openai_embedder(OpenAiOptions options) {
  return std::make_shared<OpenAiEmbedder>(std::move(options));
}

}  // namespace codexmem::embed

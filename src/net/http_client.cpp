// Each request borrows a line: a libcurl multi handle, which keeps its connections, and one easy
// handle that runs on it. A multi handle is used for a single transfer because only it, unlike the
// easy interface, can be woken at once to cancel.
//
// Tested by net/http_client_test.cpp.
#include "net/http_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/text.h"
#include "net/curl_library.h"

namespace codexmem::net {
namespace {

constexpr int kPollMs = 1'000;
constexpr std::size_t kMaxIdleLines = 8;

struct Line {
  explicit Line(const CurlLibrary& the_library)
      : library(the_library), multi(library.multi_init()), easy(library.easy_init()) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (easy != nullptr) library.easy_cleanup(easy);
    if (multi != nullptr) library.multi_cleanup(multi);
  }

  const CurlLibrary& library;
  CURLM* multi;
  CURL* easy;
};

// Where a transfer writes.
struct Body {
  const CurlLibrary& library;
  CURL* easy;
  const std::function<bool(std::string_view)>& take;  // for the body of a 200, if set
  std::uint64_t limit = 0;
  std::string bytes = {};
  std::uint64_t size = 0;
  bool is_too_long = false, is_not_taken = false;
};

std::size_t append(char* bytes, std::size_t size, std::size_t count, void* target) {
  auto* body = static_cast<Body*>(target);
  constexpr long kOk = 200;
  body->size += size * count;
  if (body->size > body->limit) {
    body->is_too_long = true;
    return 0;  // ends the transfer
  }
  long status = 0;
  if (body->take) body->library.easy_getinfo(body->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status != kOk) {
    body->bytes.append(bytes, size * count);
  } else if (!body->take({bytes, size * count})) {
    body->is_not_taken = true;
    return 0;
  }
  return size * count;
}

Error error_of(CURLcode code, const std::string& host, const char* detail,
               const CurlLibrary& library) {
  const std::string reason =
      fmt::format("{}: {}", host, *detail != '\0' ? detail : library.easy_strerror(code));
  switch (code) {
    case CURLE_URL_MALFORMAT:
      return {ErrorCode::kInvalidArgument, reason};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_NOT_BUILT_IN:
      return {ErrorCode::kUnsupported, reason};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:  // HTTP/0.9, which may be any bytes; the scheme was checked
                                      // before
      return {ErrorCode::kCorrupt, reason};
    default:
      return {ErrorCode::kIo, reason};
  }
}

bool is_one_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

}  // namespace

struct HttpClient::Impl {
  std::mutex mutex;  // guards idle
  std::vector<std::unique_ptr<Line>> idle;

  Result<std::unique_ptr<Line>> take_line() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        auto line = std::move(idle.back());
        idle.pop_back();
        return line;
      }
    }
    CODEXMEM_ASSIGN(const CurlLibrary* library, CurlLibrary::load());
    auto line = std::make_unique<Line>(*library);
    if (line->multi == nullptr || line->easy == nullptr) {
      return Error{ErrorCode::kIo, "libcurl is out of memory"};
    }
    return line;
  }

  void give_back(std::unique_ptr<Line> line) {
    const std::lock_guard lock(mutex);
    if (idle.size() < kMaxIdleLines) idle.push_back(std::move(line));
  }
};

HttpClient::HttpClient() : impl_(std::make_unique<Impl>()) {}
HttpClient::~HttpClient() = default;

Result<HttpAnswer> HttpClient::send(const HttpRequest& request, std::stop_token stop) {
  const Error cancelled{ErrorCode::kCancelled, "the request was cancelled"};
  if (stop.stop_requested()) return cancelled;
  const std::string host = host_of(request.url);
  if (host.empty()) {
    return Error{ErrorCode::kInvalidArgument, "not an http:// or https:// address with a host"};
  }
  CODEXMEM_ASSIGN(std::unique_ptr<Line> line, impl_->take_line());
  const CurlLibrary& curl = line->library;
  CURL* const easy = line->easy;

  struct HeaderList {
    const CurlLibrary& curl;
    curl_slist* list = nullptr;
    ~HeaderList() { curl.slist_free_all(list); }
    void add(const std::string& text) {
      if (curl_slist* longer = curl.slist_append(list, text.c_str()); longer != nullptr) {
        list = longer;
      }
    }
  } headers{curl};
  for (const HttpHeader& header : request.headers) {
    if (!is_one_line(header.name) || !is_one_line(header.value)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}: a header or key with a line break or NUL in it", host)};
    }
    headers.add(header.name + ": " + header.value);
  }
  headers.add("Expect:");  // no round trip before a long body

  Body body{.library = curl, .easy = easy, .take = request.take, .limit = request.max_answer_bytes};
  char detail[CURL_ERROR_SIZE] = "";
  const auto set = [&](CURLoption option, auto value) { curl.easy_setopt(easy, option, value); };
  curl.easy_reset(easy);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, "codexmem");
  if (!curl.certificates.empty()) set(CURLOPT_CAINFO, curl.certificates.c_str());
  set(CURLOPT_HTTPHEADER, headers.list);
  if (request.method == "POST") {
    set(CURLOPT_POST, 1L);
  } else if (request.method != "GET") {
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  if (request.method == "POST" || !request.body.empty()) {
    set(CURLOPT_POSTFIELDS, request.body.c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  if (is_loopback(host)) set(CURLOPT_PROXY, "");
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  set(CURLOPT_ERRORBUFFER, detail);
  set(CURLOPT_WRITEFUNCTION, &append);
  set(CURLOPT_WRITEDATA, &body);

  CURLcode code = CURLE_FAILED_INIT;
  if (curl.multi_add_handle(line->multi, easy) == CURLM_OK) {
    const std::stop_callback wake(stop, [&] { curl.multi_wakeup(line->multi); });
    int running = 1;
    while (running > 0 && !stop.stop_requested()) {
      if (curl.multi_perform(line->multi, &running) != CURLM_OK) break;
      if (running > 0) curl.multi_poll(line->multi, nullptr, 0, kPollMs, nullptr);
    }
    int left = 0;
    while (const CURLMsg* message = curl.multi_info_read(line->multi, &left)) {
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    }
    curl.multi_remove_handle(line->multi, easy);
  }
  if (stop.stop_requested()) return cancelled;  // the line is destroyed: it has a transfer on it
  if (body.is_too_long) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: the answer is longer than {} bytes", host,
                                                  request.max_answer_bytes)};
  }
  if (body.is_not_taken) {
    return Error{ErrorCode::kIo, fmt::format("{}: the answer could not be kept", host)};
  }
  if (code != CURLE_OK) return error_of(code, host, detail, curl);

  HttpAnswer answer;
  long status = 0;
  curl_off_t retry_after = 0;  // seconds; 0: unknown
  curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  curl.easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
  answer.status = static_cast<int>(status);
  answer.body = std::move(body.bytes);
  if (const char* location = nullptr;
      curl.easy_getinfo(easy, CURLINFO_REDIRECT_URL, &location) == CURLE_OK &&
      location != nullptr) {
    answer.location = location;
  }
  if (retry_after > 0)
    answer.retry_after = std::chrono::seconds(std::min<curl_off_t>(retry_after, 86'400));
  impl_->give_back(std::move(line));
  return answer;
}

HttpRequest post_json(std::string url, std::string json, std::string_view key) {
  HttpRequest request;
  request.method = "POST";
  request.url = std::move(url);
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  if (!key.empty()) request.headers.push_back({"Authorization", "Bearer " + std::string(key)});
  request.body = std::move(json);
  return request;
}

std::string host_of(std::string_view url) {
  const std::string lower = to_lower_ascii(url);
  std::string_view rest = lower;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else {
    return {};
  }
  rest = rest.substr(0, rest.find_first_of("/?#\\"));
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
  if (rest.starts_with('[')) {
    const auto end = rest.find(']');
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(1, end - 1));
  }
  return std::string(rest.substr(0, rest.find(':')));
}

std::string address_of(std::string_view url) {
  std::string address = host_of(url);
  if (address.empty()) return address;
  if (address.find(':') != std::string::npos) address = "[" + address + "]";
  const auto scheme = url.find("://");
  const std::string_view own_port = scheme == 4 ? "80" : "443";
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const auto path = rest.find_first_of("/\\");
  std::string_view authority = rest.substr(0, path);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  if (const auto colon = authority.find_last_of(":]");
      colon != std::string_view::npos && authority[colon] == ':') {
    const std::string_view port = authority.substr(colon + 1);
    if (!port.empty() && port != own_port) address += ":" + std::string(port);
  }
  if (path != std::string_view::npos) address += rest.substr(path);
  while (address.ends_with('/')) address.pop_back();
  return address;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") &&
          host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace codexmem::net

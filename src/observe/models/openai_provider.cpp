// A call goes through three hands: ask() sends a request and sorts out what HTTP can say, talk()
// makes the request smaller or plainer where the server wants it so and repairs an answer once, and
// observe() and summarize() have the question and read the answer.
//
// Tested by observe/openai_provider_test.cpp.
#include "observe/models/openai_provider.h"

#include <fmt/core.h>

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "base/log.h"
#include "text/parse_json.h"
#include "base/text.h"
#include "net/http_client.h"
#include "net/secret_text.h"
#include "observe/models/model_prompt.h"
#include "observe/models/model_reply.h"
#include "observe/work/rule_based_provider.h"

namespace codexmem::observe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxReason = 200;  // bytes of a server's message that are shown
constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxRepairBytes = 4'000;  // of an answer that is to be repaired
constexpr int kMaxShortenings = 2;
constexpr int kMaxRequests = 8;  // of one batch, whatever happens
constexpr std::size_t kMinPromptBytes = 2'000;

// How the shape of the answer is asked for; each is plainer than the one before.
enum class Form : int { kSchema = 0, kObject = 1, kPlain = 2 };

// What became of one request.
struct Reply {
  std::optional<ProviderFailure> failure;
  bool refuses_request = false;  // 400, 422: it may take a plainer one
  bool is_too_long = false;      // for the model
  bool names_max_tokens = false;
  std::string content;         // what the model said
  bool is_unreadable = false;  // an answer without anything of a model in it
  bool is_cut = false;         // it was not finished
  std::int64_t tokens = 0;
};

std::int64_t number_in(const Json& object, const char* name) {
  const Json* value = find_member(object, name);
  if (value == nullptr || !value->is_number_integer()) return 0;
  return std::max<std::int64_t>(0, value->get<std::int64_t>());
}

// A text, or the texts of its parts.
std::string content_of(const Json& message) {
  std::string text = text_member(message, "content");
  if (const Json* content = find_member(message, "content"); content && content->is_array()) {
    for (const Json& part : *content) text += text_member(part, "text");
  }
  return text;
}

class OpenAiProvider : public Provider {
 public:
  explicit OpenAiProvider(ModelOptions options)
      : options_(std::move(options)),
        host_(net::host_of(options_.base_url)),
        rules_(make_rule_based_provider()) {
    url_ = options_.base_url;
    while (url_.ends_with('/')) url_.pop_back();
    if (!url_.ends_with("/chat/completions")) url_ += "/chat/completions";
    says_completion_tokens_ = host_ == "api.openai.com";
  }

  std::string_view name() const override { return kOpenAiName; }
  std::string_view model() const override { return options_.model; }
  bool wants_batches() const override { return true; }

  ObserveReply observe(const ObserveRequest& request, std::stop_token stop) const override {
    ObserveReply reply;
    const auto by_rules = rules_->observe(request, stop).observations;
    std::vector<std::int64_t> ids;
    for (const ToolEvent& event : request.events) ids.push_back(event.message_id);
    reply.failure = talk(
        [&](std::size_t max_bytes) { return observation_prompt(request, by_rules, max_bytes); },
        [&](std::string_view text) {
          ReadObservations read = read_observations(text, ids);
          if (read.fault == ReplyFault::kNone) reply.observations = std::move(read.observations);
          return std::pair(read.fault, read.has_odd_values);
        },
        reply.record, stop);
    return reply;
  }

  SummarizeReply summarize(const SummarizeRequest& request, std::stop_token stop) const override {
    SummarizeReply reply;
    reply.failure = talk([&](std::size_t max_bytes) { return summary_prompt(request, max_bytes); },
                         [&](std::string_view text) {
                           ReadSummary read = read_summary(text);
                           if (read.fault == ReplyFault::kNone)
                             reply.summary = std::move(read.summary);
                           return std::pair(read.fault, read.has_odd_values);
                         },
                         reply.record, stop);
    if (reply.summary) {
      const auto known = rules_->summarize(request, stop).summary;
      if (known) {
        reply.summary->files_read = known->files_read;
        reply.summary->files_edited = known->files_edited;
      }
    }
    return reply;
  }

 private:
  using MakePrompt = std::function<ModelPrompt(std::size_t max_bytes)>;
  using ReadAnswer = std::function<std::pair<ReplyFault, bool>(std::string_view text)>;

  // Asks until there is an answer that can be read; nothing when there was one.
  std::optional<ProviderFailure> talk(const MakePrompt& make_prompt, const ReadAnswer& read,
                                      CallRecord& record, const std::stop_token& stop) const {
    std::size_t max_bytes = options_.max_prompt_bytes;
    int shortenings = 0;
    bool is_repair = false;
    std::string bad_answer, complaint;
    ModelPrompt prompt = make_prompt(max_bytes);
    for (int requests = 0; requests < kMaxRequests; ++requests) {
      const std::int64_t expected = estimated_tokens(prompt.task.size() + prompt.data.size() +
                                                     bad_answer.size() + complaint.size());
      if (auto failure = check_budget(expected)) return failure;
      const Form form = form_.load();
      const Reply reply = ask(prompt, form, bad_answer, complaint, expected, stop);
      spend(reply.tokens, record);
      if (reply.is_too_long && shortenings < kMaxShortenings && max_bytes > kMinPromptBytes) {
        ++shortenings;
        max_bytes /= 4;
        prompt = make_prompt(max_bytes);
        continue;
      }
      if (reply.names_max_tokens && !has_changed_limit_.exchange(true)) {
        says_completion_tokens_ = !says_completion_tokens_;
        continue;
      }
      if (reply.refuses_request && form != Form::kPlain) {
        form_ = form == Form::kSchema ? Form::kObject : Form::kPlain;
        continue;
      }
      if (reply.failure) {
        // It was not the form after all.
        if (reply.refuses_request) form_ = Form::kSchema;
        if (is_repair) ++record.repair_fails;
        return reply.failure;
      }
      auto [fault, is_odd] =
          reply.is_unreadable ? std::pair(ReplyFault::kUnreadable, false) : read(reply.content);
      // A list that ends in the middle may hold one that is whole, but not all.
      if (fault == ReplyFault::kNone && is_odd) ++record.schema_fails;
      if (fault == ReplyFault::kNone) return std::nullopt;
      const bool is_shape = fault == ReplyFault::kShape;
      ++(is_shape ? record.schema_fails : record.parse_fails);
      if (is_repair) {
        ++record.repair_fails;
        return ProviderFailure{is_shape ? FailureClass::kSchemaFail : FailureClass::kParseFail,
                               fmt::format("{} of {} answered twice what could not be {}",
                                           options_.model, host_, is_shape ? "used" : "read"),
                               false};
      }
      is_repair = true;
      bad_answer = utf8_prefix(reply.content, kMaxRepairBytes);
      complaint = reply.is_cut ? "Your answer was cut off because it was too long."
                  : is_shape   ? "Your answer does not have the form that was asked for."
                               : "Your answer could not be read as JSON.";
      complaint += " Answer again, shorter, with only the JSON object: no fence, no other words.";
    }
    return ProviderFailure{FailureClass::kUnknown,
                           fmt::format("{} refuses every form of the request", host_), false};
  }

  std::optional<ProviderFailure> check_budget(std::int64_t tokens) const {
    if (options_.budget == nullptr) return std::nullopt;
    const auto allowed = options_.budget->allows(tokens);
    if (!allowed.ok()) {
      return ProviderFailure{FailureClass::kStorage, allowed.error().message(), true};
    }
    if (*allowed) return std::nullopt;
    return ProviderFailure{
        FailureClass::kRateLimit,
        fmt::format("the budget of {} tokens a day is used up", options_.budget->limit()), false};
  }

  void spend(std::int64_t tokens, CallRecord& record) const {
    record.tokens += tokens;
    if (options_.budget == nullptr || tokens == 0) return;
    if (auto spent = options_.budget->spend(tokens); !spent.ok()) {
      log_warn("the tokens of a call are not counted: {}", spent.error().message());
    }
  }

  std::string request_body(const ModelPrompt& prompt, Form form, std::string_view bad_answer,
                           std::string_view complaint) const {
    Json messages = Json::array();
    messages.push_back({{"role", "system"}, {"content", prompt.task}});
    messages.push_back({{"role", "user"}, {"content", prompt.data}});
    if (!complaint.empty()) {
      if (!bad_answer.empty()) messages.push_back({{"role", "assistant"}, {"content", bad_answer}});
      messages.push_back({{"role", "user"}, {"content", complaint}});
    }
    Json body = {{"model", options_.model}, {"messages", std::move(messages)}};
    body[says_completion_tokens_ ? "max_completion_tokens" : "max_tokens"] =
        options_.max_output_tokens;
    if (form == Form::kSchema) {
      body["response_format"] = {{"type", "json_schema"},
                                 {"json_schema",
                                  {{"name", prompt.schema_name},
                                   {"strict", true},
                                   {"schema", Json::parse(prompt.schema)}}}};
    } else if (form == Form::kObject) {
      body["response_format"] = {{"type", "json_object"}};
    }
    return dump_json(body);
  }

  Reply ask(const ModelPrompt& prompt, Form form, std::string_view bad_answer,
            std::string_view complaint, std::int64_t expected_tokens,
            const std::stop_token& stop) const {
    net::HttpRequest request =
        net::post_json(url_, request_body(prompt, form, bad_answer, complaint), options_.api_key);
    request.timeout = options_.timeout;
    request.max_answer_bytes = kMaxAnswerBytes;
    const Clock::time_point begin = Clock::now();
    const auto answer = client_.send(request, stop);
    if (!answer.ok()) {
      // Half a second less: curl's clock is another.
      const bool is_late = Clock::now() - begin >= options_.timeout - options_.timeout / 20;
      return no_answer(answer.error(), is_late, expected_tokens);
    }
    if (answer->status == 200) return read_answer(answer->body, expected_tokens);
    return read_refusal(*answer);
  }

  Reply no_answer(const Error& error, bool is_late, std::int64_t expected_tokens) const {
    Reply reply;
    ProviderFailure failure{FailureClass::kNetwork, error.message(), true};
    switch (error.code()) {
      case ErrorCode::kIo:
        // It may have been at work on it, and be paid for that.
        if (is_late) reply.tokens = expected_tokens;
        if (is_late) failure.kind = FailureClass::kTimeout;
        break;
      case ErrorCode::kCancelled:
        failure.kind = FailureClass::kUnknown;
        break;
      case ErrorCode::kCorrupt:
        failure.kind = FailureClass::kServerError;
        break;
      default:
        failure.kind = FailureClass::kUnknown;
        failure.may_pass = false;
    }
    reply.failure = std::move(failure);
    return reply;
  }

  Reply read_refusal(const net::HttpAnswer& answer) const {
    const int status = answer.status;
    const Json json = parse_json(answer.body);
    const Json* error = find_member(json, "error");
    std::string code = error != nullptr ? text_member(*error, "code") : "";
    if (error != nullptr) code += ' ' + text_member(*error, "type");
    const std::string said = reason_in(json);
    const std::string lower = to_lower_ascii(said + ' ' + code);
    const auto says = [&](std::string_view words) { return lower.find(words) != lower.npos; };

    Reply reply;
    ProviderFailure failure;
    failure.message = fmt::format("{} answers {}", host_, status);
    failure.retry_after = answer.retry_after;
    if (status == 429) {
      failure.kind = FailureClass::kRateLimit;
      failure.may_pass = !says("insufficient_quota") && !says("billing");
      failure.message += failure.may_pass ? ": too many requests" : ": the quota is used up";
    } else if (status == 401 || status == 403 || status == 402) {
      failure.kind = FailureClass::kAuth;
      failure.message += status == 402              ? ": it wants to be paid"
                         : options_.api_key.empty() ? ": it wants an API key"
                                                    : ": the API key is refused";
    } else if (status == 408) {
      failure.kind = FailureClass::kTimeout;
      failure.may_pass = true;
    } else if (status >= 500) {
      failure.kind = FailureClass::kServerError;
      failure.may_pass = status != 501;
    } else {
      failure.kind = FailureClass::kUnknown;
      if (status == 404) {
        failure.message +=
            fmt::format(": no model {} there, or no {}", options_.model, net::address_of(url_));
      }
    }
    if (status != 401 && status != 403 && !said.empty()) failure.message += ": " + said;
    reply.is_too_long =
        status == 413 || (status == 400 && (says("context_length") || says("context length") ||
                                            says("context window") || says("too long") ||
                                            says("maximum context") || says("context size")));
    reply.names_max_tokens = status == 400 && !reply.is_too_long &&
                             (says("max_tokens") || says("max_completion_tokens"));
    reply.refuses_request =
        (status == 400 || status == 415 || status == 422 || status == 501) && !reply.is_too_long;
    reply.failure = std::move(failure);
    return reply;
  }

  Reply read_answer(const std::string& body, std::int64_t expected_tokens) const {
    Reply reply;
    const Json json = parse_json(body);
    const Json* choices = find_member(json, "choices");
    // Gateways say 200 and put what the server behind them said into it.
    if (const Json* error = find_member(json, "error");
        error != nullptr && !error->is_null() && choices == nullptr) {
      const std::int64_t code = number_in(*error, "code");
      net::HttpAnswer inner;
      inner.status = code >= 400 && code < 600 ? static_cast<int>(code) : 500;
      inner.body = body;
      return read_refusal(inner);
    }
    if (const Json* usage = find_member(json, "usage"); usage != nullptr) {
      reply.tokens = number_in(*usage, "total_tokens");
      if (reply.tokens == 0) {
        reply.tokens = number_in(*usage, "prompt_tokens") + number_in(*usage, "completion_tokens");
      }
    }
    if (choices == nullptr || !choices->is_array() || choices->empty()) {
      if (reply.tokens == 0) reply.tokens = expected_tokens;
      reply.is_unreadable = true;
      return reply;
    }
    const Json& choice = (*choices)[0];
    const Json* message = find_member(choice, "message");
    if (message != nullptr) {
      reply.content = content_of(*message);
      // Some answer a wish for structure with the call of a tool.
      const Json* calls = find_member(*message, "tool_calls");
      if (reply.content.empty() && calls != nullptr && calls->is_array() && !calls->empty()) {
        if (const Json* function = find_member((*calls)[0], "function")) {
          reply.content = text_member(*function, "arguments");
        }
      }
    } else {
      reply.content = text_member(choice, "text");
    }
    if (reply.tokens == 0) reply.tokens = expected_tokens + estimated_tokens(reply.content.size());
    const std::string finish = text_member(choice, "finish_reason");
    reply.is_cut = finish == "length";
    const bool refuses = message != nullptr && !text_member(*message, "refusal").empty();
    if (reply.content.empty() && (refuses || finish == "content_filter")) {
      reply.failure =
          ProviderFailure{FailureClass::kUnknown,
                          fmt::format("{} of {} refuses to answer", options_.model, host_), false};
    } else if (trim(reply.content).empty()) {
      reply.is_unreadable = true;
    }
    return reply;
  }

  // What the server says is wrong, on one line, without the key.
  std::string reason_in(const Json& json) const {
    const Json* error = find_member(json, "error");
    if (error == nullptr) error = find_member(json, "detail");
    std::string reason;
    if (error != nullptr && error->is_string()) {
      reason = error->get<std::string>();
    } else if (error != nullptr) {
      reason = text_member(*error, "message");
    }
    if (reason.empty()) reason = text_member(json, "message");
    reason = net::without_secret(std::move(reason), options_.api_key);
    return std::string(utf8_prefix(fold_whitespace(reason), kMaxReason));
  }

  const ModelOptions options_;
  const std::string host_;
  std::string url_;
  const std::unique_ptr<Provider> rules_;
  mutable net::HttpClient client_;
  mutable std::atomic<Form> form_ = Form::kSchema;  // what the server was not seen to refuse
  mutable std::atomic<bool> says_completion_tokens_ = false, has_changed_limit_ = false;
};

}  // namespace

std::unique_ptr<Provider> make_openai_provider(ModelOptions options) {
  return std::make_unique<OpenAiProvider>(std::move(options));
}

}  // namespace codexmem::observe

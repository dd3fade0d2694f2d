// A document is built by our own handler for the library's event parser, because the library's own
// builder has no limits. The event parser keeps its stack on the heap and we limit the depth, so no
// text can exhaust the thread's stack when it is parsed, or when the value is written or freed.
//
// Tested by text/json_value_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include "text/json_value.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "text/json.h"
#include "text/json_text.h"
#include "base/text.h"

namespace codexmem {

namespace {

const Json& as_json(const void* node) { return *static_cast<const Json*>(node); }

// Numbers beyond int64 and uint64 become doubles, and lone surrogates become U+FFFD; as ids they
// must be returned unchanged.
struct Document {
  Json root;
  std::vector<std::pair<const Json*, std::string>> tokens;  // ids as they were written
};

constexpr std::size_t kMaxIdDepth = 4;  // batch, message, params, _meta

// The string literals of `written`, in order. `read` is the same text with some escapes replaced by
// others of the same length; literals that are equal in both are returned as empty.
std::vector<std::string_view> list_literals(std::string_view written, std::string_view read) {
  std::vector<std::string_view> literals;
  for (std::size_t at = read.find('"'); at < read.size(); at = read.find('"', at)) {
    const std::size_t begin = at++;
    while (at < read.size() && read[at] != '"') at += read[at] == '\\' ? 2 : 1;
    if (at >= read.size()) break;
    const std::string_view literal = written.substr(begin, ++at - begin);
    const bool is_changed = literal != read.substr(begin, literal.size());
    literals.push_back(is_changed ? literal : std::string_view());
  }
  return literals;
}

class Builder {
 public:
  /// `literals`: the result of list_literals(), or empty if no string differs.
  Builder(const JsonLimits& limits, std::vector<std::string_view> literals)
      : limits_(limits), literals_(std::move(literals)) {}

  // The events of nlohmann::json_sax; false stops the parser.
  bool null() { return add(Json(nullptr)); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(Json::number_integer_t value) { return add(Json(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(Json(value)); }
  bool number_float(Json::number_float_t value, const std::string& token) {
    return add_id(Json(value), token);
  }
  bool string(std::string& value) {
    const std::size_t literal = strings_++;
    if (literal >= literals_.size() || literals_[literal].empty())
      return add(Json(std::move(value)));
    return add_id(Json(std::move(value)), literals_[literal]);
  }
  bool binary(Json::binary_t&) { return fail("binary value"); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(std::string& name) {
    name_ = std::move(name);
    ++strings_;
    return true;
  }
  bool end_object() {
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    // 406: a number that no double can hold.
    const std::string what = error.id == 406 ? "number out of range" : "not valid JSON";
    return fail(what + " at byte " + std::to_string(position));
  }

  /// The built document. The builder is empty afterwards.
  std::shared_ptr<const Document> finish() {
    auto document = std::make_shared<Document>();
    document->root = std::move(root_);
    for (auto& [path, token] : tokens_) {
      const Json* node = &document->root;
      for (const std::size_t index : path) {
        if (node->is_array()) {
          node = &node->get_ref<const Json::array_t&>()[index];
        } else {
          const auto& members = node->get_ref<const Json::object_t&>();
          node = &std::next(members.begin(), static_cast<std::ptrdiff_t>(index))->second;
        }
      }
      document->tokens.emplace_back(node, std::move(token));
    }
    return document;
  }
  const std::string& failure() const { return failure_; }
  std::optional<std::string>& duplicate() { return duplicate_; }

 private:
  bool fail(std::string what) {
    failure_ = std::move(what);
    return false;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      auto& elements = parent.get_ref<Json::array_t&>();
      elements.push_back(std::move(value));
      return &elements.back();
    }
    const auto [member, is_new] =
        parent.get_ref<Json::object_t&>().emplace(std::move(name_), Json());
    if (!is_new && !duplicate_) duplicate_ = std::string(utf8_prefix(member->first, 100));
    member->second = std::move(value);
    return &member->second;
  }

  bool add(Json value) {
    if (++values_ > limits_.max_values) {
      return fail("more than " + std::to_string(limits_.max_values) + " values");
    }
    place(std::move(value));
    return true;
  }

  // Like add(), and keeps `token`, the text that the id was read from.
  bool add_id(Json value, std::string_view token) {
    const bool identifies = name_ == "id" || name_ == "requestId" || name_ == "progressToken";
    const bool named = !open_.empty() && open_.back()->is_object();
    if (!add(std::move(value))) return false;
    if (identifies && named && open_.size() <= kMaxIdDepth) {
      std::vector<std::size_t> path;
      for (const Json* parent : open_) path.push_back(parent->size() - 1);
      tokens_.emplace_back(std::move(path), token);
    }
    return true;
  }

  bool open(Json value) {
    if (open_.size() >= limits_.max_depth) {
      return fail("nested deeper than " + std::to_string(limits_.max_depth) + " levels");
    }
    if (++values_ > limits_.max_values) {
      return fail("more than " + std::to_string(limits_.max_values) + " values");
    }
    // The parent's elements do not move while this one is open, because nothing is added to the
    // parent.
    open_.push_back(place(std::move(value)));
    return true;
  }

  JsonLimits limits_;
  Json root_;
  std::vector<Json*> open_;  // arrays and objects that are still open, outermost first
  std::string name_;         // of the member whose value follows
  std::vector<std::string_view> literals_;
  std::size_t strings_ = 0;  // strings read so far, including names
  std::vector<std::pair<std::vector<std::size_t>, std::string>> tokens_;  // path, text
  std::size_t values_ = 0;
  std::string failure_;
  std::optional<std::string> duplicate_;
};

}  // namespace

Result<JsonValue> JsonValue::parse(std::string_view text, const JsonLimits& limits) {
  std::optional<std::string> duplicate;
  Result<JsonValue> value = parse(text, limits, duplicate);
  if (value.ok() && duplicate) {
    return Error{ErrorCode::kUnsupported, "member \"" + *duplicate + "\" is given twice"};
  }
  return value;
}

Result<JsonValue> JsonValue::parse(std::string_view text, const JsonLimits& limits,
                                   std::optional<std::string>& duplicate) {
  // The library takes a zero byte after a value for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != text.npos) {
    return Error{ErrorCode::kInvalidArgument, "not valid JSON at byte " + std::to_string(zero + 1)};
  }
  const std::string written = repair_utf8(text);
  const std::string sound = repair_json(written);
  Builder builder(
      limits, sound == written ? std::vector<std::string_view>() : list_literals(written, sound));
  try {
    if (!Json::sax_parse(sound.begin(), sound.end(), &builder)) {
      return Error{ErrorCode::kInvalidArgument, builder.failure()};
    }
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInvalidArgument, error.what()};
  }
  duplicate = std::move(builder.duplicate());
  auto document = builder.finish();
  const void* node = &document->root;
  return JsonValue(std::move(document), node);
}

bool JsonValue::is_null() const { return node_ && as_json(node_).is_null(); }
bool JsonValue::is_object() const { return node_ && as_json(node_).is_object(); }
bool JsonValue::is_array() const { return node_ && as_json(node_).is_array(); }
bool JsonValue::is_string() const { return node_ && as_json(node_).is_string(); }
bool JsonValue::is_number() const { return node_ && as_json(node_).is_number(); }
bool JsonValue::is_boolean() const { return node_ && as_json(node_).is_boolean(); }

std::string_view JsonValue::type_name() const {
  return node_ ? std::string_view(as_json(node_).type_name()) : std::string_view("absent");
}

JsonValue JsonValue::member(std::string_view name) const {
  if (!is_object()) return {};
  for (const auto& [key, value] : as_json(node_).get_ref<const Json::object_t&>()) {
    if (key == name) return JsonValue(document_, &value);
  }
  return {};
}

std::vector<std::string> JsonValue::member_names() const {
  std::vector<std::string> names;
  if (!is_object()) return names;
  for (const auto& [key, value] : as_json(node_).get_ref<const Json::object_t&>()) {
    names.push_back(key);
  }
  return names;
}

std::size_t JsonValue::size() const {
  return is_object() || is_array() ? as_json(node_).size() : 0;
}

JsonValue JsonValue::element(std::size_t index) const {
  if (!is_array() || index >= as_json(node_).size()) return {};
  return JsonValue(document_, &as_json(node_)[index]);
}

std::optional<std::string> JsonValue::string() const {
  if (!is_string()) return std::nullopt;
  return as_json(node_).get_ref<const std::string&>();
}

std::optional<bool> JsonValue::boolean() const {
  if (!is_boolean()) return std::nullopt;
  return as_json(node_).get<bool>();
}

std::optional<double> JsonValue::number() const {
  if (!is_number()) return std::nullopt;
  return as_json(node_).get<double>();
}

std::optional<std::int64_t> JsonValue::integer() const {
  if (!is_number()) return std::nullopt;
  const Json& json = as_json(node_);
  if (json.is_number_float()) {
    const double value = json.get<double>();
    // Both bounds are exact doubles; int64's own maximum is not.
    if (value != std::floor(value) || value < -9223372036854775808.0 ||
        value >= 9223372036854775808.0) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(value);
  }
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return json.get<std::int64_t>();
}

std::string JsonValue::dump() const { return node_ ? dump_json(as_json(node_)) : "null"; }

std::string JsonValue::dump_id() const {
  if (is_number() || is_string()) {
    for (const auto& [node, token] : static_cast<const Document*>(document_.get())->tokens) {
      if (node == node_) return token;
    }
  }
  return dump();
}

std::string json_quote(std::string_view text) { return dump_json(Json(std::string(text))); }

}  // namespace codexmem

// Tested by observe/model_reply_test.cpp.
#include "observe/models/model_reply.h"

#include <algorithm>
#include <array>

#include "text/json.h"
#include "text/parse_json.h"
#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 20;
constexpr int kMaxCandidates = 8;  // places where JSON might begin

constexpr std::array<std::string_view, 9> kTypes = {"bugfix",         "feature",       "refactor",
                                                    "change",         "discovery",     "decision",
                                                    "security_alert", "security_note", "sensitive"};

// ---- finding it

// The end of the JSON value that begins at `begin`, by its brackets; npos when it is cut off.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

// The first object or list of objects in `text`; discarded without one.
Json find_json(std::string_view text) {
  Json whole = parse_json(text);
  if (whole.is_object() || whole.is_array()) return whole;
  // Twice encoded.
  if (whole.is_string()) {
    Json inner = parse_json(whole.get_ref<const std::string&>());
    if (inner.is_object() || inner.is_array()) return inner;
  }
  std::size_t at = 0;
  for (int tries = 0; tries < kMaxCandidates; ++tries) {
    const std::size_t begin = text.find_first_of("{[", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = end_of_value(text, begin);
    if (end == std::string_view::npos) {
      at = begin + 1;
      continue;
    }
    Json value = parse_json(text.substr(begin, end - begin));
    if (value.is_object() || (value.is_array() && !value.empty() && value[0].is_object())) {
      return value;
    }
    at = value.is_discarded() ? begin + 1 : end;
  }
  return Json(Json::value_t::discarded);
}

// What a model thought is no answer.
std::string_view without_thoughts(std::string_view text) {
  text = trim(text);
  if (text.starts_with("<think>")) {
    const std::size_t end = text.find("</think>");
    if (end != std::string_view::npos) text = trim(text.substr(end + 8));
  }
  return text;
}

// ---- XML

std::string decode_entities(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      plain += text[i];
      continue;
    }
    const std::string_view rest = text.substr(i, 6);
    bool is_known = false;
    for (const auto& [entity, character] : {std::pair<std::string_view, char>{"&lt;", '<'},
                                            {"&gt;", '>'},
                                            {"&amp;", '&'},
                                            {"&quot;", '"'},
                                            {"&apos;", '\''},
                                            {"&#39;", '\''}}) {
      if (!rest.starts_with(entity)) continue;
      plain += character;
      i += entity.size() - 1;
      is_known = true;
      break;
    }
    if (!is_known) plain += '&';
  }
  return plain;
}

// Goes through the elements of one name, in order.
class Elements {
 public:
  Elements(std::string_view text, std::string_view name)
      : text_(text), open_("<" + std::string(name)), close_("</" + std::string(name) + ">") {}

  // The text inside the next element; nothing after the last, and of one that is not closed.
  std::optional<std::string_view> next() {
    for (;;) {
      const std::size_t begin = text_.find(open_, at_);
      if (begin == std::string_view::npos) return std::nullopt;
      std::size_t i = begin + open_.size();
      // <facts> is no <fact>.
      if (i >= text_.size() || (text_[i] != '>' && text_[i] != '/' && text_[i] != ' ' &&
                                text_[i] != '\n' && text_[i] != '\t')) {
        at_ = i;
        continue;
      }
      i = text_.find('>', i);
      if (i == std::string_view::npos) return std::nullopt;
      at_ = i + 1;
      if (text_[i - 1] == '/') return std::string_view();
      const std::size_t end = text_.find(close_, at_);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view inside = text_.substr(at_, end - at_);
      at_ = end + close_.size();
      return inside;
    }
  }

 private:
  std::string_view text_;
  std::string open_, close_;
  std::size_t at_ = 0;
};

std::string element_text(std::string_view text, std::string_view name) {
  const auto inside = Elements(text, name).next();
  return inside ? decode_entities(trim(*inside)) : "";
}

Json element_list(std::string_view text, std::string_view list, std::string_view item) {
  Json values = Json::array();
  const auto inside = Elements(text, list).next();
  if (!inside) return values;
  Elements items(*inside, item);
  while (const auto value = items.next()) {
    if (values.size() >= kMaxModelItems) break;
    values.push_back(repair_utf8(decode_entities(trim(*value))));
  }
  return values;
}

bool has_element(std::string_view text, std::string_view name) {
  return Elements(text, name).next().has_value();
}

// The same as the JSON that was asked for.
Json observations_of_xml(std::string_view text) {
  Json observations = Json::array();
  Elements elements(text, "observation");
  while (const auto inside = elements.next()) {
    if (observations.size() >= kMaxModelObservations) break;
    if (trim(*inside).empty()) continue;
    Json observation = Json::object();
    for (const std::string_view name : {"type", "title", "subtitle", "narrative", "outcome"}) {
      if (has_element(*inside, name)) {
        observation[std::string(name)] = repair_utf8(element_text(*inside, name));
      }
    }
    observation["facts"] = element_list(*inside, "facts", "fact");
    observation["concepts"] = element_list(*inside, "concepts", "concept");
    observation["files_read"] = element_list(*inside, "files_read", "file");
    observation["files_modified"] = element_list(*inside, "files_modified", "file");
    observations.push_back(std::move(observation));
  }
  return observations;
}

// ---- checking it

std::string bounded(std::string_view text, std::size_t max_bytes) {
  return std::string(trim(utf8_prefix(trim(text), max_bytes)));
}

// A text field; `odd` when it is something else.
std::string text_field(const Json& object, const char* name, std::size_t max_bytes, bool& odd) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (!found->is_string()) {
    odd = true;
    return found->is_primitive() ? dump_json(*found) : "";
  }
  return bounded(found->get_ref<const std::string&>(), max_bytes);
}

std::vector<std::string> list_field(const Json& object, const char* name, bool& odd) {
  std::vector<std::string> items;
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return items;
  if (found->is_string()) {
    odd = true;
    if (std::string item = bounded(found->get_ref<const std::string&>(), kMaxModelItemBytes);
        !item.empty()) {
      items.push_back(std::move(item));
    }
    return items;
  }
  if (!found->is_array()) {
    odd = true;
    return items;
  }
  for (const Json& value : *found) {
    if (items.size() >= kMaxModelItems) break;
    if (!value.is_string()) odd = true;
    if (!value.is_primitive() || value.is_null()) continue;
    std::string item = value.is_string()
                           ? bounded(value.get_ref<const std::string&>(), kMaxModelItemBytes)
                           : dump_json(value);
    if (!item.empty() && std::find(items.begin(), items.end(), item) == items.end()) {
      items.push_back(std::move(item));
    }
  }
  return items;
}

std::string lower_word(std::string_view text) {
  std::string word = to_lower_ascii(trim(text));
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

// Nothing when it says nothing.
std::optional<Observation> read_one(const Json& object, const std::vector<std::int64_t>& ids,
                                    bool& odd) {
  Observation observation;
  observation.type = lower_word(text_field(object, "type", kMaxModelItemBytes, odd));
  if (!is_observation_type(observation.type)) {
    odd = true;
    observation.type = "discovery";
  }
  observation.title = fold_whitespace(text_field(object, "title", kMaxModelTitleBytes, odd));
  observation.subtitle = fold_whitespace(text_field(object, "subtitle", kMaxModelTitleBytes, odd));
  observation.narrative = text_field(object, "narrative", kMaxModelNarrativeBytes, odd);
  observation.facts = list_field(object, "facts", odd);
  observation.files_read = list_field(object, "files_read", odd);
  observation.files_modified = list_field(object, "files_modified", odd);
  for (const std::string& given : list_field(object, "concepts", odd)) {
    std::string concept_name = lower_word(utf8_prefix(given, 60));
    if (concept_name != observation.type) observation.concepts.push_back(std::move(concept_name));
  }
  const std::string outcome = lower_word(text_field(object, "outcome", kMaxModelItemBytes, odd));
  if (outcome == "error" || outcome == "success" || outcome == "none") {
    observation.outcome = outcome;
  }
  if (const auto events = object.find("events"); events != object.end() && events->is_array()) {
    for (const Json& number : *events) {
      if (!number.is_number_unsigned()) continue;
      const auto n = number.get<std::uint64_t>();
      if (n == 0 || n > ids.size()) continue;
      const std::int64_t id = ids[static_cast<std::size_t>(n - 1)];
      auto& known = observation.message_ids;
      if (std::find(known.begin(), known.end(), id) == known.end()) known.push_back(id);
    }
  }
  if (observation.title.empty()) {
    odd = true;
    const std::string& from =
        !observation.subtitle.empty() ? observation.subtitle
        : !observation.narrative.empty()
            ? observation.narrative
            : (observation.facts.empty() ? observation.title : observation.facts.front());
    observation.title = fold_whitespace(utf8_prefix(from, 120));
  }
  if (observation.title.empty()) return std::nullopt;
  return observation;
}

bool looks_like_observation(const Json& object) {
  return object.is_object() &&
         (object.contains("title") || object.contains("narrative") || object.contains("facts"));
}

}  // namespace

bool is_observation_type(std::string_view type) {
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

ReadObservations read_observations(std::string_view text, const std::vector<std::int64_t>& ids) {
  text = without_thoughts(utf8_prefix(text, kMaxReplyBytes));
  ReadObservations read;
  Json list(Json::value_t::discarded);
  const bool is_xml = text.find("<observation") != std::string_view::npos;
  if (is_xml && text.find("<observation") < text.find_first_of("{[")) {
    list = observations_of_xml(text);
  } else {
    Json value = find_json(text);
    if (value.is_discarded()) {
      read.fault = ReplyFault::kUnreadable;
      return read;
    }
    if (value.is_object()) {
      for (const char* name : {"observations", "observation", "results", "items"}) {
        if (const auto found = value.find(name); found != value.end()) {
          list = found->is_object() ? Json::array({*found}) : *found;
          break;
        }
      }
      if (list.is_discarded() && looks_like_observation(value)) list = Json::array({value});
    } else {
      list = std::move(value);
    }
  }
  if (list.is_null()) list = Json::array();
  if (!list.is_array()) {
    read.fault = ReplyFault::kShape;
    return read;
  }
  for (const Json& item : list) {
    if (read.observations.size() >= kMaxModelObservations) break;
    if (!item.is_object()) {
      read.has_odd_values = true;
      continue;
    }
    if (auto observation = read_one(item, ids, read.has_odd_values)) {
      read.observations.push_back(*std::move(observation));
    }
  }
  if (read.observations.empty() && !list.empty()) read.fault = ReplyFault::kShape;
  return read;
}

ReadSummary read_summary(std::string_view text) {
  text = without_thoughts(utf8_prefix(text, kMaxReplyBytes));
  ReadSummary read;
  if (text.find("<skip_summary") != std::string_view::npos) return read;
  SessionSummary summary;
  const std::array<std::pair<const char*, std::string*>, 6> fields = {{
      {"request", &summary.request},
      {"investigated", &summary.investigated},
      {"learned", &summary.learned},
      {"completed", &summary.completed},
      {"next_steps", &summary.next_steps},
      {"notes", &summary.notes},
  }};
  if (const auto inside = Elements(text, "summary").next();
      inside && text.find("<summary") < text.find_first_of("{[")) {
    for (const auto& [name, field] : fields) {
      *field = bounded(element_text(*inside, name), kMaxModelNarrativeBytes);
    }
  } else {
    Json value = find_json(text);
    if (value.is_discarded()) {
      read.fault = ReplyFault::kUnreadable;
      return read;
    }
    if (value.is_array() && !value.empty() && value[0].is_object()) value = Json(value[0]);
    if (value.is_object() && value.contains("summary") && value["summary"].is_object()) {
      value = Json(value["summary"]);
    }
    if (!value.is_object()) {
      read.fault = ReplyFault::kShape;
      return read;
    }
    if (const auto skip = value.find("skip");
        skip != value.end() && skip->is_boolean() && skip->get<bool>()) {
      return read;
    }
    for (const auto& [name, field] : fields) {
      const auto found = value.find(name);
      if (found != value.end() && found->is_array()) {
        read.has_odd_values = true;
        *field = join(list_field(value, name, read.has_odd_values), "\n");
      } else {
        *field = text_field(value, name, kMaxModelNarrativeBytes, read.has_odd_values);
      }
    }
  }
  if (std::all_of(fields.begin(), fields.end(),
                  [](const auto& field) { return field.second->empty(); })) {
    read.fault = ReplyFault::kShape;
    return read;
  }
  read.summary = std::move(summary);
  return read;
}

}  // namespace codexmem::observe

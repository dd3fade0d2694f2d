// text/json_object.h - JSON written as text, member by member, without the JSON library.
//
//     json_object("path", file.path, "lines", file.lines, "about", some(file.about),
//                 "file", json_object("path", file.path), "names", file.names)
//
// Members come in the order of the arguments. Values are texts, numbers, ids, truth values,
// nullptr, JsonText, lists of values, and lists of (name, value) pairs, which become objects. A
// member is left out when its value is an empty std::optional, or some() of an empty one. The text
// is as dump_json() writes it (text/json.h), and costs a tenth of its compile time. Stateless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace codexmem {

/// A JSON value as text on one line.
struct JsonText {
  std::string text;

  operator std::string() const& { return text; }
  operator std::string() && { return std::move(text); }
};

/// A value that is left out when it is empty: a text or list without elements, 0, false, {} or [].
template <typename T>
struct SomeJson {
  const T& value;
};
template <typename T>
SomeJson<T> some(const T& value) {
  return {value};
}

/// `value`, left out unless `given`.
template <typename T>
std::optional<T> json_if(bool given, T value) {
  return given ? std::optional<T>(std::move(value)) : std::nullopt;
}

namespace internal {
void write_quoted(std::string& to, std::string_view value);
void write_number(std::string& to, double value);

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsSome : std::false_type {};
template <typename T>
struct IsSome<SomeJson<T>> : std::true_type {};
// A list of (name, value) pairs.
template <typename T>
concept IsMembers = requires(const T& list) {
  std::string_view(list.begin()->first);
};
// Enums of names are narrower.
template <typename T>
concept IsId = std::is_same_v<std::underlying_type_t<T>, std::int64_t>;

template <typename T>
void write_json(std::string& to, const T& value) {
  static_assert(
      !requires { value.is_object(); }, "wrap it: JsonText{dump_json(value)}");
  if constexpr (std::is_same_v<T, JsonText>) {
    to += value.text;
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    to += "null";
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    write_quoted(to, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    to += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    to += std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    write_number(to, value);
  } else if constexpr (IsId<T>) {
    to += std::to_string(static_cast<std::int64_t>(value));
  } else if constexpr (IsMembers<T>) {
    to += '{';
    for (const auto& [name, member] : value) {
      write_quoted(to, name);
      to += ':';
      write_json(to, member);
      to += ',';
    }
    value.empty() ? to.push_back('}') : static_cast<void>(to.back() = '}');
  } else {
    to += '[';
    for (const auto& item : value) {
      write_json(to, item);
      to += ',';
    }
    value.empty() ? to.push_back(']') : static_cast<void>(to.back() = ']');
  }
}

template <typename T>
bool is_empty_json(const T& value) {
  if constexpr (std::is_same_v<T, JsonText>) {
    return value.text.size() <= 2;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value == T{};
  } else {
    return value.empty();
  }
}

inline void put_members(std::string&) {}
template <typename T, typename... Rest>
void put_members(std::string& to, std::string_view name, const T& value, const Rest&... rest) {
  if constexpr (IsOptional<T>::value) {
    if (value) put_members(to, name, *value);
  } else if constexpr (IsSome<T>::value) {
    if (!is_empty_json(value.value)) put_members(to, name, value.value);
  } else {
    if (to.size() > 1) to += ',';
    write_quoted(to, name);
    to += ':';
    write_json(to, value);
  }
  put_members(to, rest...);
}
}  // namespace internal

/// The object of `members`: name, value, name, value, ...
template <typename... Members>
JsonText json_object(const Members&... members) {
  std::string text = "{";
  internal::put_members(text, members...);
  text += '}';
  return {std::move(text)};
}

/// The list of what `write` makes of each of `items`: JSON texts.
template <typename Items, typename Write>
JsonText json_list(const Items& items, const Write& write) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += std::string(write(item));
  }
  text += ']';
  return {std::move(text)};
}

/// `value` alone.
template <typename T>
JsonText json_value(const T& value) {
  JsonText json;
  internal::write_json(json.text, value);
  return json;
}

/// The object with the members of both.
JsonText json_joined(JsonText object, const JsonText& more);

/// Adds members to `object`.
template <typename... Members>
void json_add(JsonText& object, const Members&... members) {
  object = json_joined(std::move(object), json_object(members...));
}

/// The text, or null when it is empty.
JsonText json_or_null(std::string_view text);

}  // namespace codexmem

// base/result.h - the result of a function that can fail.
//
// A Result<T> holds either a T or an Error. No exception of ours crosses a folder; a file that
// adapts a throwing library catches there and returns an Error. Design: docs/style.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace codexmem {

/// The kind of failure. Codes differ only when a caller would act differently.
enum class ErrorCode {
  kInvalidArgument,  // the caller's input is out of bounds or malformed
  kNotFound,         // the requested thing does not exist
  kCorrupt,          // stored bytes are damaged
  kIo,               // the operating system or the disk refused
  kUnsupported,      // this build or this store version cannot do it
  kCancelled,        // a stop was requested
  kBusy,             // another holder of the resource
  kBlocked,          // a policy forbids it: a secret, a role, a rule of decisions
};

/// The code's name as it is logged: "invalid argument", "not found", ...
std::string_view error_code_name(ErrorCode code);

/// A failure: a code, and a message that lets the user act.
class Error {
 public:
  Error(ErrorCode code, std::string message, std::string details = {})
      : code_(code), message_(std::move(message)), details_(std::move(details)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  /// A JSON object for programs; empty if absent.
  const std::string& details() const { return details_; }

  /// Returns this error with "`what`: " put before its message.
  Error with_context(std::string_view what) && {
    message_ = std::string(what) + ": " + message_;
    return std::move(*this);
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::string details_;
};

/// An error of the caller's input.
inline Error invalid_argument(std::string message) {
  return Error(ErrorCode::kInvalidArgument, std::move(message));
}

/// Ends the program with a message: for bugs in this program, never for bad input.
[[noreturn]] void check_failed(const char* expression, const char* file, int line);

#define CODEXMEM_CHECK(expression) \
  ((expression) ? void(0) : ::codexmem::check_failed(#expression, __FILE__, __LINE__))

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {
  }  // NOLINT(google-explicit-constructor): `return value;`
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {
  }  // NOLINT(google-explicit-constructor): `return Error{...};`

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value. Must only be called when ok().
  T& value() & { return *std::get_if<0>(check_ok()); }
  const T& value() const& { return *std::get_if<0>(check_ok()); }
  T&& value() && { return std::move(*std::get_if<0>(check_ok())); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The error. Must only be called when !ok().
  const Error& error() const& { return *std::get_if<1>(check_error()); }
  Error&& error() && { return std::move(*std::get_if<1>(check_error())); }

 private:
  std::variant<T, Error>* check_ok() {
    CODEXMEM_CHECK(ok());
    return &state_;
  }
  const std::variant<T, Error>* check_ok() const {
    CODEXMEM_CHECK(ok());
    return &state_;
  }
  std::variant<T, Error>* check_error() {
    CODEXMEM_CHECK(!ok());
    return &state_;
  }
  const std::variant<T, Error>* check_error() const {
    CODEXMEM_CHECK(!ok());
    return &state_;
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error)
      : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor): `return Error{...};`

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  const Error& error() const& {
    CODEXMEM_CHECK(!ok());
    return *error_;
  }
  Error&& error() && {
    CODEXMEM_CHECK(!ok());
    return std::move(*error_);
  }

 private:
  std::optional<Error> error_;
};

/// Returns the error of `expression` from the enclosing function when it failed; drops its value.
#define CODEXMEM_TRY(expression)                                            \
  do {                                                                      \
    if (auto codexmem_try_result = (expression); !codexmem_try_result.ok()) \
      return std::move(codexmem_try_result).error();                        \
  } while (false)

#define CODEXMEM_CONCAT_(a, b) a##b
#define CODEXMEM_CONCAT(a, b) CODEXMEM_CONCAT_(a, b)

/// `CODEXMEM_ASSIGN(auto x, f());` declares x as the value of f(), or returns f()'s error.
#define CODEXMEM_ASSIGN(declaration, expression) \
  CODEXMEM_ASSIGN_(CODEXMEM_CONCAT(codexmem_result_, __LINE__), declaration, expression)
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration in parentheses is another one
#define CODEXMEM_ASSIGN_(temporary, declaration, expression) \
  auto temporary = (expression);                             \
  if (!temporary.ok()) return std::move(temporary).error();  \
  declaration = std::move(temporary).value()
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace codexmem

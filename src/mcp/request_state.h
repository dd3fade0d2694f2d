// mcp/request_state.h - the state of a request, which the client carries for the server.
//
// In the stateless era an answer may request more input and a repeat of the call with this text.
// The text passes through the client, so it is sealed: only a recent text from this server, for the
// same request, is opened again. Source: the multi round-trip page of MCP 2026-07-28. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::mcp {

/// With a key of its own, made at random: nothing is opened by another seal. Thread-safe.
class StateSeal {
 public:
  using Clock = std::chrono::steady_clock;

  /// For people to answer in.
  static constexpr std::chrono::minutes kLife{30};

  StateSeal();

  /// `state` for the client to carry; `request` is all that the request asks.
  std::string seal(std::string_view state, std::string_view request,
                   Clock::time_point now = Clock::now()) const;

  /// The state in `sealed`; nothing when it is not of seal() with the same request, or too old.
  std::optional<std::string> open(std::string_view sealed, std::string_view request,
                                  Clock::time_point now = Clock::now()) const;

 private:
  std::string sign(std::string_view text, std::string_view request) const;

  std::string key_;
};

}  // namespace codexmem::mcp

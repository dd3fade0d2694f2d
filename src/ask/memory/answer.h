// ask/memory/answer.h - an answer of the memory's tools, ready for its carriers.
//
// One place for all who answer: MCP's tools, the shell, the worker's routes. JSON goes in and out
// as text. Stateless; safe to use from many threads. Design: docs/memory.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::ask {

/// What a host shows of an answer is either of the two, so each holds the whole of it.
struct Answer {
  bool is_error = false;
  std::string text;
  std::string structured;         // a JSON object on one line; empty: there is the text alone
  bool blames_arguments = false;  // a failure by what was asked, not by what there is
};

/// An object is its own text.
Answer object_answer(std::string object);

/// The text is the bare array of `items` (JSON texts); the object is {"results": [...]} and the
/// members of `siblings`, an object's text.
Answer list_answer(const std::vector<std::string>& items, std::string_view siblings = "{}");

/// The message of a failure, cut where it is long: it may quote an argument.
std::string failure_message(std::string_view message);

/// The failure of the memory and observation tools: text "CODE: message", the object {code,
/// message, details}. CODE is INVALID_ARGUMENT, POLICY_BLOCKED, ENTRY_NOT_FOUND, MIGRATION_FAILURE
/// for a store that is newer than this program or could not be brought up to date, else
/// STORAGE_FAILURE.
Answer memory_failure(const Error& error);

/// The failure of the decision tools: {status: "error", message}.
Answer decision_failure(const Error& error);

/// How many of `items` fit into `max_bytes`, each with `overhead` bytes more; at least one when
/// there is any.
std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes);

}  // namespace codexmem::ask

// ask/answer.h - what a question is answered with: a struct, and how it is written as JSON.
//
// Each question has its own answer struct; the shell prints from the struct, and every carrier of
// JSON takes what to_json() gives. JSON goes out as text. Stateless. Design: docs/how-it-works.md,
// "MCP".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ask/context.h"
#include "base/result.h"

namespace codexmem::ask {

/// An answer as JSON. A host shows a model either the texts or the object, so both say everything.
struct Written {
  std::string text;           // the contract's: an object, a bare array, or markdown
  std::string structured;     // an object on one line; empty: there is only the text
  std::string siblings = {};  // members of `structured` other than the list in `text`; may be empty
  std::string note = {};      // for people: how stale the answer is, and what else it is not about
};

/// The base of all answer structs. An answer is cut to its size when it is made: what it holds is
/// what is shown.
struct Answer {
  Answer() = default;
  Answer(const Answer&) = default;
  Answer(Answer&&) = default;
  Answer& operator=(const Answer&) = default;
  Answer& operator=(Answer&&) = default;
  virtual ~Answer() = default;
  virtual Written to_json() const = 0;

  /// Nothing was found of what the arguments name or select.
  virtual bool is_in_vain() const { return false; }
};

/// A list: the text is the bare array of `items` (JSON texts), the object {"results": [...]} and
/// the members of `siblings` (the text of an object).
Written list_json(const std::vector<std::string>& items, std::string_view siblings);

/// An object is its own text.
Written object_json(std::string object);

/// Why a question was not answered, as its contract words it.
struct Failure {
  std::string type;        // "ValidationError", "ENTRY_NOT_FOUND"; empty: the contract has none
  std::string message;     // for people
  std::string text;        // the contract's
  std::string structured;  // an object on one line
  bool blames_arguments = false;  // says which argument is wrong, of a question that checks its own
};

/// The failure of the code tools: text "Error: TYPE - MESSAGE", the object {type, message}.
Failure named_failure(std::string_view type, std::string_view message);

/// Puts `more` behind the message of `failure`.
void add_to_message(Failure& failure, std::string_view more);

/// `message` without the SQL of stores, cut where it is long: it may quote an argument.
std::string failure_message(std::string_view message);

class RevisionMemo;  // cached facts of a repository's revision (ask/united.h)

/// What an answer says of a repository of a workspace.
struct AnsweredRepository {
  std::string name;
  std::filesystem::path root;
  std::string missing = {};     // why it was not asked; empty: it was
  std::int64_t generation = 0;  // of its store
  std::shared_ptr<RevisionMemo> memo = {};
};

/// Of a workspace, the one repository that an answer is about where the question named none.
struct OnlyRepository {
  std::string name;  // empty: it is about all, about the one that was named, or there is only one
  std::vector<std::string> others;

  /// "about trpc only; `repository` names another: query, zod".
  std::string text(std::string_view argument) const;
};

/// Either an answer or a failure.
struct Outcome {
  std::unique_ptr<Answer> answer;  // null: it failed
  Failure failure = {};
  Staleness staleness = {};
  std::vector<AnsweredRepository> repositories = {};  // of a workspace; else none
  OnlyRepository only = {};
  std::string note = {};  // how the arguments were read, and which are unknown; sentences

  bool ok() const { return answer != nullptr; }
  /// The answer or the failure as JSON; `stale` says what it could not be brought up to date with,
  /// `only` and the note which repositories it is not about, and `note` is among its members.
  Written to_json() const;
  /// What to_json() has to say beside the answer, as sentences: Written::note. Bare arrays and
  /// texts have no room for it.
  std::string notes() const;
};

/// What a typed answer becomes in a question's row.
template <typename T>
Result<std::unique_ptr<Answer>> boxed(Result<T> answer) {
  if (!answer.ok()) return std::move(answer).error();
  return std::unique_ptr<Answer>(std::make_unique<T>(std::move(answer).value()));
}

}  // namespace codexmem::ask

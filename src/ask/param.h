// ask/param.h - a parameter of a question: one row, from which its schema, its checks, its reading,
// its option at the shell and its line in the reference follow.
//
// A row names the member of the question's params struct that it fills:
//
//     {.name = "limit",
//      .type = ParamType::kWhole,
//      .least = 1,
//      .most = 50,
//      .default_json = "10",
//      .into = into<&SearchCodeParams::request, &search::SearchRequest::limit>}
//
// Stateless; safe to use from many threads. Design: docs/design/mcp.md, "Questions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/arguments.h"
#include "base/result.h"

namespace codexmem::ask {

/// The JSON type of a parameter. Texts that mean a number or a truth value are read as one.
enum class ParamType {
  kText,
  kFlag,
  kNumber,
  kWhole,         // the schema says "number", as the contract does; 5.0 is taken and 2.5 refused
  kInteger,       // the schema says "integer"
  kTexts,         // a list of texts
  kTextOrList,    // the schema says a list; one text is a list of one
  kTextOrTexts,   // the schema says a list; one text may have commas between
  kTextOrNumber,  // the schema says a text; a number is taken: a time, an id
  kNumbers,       // a list of numbers
  kObject,
};

/// What a parameter means to the shell: its completions, and how the typed words are read.
enum class Takes {
  kText,
  kFile,
  kPlace,  // a file or a symbol, or path::symbol
  kFolder,
  kSymbol,
  kLanguage,
  kExtension,
  kKind,
  kSentence,  // which may hold commas
  kWords,     // all words of the command line, as one text
  kInput,     // a text, or standard input for -
  kTextFile,  // a file, whose text is taken, or standard input for -
  kTime,      // a local time: a date, yesterday, 7d, ...
  kEndTime,   // the same, a day up to its end
  kAnchor,    // an id of a record, or as kTime
  kIds,       // ids of records, with commas or spaces between
  kHere,      // a file or folder as it is called from the current folder
  kGlobs,     // globs that select files
};

/// A whole number of at least `least`; one above `most` counts as `most`.
struct Clamp {
  std::size_t least = 0, most = 0;
};

struct Param;

/// Reads the argument `param` of `given` into `params`, a params struct. Errors: kInvalidArgument.
using IntoParams = Result<void> (*)(const ToolArguments& given, const Param& param, void* params);

struct Param {
  std::string_view name;
  bool is_lower_case = false;   // of a text that never has capitals
  std::string_view words = {};  // what else is written for a choice: "func=function,def=function"
  std::string_view also = {};   // other names that models write for it, with commas between
  ParamType type = ParamType::kText;
  std::optional<Clamp> clamp = {};    // of a whole number, in place of bounds
  std::string_view description = {};  // for models
  bool required = false;
  bool listed = true;  // false: it is accepted, and models do not see it
  // Bounds of a number, of a text's length in code points, of a list's length.
  std::optional<double> least = {}, most = {};
  bool above_least = false;             // of a number: more than `least`
  std::string_view when_too_long = {};  // a hint for a text beyond `most`
  bool lists_bounds = true;             // false: they hold, and models do not see them
  std::string_view pattern = {};        // a regular expression
  std::string_view choices = {};        // the only values, with commas between
  std::string_view more_choices = {};   // further ones, which models do not see
  std::string_view default_json =
      {};  // used when it is not given; empty: the member stays as it is
  std::string_view shell_default = {};  // the same where lists are whole; empty: as default_json

  // At the shell:
  std::string_view option = {};  // "-l,--limit"; a word without dashes is a word; empty: no option
  std::string_view help = {};
  Takes takes = Takes::kText;

  IntoParams into = nullptr;  // null: ask() or run() reads it
};

/// What into() reads, by the type of the member. A text is one of Param::choices when there are
/// some; a list is split at commas when its type is kTextOrTexts.
Result<void> read_param(const ToolArguments& given, const Param& param, std::string& to);
Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::string>& to);
Result<void> read_param(const ToolArguments& given, const Param& param, bool& to);
Result<void> read_param(const ToolArguments& given, const Param& param, std::optional<bool>& to);
Result<void> read_param(const ToolArguments& given, const Param& param, double& to);
Result<void> read_param(const ToolArguments& given, const Param& param, std::size_t& to);
Result<void> read_param(const ToolArguments& given, const Param& param, std::int64_t& to);
Result<void> read_param(const ToolArguments& given, const Param& param, std::uint32_t& to);
Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::uint32_t>& to);
Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::vector<std::string>& to);
/// A time, in milliseconds since 1970. With Takes::kEndTime a day means its end.
Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::int64_t>& to);
/// Reads nothing when `to` is set: the first of two names counts.
Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<ToolArguments::Anchor>& to);

namespace internal {
template <typename Class, typename Member>
Class class_of(Member Class::*);

template <typename At>
At& reach(At& at) {
  return at;
}
template <typename At, typename Class, typename Member, typename... Rest>
auto& reach(At& at, Member Class::*member, Rest... rest) {
  return reach(at.*member, rest...);
}

template <auto First, auto... Rest>
auto& member_of(void* params) {
  return reach(*static_cast<decltype(class_of(First))*>(params), First, Rest...);
}
}  // namespace internal

/// Param::into for a member of the params struct, or, with several, for a member of a member.
template <auto... Path>
Result<void> into(const ToolArguments& given, const Param& param, void* params) {
  return read_param(given, param, internal::member_of<Path...>(params));
}

/// Param::into for an enum: `Parse` finds the value of a name; an unknown name changes nothing.
template <auto Parse, auto... Path>
Result<void> into_named(const ToolArguments& given, const Param& param, void* params) {
  std::string name;
  CODEXMEM_TRY(read_param(given, param, name));
  if (const auto value = Parse(name)) internal::member_of<Path...>(params) = *value;
  return {};
}

/// Param::into with another function than read_param().
template <auto Read, auto... Path>
Result<void> into_by(const ToolArguments& given, const Param& param, void* params) {
  return Read(given, param, internal::member_of<Path...>(params));
}

/// A text without white space around it; read_filled() refuses an empty one.
Result<void> read_trimmed(const ToolArguments& given, const Param& param, std::string& to);
Result<void> read_filled(const ToolArguments& given, const Param& param, std::string& to);
/// A trimmed text as a list of one, unless it is empty.
Result<void> read_one(const ToolArguments& given, const Param& param, std::vector<std::string>& to);
/// Bytes that are given as tokens.
Result<void> read_bytes(const ToolArguments& given, const Param& param, std::size_t& to);

/// The bounds of max_tokens.
inline constexpr int kMinAnswerTokens = 200;
inline constexpr int kMaxAnswerTokens = 25'000;

/// The shell_default of max_tokens when the shell prints all of an answer.
inline constexpr std::string_view kAllTokens = "1000000000000";

/// The size of an answer: a parameter of every question that cuts its answer. `into` is
/// into_by<read_bytes, ...>.
constexpr Param max_tokens_param(IntoParams into, std::string_view default_json,
                                 std::string_view shell_default = {}) {
  return {.name = "max_tokens",
          .type = ParamType::kWhole,
          .listed = false,
          .least = kMinAnswerTokens,
          .most = kMaxAnswerTokens,
          .lists_bounds = false,
          .default_json = default_json,
          .shell_default = shell_default,
          .into = into};
}

/// What to skip of an answer that was cut.
constexpr Param offset_param(IntoParams into, std::string_view help) {
  return {.name = "offset",
          .type = ParamType::kWhole,
          .listed = false,
          .least = 0,
          .lists_bounds = false,
          .option = "--offset",
          .help = help,
          .into = into};
}

/// A git revision to ask about; ask() replaces the work tree's store with the revision's.
inline constexpr std::string_view kAt = "at";
constexpr Param revision_param() {
  return {.name = kAt,
          .listed = false,
          .option = "--at",
          .help = "Ask about a git revision; nothing is checked out"};
}

/// The only repository of a workspace that is asked about; ask() puts it into the context.
inline constexpr std::string_view kRepository = "repository";
constexpr Param repository_param() {
  return {.name = kRepository,
          .listed = false,
          .option = "--repository",
          .help = "Only results of this repository of the workspace"};
}
/// The same for a question about one of them.
constexpr Param one_repository_param() {
  Param param = repository_param();
  param.help = "The repository of the workspace that is asked about";
  return param;
}

// Param::also of parameters that many questions have.
inline constexpr std::string_view kSymbolNames =
    "name,symbol_name,old_name,qualified_name,identifier,function,function_name,class,class_name,"
    "method,"
    "method_name,query,q,target";
inline constexpr std::string_view kFileNames =
    "path,file,file_name,filename,filepath,files,paths,uri,relative_path,target_file,source_file";
inline constexpr std::string_view kQueryNames =
    "q,search,search_query,text,question,pattern,keyword,keywords,term,words,prompt";
inline constexpr std::string_view kLimitNames =
    "max_results,max,count,n,k,top_k,num_results,size,page_size,first";
inline constexpr std::string_view kIdNames = "id,entry_ids,entry_id,observation_ids,observation_id";

/// `param`, hidden from models.
constexpr Param unlisted(Param param) {
  param.listed = false;
  return param;
}

}  // namespace codexmem::ask

// Tested by app/completion_test.cpp, and in the shells by tests/package/shells_test.py.
#include "app/help/completion.h"

#include <algorithm>

#include "app/command.h"
#include "serve/repository.h"
#include "store/index_facts.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kMaxSymbols = 100;

Result<std::vector<std::string>> list_symbols(const std::string& folder, std::string_view prefix) {
  CODEXMEM_ASSIGN(const auto workspace, serve::open_index(serve::start_directory(folder)));
  CODEXMEM_ASSIGN(auto reader, workspace->reader());
  return store::list_names_with_prefix(*reader, prefix, kMaxSymbols);
}

// One command line being completed.
class Line {
 public:
  explicit Line(std::span<const std::string> words)
      : before_(words.begin(), words.end()), typed_(before_.empty() ? "" : before_.back()) {
    if (!before_.empty()) before_.pop_back();
  }

  Completion complete() {
    std::span<const CommandRow> rows = commands();
    std::size_t at = 0;
    while (at < before_.size() && before_[at] == "-C") {
      if (at + 1 == before_.size()) {
        done_.folders = true;
        return done_;
      }
      folder_ = before_[at + 1];
      at += 2;
    }
    const bool is_help = at < before_.size() && before_[at] == "help";
    if (is_help) ++at;
    while (at < before_.size()) {
      const CommandRow* const row = find_row(rows, before_[at]);
      if (row == nullptr) return done_;
      ++at;
      if (row->subcommands == nullptr) {
        if (!is_help) complete_arguments(*row, at);
        return done_;
      }
      rows = row->subcommands();
    }
    for (const CommandRow& row : rows) offer(std::string(row.name), row.summary);
    if (rows.data() == commands().data() && !is_help) {
      offer("help", "Show the help of a command");
      if (typed_.starts_with('-')) {
        offer("--help", "List the commands");
        offer("--version", "Show the version");
        offer("-C", "Start in another folder");
      }
    }
    return done_;
  }

 private:
  void offer(std::string word, std::string_view summary) {
    if (word.starts_with(typed_)) {
      done_.candidates.push_back({std::move(word), std::string(summary)});
    }
  }

  // The values of an option or argument that begin with `prefix`; `start` is put before each.
  void offer_values(const ArgumentFacts& argument, std::string start, std::string_view prefix) {
    if (argument.is_list && !argument.is_word) {
      const std::size_t comma = prefix.rfind(',');
      if (comma != std::string_view::npos) {
        start += prefix.substr(0, comma + 1);
        prefix = prefix.substr(comma + 1);
      }
    }
    switch (argument.values.kind) {
      case Values::Kind::kText:
        for (const std::string& choice : argument.values.choices) offer(start + choice, "");
        break;
      case Values::Kind::kFile:
        done_.files = true;
        break;
      case Values::Kind::kFolder:
        done_.folders = true;
        break;
      case Values::Kind::kPlace:
        done_.files = true;
        [[fallthrough]];
      case Values::Kind::kSymbol:
        if (prefix.empty()) break;
        if (const auto names = list_symbols(folder_, prefix); names.ok()) {
          for (const std::string& name : *names) {
            // A name typed in another case is replaced by the name in the index.
            done_.candidates.push_back({start + name, ""});
          }
        }
        break;
    }
  }

  void complete_arguments(const CommandRow& row, std::size_t at) {
    const std::unique_ptr<Command> command = row.make();
    Arguments arguments(row.name, row.summary, "");
    command->declare(arguments);
    const std::vector<ArgumentFacts> all = arguments.facts();
    const auto option = [&](std::string_view name) -> const ArgumentFacts* {
      for (const ArgumentFacts& one : all) {
        if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return &one;
      }
      return nullptr;
    };
    std::size_t words = 0;  // that stand before the one typed
    bool only_words = false;
    std::vector<const ArgumentFacts*> given;
    for (; at < before_.size(); ++at) {
      const std::string& word = before_[at];
      if (only_words || word == "-" || !word.starts_with('-')) {
        ++words;
      } else if (word == "--") {
        only_words = true;
      } else if (const ArgumentFacts* const one = option(word); one != nullptr) {
        given.push_back(one);
        if (!one->value_name.empty() && ++at == before_.size()) {
          offer_values(*one, "", typed_);
          return;
        }
      }
    }
    if (!only_words && typed_.starts_with("--") && typed_.find('=') != std::string::npos) {
      const std::size_t equals = typed_.find('=');
      const ArgumentFacts* const one = option(typed_.substr(0, equals));
      if (one != nullptr && !one->value_name.empty()) {
        offer_values(*one, typed_.substr(0, equals + 1),
                     std::string_view(typed_).substr(equals + 1));
      }
      return;
    }
    if (!only_words && typed_.starts_with('-')) {
      for (const ArgumentFacts& one : all) {
        const bool is_used = std::find(given.begin(), given.end(), &one) != given.end();
        if (one.is_word || (is_used && !one.is_list)) continue;
        for (const std::string& name : one.names) offer(name, one.help);
      }
      offer("--help", "Show options and examples");
      return;
    }
    for (const ArgumentFacts& one : all) {
      if (!one.is_word) continue;
      if (words == 0 || one.is_list) {
        offer_values(one, "", typed_);
        return;
      }
      --words;
    }
  }

  std::vector<std::string> before_;
  std::string typed_;
  std::string folder_;  // of -C
  Completion done_;
};

constexpr std::string_view kBash =
    R"sh(# bash completion of codexmem; `codexmem completion bash` prints it.
_codexmem() {
  # bash breaks words at = and :, which belong to --option=value and path::name.
  local words=() word join='' i
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]//\\/}
    if [[ $word == [=:]* && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word join=1
    elif [[ $join ]]; then
      words[-1]+=$word join=''
    else
      words+=("$word")
    fi
  done
  local typed=${words[-1]-} lines
  mapfile -t lines < <("$1" completion words -- "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  case ${lines[0]-} in
    files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$typed") ;;
    folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$typed") ;;
  esac
  local cut=${typed%"${typed##*[=:]}"}
  for word in "${lines[@]:1}"; do
    word=${word%%$'\t'*}
    printf -v word %q "${word#"$cut"}"
    COMPREPLY+=("${word//\\,/,}")
  done
  # A list goes on with a comma.
  [[ $typed == *,* ]] && compopt -o nospace
  return 0
}
complete -F _codexmem codexmem
)sh";

constexpr std::string_view kZsh = R"sh(#compdef codexmem
# zsh completion of codexmem; `codexmem completion zsh` prints it.
_codexmem() {
  local -a lines described
  local line
  lines=("${(@f)$("${(Q)words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  [[ $lines[1] == files ]] && _files
  [[ $lines[1] == folders ]] && _files -/
  (( $#described )) && _describe -V codexmem described
}
if [[ $funcstack[1] == _codexmem ]]; then
  _codexmem "$@"
else
  compdef _codexmem codexmem
fi
)sh";

constexpr std::string_view kFish =
    R"sh(# fish completion of codexmem; `codexmem completion fish` prints it.
function __codexmem_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines ($words[1] completion words -- $words[2..-1] "$typed" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case folders
            __fish_complete_directories "$typed" ''
    end
    set -q lines[2]; and printf '%s\n' $lines[2..-1]
end
complete -c codexmem -f -k -a '(__codexmem_complete)'
)sh";

}  // namespace

Completion complete(std::span<const std::string> words) { return Line(words).complete(); }

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return {};
}

}  // namespace codexmem::app

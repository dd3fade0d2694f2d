// codexmem debug: every stored thing can be seen.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>

#include "app/command.h"
#include "base/terminal_text.h"
#include "app/signals.h"
#include "app/help/manual.h"
#include "app/help/reference.h"
#include "serve/repository.h"
#include "base/file.h"
#include "base/text.h"
#include "index/discovery/decode.h"
#include "index/packs/dump.h"
#include "index/packs/store_check.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/facts_print.h"
#include "parse/rules/languages.h"
#include "search/exact_query.h"
#include "search/exact_search.h"
#include "search/snapshot.h"
#include "store/index_facts.h"
#include "text/counted.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kTopics =
    "parse, symbol, edges, facts, match, dump, copy, check, verify, schema, stats, man or "
    "reference";

std::string place(const Position& position) {
  return fmt::format("{}:{}", position.line, position.column);
}

class DebugCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("WHAT", topic_, fmt::format("One of {}", kTopics), true)
        .are({"parse", "symbol", "edges", "facts", "match", "dump", "copy", "check", "verify",
              "schema", "stats", "man", "reference"});
    arguments.text("NAME", name_, "The file, symbol, repository, program or page that it is about")
        .are_files();
  }

  ExitCode run(Console& console) override {
    if (topic_ == "schema") return with_reader(console, &DebugCommand::show_schema);
    if (topic_ == "stats") return with_reader(console, &DebugCommand::show_stats);
    if (topic_ == "check") return show_check(console);
    if (topic_ == "verify") return show_verify(console);
    if (topic_ == "man") return show_manual(console);
    if (topic_ == "reference") return show_reference(console);
    if (topic_ == "dump") return with_reader(console, &DebugCommand::show_dump, name_);
    if (topic_ != "parse" && topic_ != "symbol" && topic_ != "edges" && topic_ != "facts" &&
        topic_ != "match" && topic_ != "copy") {
      console.error(fmt::format("debug knows {}, not \"{}\"", kTopics, topic_));
      return ExitCode::kError;
    }
    if (name_.empty()) {
      console.error(fmt::format("debug {} needs a {}", topic_,
                                topic_ == "symbol"  ? "symbol's name"
                                : topic_ == "match" ? "question"
                                                    : "file"));
      return ExitCode::kError;
    }
    if (topic_ == "symbol") return with_reader(console, &DebugCommand::show_symbol);
    if (topic_ == "edges") return with_reader(console, &DebugCommand::show_edges);
    if (topic_ == "facts") return with_reader(console, &DebugCommand::show_facts);
    if (topic_ == "match") return with_reader(console, &DebugCommand::show_matches);
    if (topic_ == "copy") return with_reader(console, &DebugCommand::write_copy);
    auto parsed = show_parse(console);
    return parsed.ok() ? *parsed : fail(console, parsed.error());
  }

 private:
  using Show = Result<ExitCode> (DebugCommand::*)(store::StoreReader&, Console&);

  ExitCode with_reader(Console& console, Show show, const std::string& start = "") {
    auto workspace = serve::open_index(serve::start_directory(start));
    if (!workspace.ok()) return fail_to_find(console, workspace.error());
    root_ = (*workspace)->root();
    ranking_path_ = (*workspace)->ranking_path();
    auto reader = (*workspace)->reader();
    if (!reader.ok()) return fail(console, reader.error());
    auto code = (this->*show)(**reader, console);
    return code.ok() ? *code : fail_to_find(console, code.error());
  }

  ExitCode show_manual(Console& console) {
    const std::string page = manual_page(name_.empty() ? "codexmem" : name_);
    if (page.empty()) {
      console.error(fmt::format(
          "there are manual pages of codexmem and codexmem-hook, not of \"{}\"", name_));
      return ExitCode::kError;
    }
    console.print(page);
    return ExitCode::kFound;
  }

  ExitCode show_reference(Console& console) {
    const std::string page = reference_page(name_);
    if (page.empty()) {
      console.error(fmt::format(
          "debug reference takes commands, tools, settings or languages, not \"{}\"", name_));
      return ExitCode::kError;
    }
    console.print(page);
    return ExitCode::kFound;
  }

  Result<store::FileRow> get_file(store::StoreReader& reader) {
    const std::string path = serve::relative_to_root(root_, serve::start_directory(""), name_);
    CODEXMEM_ASSIGN(std::optional<store::FileRow> file, reader.find_file(path));
    if (!file) return Error{ErrorCode::kNotFound, fmt::format("{} is not indexed", path)};
    return *std::move(file);
  }

  Result<ExitCode> show_schema(store::StoreReader& reader, Console& console) {
    CODEXMEM_ASSIGN(const auto version, store::schema_version(reader.database()));
    console.print_line(fmt::format("-- {}, schema {}", reader.database().path().string(), version));
    CODEXMEM_ASSIGN(const auto schema, store::list_schema(reader.database()));
    for (const std::string& sql : schema) console.print(sql + ";\n");
    return ExitCode::kFound;
  }

  Result<ExitCode> show_stats(store::StoreReader& reader, Console& console) {
    CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
    CODEXMEM_ASSIGN(const auto size, store::measure_database(reader.database()));
    console.print_line(fmt::format("generation {}, {} in {} pages, {} of them free", generation,
                                   readable_bytes(size.page_bytes * size.pages),
                                   with_thousands(size.pages), with_thousands(size.free_pages)));
    for (const store::TableSize& table : size.tables) {
      console.print_line(fmt::format("{:<24}{:>12} rows {:>10}", table.name,
                                     with_thousands(table.rows), readable_bytes(table.bytes)));
    }
    return ExitCode::kFound;
  }

  Result<ExitCode> show_dump(store::StoreReader& reader, Console& console) {
    CODEXMEM_TRY(
        index::dump_index(reader, [&](std::string_view line) { console.print_json(line); }));
    return ExitCode::kFound;
  }

  // For other programs, which cannot read an index that shares pages with others.
  Result<ExitCode> write_copy(store::StoreReader& reader, Console& /*console*/) {
    std::error_code failed;
    if (fs::exists(name_, failed)) {
      return Error{ErrorCode::kInvalidArgument, name_ + " is there already"};
    }
    const auto done = reader.database().backup_to(name_);
    if (!done.ok()) fs::remove(name_, failed);
    return done.ok() ? Result<ExitCode>(ExitCode::kFound) : Result<ExitCode>(done.error());
  }

  ExitCode show_check(Console& console) {
    auto workspace = serve::open_index(serve::start_directory(name_));
    if (!workspace.ok()) return fail(console, workspace.error());
    const auto found = index::check_store(**workspace);
    if (!found.ok()) return fail(console, found.error());
    for (const std::string& problem : found->problems) console.print_line(problem);
    for (const store::FileRow& file : found->unread) {
      console.print_line(file.path + ": its facts cannot be read");
    }
    if (!found->problems.empty()) {
      console.error("the index is damaged: `codexmem index --force` rebuilds it");
      return ExitCode::kError;
    }
    if (!found->unread.empty()) {
      console.error("the next `codexmem index` reads these files again");
      return ExitCode::kError;
    }
    console.print_line(
        fmt::format("no damage: {} files compared with their hashes{}", found->files,
                    found->unknown == 0 ? "" : fmt::format(", {} could not be", found->unknown)));
    if (const auto& kind = found->vectors) {
      console.print_line(fmt::format("FAISS finds the same in {}: {} vectors of {}", kind->type(),
                                     with_thousands(static_cast<long long>(kind->vectors)),
                                     kind->dimension));
    }
    return ExitCode::kFound;
  }

  // Whether a pack lied, of all files.
  ExitCode show_verify(Console& console) {
    auto workspace = serve::open_index(serve::start_directory(name_));
    if (!workspace.ok()) return fail(console, workspace.error());
    const StopOnSignal stop;
    const auto found = index::check_facts(**workspace, stop.token());
    if (!found.ok()) return fail(console, found.error());
    for (const store::FileRow& file : found->differs) {
      console.print_line(terminal_line(file.path) + ": the index says something else of it");
    }
    if (!found->differs.empty()) {
      console.error("the next `codexmem index` reads these files again");
      return ExitCode::kError;
    }
    console.print_line(fmt::format("{} parsed again: the index says the same of each",
                                   counted(found->compared, "file")));
    return ExitCode::kFound;
  }

  Result<ExitCode> show_symbol(store::StoreReader& reader, Console& console) {
    const std::size_t dot = name_.rfind('.');
    const std::string last = dot == std::string::npos ? name_ : name_.substr(dot + 1);
    CODEXMEM_ASSIGN(std::vector<store::SymbolRow> rows, reader.list_symbols_named(last));
    CODEXMEM_TRY(reader.read_texts(rows));
    std::size_t shown = 0;
    for (const store::SymbolRow& row : rows) {
      if (last != name_ && !row.qualified_name().ends_with(name_)) continue;
      CODEXMEM_ASSIGN(const auto file, reader.find_file(store::file_of(row.id)));
      ++shown;
      console.print_line(fmt::format(
          "{} {}\n  {} ({}) in {} {}-{}, name at {}, bytes {}-{}, {}exported\n  modifiers {}\n  {}",
          static_cast<std::int64_t>(row.id), row.qualified_name(), symbol_type_name(row.type),
          row.kind, file ? file->path : "?", place(row.start), place(row.end),
          place(row.name_start), row.range.begin, row.range.end, row.exported ? "" : "not ",
          row.modifiers, row.signature));
      if (!row.docstring.empty()) console.print_line("  \"" + row.docstring + "\"");
    }
    return shown > 0 ? ExitCode::kFound : ExitCode::kNothingFound;
  }

  Result<ExitCode> show_edges(store::StoreReader& reader, Console& console) {
    CODEXMEM_ASSIGN(const store::FileRow file, get_file(reader));
    CODEXMEM_ASSIGN(const auto out, reader.list_dependencies(file.id));
    CODEXMEM_ASSIGN(const auto in, reader.list_dependents(file.id));
    for (const store::DependencyRow& row : out) {
      std::string target = "not found";
      if (row.is_external) {
        target = "external " + row.package;
      } else if (row.target) {
        CODEXMEM_ASSIGN(const auto other, reader.find_file(*row.target));
        if (other) target = other->path;
      }
      console.print_line(fmt::format("line {:<5} {} \"{}\" -> {} {{{}}}", row.line, row.import_type,
                                     row.import_path, target, join(row.symbols, ", ")));
    }
    for (const store::DependencyRow& row : in) {
      CODEXMEM_ASSIGN(const auto other, reader.find_file(row.source));
      console.print_line(fmt::format("from {}:{} {} \"{}\" {{{}}}", other ? other->path : "?",
                                     row.line, row.import_type, row.import_path,
                                     join(row.symbols, ", ")));
    }
    return out.empty() && in.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
  }

  Result<ExitCode> show_facts(store::StoreReader& reader, Console& console) {
    CODEXMEM_ASSIGN(const store::FileRow file, get_file(reader));
    CODEXMEM_ASSIGN(const std::optional<std::string> blob, reader.find_facts(file.id));
    CODEXMEM_ASSIGN(const std::optional<std::string> content, reader.find_content(file.id));
    if (!blob || !content) return ExitCode::kNothingFound;
    CODEXMEM_ASSIGN(const parse::FileFacts facts, parse::decode_facts(*blob));
    console.print(parse::print_facts(facts, *content));
    return ExitCode::kFound;
  }

  // Every line that the exact parts of a question match; of several, a line of the name each.
  Result<ExitCode> show_matches(store::StoreReader& reader, Console& console) {
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader.database()));
    CODEXMEM_ASSIGN(const auto snapshot, search::Snapshot::build(reader, ranking_path_, nullptr));
    for (const std::string_view query : split(name_, '\n')) {
      CODEXMEM_ASSIGN(const search::ExactMatcher matcher,
                      search::ExactMatcher::make(search::read_exact_query(query).parts));
      if (matcher.is_empty()) continue;
      const auto begin = std::chrono::steady_clock::now();
      CODEXMEM_ASSIGN(const search::ExactFiles found,
                      search::find_exact_files(reader, *snapshot, matcher, search::FileFilter(),
                                               {begin + search::SearchOptions().exact_patience}));
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - begin;
      console.print_line(fmt::format("# {}: {} lines in {} files, {} texts read, {:.1f} ms", query,
                                     found.line_count, found.files.size(), found.read,
                                     time.count()));
      for (search::FileNumber i = 0; i < snapshot->file_end(); ++i) {
        const store::FileId file = snapshot->id(i);
        if (!snapshot->has(i) || !found.files.contains(static_cast<std::int64_t>(file))) continue;
        CODEXMEM_ASSIGN(const auto text, reader.find_content(file));
        for (const search::ExactLine& line :
             search::find_exact_lines(matcher, text.value_or(""), nullptr, std::string::npos, {})) {
          console.print_line(fmt::format("{}:{}", snapshot->path(i), line.number));
        }
      }
    }
    return ExitCode::kFound;
  }

  // Of the file on disk, indexed or not.
  Result<ExitCode> show_parse(Console& console) {
    CODEXMEM_ASSIGN(std::string bytes, read_file(name_));
    const auto decoded = index::decode_text(std::move(bytes));
    if (!decoded) return Error{ErrorCode::kUnsupported, fmt::format("{} is not text", name_)};
    const parse::Language* language = parse::detect_language(name_, decoded->text);
    if (language == nullptr) {
      return Error{ErrorCode::kUnsupported, fmt::format("{} is of no known language", name_)};
    }
    parse::Extractor extractor;
    CODEXMEM_ASSIGN(const parse::FileFacts facts, extractor.extract(*language, decoded->text));
    console.print(parse::print_facts(facts, decoded->text));
    return ExitCode::kFound;
  }

  std::string topic_;
  std::string name_;
  fs::path root_, ranking_path_;
};

}  // namespace

std::unique_ptr<Command> make_debug_command() { return std::make_unique<DebugCommand>(); }

}  // namespace codexmem::app

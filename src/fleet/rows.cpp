// The document of a file's row, in which Chroma's full-text search finds whole names and words:
//
//   PATH \n ¬NAME¬NAME¬NAME¬ \n ¦TERM¦TERM¦TERM¦
//
// Metadata has few keys, with readable names: each is a row of its own in Chroma's database.
//
// Tested by fleet/rows_test.cpp.
#include "fleet/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace codexmem::fleet {
namespace {

using embed::ChromaMetadata;
using embed::ChromaRecord;
using embed::ChromaRow;
using embed::ChromaValue;

constexpr int kLayout = 2;                // raised when older rows can no longer be read
constexpr std::size_t kModelDigits = 10;  // of the hash in the names of collections
constexpr std::size_t kMarkDigits = 8;    // of a repository
constexpr std::size_t kIdDigits = 24;     // 96 bits, of path and content
constexpr std::size_t kPathDigits = 8;
constexpr double kCentralityUnits = 1000;   // centrality is written in thousandths
constexpr std::size_t kMaxNames = 2000;    // of a file
constexpr std::size_t kMaxWords = 20'000;  // of a file: a longer one is data
constexpr std::string_view kNameEnd = "\u00AC", kWordEnd = "\u00A6";

std::string text_at(const ChromaMetadata& metadata, std::string_view key) {
  const auto at = metadata.find(key);
  if (at == metadata.end()) return {};
  const auto* const text = std::get_if<std::string>(&at->second);
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_at(const ChromaMetadata& metadata, std::string_view key) {
  const auto at = metadata.find(key);
  if (at == metadata.end()) return 0;
  const auto* const number = std::get_if<std::int64_t>(&at->second);
  return number == nullptr ? 0 : *number;
}

std::uint32_t read_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "12-40"; 1-1 for anything else.
std::pair<std::uint32_t, std::uint32_t> read_lines(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const std::uint32_t first = std::max(read_number(text.substr(0, dash)), 1U);
  return {first, std::max(read_number(text.substr(std::min(dash + 1, text.size()))), first)};
}

// Removes " (method)" from "Cart.add (method)", and returns the part in the brackets.
std::string split_type(std::string* symbol) {
  const std::size_t open = symbol->rfind(" (");
  if (open == std::string::npos || !symbol->ends_with(')')) return {};
  std::string type = symbol->substr(open + 2, symbol->size() - open - 3);
  symbol->resize(open);
  return type;
}

// The texts between separators.
std::vector<std::string> read_list(std::string_view text, std::string_view separator) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) list.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + separator.size());
  }
  return list;
}

std::string definitions_text(const std::vector<NamedPlace>& definitions) {
  std::string text;
  for (const NamedPlace& each : definitions) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}-{} {} {} {}", each.line, each.end_line, each.type,
                        each.kind.empty() ? "-" : each.kind, each.name);
  }
  return text;
}

std::vector<NamedPlace> read_definitions(std::string_view text) {
  std::vector<NamedPlace> definitions;
  if (text.empty()) return definitions;
  for (std::string_view line : split(text, '\n')) {
    std::array<std::string_view, 3> words;
    bool is_whole = true;
    for (std::string_view& word : words) {
      const std::size_t space = line.find(' ');
      is_whole = is_whole && space != std::string_view::npos;
      if (!is_whole || space == 0) break;
      word = line.substr(0, space);
      line.remove_prefix(space + 1);
    }
    if (!is_whole || words[0].empty()) continue;
    const auto [first, last] = read_lines(words[0]);
    definitions.push_back({std::string(line), std::string(words[1]),
                           words[2] == "-" ? std::string() : std::string(words[2]), first, last});
  }
  return definitions;
}

}  // namespace

CollectionNames collection_names(std::string_view model) {
  const std::string number =
      sha256_hex(fmt::format("{}\n{}", kLayout, model)).substr(0, kModelDigits);
  return {fmt::format("codexmem-{}-repositories", number), fmt::format("codexmem-{}-files", number),
          fmt::format("codexmem-{}-pieces", number)};
}

ChromaRow to_row(const RepositoryRow& repository) {
  ChromaRow row;
  row.id = repository.name;
  row.vector = {1};  // a row must have one
  row.metadata = {
      {"repository", repository.name},  {"revision", repository.revision},
      {"digest", repository.digest},    {"push", repository.push},
      {"pushed", repository.pushed_ms}, {"complete", std::int64_t{repository.is_complete ? 1 : 0}},
      {"files", repository.files},      {"pieces", repository.pieces},
      {"lines", repository.lines},      {"terms", repository.terms},
      {"leftOut", repository.left_out}};
  std::vector<std::pair<std::uint32_t, std::string_view>> terms;
  for (const auto& [term, files] : repository.frequencies) terms.emplace_back(files, term);
  std::ranges::sort(terms, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (terms.size() > kTermsCounted) terms.resize(kTermsCounted);
  for (const auto& [files, term] : terms) row.document += fmt::format("{} {}\n", term, files);
  return row;
}

std::optional<RepositoryRow> read_repository(const ChromaRecord& record) {
  RepositoryRow repository;
  repository.name = text_at(record.metadata, "repository");
  if (repository.name.empty()) return std::nullopt;
  repository.revision = text_at(record.metadata, "revision");
  repository.digest = text_at(record.metadata, "digest");
  repository.push = text_at(record.metadata, "push");
  repository.pushed_ms = number_at(record.metadata, "pushed");
  repository.is_complete = number_at(record.metadata, "complete") != 0;
  repository.files = number_at(record.metadata, "files");
  repository.pieces = number_at(record.metadata, "pieces");
  repository.lines = number_at(record.metadata, "lines");
  repository.terms = number_at(record.metadata, "terms");
  repository.left_out = number_at(record.metadata, "leftOut");
  for (const std::string_view line : split(record.document, '\n')) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos) continue;
    repository.frequencies.emplace(line.substr(0, space), read_number(line.substr(space + 1)));
  }
  return repository;
}

std::string piece_id(std::string_view file, std::uint32_t index) {
  return fmt::format("{}.{}", file, index);
}

PiecePlace piece_place(std::string_view id) {
  const std::size_t dot = id.rfind('.');
  if (dot == std::string_view::npos) return {id, 0};
  return {id.substr(0, dot), read_number(id.substr(dot + 1))};
}

ChromaRow to_row(const PieceRow& piece, std::vector<float> vector) {
  ChromaRow row{piece_id(piece.file, piece.index), piece.text, {}, std::move(vector)};
  row.metadata = {{"repository", piece.repository},
                  {"path", piece.path},
                  {"lines", fmt::format("{}-{}", piece.start_line, piece.end_line)},
                  {"language", piece.language},
                  {"revision", piece.revision}};
  if (!piece.symbol.empty()) {
    row.metadata.emplace("symbol", fmt::format("{} ({})", piece.symbol, piece.symbol_type));
  }
  if (!piece.definitions.empty()) {
    row.metadata.emplace("definitions", definitions_text(piece.definitions));
  }
  return row;
}

std::optional<PieceRow> read_piece(const ChromaRecord& record) {
  PieceRow piece;
  const PiecePlace place = piece_place(record.id);
  piece.file = place.file;
  piece.index = place.index;
  piece.repository = text_at(record.metadata, "repository");
  piece.path = text_at(record.metadata, "path");
  if (piece.repository.empty() || piece.path.empty() || piece.file.empty()) return std::nullopt;
  piece.language = text_at(record.metadata, "language");
  piece.revision = text_at(record.metadata, "revision");
  std::tie(piece.start_line, piece.end_line) = read_lines(text_at(record.metadata, "lines"));
  piece.symbol = text_at(record.metadata, "symbol");
  piece.symbol_type = split_type(&piece.symbol);
  piece.definitions = read_definitions(text_at(record.metadata, "definitions"));
  piece.text = record.document;
  return piece;
}

std::string path_number(std::string_view path) { return sha256_hex(path).substr(0, kPathDigits); }

std::string repository_mark(std::string_view repository) {
  return sha256_hex(repository).substr(0, kMarkDigits);
}

std::string_view mark_of(std::string_view id) { return id.substr(0, kMarkDigits); }

std::string file_id(std::string_view repository, std::string_view path, std::string_view blob) {
  return repository_mark(repository) +
         sha256_hex(fmt::format("{}\n{}\n{}", repository, path, blob)).substr(0, kIdDigits);
}

ChromaRow to_row(const FileRow& file, std::vector<float> vector) {
  ChromaRow row{file.id, {}, {}, std::move(vector)};
  row.metadata = {
      {"repository", file.repository},
      {"path", file.path},
      {"language", file.language},
      {"blob", file.blob},
      {"revision", file.revision},
      {"pushed", file.pushed_ms},
      {"counts", fmt::format("{} {} {} {}", file.lines, file.pieces, file.terms,
                             static_cast<std::uint32_t>(file.centrality * kCentralityUnits))}};
  if (!file.imports.empty()) row.metadata.emplace("imports", join(file.imports, " "));
  if (!file.name_pieces.empty()) {
    const std::span<const std::uint32_t> pieces(file.name_pieces);
    row.metadata.emplace(
        "namePieces",
        fmt::format("{}", fmt::join(pieces.first(std::min(pieces.size(), kMaxNames)), " ")));
  }
  const auto put = [&](const std::vector<std::string>& list, std::size_t most,
                       std::string_view separator) {
    row.document += '\n';
    row.document += separator;
    for (std::size_t i = 0; i < std::min(list.size(), most); ++i) {
      row.document += list[i];
      row.document += separator;
    }
  };
  row.document = file.path;
  put(file.names, kMaxNames, kNameEnd);
  put(file.words, kMaxWords, kWordEnd);
  return row;
}

std::optional<FileRow> read_file(const ChromaRecord& record) {
  FileRow file;
  file.id = record.id;
  file.repository = text_at(record.metadata, "repository");
  file.path = text_at(record.metadata, "path");
  if (file.repository.empty() || file.path.empty()) return std::nullopt;
  file.language = text_at(record.metadata, "language");
  file.blob = text_at(record.metadata, "blob");
  file.revision = text_at(record.metadata, "revision");
  file.pushed_ms = number_at(record.metadata, "pushed");
  const auto counts = read_list(text_at(record.metadata, "counts"), " ");
  if (counts.size() == 4) {
    file.lines = read_number(counts[0]);
    file.pieces = read_number(counts[1]);
    file.terms = read_number(counts[2]);
    file.centrality = read_number(counts[3]) / kCentralityUnits;
  }
  file.imports = read_list(text_at(record.metadata, "imports"), " ");
  for (const std::string& piece : read_list(text_at(record.metadata, "namePieces"), " ")) {
    file.name_pieces.push_back(read_number(piece));
  }
  const auto lines = split(record.document, '\n');
  // A path may contain a line break: names and words are the last two lines.
  if (lines.size() < 3) return file;
  file.names = read_list(lines[lines.size() - 2], kNameEnd);
  file.words = read_list(lines.back(), kWordEnd);
  return file;
}

bool can_be_listed(std::string_view name) {
  return name.find(kNameEnd) == std::string_view::npos && name.find('\n') == std::string_view::npos;
}

std::string word_mark(std::string_view term) { return fmt::format("{0}{1}{0}", kWordEnd, term); }

std::string name_mark(std::string_view name) { return fmt::format("{0}{1}{0}", kNameEnd, name); }

embed::ChromaCondition of_repositories(const std::vector<std::string>& repositories) {
  embed::ChromaCondition condition{.key = "repository"};
  condition.any_of.assign(repositories.begin(), repositories.end());
  return condition;
}

}  // namespace codexmem::fleet

// The document of a file's row, in which Chroma's full-text search looks up whole names and words:
//
//   PATH \n :NAME:NAME:NAME: \n _TERM TERM TERM_     with a space for each _
//
// Tested by fleet/rows_test.cpp.
#include "fleet/rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace codexmem::fleet {
namespace {

using embed::ChromaMetadata;
using embed::ChromaRecord;
using embed::ChromaRow;
using embed::ChromaValue;

constexpr int kLayout = 1;                // raised when rows of an older one cannot be read
constexpr std::size_t kModelDigits = 10;  // of the hash in collections' names
constexpr std::size_t kIdDigits = 24;     // 96 bits
constexpr std::size_t kPathDigits = 8;
constexpr double kCentralityUnits = 1000;   // centrality is told in thousandths
constexpr std::size_t kMostNames = 2000;    // of a file
constexpr std::size_t kMostWords = 20'000;  // of a file: a longer one is data

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

std::uint32_t small_number_at(const ChromaMetadata& metadata, std::string_view key) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(number_at(metadata, key), 0, UINT32_MAX));
}

std::uint32_t read_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
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
    const std::size_t dash = std::min(words[0].find('-'), words[0].size() - 1);
    definitions.push_back({std::string(line), std::string(words[1]),
                           words[2] == "-" ? std::string() : std::string(words[2]),
                           read_number(words[0]), read_number(words[0].substr(dash + 1))});
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
  if (terms.size() > kTermsTold) terms.resize(kTermsTold);
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

ChromaRow to_row(const PieceRow& piece, std::vector<float> vector) {
  ChromaRow row{piece_id(piece.file, piece.index), piece.text, {}, std::move(vector)};
  row.metadata = {{"repository", piece.repository},
                  {"path", piece.path},
                  {"file", piece.file},
                  {"piece", std::int64_t{piece.index}},
                  {"start", std::int64_t{piece.start_line}},
                  {"end", std::int64_t{piece.end_line}},
                  {"language", piece.language},
                  {"revision", piece.revision}};
  if (!piece.symbol.empty()) {
    row.metadata.emplace("symbol", piece.symbol);
    row.metadata.emplace("symbolType", piece.symbol_type);
  }
  if (!piece.definitions.empty()) {
    row.metadata.emplace("definitions", definitions_text(piece.definitions));
  }
  return row;
}

std::optional<PieceRow> read_piece(const ChromaRecord& record) {
  PieceRow piece;
  piece.repository = text_at(record.metadata, "repository");
  piece.path = text_at(record.metadata, "path");
  piece.file = text_at(record.metadata, "file");
  if (piece.repository.empty() || piece.path.empty() || piece.file.empty()) return std::nullopt;
  piece.index = small_number_at(record.metadata, "piece");
  piece.language = text_at(record.metadata, "language");
  piece.revision = text_at(record.metadata, "revision");
  piece.start_line = small_number_at(record.metadata, "start");
  piece.end_line = small_number_at(record.metadata, "end");
  piece.symbol = text_at(record.metadata, "symbol");
  piece.symbol_type = text_at(record.metadata, "symbolType");
  piece.definitions = read_definitions(text_at(record.metadata, "definitions"));
  piece.text = record.document;
  return piece;
}

std::string path_number(std::string_view path) { return sha256_hex(path).substr(0, kPathDigits); }

std::string file_id(std::string_view repository, std::string_view path, std::string_view blob) {
  return sha256_hex(fmt::format("{}\n{}\n{}", repository, path, blob)).substr(0, kIdDigits);
}

ChromaRow to_row(const FileRow& file, std::vector<float> vector) {
  ChromaRow row{file.id, {}, {}, std::move(vector)};
  row.metadata = {{"repository", file.repository},
                  {"path", file.path},
                  {"language", file.language},
                  {"blob", file.blob},
                  {"revision", file.revision},
                  {"pushed", file.pushed_ms},
                  {"lines", std::int64_t{file.lines}},
                  {"pieces", std::int64_t{file.pieces}},
                  {"terms", std::int64_t{file.terms}},
                  {"centrality", static_cast<std::int64_t>(file.centrality * kCentralityUnits)}};
  if (!file.imports.empty()) row.metadata.emplace("imports", join(file.imports, " "));
  row.document = file.path + "\n:";
  for (std::size_t i = 0; i < std::min(file.names.size(), kMostNames); ++i) {
    row.document += file.names[i] + ":";
  }
  row.document += "\n ";
  for (std::size_t i = 0; i < std::min(file.words.size(), kMostWords); ++i) {
    row.document += file.words[i] + " ";
  }
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
  file.lines = small_number_at(record.metadata, "lines");
  file.pieces = small_number_at(record.metadata, "pieces");
  file.terms = small_number_at(record.metadata, "terms");
  file.centrality =
      static_cast<double>(number_at(record.metadata, "centrality")) / kCentralityUnits;
  const std::string imports = text_at(record.metadata, "imports");
  for (const std::string_view each : split(imports, ' ')) {
    if (!each.empty()) file.imports.emplace_back(each);
  }
  const auto lines = split(record.document, '\n');
  // A path may hold a line break: names and words are the last two lines.
  if (lines.size() < 3) return file;
  for (const std::string_view name : split(lines[lines.size() - 2], ':')) {
    if (!name.empty()) file.names.emplace_back(name);
  }
  for (const std::string_view word : split(lines.back(), ' ')) {
    if (!word.empty()) file.words.emplace_back(word);
  }
  return file;
}

std::string word_mark(std::string_view term) { return fmt::format(" {} ", term); }

std::string name_mark(std::string_view name) { return fmt::format(":{}:", name); }

embed::ChromaCondition of_repositories(const std::vector<std::string>& repositories) {
  embed::ChromaCondition condition{.key = "repository"};
  condition.any_of.assign(repositories.begin(), repositories.end());
  return condition;
}

embed::ChromaCondition of_files(const std::vector<std::string>& ids) {
  embed::ChromaCondition condition{.key = "file"};
  condition.any_of.assign(ids.begin(), ids.end());
  return condition;
}

}  // namespace codexmem::fleet

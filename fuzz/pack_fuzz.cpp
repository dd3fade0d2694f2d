// Packs of a stranger, from the bytes of the file to the questions that are asked of what it said.
//
//     input := how rest
//     how   := 0 (mod 3)   rest is a pack
//              1           rest edits the header, the directory and the frames of an honest pack,
//                          which is sealed again: behind its checksum and its compression
//              2           rest edits what an honest pack says of one file; what is accepted is
//                          indexed, and asked about
//     edit  := place:u16 what:u8 value:u8
//
// Mutations of compressed bytes with a checksum get nowhere, so the harness holds the plain parts.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/compress.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/result.h"
#include "base/running_hash.h"
#include "index/run/index_version.h"
#include "index/run/indexer.h"
#include "index/packs/pack_file.h"
#include "parse/walk/extract.h"
#include "parse/facts/fingerprint.h"
#include "parse/rules/languages.h"
#include "parse/facts/whole_facts.h"
#include "questions.h"
#include "scratch.h"
#include "store/code/workspace.h"

using namespace codexmem;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxText = 6'000;

// A file and what a parse says of it.
struct Honest {
  std::string ending;
  std::string text;
  const parse::Language* language = nullptr;
  std::string facts;
};

const std::vector<Honest>& honest_files() {
  static const std::vector<Honest> files = [] {
    std::vector<fs::path> paths;
    for (const auto& entry :
         fs::recursive_directory_iterator(CODEXMEM_SOURCE_DIR "/testdata/languages")) {
      if (entry.path().filename().string().starts_with("input.")) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<Honest> read;
    parse::Extractor extractor;
    for (const fs::path& path : paths) {
      auto text = read_file(path);
      if (!text.ok() || text->size() > kMaxText) continue;
      const parse::Language* language = parse::detect_language(path.filename().string(), *text);
      if (language == nullptr || !language->has_grammar) continue;
      const auto facts = extractor.extract(*language, *text);
      if (!facts.ok() || facts->truncated) continue;
      read.push_back({path.extension().string(), *std::move(text), language,
                      parse::encode_whole_facts(*facts)});
    }
    CODEXMEM_CHECK(!read.empty());
    return read;
  }();
  return files;
}

using Bytes = std::span<const std::uint8_t>;

std::uint32_t take_byte(Bytes& bytes) {
  if (bytes.empty()) return 0;
  const std::uint32_t byte = bytes.front();
  bytes = bytes.subspan(1);
  return byte;
}

void edit(std::string& text, Bytes& edits) {
  std::size_t place = take_byte(edits);
  place |= static_cast<std::size_t>(take_byte(edits)) << 8U;
  const std::uint32_t what = take_byte(edits);
  const auto value = static_cast<char>(take_byte(edits));
  place = text.empty() ? 0 : place % text.size();
  switch (text.empty() ? 2 : what % 6) {
    case 0:
      text[place] = value;
      break;
    case 1:
      text[place] = static_cast<char>(static_cast<unsigned char>(text[place]) + 1U);
      break;
    case 2:
      text.insert(place, 1, value);
      break;
    case 3:
      text.erase(place, 1);
      break;
    case 4:  // a large number
      text.insert(place, "\xff\xff\xff\xff");
      break;
    default:  // the same once more
      text.insert(place, text.substr(place, static_cast<unsigned char>(value)));
      break;
  }
}

void put_fixed(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

const fuzz::Scratch& scratch() {
  static const fuzz::Scratch folder;
  return folder;
}

// Opens `bytes` and looks everything up that an honest pack could have.
void open(std::string_view bytes) {
  const fs::path path = scratch().path() / "raw.pack";
  fuzz::overwrite(path, bytes);
  const auto pack = index::Pack::open(path, "raw.pack");
  if (!pack.ok()) return;
  for (const Honest& file : honest_files()) {
    const auto found = (*pack)->find_file(sha256_hex(file.text), file.language->name,
                                          parse::most_whole_facts(file.text.size()));
    if (!found.ok() || !*found) continue;
    const auto facts = parse::decode_whole_facts(**found, file.text);
    if (facts.ok()) parse::encode_whole_facts(*facts);
  }
  (void)(*pack)->find_vector(std::string(16, 'k'));
}

// An honest pack of three files and two vectors, with edits in its plain parts.
void open_edited(Bytes edits) {
  const std::vector<Honest>& files = honest_files();
  std::string header = "{\"program\":\"p\",\"indexVersion\":\"" + index::index_version() +
                       "\",\"tree\":\"\",\"languages\":{";
  std::string frame, directory;
  const std::size_t first = take_byte(edits);
  put_number(directory, 1);
  std::string entries;
  for (std::size_t i = 0; i < 3; ++i) {
    const Honest& file = files[(first + i * 7) % files.size()];
    if (i > 0) header += ',';
    header += "\"" + std::string(file.language->name) + "\":\"" +
              parse::facts_fingerprint(*file.language) + "\"";
    entries += index::hash_bytes(sha256_hex(file.text));
    put_number(entries, i);
    put_number(entries, file.facts.size());
    frame += file.facts;
  }
  header += "},\"vectors\":{\"model\":\"m\",\"dimension\":4}}\n";
  std::string vectors = "abcdefgh";
  std::string keys = std::string(16, 'k') + std::string(16, 'l');
  // What is edited: which parts is in the edits too.
  while (edits.size() >= 5) {
    const std::uint32_t part = take_byte(edits);
    std::string* const parts[] = {&header, &entries, &frame, &vectors, &keys};
    edit(*parts[part % 5], edits);
  }
  const std::string packed = compress(frame), packed_vectors = compress(vectors);
  put_number(directory, packed.size());
  put_number(directory, 3);
  directory += entries;
  put_number(directory, 1);
  put_number(directory, packed_vectors.size());
  put_number(directory, 2);
  directory += keys;
  const std::string packed_directory = compress(directory);
  std::string bytes = "codexmem pack 1\n";
  put_fixed(bytes, header.size(), 4);
  bytes += header + packed + packed_vectors + packed_directory;
  RunningHash hash;
  hash.add(bytes);
  put_fixed(bytes, packed_directory.size(), 8);
  bytes += hash.finish();
  open(bytes);
}

void index_edited(Bytes edits) {
  const std::vector<Honest>& files = honest_files();
  std::size_t number = take_byte(edits);
  number |= static_cast<std::size_t>(take_byte(edits)) << 8U;
  const Honest& file = files[number % files.size()];
  std::string facts = file.facts;
  while (edits.size() >= 4) edit(facts, edits);
  const auto decoded = parse::decode_whole_facts(facts, file.text);
  if (!decoded.ok()) return;
  // What is accepted can be written again, to the same facts.
  const std::string again = parse::encode_whole_facts(*decoded);
  const auto twice = parse::decode_whole_facts(again, file.text);
  CODEXMEM_CHECK(twice.ok() && parse::encode_whole_facts(*twice) == again);

  static const fs::path root = [] {
    fs::create_directory(scratch().path() / "tree");
    return scratch().path() / "tree";
  }();
  static const auto workspace = [] {
    set_log_level(LogLevel::kOff);
    auto opened = store::Workspace::open(root);
    CODEXMEM_CHECK(opened.ok());
    return std::move(opened).value();
  }();
  static std::string last;
  if (!last.empty()) fs::remove(root / last);
  last = "m" + file.ending;
  fuzz::overwrite(root / last, file.text);
  const fs::path path = scratch().path() / "edited.pack";
  index::PackHeader header;
  header.index_version = index::index_version();
  header.languages = {{std::string(file.language->name), parse::facts_fingerprint(*file.language)}};
  auto writer = index::PackWriter::begin(path, header);
  CODEXMEM_CHECK(writer.ok());
  CODEXMEM_CHECK(writer->add_file(index::hash_bytes(sha256_hex(file.text)), 0, facts).ok());
  CODEXMEM_CHECK(writer->commit().ok());
  auto pack = index::Pack::open(path, "edited.pack");
  CODEXMEM_CHECK(pack.ok());
  index::IndexOptions options;
  options.threads = 1;
  options.force = true;
  options.skip_embeddings = true;
  options.packs = {*pack};
  options.pack_sample = 0;
  const auto report = index::index_repository(*workspace, options);
  CODEXMEM_CHECK(report.ok() && report->packs);
  auto reader = workspace->reader();
  CODEXMEM_CHECK(reader.ok());
  fuzz::ask(**reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  switch (take_byte(bytes) % 3) {
    case 0:
      open({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      break;
    case 1:
      open_edited(bytes);
      break;
    default:
      index_edited(bytes);
      break;
  }
  return 0;
}

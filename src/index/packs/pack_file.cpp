// The file of a pack, written sequentially in one pass:
//
//     pack      = magic size:u32 header frames directory tail
//     magic     = "codexmem pack 1\n"
//     header    = one line of JSON, `size` bytes, for people too: `head -n 2`
//     frames    = Zstandard frames: of files, then of vectors
//     directory = a Zstandard frame
//     tail      = bytes of the directory:u64, SHA-256 of all before the tail: 32 bytes
//
//     directory of files   = n { packed:v m { hash:32 language:v size:v } }      a frame with its
//     files directory of vectors = n { packed:v m { key:16 } }                         a frame with
//     its vectors directory            = files vectors
//
// Frames are in the order of the directory, and entries in the order within their frame, so no
// offset is stored and none can contradict another: frames must end where the directory begins, and
// a frame decompresses to the sum of its entries. A frame with several entries has at most
// kFrameBytes. So the cost of a look-up is bounded for any file content: a frame of that size, or
// the entry itself. Entries are in the order of paths: entries used together are stored together,
// and a few decompressed frames serve all threads.
//
// Numbers are little-endian; v is LEB128.
//
// Tested by index/pack_test.cpp, fuzz/pack_fuzz.cpp.
#include "index/packs/pack_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "base/compress.h"
#include "base/file_descriptor.h"
#include "store/code/vector_cache.h"
#include "text/json.h"
#include "text/parse_json.h"

namespace codexmem::index {
namespace {

constexpr std::string_view kMagic = "codexmem pack 1\n";
constexpr std::string_view kMagicStart = "codexmem pack ";
constexpr std::size_t kHashBytes = 32, kKeyBytes = 16, kHashDigits = 64;
constexpr std::size_t kTailBytes = 8 + kHashBytes;
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxDirectoryBytes = std::size_t{64} << 20U;  // two million files
constexpr std::size_t kFrameBytes = std::size_t{512} << 10U;
constexpr std::size_t kMaxEntryBytes = std::size_t{40} << 20U;  // for a text of a megabyte
constexpr std::size_t kMaxDimension = 65'536;
constexpr std::size_t kMaxLanguages = 1'024, kMaxNameBytes = 256;
constexpr std::size_t kUnfoldedFrames = 16;  // kept in memory

void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_fixed(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

std::uint64_t fixed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

// Reads a directory; after the first failure everything is zero and empty.
class DirectoryReader {
 public:
  explicit DirectoryReader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return bytes_.empty(); }
  void fail() {
    failed_ = true;
    bytes_ = {};
  }

  std::uint64_t number(std::uint64_t most) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte >= 0x80) continue;
      if (value > most) break;
      return value;
    }
    fail();
    return 0;
  }

  // A count of following entries, each of at least `least` bytes.
  std::uint64_t count(std::size_t least) { return number(bytes_.size() / least); }

  std::string_view bytes(std::size_t size) {
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

using Hash = std::array<char, kHashBytes>;
using Key = std::array<char, kKeyBytes>;

template <typename Array>
Array array_of(std::string_view bytes) {
  Array array{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), array.size()), array.begin());
  return array;
}

struct Frame {
  std::uint64_t begin = 0;  // in the file
  std::uint32_t packed = 0, unfolded = 0;
};

struct FileEntry {
  Hash hash{};
  std::uint32_t language = 0, frame = 0, begin = 0, size = 0;
};

struct VectorEntry {
  Key key{};
  std::uint32_t frame = 0, index = 0;
};

std::string header_json(const PackHeader& header) {
  Json languages = Json::object();
  for (const PackLanguage& language : header.languages) {
    languages[language.name] = language.fingerprint;
  }
  Json json = {{"program", header.program},
               {"indexVersion", header.index_version},
               {"tree", header.tree},
               {"languages", languages}};
  if (!header.model.empty()) {
    json["vectors"] = {{"model", header.model}, {"dimension", header.dimension}};
  }
  return dump_json(json) + "\n";
}

std::optional<PackHeader> read_header(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object()) return std::nullopt;
  PackHeader header;
  header.program = text_member(json, "program");
  header.index_version = text_member(json, "indexVersion");
  header.tree = text_member(json, "tree");
  const Json* languages = find_member(json, "languages");
  if (languages == nullptr || !languages->is_object() || languages->size() > kMaxLanguages) {
    return std::nullopt;
  }
  for (const auto& [name, fingerprint] : languages->items()) {
    if (!fingerprint.is_string() || name.size() > kMaxNameBytes) return std::nullopt;
    header.languages.push_back({name, fingerprint.get<std::string>()});
  }
  const Json* vectors = find_member(json, "vectors");
  if (vectors == nullptr) return header;
  header.model = text_member(*vectors, "model");
  const Json* dimension = find_member(*vectors, "dimension");
  if (header.model.empty() || dimension == nullptr || !dimension->is_number_unsigned() ||
      dimension->get<std::uint64_t>() == 0 || dimension->get<std::uint64_t>() > kMaxDimension) {
    return std::nullopt;
  }
  header.dimension = dimension->get<std::size_t>();
  return header;
}

}  // namespace

std::string hash_bytes(std::string_view hex) {
  if (hex.size() != kHashDigits) return {};
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    unsigned value = 0;
    for (const char c : hex.substr(i, 2)) {
      const bool is_digit = c >= '0' && c <= '9';
      if (!is_digit && (c < 'a' || c > 'f')) return {};
      value = value * 16 + static_cast<unsigned>(is_digit ? c - '0' : c - 'a' + 10);
    }
    bytes += static_cast<char>(value);
  }
  return bytes;
}

// ---- Writing.

struct PackWriter::Impl {
  Impl(FileReplacement the_file, std::size_t the_dimension)
      : file(std::move(the_file)), dimension(the_dimension) {}

  // The frame being filled, and the directory of the previous ones.
  struct Section {
    std::string frame, frame_directory, directory;
    std::uint64_t frame_entries = 0, frames = 0, entries = 0;
    std::unordered_set<std::string> known;
  };

  FileReplacement file;
  RunningHash hash;
  std::uint64_t written = 0;
  std::size_t dimension;
  Section files, vectors;

  Result<void> write(std::string_view bytes) {
    hash.add(bytes);
    written += bytes.size();
    return file.write(bytes);
  }

  Result<void> close_frame(Section& section) {
    if (section.frame_entries == 0) return {};
    const std::string packed = compress(section.frame, Effort::kSmall);
    put_number(section.directory, packed.size());
    put_number(section.directory, section.frame_entries);
    section.directory += section.frame_directory;
    ++section.frames;
    section.frame_entries = 0;
    section.frame.clear();
    section.frame_directory.clear();
    return write(packed);
  }

  // Makes room for `size` more bytes in the frame.
  Result<void> make_room(Section& section, std::size_t size) {
    return section.frame.size() + size > kFrameBytes ? close_frame(section) : Result<void>();
  }

  void add(Section& section, std::string_view entry, std::string_view bytes) {
    section.frame_directory += entry;
    section.frame += bytes;
    ++section.frame_entries;
    ++section.entries;
  }
};

PackWriter::PackWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PackWriter::PackWriter(PackWriter&&) noexcept = default;
PackWriter::~PackWriter() = default;

Result<PackWriter> PackWriter::begin(const std::filesystem::path& path, const PackHeader& header) {
  constexpr unsigned kForAll = 0666;  // it is made to be shared
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path, kForAll));
  auto impl = std::make_unique<Impl>(std::move(file), header.dimension);
  const std::string json = header_json(header);
  std::string start(kMagic);
  put_fixed(start, json.size(), 4);
  CODEXMEM_TRY(impl->write(start + json));
  return PackWriter(std::move(impl));
}

Result<void> PackWriter::add_file(std::string_view hash, std::size_t language,
                                  std::string_view facts) {
  CODEXMEM_CHECK(hash.size() == kHashBytes && impl_->vectors.entries == 0);
  if (facts.size() > kMaxEntryBytes) return {};
  std::string entry(hash);
  put_number(entry, language);
  if (!impl_->files.known.insert(entry).second) return {};
  put_number(entry, facts.size());
  CODEXMEM_TRY(impl_->make_room(impl_->files, facts.size()));
  impl_->add(impl_->files, entry, facts);
  return {};
}

Result<void> PackWriter::add_vector(std::string_view key, std::string_view codes) {
  CODEXMEM_CHECK(key.size() == kKeyBytes && codes.size() == impl_->dimension);
  CODEXMEM_TRY(impl_->close_frame(impl_->files));
  if (!impl_->vectors.known.insert(std::string(key)).second) return {};
  CODEXMEM_TRY(impl_->make_room(impl_->vectors, codes.size()));
  impl_->add(impl_->vectors, key, codes);
  return {};
}

Result<void> PackWriter::commit() {
  CODEXMEM_TRY(impl_->close_frame(impl_->files));
  CODEXMEM_TRY(impl_->close_frame(impl_->vectors));
  std::string directory;
  for (const Impl::Section* section : {&impl_->files, &impl_->vectors}) {
    put_number(directory, section->frames);
    directory += section->directory;
  }
  if (directory.size() > kMaxDirectoryBytes) {
    return Error{ErrorCode::kUnsupported, "there are too many files for one pack"};
  }
  const std::string packed = compress(directory, Effort::kSmall);
  CODEXMEM_TRY(impl_->write(packed));
  std::string tail;
  put_fixed(tail, packed.size(), 8);
  tail += impl_->hash.finish();
  impl_->written += tail.size();
  CODEXMEM_TRY(impl_->file.write(tail));
  return impl_->file.commit(Sync::kNo);
}

std::uint64_t PackWriter::files() const { return impl_->files.entries; }
std::uint64_t PackWriter::vectors() const { return impl_->vectors.entries; }
std::uint64_t PackWriter::bytes() const { return impl_->written; }

// ---- Reading.

struct Pack::Impl {
  std::string name, signer;
  FileDescriptor file;
  std::uint64_t size = 0;
  PackHeader header;
  std::vector<Frame> frames;
  std::vector<FileEntry> entries;    // by hash, then language
  std::vector<VectorEntry> vectors;  // by key

  struct Unfolded {
    std::uint32_t frame = 0;
    std::shared_ptr<const std::string> bytes;
  };
  std::mutex mutex;                // guards unfolded
  std::vector<Unfolded> unfolded;  // the most recently used one is last

  Error damaged(std::string_view why) const {
    return {ErrorCode::kCorrupt, fmt::format("{}: not a pack that can be used: {}", name, why)};
  }

  Result<std::string> read(std::uint64_t begin, std::size_t count) const {
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
      const ssize_t got =
          ::pread(file.get(), bytes.data() + done, count - done, static_cast<off_t>(begin + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        return Error{ErrorCode::kIo, fmt::format("{}: {}", name, std::strerror(errno))};
      }
      if (got == 0) return damaged("it has been cut");
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  Result<void> open() {
    constexpr std::size_t kStartBytes = kMagic.size() + 4;
    if (size < kStartBytes + kTailBytes) return damaged("it is too short");
    CODEXMEM_ASSIGN(const std::string start, read(0, kStartBytes));
    if (!start.starts_with(kMagic)) {
      return start.starts_with(kMagicStart)
                 ? Error{ErrorCode::kUnsupported, name + ": a pack of another program's version"}
                 : damaged("it does not begin as one");
    }
    const std::uint64_t header_bytes = fixed(std::string_view(start).substr(kMagic.size()));
    CODEXMEM_ASSIGN(const std::string tail, read(size - kTailBytes, kTailBytes));
    const std::uint64_t directory_bytes = fixed(std::string_view(tail).substr(0, 8));
    const std::uint64_t between = size - kStartBytes - kTailBytes;
    if (header_bytes > kMaxHeaderBytes || header_bytes > between ||
        directory_bytes > between - header_bytes || directory_bytes > kMaxDirectoryBytes) {
      return damaged("its parts are longer than it is");
    }
    CODEXMEM_TRY(check_hash(std::string_view(tail).substr(8)));
    CODEXMEM_ASSIGN(const std::string json,
                    read(kStartBytes, static_cast<std::size_t>(header_bytes)));
    auto read_json = read_header(json);
    if (!read_json) return damaged("what made it is not said");
    header = *std::move(read_json);
    const std::uint64_t directory_begin = size - kTailBytes - directory_bytes;
    CODEXMEM_ASSIGN(const std::string packed,
                    read(directory_begin, static_cast<std::size_t>(directory_bytes)));
    const auto directory = decompress(packed, kMaxDirectoryBytes);
    if (!directory.ok()) return damaged("its directory cannot be read");
    return read_directory(*directory, kStartBytes + header_bytes, directory_begin);
  }

  Result<void> check_hash(std::string_view expected) const {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    RunningHash hash;
    for (std::uint64_t at = 0; at < size - kTailBytes;) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, size - kTailBytes - at));
      CODEXMEM_ASSIGN(const std::string piece, read(at, count));
      hash.add(piece);
      at += count;
    }
    return hash.finish() == expected ? Result<void>() : damaged("it is damaged");
  }

  // Reads the directory; the frames are from `begin` to `end` in the file.
  Result<void> read_directory(std::string_view directory, std::uint64_t begin, std::uint64_t end) {
    DirectoryReader in(directory);
    const auto add_frame = [&](std::uint64_t packed, std::uint64_t unfolds_to,
                               std::uint64_t count) {
      if (count == 0 || unfolds_to > (count == 1 ? kMaxEntryBytes : kFrameBytes) ||
          packed > unfolds_to + unfolds_to / 64 + 1'024) {
        return in.fail();
      }
      frames.push_back(
          {begin, static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(unfolds_to)});
      begin += packed;
    };
    const std::uint64_t file_frames = in.count(2);
    for (std::uint64_t i = 0; i < file_frames && !in.failed(); ++i) {
      const std::uint64_t packed =
          in.number(std::min<std::uint64_t>(end - begin, 2 * kMaxEntryBytes));
      const std::uint64_t count = in.count(kHashBytes + 2);
      std::uint64_t offset = 0;
      for (std::uint64_t k = 0; k < count && !in.failed(); ++k) {
        FileEntry entry;
        entry.hash = array_of<Hash>(in.bytes(kHashBytes));
        entry.language = static_cast<std::uint32_t>(in.number(kMaxLanguages));
        entry.frame = static_cast<std::uint32_t>(frames.size());
        entry.begin = static_cast<std::uint32_t>(offset);
        entry.size = static_cast<std::uint32_t>(in.number(kMaxEntryBytes));
        offset += entry.size;
        if (entry.language >= header.languages.size() || offset > kMaxEntryBytes) in.fail();
        if (!in.failed()) entries.push_back(entry);
      }
      if (!in.failed()) add_frame(packed, offset, count);
    }
    const std::uint64_t vector_frames = in.count(2);
    if (vector_frames > 0 && header.dimension == 0) in.fail();
    for (std::uint64_t i = 0; i < vector_frames && !in.failed(); ++i) {
      const std::uint64_t packed =
          in.number(std::min<std::uint64_t>(end - begin, 2 * kMaxEntryBytes));
      const std::uint64_t count = in.count(kKeyBytes);
      for (std::uint64_t k = 0; k < count && !in.failed(); ++k) {
        vectors.push_back({array_of<Key>(in.bytes(kKeyBytes)),
                           static_cast<std::uint32_t>(frames.size()),
                           static_cast<std::uint32_t>(k)});
      }
      if (!in.failed()) add_frame(packed, count * header.dimension, count);
    }
    if (in.failed() || !in.at_end() || begin != end) return damaged("its directory is wrong");
    std::ranges::sort(entries, [](const FileEntry& a, const FileEntry& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.language < b.language;
    });
    std::ranges::sort(vectors, {}, &VectorEntry::key);
    const auto same_file = [](const FileEntry& a, const FileEntry& b) {
      return a.hash == b.hash && a.language == b.language;
    };
    if (std::ranges::adjacent_find(entries, same_file) != entries.end() ||
        std::ranges::adjacent_find(vectors, {}, &VectorEntry::key) != vectors.end()) {
      return damaged("it has something twice");
    }
    return {};
  }

  Result<std::shared_ptr<const std::string>> unfold(std::uint32_t number) {
    {
      const std::lock_guard lock(mutex);
      const auto found = std::ranges::find(unfolded, number, &Unfolded::frame);
      if (found != unfolded.end()) {
        std::rotate(found, found + 1, unfolded.end());
        return unfolded.back().bytes;
      }
    }
    const Frame& frame = frames[number];
    CODEXMEM_ASSIGN(const std::string packed, read(frame.begin, frame.packed));
    auto bytes = decompress(packed, frame.unfolded);
    if (!bytes.ok() || bytes->size() != frame.unfolded) return damaged("a part cannot be unfolded");
    auto shared = std::make_shared<const std::string>(*std::move(bytes));
    if (frame.unfolded > kFrameBytes) return shared;  // one large entry
    const std::lock_guard lock(mutex);
    if (unfolded.size() >= kUnfoldedFrames) unfolded.erase(unfolded.begin());
    unfolded.push_back({number, shared});
    return shared;
  }

  const FileEntry* find(std::string_view hash, std::string_view language) const {
    const std::string bytes = hash_bytes(hash);
    if (bytes.empty()) return nullptr;
    const Hash wanted = array_of<Hash>(bytes);
    for (auto found = std::ranges::lower_bound(entries, wanted, {}, &FileEntry::hash);
         found != entries.end() && found->hash == wanted; ++found) {
      if (header.languages[found->language].name == language) return &*found;
    }
    return nullptr;
  }

  Result<std::string> cut(std::uint32_t frame, std::size_t begin, std::size_t count) {
    CODEXMEM_ASSIGN(const auto bytes, unfold(frame));
    return bytes->substr(begin, count);
  }
};

Pack::Pack(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pack::~Pack() = default;

Result<std::shared_ptr<const Pack>> Pack::open(const std::filesystem::path& path, std::string name,
                                               std::string signer) {
  auto impl = std::make_unique<Impl>();
  impl->name = std::move(name);
  impl->signer = std::move(signer);
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  impl->file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!impl->file.valid() || ::fstat(impl->file.get(), &info) != 0) {
    return Error{errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                 fmt::format("{}: {}", impl->name, std::strerror(errno))};
  }
  if (!S_ISREG(info.st_mode)) return impl->damaged("it is something else than a file");
  impl->size = static_cast<std::uint64_t>(info.st_size);
  if (impl->size > kMaxPackBytes) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: larger than {} bytes", impl->name, kMaxPackBytes)};
  }
  CODEXMEM_TRY(impl->open());
  return std::shared_ptr<const Pack>(new Pack(std::move(impl)));
}

const std::string& Pack::name() const { return impl_->name; }
const std::string& Pack::signer() const { return impl_->signer; }
const PackHeader& Pack::header() const { return impl_->header; }
std::uint64_t Pack::files() const { return impl_->entries.size(); }
std::uint64_t Pack::vectors() const { return impl_->vectors.size(); }
std::uint64_t Pack::bytes() const { return impl_->size; }

Result<std::optional<std::string>> Pack::find_file(std::string_view hash, std::string_view language,
                                                   std::size_t most) const {
  const FileEntry* found = impl_->find(hash, language);
  if (found == nullptr) return std::optional<std::string>();
  if (found->size > most) return impl_->damaged("it says more of a file than can be");
  CODEXMEM_ASSIGN(std::string facts, impl_->cut(found->frame, found->begin, found->size));
  return std::optional(std::move(facts));
}

bool Pack::has_file(std::string_view hash, std::string_view language) const {
  return impl_->find(hash, language) != nullptr;
}

Result<std::optional<std::string>> Pack::find_vector(std::string_view key) const {
  const Key wanted = array_of<Key>(key);
  const auto found = std::ranges::lower_bound(impl_->vectors, wanted, {}, &VectorEntry::key);
  if (key.size() != kKeyBytes || found == impl_->vectors.end() || found->key != wanted) {
    return std::optional<std::string>();
  }
  const std::size_t dimension = impl_->header.dimension;
  CODEXMEM_ASSIGN(std::string codes, impl_->cut(found->frame, found->index * dimension, dimension));
  return std::optional(std::move(codes));
}

}  // namespace codexmem::index

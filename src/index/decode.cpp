// What bytes are: text in which encoding, and written by whom.
//
// UTF-16 without a byte order mark is recognised by its NULs: in text of mostly ASCII one byte of
// each pair is 0, always on the same side. 40% of the pairs suffice on one side, 2% on the other
// forbid it; binary formats have NULs on both. What decides binary otherwise is git's rule, a NUL
// in the first 8,000 bytes; a later NUL becomes U+FFFD, because SQLite's text functions stop at
// one.
//
// Minified: more than 75% of the bytes stand in lines of over 500 bytes. Of 4,670 JavaScript,
// TypeScript and Python sources of 2,000 bytes or more in nineteen open-source checkouts 39 are so:
// bundles, generated validators, tables of numbers. Hand-written files end at 66% (tests with long
// literals).
//
// Tested by index/decode_test.cpp.
#include "index/decode.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/text.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kSampleBytes = 8000;  // git's FIRST_FEW_BYTES
constexpr std::size_t kHeadBytes = 4000;    // where a marker of generated code may stand
constexpr std::size_t kHeadLines = 40;
constexpr std::size_t kMinifiedMinBytes = 2000;
constexpr std::size_t kLongLineBytes = 500;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The byte order of UTF-16 without a mark, if `sample` looks like that.
std::optional<bool> guess_utf16_is_big_endian(std::string_view sample) {
  const std::size_t pairs = sample.size() / 2;
  if (pairs < 2) return std::nullopt;
  std::size_t even = 0, odd = 0;  // NULs
  for (std::size_t i = 0; i + 1 < sample.size(); i += 2) {
    even += sample[i] == '\0' ? 1 : 0;
    odd += sample[i + 1] == '\0' ? 1 : 0;
  }
  if (odd * 10 >= pairs * 4 && even * 50 <= pairs) return false;
  if (even * 10 >= pairs * 4 && odd * 50 <= pairs) return true;
  return std::nullopt;
}

DecodedText from_utf16(std::string_view bytes, bool big_endian) {
  DecodedText out;
  out.encoding = big_endian ? TextEncoding::kUtf16BigEndian : TextEncoding::kUtf16LittleEndian;
  out.text = utf16_to_utf8(bytes, big_endian);
  return out;
}

// A NUL would end the text for whoever reads it as a C string.
void replace_nuls(DecodedText& decoded) {
  if (decoded.text.find('\0') == std::string::npos) return;
  std::string text;
  text.reserve(decoded.text.size() + 64);
  for (const char c : decoded.text) {
    if (c == '\0') {
      text += kReplacement;
    } else {
      text += c;
    }
  }
  decoded.text = std::move(text);
  decoded.repaired = true;
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

constexpr std::string_view kLockFiles[] = {"package-lock.json", "npm-shrinkwrap.json",
                                           "yarn.lock",         "pnpm-lock.yaml",
                                           "bun.lock",          "deno.lock",
                                           "poetry.lock",       "pipfile.lock",
                                           "uv.lock",           "pdm.lock",
                                           "cargo.lock",        "composer.lock",
                                           "gemfile.lock",      "go.sum",
                                           "flake.lock",        "podfile.lock",
                                           "pubspec.lock",      "packages.lock.json",
                                           "mix.lock",          "pixi.lock"};

bool is_identifier_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// True if a line of the file's head (in lower case) says that a program wrote it.
bool says_generated(std::string_view line, std::string_view next) {
  constexpr std::string_view kTag = "@generated";
  for (std::size_t at = line.find(kTag); at != std::string_view::npos;
       at = line.find(kTag, at + 1)) {
    const std::size_t end = at + kTag.size();
    const bool alone = (at == 0 || !is_identifier_byte(line[at - 1])) &&
                       (end == line.size() || !is_identifier_byte(line[end]));
    if (alone) return true;
  }
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (has(line, "do not edit") || has(line, "do not modify")) {
    if (has(line, "generated")) return true;
  }
  if (has(line, "generated") && (has(next, "do not edit") || has(next, "do not modify")))
    return true;
  for (const std::string_view opening : {"this file is ", "this file was ", "this file has been ",
                                         "this code was ", "this code is "}) {
    const std::size_t at = line.find(opening);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + opening.size());
    for (const std::string_view how : {"generated", "auto-generated", "autogenerated",
                                       "auto generated", "automatically generated"}) {
      if (rest.starts_with(how)) return true;
    }
  }
  return has(line, "code generated by ") || has(line, "<auto-generated") ||
         has(line, "generated by the protocol buffer compiler");
}

bool has_generated_marker(std::string_view text) {
  const std::string head = to_lower_ascii(text.substr(0, kHeadBytes));
  const std::vector<std::string_view> lines = split(head, '\n');
  for (std::size_t i = 0; i < std::min(lines.size(), kHeadLines); ++i) {
    if (says_generated(lines[i], i + 1 < lines.size() ? lines[i + 1] : "")) return true;
  }
  return false;
}

bool has_mostly_long_lines(std::string_view text) {
  if (text.size() < kMinifiedMinBytes) return false;
  std::size_t in_long_lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    const char* stop = found == nullptr ? end : static_cast<const char*>(found);
    const auto length = static_cast<std::size_t>(stop - at);
    if (length > kLongLineBytes) in_long_lines += length;
    at = stop + 1;
  }
  return in_long_lines * 4 > text.size() * 3;
}

constexpr std::string_view kBinaryExtensions[] = {
    // pictures, sound, film
    "png", "jpg", "jpeg", "gif", "bmp", "ico", "icns", "webp", "tif", "tiff", "avif", "heic", "psd",
    "mp3", "mp4", "m4a", "m4v", "wav", "ogg", "oga", "ogv", "webm", "mov", "avi", "flac", "mkv",
    "aac",
    // fonts
    "woff", "woff2", "ttf", "otf", "eot",
    // archives
    "zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "jar", "war", "whl", "egg", "br",
    "lz4",
    // compiled
    "o", "a", "so", "dylib", "dll", "exe", "class", "pyc", "pyo", "pyd", "wasm", "node", "lib",
    "obj", "pdb", "rlib",
    // documents and data
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "sqlite", "sqlite3", "pkl", "pickle",
    "npy", "npz", "parquet", "onnx", "pt", "pth", "h5", "safetensors", "mo"};

}  // namespace

std::optional<DecodedText> decode_text(std::string bytes) {
  using namespace std::string_view_literals;
  const std::string_view view = bytes;
  if (view.starts_with("\xFF\xFE\0\0"sv) || view.starts_with("\0\0\xFE\xFF"sv)) return std::nullopt;
  DecodedText out;
  if (view.starts_with("\xFF\xFE"sv)) {
    out = from_utf16(view.substr(2), false);
  } else if (view.starts_with("\xFE\xFF"sv)) {
    out = from_utf16(view.substr(2), true);
  } else if (const std::string_view sample = view.substr(0, kSampleBytes);
             sample.find('\0') != std::string_view::npos) {
    const std::optional<bool> big_endian = guess_utf16_is_big_endian(sample);
    if (!big_endian) return std::nullopt;
    out = from_utf16(view, *big_endian);
    // A binary file may have NULs like that by chance; its other bytes give what no text has.
    const std::string_view start = std::string_view(out.text).substr(0, kSampleBytes);
    if (start.find('\0') != std::string_view::npos ||
        start.find(kReplacement) != std::string_view::npos) {
      return std::nullopt;
    }
  } else {
    if (view.starts_with("\xEF\xBB\xBF"sv)) bytes.erase(0, 3);
    out.repaired = !is_valid_utf8(bytes);
    out.text = out.repaired ? repair_utf8(bytes) : std::move(bytes);
  }
  if (out.encoding != TextEncoding::kUtf8) {
    out.repaired = out.text.find(kReplacement) != std::string::npos;
  }
  replace_nuls(out);
  return out;
}

std::string_view generated_kind(std::string_view path, std::string_view text, bool is_prose) {
  const std::string name = to_lower_ascii(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
  if (std::find(std::begin(kLockFiles), std::end(kLockFiles), name) != std::end(kLockFiles)) {
    return "lock file";
  }
  if (ends_with_any(name, {".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css",
                           ".bundle.js"})) {
    return "minified";
  }
  if (ends_with_any(name, {"_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb.js", "_pb.ts", "_pb.d.ts",
                           ".pb.go", ".pb.ts", ".map", ".snap"})) {
    return "generated";
  }
  if (is_prose) return "";
  if (has_generated_marker(text)) return "generated";
  if (has_mostly_long_lines(text)) return "minified";
  return "";
}

bool has_binary_extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string extension = to_lower_ascii(name.substr(dot + 1));
  return std::find(std::begin(kBinaryExtensions), std::end(kBinaryExtensions), extension) !=
         std::end(kBinaryExtensions);
}

}  // namespace codexmem::index

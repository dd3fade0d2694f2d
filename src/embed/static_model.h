// embed/static_model.h - the built-in model: a vector for each of about ten thousand words.
//
// The vector of a text is a weighted sum of its words' vectors, so it takes about a microsecond and
// no network. The file format is CXM1, see static_model.cpp. Immutable after loading: safe to share
// between threads. The same input gives the same bits on any thread, with any number of threads.
// Design: docs/how-it-works.md, "Vectors".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "embed/word_bag.h"

namespace codexmem::embed {

class StaticModel {
 public:
  /// The model in `bytes`, a CXM1 file, which must outlive the model and are not copied. Errors:
  /// kCorrupt when they are not such a file or are damaged; kUnsupported for another version.
  static Result<std::shared_ptr<const StaticModel>> from_bytes(std::string_view bytes);

  /// The model in the file at `path`. Errors: as read_file and from_bytes, naming the file.
  static Result<std::shared_ptr<const StaticModel>> load(const std::filesystem::path& path);

  /// The model built into this program, loaded at the first call; its bytes are not checked.
  static Result<std::shared_ptr<const StaticModel>> built_in();
  /// Its id(), without loading it.
  static std::string built_in_id();

  /// "text-code-static-128d-" and the file's checksum in hexadecimal.
  const std::string& id() const { return id_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t word_count() const { return word_count_; }

  /// The number of a lower-case word, or nothing if the model does not know it.
  std::optional<WordId> find_word(std::string_view word) const;

  /// The word with number `id`, which is less than word_count().
  std::string_view word(WordId id) const;

  /// The vector of a query: the sum of the query vectors of all its words, with repetitions, scaled
  /// to length 1; dimension() floats, all zero if no word is known.
  std::vector<float> query_vector(std::string_view text) const;

  /// Puts the vector of a document into `out`, which has dimension() floats: the sum over words of
  /// sqrt(count) x document scale x row, scaled to length 1; all zero without words.
  void document_vector(std::span<const WordCount> words, std::span<float> out) const;

 private:
  StaticModel() = default;
  /// With `is_checked`, damage gives an error: the checksum, the order of words, the scales.
  Result<void> open(std::string_view bytes, bool is_checked = true);
  void build_word_table();

  std::string owned_;  // the file's bytes if load() read them
  std::string id_;
  std::size_t dimension_ = 0;
  std::size_t word_count_ = 0;
  std::vector<std::uint32_t> offsets_;  // word_count_ + 1, into blob_
  std::string_view blob_;
  std::vector<float> query_scales_;
  std::vector<float> document_scales_;
  const std::int8_t* rows_ = nullptr;  // word_count_ x dimension_
  std::vector<std::uint16_t> table_;   // open addressing: word id + 1, 0 is empty
};

/// True if `model_id` is the id of a static model, of this program or another release.
bool is_static_model_id(std::string_view model_id);

/// `model` as an Embedder.
std::unique_ptr<Embedder> make_static_embedder(std::shared_ptr<const StaticModel> model);

}  // namespace codexmem::embed

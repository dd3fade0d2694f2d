// A small repository of several languages that changes at random, as repositories do and as they
// should not. tests/index only.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "temporary_tree.h"

namespace codexmem::index {

/// Files larger than this should be skipped: small, so that becoming too large is cheap.
inline constexpr std::size_t kLargeFile = 16'384;
/// In a tree with lock files, which are to be indexed.
inline constexpr std::size_t kLargeLockFile = 2'000'000;

/// The same seed makes the same tree and the same changes, except that times of files differ.
class RandomTree {
 public:
  /// `has_locks`: every other change is of a file of up to a megabyte in which each word is
  /// another.
  explicit RandomTree(std::uint64_t seed, bool has_locks = false);

  const std::filesystem::path& root() const { return tree_.root(); }

  /// Changes something and says what, on one line.
  std::string change();

  /// The current files, links and folder contents, except git's and codexmem's, sorted.
  std::vector<std::string> list_files() const;

  /// A folder below the root, or a file; some that do not exist.
  std::string some_path();

  /// 0 <= result < n.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool chance(std::size_t percent) { return below(100) < percent; }

 private:
  struct Kind;
  static const std::vector<Kind>& kinds();

  // Each does one kind of change and says what it did; "" when it could not.
  std::string edit();
  std::string edit_in_the_same_moment();
  std::string probe();
  std::string empty();
  std::string create();
  std::string copy();
  std::string remove();
  std::string remove_folder();
  std::string rename();
  std::string rename_folder();
  std::string swap();
  std::string change_case();
  std::string touch();
  std::string change_ignore_file();
  std::string change_configuration();
  std::string toggle_package();
  std::string become_large();
  std::string become_binary();
  std::string become_link();
  std::string become_folder();
  std::string toggle_generated();
  std::string toggle_mode();
  std::string restore();
  std::string switch_branch();
  std::string git_index();
  std::string toggle_nested_repository();
  std::string change_lock();

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  std::string some_file();    // a regular file; "" without one
  std::string some_folder();  // of the fixed list
  std::string some_new_path();
  std::string some_name();  // of a module
  std::string text_for(const std::string& path);
  std::string lines_for(const std::string& path);
  std::string module_for(const std::string& from, const std::string& to);
  std::string import_for(const std::string& path);
  std::string read(const std::string& path) const;
  void put(const std::string& path, std::string_view bytes);
  void age(const std::string& path);
  bool is_free(const std::string& path) const;

  TemporaryTree tree_;
  std::mt19937_64 random_;
  bool has_git_ = false, has_locks_ = false;
  std::int64_t ticks_ = 0;
  const std::filesystem::file_time_type later_ =
      std::filesystem::file_time_type::clock::now() + std::chrono::hours(24);
  std::vector<std::string> samples_;                       // files of testdata/languages
  std::vector<std::pair<std::string, std::string>> kept_;  // path and bytes of files that were
  std::map<std::string, std::string> branch_;              // all files of the other branch
};

}  // namespace codexmem::index

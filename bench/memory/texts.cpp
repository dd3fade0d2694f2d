#include "texts.h"

#include <fmt/core.h>
#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string_view>
#include <unordered_set>

#include "text/json.h"
#include "base/text.h"

namespace codexmem::bench {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

constexpr std::int64_t kTwoYearsMs = std::int64_t{730} * 86'400'000;
constexpr std::size_t kMaxBody = 1500;

// The bytes that a git command prints, in parts that end in `separator`.
void read_git(const fs::path& repository, const std::string& arguments, char separator,
              const std::function<bool(std::string_view)>& take) {
  const std::string command =
      fmt::format("git --git-dir='{}' {} 2>/dev/null", repository.string(), arguments);
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return;
  char* line = nullptr;
  std::size_t capacity = 0;
  for (;;) {
    const ssize_t size = ::getdelim(&line, &capacity, separator, pipe);
    if (size <= 0) break;
    std::string_view part(line, static_cast<std::size_t>(size));
    if (part.back() == separator) part.remove_suffix(1);
    if (!take(part)) break;
  }
  std::free(line);
  ::pclose(pipe);
}

std::string clean(std::string_view text) {
  std::string out = repair_utf8(trim(text));
  std::erase(out, '\0');
  return std::string(utf8_prefix(out, kMaxBody));
}

std::string type_of(const std::string& title, Random& random) {
  const std::string lower = to_lower_ascii(title);
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (has("fix") || has("bug")) return "bugfix";
  if (has("feat") || has("add ")) return "feature";
  if (has("refactor") || has("clean")) return "refactor";
  if (has("decid") || has("instead")) return "decision";
  return random() % 2 == 0 ? "change" : "discovery";
}

constexpr const char* kConcepts[] = {"how-it-works",     "why-it-exists", "what-changed",
                                     "problem-solution", "gotcha",        "pattern",
                                     "trade-off"};

// What is added to a text so that filters have something to do.
void dress(const std::vector<std::string>& files, Random& random, BenchEntry* entry) {
  entry->type = type_of(entry->title.empty() ? entry->body : entry->title, random);
  Json concepts = Json::array(), read = Json::array(), modified = Json::array();
  if (random() % 2 == 0) concepts.push_back(kConcepts[random() % std::size(kConcepts)]);
  for (std::size_t i = random() % 3; i > 0 && !files.empty(); --i) {
    (random() % 2 == 0 ? read : modified).push_back(files[random() % files.size()]);
  }
  entry->concepts = dump_json(concepts);
  entry->files_read = dump_json(read);
  entry->files_modified = dump_json(modified);
}

class Distinct {
 public:
  explicit Distinct(std::size_t count) { seen_.reserve(count); }
  bool add(const BenchEntry& entry) {
    return seen_.insert(std::hash<std::string>()(entry.title + "\n" + entry.body)).second;
  }

 private:
  std::unordered_set<std::size_t> seen_;
};

struct Taker {
  std::size_t count = 0;
  std::int64_t now_ms = 0;
  const std::function<bool(BenchEntry)>& take;
  Distinct distinct{count};
  std::size_t taken = 0;
  bool is_done = false;

  // False when no more are wanted.
  bool give(BenchEntry entry) {
    if (is_done) return false;
    if (entry.body.size() < 12 || !distinct.add(entry)) return true;
    entry.created_at_ms =
        now_ms - kTwoYearsMs +
        kTwoYearsMs / static_cast<std::int64_t>(count) * static_cast<std::int64_t>(taken);
    // A session is thirty entries of a project.
    if (taken % 3 != 0) entry.session = fmt::format("{}-{}", entry.project, taken / 600);
    is_done = !take(std::move(entry)) || ++taken == count;
    return !is_done;
  }
};

struct Repository {
  fs::path path;
  std::string name;
  std::vector<std::string> files;
  std::vector<std::string> subjects;
};

void read_messages(Repository& repository, Random& random, Taker& taker) {
  read_git(repository.path, "log --all --no-merges --format=%s%x1f%b%x00", '\0',
           [&](std::string_view part) {
             const std::size_t end = part.find('\x1f');
             if (end == std::string_view::npos) return true;
             BenchEntry entry;
             entry.project = repository.name;
             const std::string subject = clean(part.substr(0, end));
             entry.body = clean(part.substr(end + 1));
             if (subject.size() > 12) repository.subjects.push_back(subject);
             if (entry.body.empty()) {
               entry.body = subject;
             } else {
               entry.title = subject;
             }
             dress(repository.files, random, &entry);
             return taker.give(std::move(entry));
           });
}

void read_paragraphs(Repository& repository, Random& random, Taker& taker) {
  for (const std::string& file : repository.files) {
    if (taker.is_done) return;
    if (!file.ends_with(".md") && !file.ends_with(".rst")) continue;
    std::string all;
    if (file.find('\'') != std::string::npos) continue;
    read_git(repository.path, fmt::format("show 'HEAD:{}'", file), '\0',
             [&](std::string_view text) {
               all += text;
               return false;
             });
    for (std::size_t begin = 0; begin < all.size();) {
      std::size_t end = all.find("\n\n", begin);
      if (end == std::string::npos) end = all.size();
      BenchEntry entry;
      entry.project = repository.name;
      entry.body = clean(std::string_view(all).substr(begin, end - begin));
      begin = end + 2;
      if (entry.body.size() < 60) continue;
      dress({file}, random, &entry);
      if (!taker.give(std::move(entry))) return;
    }
  }
}

void from_repositories(const std::vector<fs::path>& paths, Random& random, Taker& taker) {
  std::vector<Repository> repositories;
  for (const fs::path& path : paths) {
    Repository one;
    one.path = path;
    one.name = path.filename() == "repo" || path.filename() == ".git"
                   ? path.parent_path().filename().string()
                   : path.filename().string();
    read_git(path, "ls-tree -r -z --name-only HEAD", '\0', [&](std::string_view file) {
      if (is_valid_utf8(file)) one.files.emplace_back(file);
      return one.files.size() < 20'000;
    });
    repositories.push_back(std::move(one));
  }
  // Half of what is wanted at most from messages alone, so that paragraphs get their part.
  for (Repository& one : repositories) {
    read_messages(one, random, taker);
    if (!taker.is_done) read_paragraphs(one, random, taker);
    if (taker.is_done) return;
  }
  std::erase_if(repositories, [](const Repository& one) { return one.subjects.size() < 2; });
  while (!taker.is_done && !repositories.empty()) {
    const Repository& one = repositories[random() % repositories.size()];
    BenchEntry entry;
    entry.project = one.name;
    entry.title = one.subjects[random() % one.subjects.size()];
    entry.body = one.subjects[random() % one.subjects.size()] + ". " +
                 one.subjects[random() % one.subjects.size()] + ".";
    dress(one.files, random, &entry);
    taker.give(std::move(entry));
  }
}

// A made-up word of two to four syllables; the same for the same number.
std::string word_of(std::size_t number) {
  constexpr const char* kBegin[] = {"b", "c",  "d",  "f",  "g",  "l",  "m",  "n",  "p", "r",
                                    "s", "st", "tr", "pl", "qu", "gr", "ch", "sh", "v", "w"};
  constexpr const char* kMiddle[] = {"a", "e", "i", "o", "u", "ai", "ea", "io"};
  constexpr const char* kEnd[] = {"", "n", "r", "l", "t", "x", "nd", "rk"};
  Random random(number * 7919 + 13);
  std::string word;
  for (std::size_t i = 2 + random() % 3; i > 0; --i) {
    word += kBegin[random() % std::size(kBegin)];
    word += kMiddle[random() % std::size(kMiddle)];
    word += kEnd[random() % std::size(kEnd)];
  }
  return word;
}

void from_templates(Random& random, Taker& taker) {
  constexpr std::size_t kWords = 60'000;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < kWords; ++i) words.push_back(word_of(i));
  std::vector<double> weights;
  for (std::size_t i = 0; i < kWords; ++i) weights.push_back(1.0 / static_cast<double>(i + 2));
  std::discrete_distribution<std::size_t> zipf(weights.begin(), weights.end());
  const auto word = [&] { return words[zipf(random)]; };
  constexpr const char* kStarts[] = {
      "Fix the",   "Add a",         "Found that the", "Decided to use the", "Removed",
      "Moved the", "The cause was", "Documented the", "Measured",           "Renamed"};
  constexpr const char* kJoins[] = {" because of ", " in ",    " when ",
                                    ", so that ",   " after ", " without "};
  while (!taker.is_done) {
    BenchEntry entry;
    entry.project = fmt::format("project-{}", random() % 40);
    entry.title = fmt::format("{} {} {}", kStarts[random() % std::size(kStarts)], word(), word());
    for (std::size_t sentences = 1 + random() % 5; sentences > 0; --sentences) {
      entry.body += kStarts[random() % std::size(kStarts)];
      for (std::size_t i = 4 + random() % 10; i > 0; --i) {
        entry.body += random() % 5 == 0 ? kJoins[random() % std::size(kJoins)] : " ";
        entry.body += word();
      }
      entry.body += ". ";
    }
    dress({"src/" + word() + ".cpp", "docs/" + word() + ".md"}, random, &entry);
    taker.give(std::move(entry));
  }
}

}  // namespace

std::vector<fs::path> find_repositories(const fs::path& folder) {
  std::vector<fs::path> found;
  const auto is_git = [](const fs::path& path) {
    return fs::exists(path / "HEAD") && fs::exists(path / "objects");
  };
  const std::function<void(const fs::path&, int)> look = [&](const fs::path& path, int depth) {
    if (is_git(path)) {
      found.push_back(path);
    } else if (is_git(path / ".git")) {
      found.push_back(path / ".git");
    } else if (depth > 0) {
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(path, ignored)) {
        if (entry.is_directory(ignored)) look(entry.path(), depth - 1);
      }
    }
  };
  look(folder, 2);
  std::sort(found.begin(), found.end());
  return found;
}

void generate_entries(const std::vector<fs::path>& repositories, std::size_t count,
                      std::int64_t now_ms, const std::function<bool(BenchEntry)>& take) {
  Random random(20'260'318);
  Taker taker{.count = count, .now_ms = now_ms, .take = take};
  if (repositories.empty()) {
    from_templates(random, taker);
  } else {
    from_repositories(repositories, random, taker);
  }
}

}  // namespace codexmem::bench

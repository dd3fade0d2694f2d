// What a document's sections were is read from ingestion_events: the newest event of a key (the
// headings, which give the place of a section) has the hash of its text then and the
// entry that was made of it. A hash that was seen before is that entry; else the section is new,
// and supersedes the entry that its key had. Sections are prepared before the transaction and
// looked up once more inside it, so that two programs that ingest the same do it once.
//
// Tested by memory/ingest_test.cpp.
#include "memory/documents/ingest.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "text/json.h"
#include "base/path.h"
#include "base/text.h"
#include "memory/documents/document_sections.h"
#include "privacy/gate.h"
#include "store/user/ingestion.h"

namespace codexmem::memory {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultSources[] = {"docs/session-log.md", "docs/decisions.md",
                                           "docs/requirements.md"};

// The events of one document, as far as they matter.
struct Events {
  struct Last {
    std::string hash;
    std::optional<EntryId> entry;  // nothing: it was removed since
  };
  std::map<std::string, Last> by_key;
  std::map<std::string, EntryId> by_hash;
  std::map<std::string, EntryId> gone_by_text;  // what stood under headings that are gone
  std::map<EntryId, std::size_t> sections;      // how many headings of by_key have it

  void add(std::string key, std::string hash, std::optional<EntryId> entry) {
    if (entry) {
      by_hash.insert_or_assign(hash, *entry);
      ++sections[*entry];
    }
    Last& last = by_key[std::move(key)];
    if (last.entry) --sections[*last.entry];
    last = {std::move(hash), entry};
  }

  std::map<std::string, Last>::iterator remove(std::map<std::string, Last>::iterator event) {
    if (event->second.entry) --sections[*event->second.entry];
    return by_key.erase(event);
  }

  std::size_t count_sections(EntryId entry) const {
    const auto found = sections.find(entry);
    return found == sections.end() ? 0 : found->second;
  }
};

// One section on its way in.
struct Incoming {
  DocumentSection section;
  std::string hash;
  std::optional<PreparedEntry> prepared;  // nothing: its hash was known before
};

struct Source {
  fs::path path;     // absolute, links followed
  std::string name;  // from the root
};

bool is_markdown(const fs::path& path) {
  const std::string extension = to_lower_ascii(path.extension().string());
  return extension == ".md" || extension == ".markdown" || extension == ".mdx";
}

// White space and line ends do not make another text of it.
std::string section_hash(const DocumentSection& section) {
  std::string normal = section.heading + "\n";
  std::size_t blank = 0;
  for (const std::string_view line : split(section.text, '\n')) {
    const auto end = line.find_last_not_of(" \t");
    if (end == std::string_view::npos) {
      ++blank;
      continue;
    }
    if (blank > 0) normal += '\n';
    blank = 0;
    normal += line.substr(0, end + 1);
    normal += '\n';
  }
  return sha256_hex(normal);
}

bool is_next_part(const DocumentSection& section, const DocumentSection& next) {
  return section.is_cut && next.is_cut && section.anchor == next.anchor;
}

class Ingestion {
 public:
  Ingestion(const Entries& entries, store::UserStore& store, const IngestRequest& request,
            const Clock& clock, const EntryHook& hook)
      : entries_(entries), store_(store), request_(request), clock_(clock), hook_(hook) {}

  Result<void> find_root() {
    std::error_code failed;
    root_ = fs::canonical(request_.root, failed);
    if (failed || !fs::is_directory(root_, failed)) {
      return invalid_argument(
          fmt::format("the project's root must be a folder, got {}", request_.root.string()));
    }
    report_.project = fold_whitespace(privacy::cleaned(request_.project));
    if (report_.project.empty()) report_.project = "default";
    return {};
  }

  // Errors: kInvalidArgument for one outside of the root.
  Result<void> add_source(const std::string& given, bool is_default) {
    if (given.find('\0') != std::string::npos || !path_below(root_, given)) return outside(given);
    const auto skip = [&](std::string reason) -> Result<void> {
      report_.skipped.push_back({given, std::move(reason)});
      return {};
    };
    std::error_code failed;
    const fs::path path = fs::canonical(root_ / given, failed);
    if (failed)
      return skip(failed == std::errc::no_such_file_or_directory ? "there is no such file"
                                                                 : failed.message());
    const auto name = path_below(root_, path);
    if (!name || name->starts_with("../")) {
      return is_default ? skip("it leads out of the project") : outside(given);
    }
    if (fs::is_directory(path, failed)) return add_folder(given, path);
    if (!fs::is_regular_file(path, failed)) return skip("it is not a regular file");
    // To open and close a file of the store would give up SQLite's locks on it.
    if (path.parent_path() == fs::weakly_canonical(store_.directory(), failed)) {
      return skip("it is a file of the memory itself");
    }
    sources_.push_back({path, *name});
    return {};
  }

  Result<void> ingest_sources(const std::stop_token& stop) {
    std::sort(sources_.begin(), sources_.end(),
              [](const Source& a, const Source& b) { return a.name < b.name; });
    sources_.erase(std::unique(sources_.begin(), sources_.end(),
                               [](const Source& a, const Source& b) { return a.name == b.name; }),
                   sources_.end());
    for (const Source& source : sources_) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      CODEXMEM_TRY(ingest(source));
    }
    return {};
  }

  IngestReport take_report() { return std::move(report_); }

 private:
  static Error outside(const std::string& given) {
    return invalid_argument(
        fmt::format("sources must lie in the project, got '{}'", utf8_prefix(given, 200)));
  }

  Result<void> add_folder(const std::string& given, const fs::path& folder) {
    std::error_code failed;
    std::vector<Source> found;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
      const std::string name = at->path().filename().string();
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        if (name.starts_with('.') || name == "node_modules" || at->is_symlink(ignored)) {
          at.disable_recursion_pending();
        }
        continue;
      }
      if (name.starts_with('.') || !is_markdown(at->path())) continue;
      const fs::path path = fs::canonical(at->path(), ignored);
      const auto below = ignored ? std::nullopt : path_below(root_, path);
      if (!below || !fs::is_regular_file(path, ignored)) continue;
      if (path.parent_path() == fs::weakly_canonical(store_.directory(), ignored)) continue;
      if (found.size() == kMaxSources) {
        return invalid_argument(
            fmt::format("a folder of sources must hold at most {} Markdown files, got "
                        "'{}' with more",
                        kMaxSources, utf8_prefix(given, 200)));
      }
      found.push_back({path, *below});
    }
    if (failed) report_.skipped.push_back({given, failed.message()});
    if (!failed && found.empty()) report_.skipped.push_back({given, "it holds no Markdown file"});
    sources_.insert(sources_.end(), found.begin(), found.end());
    return {};
  }

  // The text of `source`, or why it has none.
  Result<std::string> read(const Source& source, std::string& reason) {
    auto bytes = read_file(source.path, kMaxSourceBytes);
    if (!bytes.ok()) {
      reason = bytes.error().code() == ErrorCode::kUnsupported
                   ? fmt::format("it has more than {} MB", kMaxSourceBytes >> 20)
                   : bytes.error().message();
      return std::string();
    }
    if (bytes->starts_with("\xFF\xFE") || bytes->starts_with("\xFE\xFF")) {
      reason = "it is UTF-16: save it as UTF-8";
    } else if (bytes->find('\0') != std::string::npos) {
      reason = "it is binary";
    } else if (!is_valid_utf8(*bytes)) {
      reason = "it is not UTF-8 text";
    }
    return bytes;
  }

  Result<void> ingest(const Source& source) {
    std::string reason;
    CODEXMEM_ASSIGN(const std::string bytes, read(source, reason));
    if (!reason.empty()) {
      report_.skipped.push_back({source.name, std::move(reason)});
      return {};
    }
    // Private parts may span headings.
    const std::string text = privacy::cleaned(bytes);
    const std::vector<DocumentSection> sections = is_markdown(source.path)
                                                      ? split_markdown(text, source.name)
                                                      : split_text(text, source.name);
    CODEXMEM_ASSIGN(const std::vector<Incoming> incoming, prepare(source, sections));
    ++report_.processed_sources;
    if (incoming.empty()) return {};
    return write(source, incoming);
  }

  Result<std::vector<Incoming>> prepare(const Source& source,
                                        const std::vector<DocumentSection>& sections) {
    Events events;
    {
      CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
      CODEXMEM_ASSIGN(events, read_events(*reader, source));
    }
    std::vector<Incoming> incoming;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (sections[i].is_cut) {
        // Where it was cut, between words or within one, a secret may have been.
        privacy::Inspection inspection;
        std::vector<std::string> joined;
        for (const char* between : {"", "\n"}) {
          std::string whole = sections[i].text;
          if (i > 0 && is_next_part(sections[i - 1], sections[i])) {
            whole.insert(0, sections[i - 1].text + between);
          }
          if (i + 1 < sections.size() && is_next_part(sections[i], sections[i + 1])) {
            whole += between + sections[i + 1].text;
          }
          joined.push_back(std::move(whole));
        }
        inspection.add("text", joined);
        if (auto checked = inspection.check(); !checked.ok()) {
          note_blocked(source, i, checked.error());
          continue;
        }
      }
      Incoming next{sections[i], {}, std::nullopt};
      next.hash = section_hash(next.section);
      if (events.by_hash.contains(next.hash)) {
        incoming.push_back(std::move(next));
        continue;
      }
      NewEntry entry;
      entry.project = report_.project;
      entry.type = request_.entry_type.empty() ? "ingestion" : request_.entry_type;
      entry.title = next.section.title;
      entry.text = next.section.text;
      entry.source = "ingest";
      entry.source_ref = source_ref(source, next.section);
      auto prepared = entries_.prepare(std::move(entry), hook_);
      if (prepared.ok()) {
        next.prepared = *std::move(prepared);
        incoming.push_back(std::move(next));
      } else if (prepared.error().code() == ErrorCode::kBlocked) {
        note_blocked(source, i, prepared.error());
      } else {
        return std::move(prepared).error();
      }
    }
    return incoming;
  }

  Result<void> write(const Source& source, const std::vector<Incoming>& incoming) {
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_.begin());
    CODEXMEM_ASSIGN(Events events, read_events(*writer, source));
    CODEXMEM_TRY(take_gone(*writer, incoming, events));
    for (const Incoming& next : incoming) {
      CODEXMEM_TRY(write(*writer, source, next, events));
    }
    return writer.commit();
  }

  // Moves the headings that are there no longer out of events.by_key: what they had may be
  // superseded.
  static Result<void> take_gone(store::Database& database, const std::vector<Incoming>& incoming,
                                Events& events) {
    std::set<std::string_view> keys;
    for (const Incoming& next : incoming) keys.insert(next.section.key);
    for (auto event = events.by_key.begin(); event != events.by_key.end();) {
      if (keys.contains(event->first)) {
        ++event;
        continue;
      }
      if (const auto id = event->second.entry) {
        CODEXMEM_ASSIGN(const auto body, store::find_entry_body(database, *id));
        if (body) events.gone_by_text.insert_or_assign(*body, *id);
      }
      event = events.remove(event);
    }
    return {};
  }

  Result<void> write(store::Database& database, const Source& source, const Incoming& next,
                     Events& events) {
    const auto known = events.by_hash.find(next.hash);
    const auto last = events.by_key.find(next.section.key);
    const bool is_same = last != events.by_key.end() && last->second.hash == next.hash;
    EntryId id{};
    const char* outcome = "duplicate";
    if (known != events.by_hash.end()) {
      ++report_.duplicate_entries;
      if (is_same && last->second.entry) return {};
      id = known->second;
    } else if (next.prepared) {
      CODEXMEM_ASSIGN(const SavedEntry saved, entries_.insert(database, *next.prepared));
      id = saved.id;
      if (saved.is_duplicate) {
        ++report_.duplicate_entries;
      } else {
        ++report_.imported_entries;
        report_.imported.push_back(id);
        outcome = "imported";
      }
    } else {
      return {};  // it was removed since it was looked up: the next time finds it new
    }
    std::optional<EntryId> older;
    if (last != events.by_key.end() && !is_same && last->second.entry != id) {
      older = last->second.entry;
      // Unless it is what another section here says.
      if (events.count_sections(*older) > 1) older.reset();
    } else if (last == events.by_key.end()) {
      // A heading that was only reworded.
      const auto gone = events.gone_by_text.find(next.section.text);
      if (gone != events.gone_by_text.end() && gone->second != id) older = gone->second;
    }
    if (older) {
      CODEXMEM_ASSIGN(const bool is_superseded, supersede(database, source, id, *older));
      if (is_superseded && outcome == std::string_view("duplicate")) outcome = "restored";
    }
    CODEXMEM_TRY(store::add_ingestion_event(database, source.name,
                                            {next.section.key, next.hash, id}, outcome, clock_()));
    events.add(next.section.key, next.hash, id);
    return {};
  }

  // `id` is now what `older` was.
  Result<bool> supersede(store::Database& database, const Source& source, EntryId id,
                         EntryId older) {
    CODEXMEM_ASSIGN(const bool is_used, store::is_ingested_elsewhere(database, older, source.name));
    if (is_used) return false;
    // An entry that is current again is superseded by none.
    CODEXMEM_TRY(store::supersede_entry(database, id, older, clock_()));
    ++report_.superseded_entries;
    return true;
  }

  Result<Events> read_events(store::Database& database, const Source& source) const {
    CODEXMEM_ASSIGN(auto all, store::list_ingestion_events(database, report_.project, source.name));
    Events events;
    for (auto& event : all) {
      events.add(std::move(event.section), std::move(event.section_hash), event.entry);
    }
    return events;
  }

  // Headings are not shown: the secret may be in one.
  void note_blocked(const Source& source, std::size_t index, const Error& error) {
    BlockedSection blocked{source.name, index + 1, {}};
    const Json details = Json::parse(error.details(), nullptr, /*allow_exceptions=*/false);
    if (details.is_object() && details.contains("rules") && details["rules"].is_array()) {
      for (const Json& rule : details["rules"]) {
        if (rule.is_string()) blocked.rules.push_back(rule.get<std::string>());
      }
    }
    report_.blocked.push_back(std::move(blocked));
  }

  static std::string source_ref(const Source& source, const DocumentSection& section) {
    return section.anchor.empty() ? source.name : source.name + "#" + section.anchor;
  }

  const Entries& entries_;
  store::UserStore& store_;
  const IngestRequest& request_;
  const Clock& clock_;
  const EntryHook& hook_;
  fs::path root_;
  std::vector<Source> sources_;
  IngestReport report_;
};

}  // namespace

Result<IngestReport> ingest_docs(const Entries& entries, store::UserStore& store,
                                 const IngestRequest& request, const Clock& clock,
                                 const EntryHook& hook, const std::stop_token& stop) {
  if (request.sources.size() > kMaxSources) {
    return invalid_argument(fmt::format("sources must have at most {} items, got {}", kMaxSources,
                                        request.sources.size()));
  }
  if (!request.entry_type.empty()) {
    const auto fits = check_type(request.entry_type);
    if (!fits.ok())
      return invalid_argument("entry_" + fits.error().message());  // as the argument is called
  }
  Ingestion ingestion(entries, store, request, clock, hook);
  CODEXMEM_TRY(ingestion.find_root());
  if (request.sources.empty()) {
    for (const char* source : kDefaultSources) CODEXMEM_TRY(ingestion.add_source(source, true));
  }
  for (const std::string& source : request.sources) {
    CODEXMEM_TRY(ingestion.add_source(source, false));
  }
  CODEXMEM_TRY(ingestion.ingest_sources(stop));
  return ingestion.take_report();
}

}  // namespace codexmem::memory

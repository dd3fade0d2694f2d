#include "lsp/repository.h"

#include <exception>
#include <utility>

#include "ask/cited_code.h"
#include "ask/code/get_context.h"
#include "base/log.h"
#include "memory/entries/citations.h"
#include "serve/embedding_provider.h"
#include "serve/repository.h"

namespace codexmem::lsp {
namespace {

// Decoded facts, which take twice as much: the whole process is to have some 60 MB.
constexpr std::size_t kFactsBytes = std::size_t{8} << 20;

// For files that have just changed on disk: longer than the run over a few.
constexpr std::chrono::milliseconds kPatience{500};

constexpr std::size_t kMaxNotes = 5;

Result<serve::MemorySetup> open_memory(const std::filesystem::path& root) {
  const Settings settings = serve::load_settings(root);
  return serve::set_up_memory({.folder = root, .bears_trouble = true},
                              serve::choose_provider(settings.reader()), settings);
}

}  // namespace

Result<std::unique_ptr<Repository>> Repository::open(const std::filesystem::path& root,
                                                     Options options) {
  CODEXMEM_ASSIGN(auto workspace, store::Workspace::open(root));
  CODEXMEM_ASSIGN(auto texts, index::OpenTexts::make(workspace->root()));
  return std::unique_ptr<Repository>(
      new Repository(std::move(workspace), std::move(texts), std::move(options)));
}

Repository::Repository(std::unique_ptr<store::Workspace> workspace,
                       std::unique_ptr<index::OpenTexts> texts, Options options)
    : options_(std::move(options)),
      workspace_(std::move(workspace)),
      facts_(std::make_unique<graph::FactsCache>(kFactsBytes)),
      texts_(std::move(texts)),
      memory_(open_memory(workspace_->root())),
      fresh_(*workspace_, {}, {.watches = options_.watches, .skip_embeddings = true}) {
  if (!is_ready()) {
    awaiting_ = std::jthread([this](const std::stop_token& stop) { await_first(stop); });
  }
}

Repository::~Repository() = default;

void Repository::await_first(const std::stop_token& stop) {
  try {
    const auto report = [this](const index::IndexProgress& now) {
      if (options_.on_first_index) options_.on_first_index(now);
    };
    auto done = Result<std::string>(Error{ErrorCode::kBusy, ""});
    while (!done.ok() && done.error().code() == ErrorCode::kBusy) {
      done = fresh_.await(std::chrono::steady_clock::now(), stop, report);
    }
    if (!done.ok()) log_warn("the first index: {}", done.error().message());
    index::IndexProgress last;
    last.phase = index::IndexPhase::kDone;
    if (!stop.stop_requested()) report(last);
  } catch (const std::exception& error) {
    log_warn("the first index: {}", error.what());
  }
}

bool Repository::is_ready() {
  is_ready_ = is_ready_ || serve::has_complete_index(*workspace_);
  return is_ready_;
}

Result<std::unique_ptr<Moment>> Repository::look(Documents& documents,
                                                 const std::stop_token& stop) {
  const auto behind = fresh_.await(std::chrono::steady_clock::now() + kPatience, stop, {});
  if (!behind.ok() && behind.error().code() == ErrorCode::kCancelled) return behind.error();
  std::set<std::string> open;
  for (auto& [uri, document] : documents.all()) {
    if (document.path.empty()) continue;
    open.insert(document.path);
    if (std::exchange(document.is_new_text, false)) texts_->put(document.path, document.text);
  }
  for (const std::string& path : put_) {
    if (!open.contains(path)) texts_->remove(path);
  }
  put_ = std::move(open);
  CODEXMEM_ASSIGN(auto lease, workspace_->reader());
  auto moment = std::make_unique<Moment>(std::move(lease));
  CODEXMEM_ASSIGN(moment->moment_, moment->lease_->begin_read());
  CODEXMEM_ASSIGN(auto overlay, texts_->over(*moment->lease_));
  moment->overlay_ = store::make_overlay_reader(*moment->lease_, std::move(overlay));
  return moment;
}

void Repository::rest() {
  // A few live blocks among freed ones would keep all pages.
  facts_ = std::make_unique<graph::FactsCache>(kFactsBytes);
  // (Requests come one after the other: one connection has read for all of them.)
  if (auto reader = workspace_->reader(); reader.ok()) (*reader)->database().release_memory();
}

std::vector<std::string> Repository::list_notes(Moment& moment, const std::string& path,
                                                const std::string& symbol) {
  std::vector<std::string> lines;
  if (!memory_.ok()) return lines;
  const auto memory = memory_->memory->find();
  if (!memory.ok() || *memory == nullptr) return lines;
  const auto scope = (*memory)->seen_now();
  auto user = (*memory)->store().reader();
  if (!user.ok()) return lines;
  ask::IndexedCode code(*workspace_, moment.reader());
  const auto notes =
      memory::find_notes(**user, code,
                         {.path = path,
                          .symbol = symbol,
                          .project = (*memory)->is_isolated() ? (*memory)->project() : "",
                          .limit = kMaxNotes,
                          .scope = scope});
  if (!notes.ok()) {
    log_warn("what memory says: {}", notes.error().message());
    return lines;
  }
  for (const memory::CodeNote& note : notes->notes) {
    lines.push_back((note.status.empty() ? "Memory " : "Decision ") + note.id + ": " +
                    ask::note_title(note));
  }
  if (notes->omitted > 0) lines.push_back("and " + std::to_string(notes->omitted) + " more");
  return lines;
}

}  // namespace codexmem::lsp

// Tested by index/pack_test.cpp.
#include "index/packs/pack_make.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/stop_scope.h"
#include "index/discovery/embedded_text.h"
#include "index/git/git_changes.h"
#include "index/run/index_version.h"
#include "index/run/indexer.h"
#include "index/packs/pack_file.h"
#include "parse/components/component_script.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/fingerprint.h"
#include "parse/rules/languages.h"
#include "parse/facts/whole_facts.h"
#include "store/code/vector_cache.h"
#include "store/code_vectors.h"
#include "text/parse_json.h"

namespace codexmem::index {
namespace {

// Finds which files are as in the last commit.
class Committed {
 public:
  static Result<Committed> find(const std::filesystem::path& root) {
    Committed committed;
    auto changes = GitChanges::find(root, root, {.since = "", .is_staged = false});
    if (!changes.ok() && changes.error().code() != ErrorCode::kNotFound) {
      return std::move(changes).error();
    }
    if (changes.ok()) committed.changes_.emplace(*std::move(changes));
    return committed;
  }

  bool is_of_git() const { return changes_.has_value(); }
  std::string tree() const { return changes_ ? changes_->tree_id() : std::string(); }

  bool has(const std::string& path) const {
    if (!changes_) return true;
    const auto& changed = changes_->changes();
    const auto found = std::ranges::lower_bound(changed, path, {}, &GitChange::path);
    const bool is_changed = found != changed.end() && found->path == path;
    return !is_changed && changes_->existed(path);
  }

 private:
  std::optional<GitChanges> changes_;
};

std::vector<PackLanguage> list_fingerprints() {
  std::vector<PackLanguage> all;
  for (const parse::Language& language : parse::languages()) {
    if (!language.has_grammar) continue;
    all.push_back({std::string(language.name), parse::facts_fingerprint(language)});
  }
  std::ranges::sort(all, {}, &PackLanguage::name);
  return all;
}

class PackMaker {
 public:
  PackMaker(store::StoreReader& reader, const PackOptions& options, const std::stop_token& stop)
      : reader_(reader), options_(options), stop_(stop) {}

  Result<PackReport> make(const std::filesystem::path& root, const std::filesystem::path& path) {
    CODEXMEM_ASSIGN(const Committed committed, Committed::find(root));
    PackHeader header{.index_version = index_version(),
                      .languages = list_fingerprints(),
                      .program = options_.program,
                      .tree = options_.all ? std::string() : committed.tree()};
    CODEXMEM_TRY(choose_model(&header));
    CODEXMEM_ASSIGN(PackWriter writer, PackWriter::begin(path, header));
    CODEXMEM_ASSIGN(std::vector<store::FileRow> files, reader_.list_files());
    std::erase_if(files, [&](const store::FileRow& file) {
      const bool is_left_out = !options_.all && !committed.has(file.path);
      report_.left_out += is_left_out ? 1 : 0;
      return is_left_out;
    });
    for (const store::FileRow& file : files) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the pack was not written"};
      CODEXMEM_TRY(add_file(header, file, writer));
    }
    if (model_) {
      for (const store::FileRow& file : files) {
        if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the pack was not written"};
        CODEXMEM_TRY(add_vectors(file, writer));
      }
    }
    CODEXMEM_TRY(writer.commit());
    report_.files = writer.files();
    report_.vectors = writer.vectors();
    report_.bytes = writer.bytes();
    report_.tree = header.tree;
    return report_;
  }

 private:
  // Chooses the remote model of the index, if all files have its vectors.
  Result<void> choose_model(PackHeader* header) {
    CODEXMEM_ASSIGN(const auto name, reader_.find_meta(store::kVectorsModelKey));
    if (!name) return {};
    CODEXMEM_ASSIGN(const auto model, reader_.find_model(*name));
    if (!model) return {};
    CODEXMEM_ASSIGN(const auto missing, reader_.list_files_without_vectors(model->id));
    if (!missing.empty()) return {};
    header->model = *name;
    header->dimension = model->dimension;
    model_ = model->id;
    return {};
  }

  Result<void> add_file(const PackHeader& header, const store::FileRow& file, PackWriter& writer) {
    const auto language =
        std::ranges::lower_bound(header.languages, file.language, {}, &PackLanguage::name);
    if (language == header.languages.end() || language->name != file.language) return {};
    CODEXMEM_ASSIGN(const auto facts, read_whole_facts(reader_, file.id));
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(file.id));
    if (!facts || !content) return {};
    const bool is_text_alone =  // a parse failed, for a reason that may not recur
        (file.flags & store::kFileUnparsed) != 0 && facts->unparsed.empty();
    if (facts->truncated || (file.flags & store::kFileTruncated) != 0 || is_text_alone) {
      ++report_.unfinished;
      return {};
    }
    const std::string bytes = parse::encode_whole_facts(*facts);
    // Leave out entries that a reader would refuse.
    if (!parse::decode_whole_facts(bytes, *content).ok()) return {};
    return writer.add_file(hash_bytes(file.hash),
                           static_cast<std::size_t>(language - header.languages.begin()), bytes);
  }

  Result<void> add_vectors(const store::FileRow& file, PackWriter& writer) {
    CODEXMEM_ASSIGN(const auto texts, read_embedded_texts(reader_, file.id));
    for (const EmbeddedText& text : texts) {
      CODEXMEM_ASSIGN(const auto codes, reader_.find_vector(*model_, text.id));
      if (!codes) continue;
      CODEXMEM_TRY(writer.add_vector(store::text_key(text.text), *codes));
    }
    return {};
  }

  store::StoreReader& reader_;
  const PackOptions& options_;
  const std::stop_token& stop_;
  std::optional<store::ModelId> model_;
  PackReport report_;
};

}  // namespace

Result<std::optional<parse::FileFacts>> read_whole_facts(store::StoreReader& reader,
                                                         store::FileId id) {
  CODEXMEM_ASSIGN(const auto packed, reader.find_facts(id));
  if (!packed) return std::optional<parse::FileFacts>();
  auto decoded = parse::decode_facts(*packed);
  if (!decoded.ok()) return std::optional<parse::FileFacts>();
  parse::FileFacts facts = *std::move(decoded);
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(id));
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(id));
  if (symbols.size() != facts.symbols.size()) return std::optional<parse::FileFacts>();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const store::SymbolRow& row = symbols[i];
    parse::Symbol& symbol = facts.symbols[i];
    symbol.kind = row.kind;
    symbol.qualified_name = row.kind == parse::kComponentKind ? symbol.name : row.qualified_name();
    symbol.signature = row.signature_range;
    symbol.docstring = row.docstring_range;
    if (row.modifiers.empty()) continue;
    const Json modifiers = parse_json(row.modifiers);
    if (!modifiers.is_array()) return std::optional<parse::FileFacts>();
    for (const Json& modifier : modifiers) {
      if (modifier.is_string()) symbol.modifiers.push_back(modifier.get<std::string>());
    }
  }
  for (const store::ChunkRow& row : chunks) {
    facts.chunks.push_back({row.range, row.start_line, row.end_line});
  }
  return std::optional(std::move(facts));
}

Result<PackReport> make_pack(store::Workspace& workspace, const std::filesystem::path& path,
                             const PackOptions& options, const std::stop_token& stop) {
  const StopScope scope(stop);
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const bool is_complete, has_complete_index(*reader));
  if (!is_complete) return Error{ErrorCode::kNotFound, "there is no complete index to pack"};
  return PackMaker(*reader, options, stop).make(workspace.root(), path);
}

Result<std::string> pack_key(const std::filesystem::path& root) {
  constexpr std::size_t kDigits = 16;
  CODEXMEM_ASSIGN(const GitChanges changes,
                  GitChanges::find(root, root, {.since = "", .is_staged = true}));
  if (changes.tree_id().empty()) return Error{ErrorCode::kNotFound, "there is no commit here yet"};
  std::string made_by = index_version();
  for (const PackLanguage& language : list_fingerprints()) {
    made_by += " " + language.name + " " + language.fingerprint;
  }
  return fmt::format("codexmem-pack-{}-{}", sha256_hex(made_by).substr(0, kDigits),
                     changes.tree_id());
}

}  // namespace codexmem::index

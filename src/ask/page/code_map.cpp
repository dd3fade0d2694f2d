// The rows of all files come sorted by path, so a folder's files are neighbours: one walk makes the
// tree, and sums go up as it is left. Of 30,000 files that is some 10 ms; what costs more is
// reading the imports.
//
// Tested by ask/page_test.cpp.
#include "ask/page/code_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <queue>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/path.h"
#include "config/path_kind.h"
#include "graph/core/language_semantics.h"
#include "store/user/citations.h"
#include "text/json_object.h"
#include "text/json_value.h"

namespace codexmem::ask {

namespace {

using NodeNumber = std::uint32_t;

constexpr std::chrono::milliseconds kHistoryPatience{15};
constexpr std::uint32_t kLongFile = 4000;  // lines; shorter ones are taken for code
constexpr std::size_t kTableLines = 500;   // without a definition

struct Layers {
  std::int64_t churn = 0, memories = 0, tests = 0, fan_in = 0;

  void add(const Layers& other) {
    churn += other.churn;
    memories += other.memories;
    tests += other.tests;
    fan_in += other.fan_in;
  }
  void raise_to(const Layers& other) {
    churn = std::max(churn, other.churn);
    memories = std::max(memories, other.memories);
    tests = std::max(tests, other.tests);
    fan_in = std::max(fan_in, other.fan_in);
  }
  void replace_none(const Layers& other) {
    if (churn == 0) churn = other.churn;
    if (memories == 0) memories = other.memories;
    if (tests == 0) tests = other.tests;
    if (fan_in == 0) fan_in = other.fan_in;
  }
};

// Lines that people wrote count whole; of others the root of their number does.
std::int64_t tile_size(bool is_aside, std::int64_t lines) {
  const auto size = is_aside ? std::llround(std::sqrt(static_cast<double>(lines))) : lines;
  return std::max<std::int64_t>(1, size);
}

struct Node {
  std::string_view path = {};  // of the rows
  bool is_folder = false;
  std::int64_t files = 0, lines = 0, bytes = 0;
  std::int64_t code = 0;       // lines that people wrote: not generated, no data
  std::int64_t size = 0;       // of its tile
  std::string_view sort = {};  // of a file, by file_sort()
  Layers layers = {};
  std::string_view language = {};
  std::vector<std::pair<std::string_view, std::int64_t>> languages =
      {};  // of a folder: their files
  std::vector<NodeNumber> children = {};
  bool is_open = false;
};

// Why a layer has no numbers; empty: it has.
struct MissingLayers {
  std::string churn, memories;
};

class MapMaker {
 public:
  MapMaker(const graph::FileTable& files, std::string folder)
      : rows_(files.rows()), folder_(std::move(folder)) {
    layers_.resize(rows_.size());
  }

  void count_imports(const graph::ImportTable& table) {
    std::vector<bool> is_test(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) is_test[i] = is_test_path(rows_[i].path);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      layers_[i].fan_in = static_cast<std::int64_t>(table.importers[i].size());
      if (is_test[i]) continue;
      for (const std::uint32_t importer : table.importers[i]) {
        if (is_test[importer]) ++layers_[i].tests;
      }
    }
  }

  // Long files of code with hardly a definition are tables that something else reads.
  Result<void> find_tables(store::CodeReader& reader) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const store::FileRow& row = rows_[i];
      if (row.line_count < kLongFile || !graph::resolves_names(graph::family_of(row.language))) {
        continue;
      }
      CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(row.id));
      if (symbols.size() * kTableLines < row.line_count) tables_.insert(i);
    }
    return {};
  }

  // Without them the map is still one: then says why.
  std::string read_history(index::ChangeHistory& history) {
    const auto counts = history.count(kHistoryPatience);
    if (!counts.ok()) return counts.error().message();
    if (counts->is_unfinished) return "being counted";
    if (counts->looked_at == 0) return "no git history";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto found = counts->commits.find(rows_[i].path);
      if (found != counts->commits.end()) {
        layers_[i].churn = static_cast<std::int64_t>(found->second);
      }
    }
    return {};
  }

  std::string read_memories(const PageCall& call) {
    const auto counted = count_memories(call);
    if (counted.ok()) return {};
    log_warn("the map without memories: {}", counted.error().message());
    return counted.error().message();
  }

  // Makes the tree; false when the folder has no file.
  bool make() {
    const std::string prefix = folder_.empty() ? "" : folder_ + "/";
    const auto first = std::partition_point(rows_.begin(), rows_.end(),
                                            [&](const auto& row) { return row.path < prefix; });
    nodes_.push_back({.path = folder_, .is_folder = true});
    std::vector<NodeNumber> open = {0};  // the folders around the row before
    for (auto row = first; row != rows_.end() && row->path.starts_with(prefix); ++row) {
      const std::string_view path = row->path;
      const std::string_view around = folder_of(path);
      while (open.size() > 1 && !is_inside(around, nodes_[open.back()].path)) close(open);
      for (std::size_t at = open.size() == 1 ? prefix.size() : nodes_[open.back()].path.size() + 1;
           (at = path.find('/', at)) != std::string_view::npos; ++at) {
        open.push_back(add(open.back(), {.path = path.substr(0, at), .is_folder = true}));
      }
      const auto number = static_cast<std::size_t>(row - rows_.begin());
      const Layers& layers = layers_[number];
      std::string_view sort = file_sort(*row);
      if (sort.empty() && tables_.contains(number)) sort = "data";
      const bool is_aside = sort == "generated" || sort == "data";
      add(open.back(), {.path = path,
                        .files = 1,
                        .lines = row->line_count,
                        .bytes = row->size,
                        .code = is_aside ? 0 : row->line_count,
                        .size = tile_size(is_aside, row->line_count),
                        .sort = sort,
                        .layers = layers,
                        .language = row->language});
      count(nodes_[open.back()], nodes_.back());
      (sort.empty() ? max_ : max_of_others_).raise_to(layers);
    }
    while (open.size() > 1) close(open);
    finish(nodes_[0]);
    max_.replace_none(max_of_others_);
    return nodes_[0].files > 0;
  }

  // Opens the largest folders first. What does not fit stays closed, and smaller ones may fit.
  void open(std::size_t most) {
    const auto is_less = [this](NodeNumber a, NodeNumber b) {
      return std::pair(nodes_[a].size, nodes_[b].path) < std::pair(nodes_[b].size, nodes_[a].path);
    };
    const auto is_larger = [&](NodeNumber a, NodeNumber b) { return is_less(b, a); };
    std::vector<NodeNumber>& top = nodes_[0].children;
    if (const std::size_t room = std::max<std::size_t>(most, 2) - 1; top.size() > room) {
      std::stable_sort(top.begin(), top.end(), is_larger);
      cut_ = top.size() - room;
      top.resize(room);
    }
    nodes_[0].is_open = true;
    std::size_t left = most - std::min(most, top.size() + 1);
    std::priority_queue<NodeNumber, std::vector<NodeNumber>, decltype(is_less)> next(is_less);
    const auto add_folders = [&](const Node& node) {
      for (const NodeNumber child : node.children) {
        if (nodes_[child].is_folder) next.push(child);
      }
    };
    for (add_folders(nodes_[0]); !next.empty() && left > 0;) {
      Node& folder = nodes_[next.top()];
      next.pop();
      if (folder.children.size() > left) continue;
      left -= folder.children.size();
      folder.is_open = true;
      add_folders(folder);
    }
  }

  std::string json(const store::Workspace& workspace, const MissingLayers& missing) const {
    std::string name = workspace.root().filename().string();
    std::string text =
        fmt::format(R"({{"repo":{},"name":{},"path":{},"files":{},"lines":{},"root":)",
                    json_quote(workspace.root().string()), json_quote(name), json_quote(folder_),
                    nodes_[0].files, nodes_[0].lines);
    write(nodes_[0], folder_.empty() ? std::string_view(name) : file_name(folder_), text);
    const JsonText layers =
        json_object("churn", layer(max_.churn, "commits", missing.churn), "memories",
                    layer(max_.memories, "memories", missing.memories), "tests",
                    layer(max_.tests, "test files", ""), "fanIn", layer(max_.fan_in, "files", ""));
    fmt::format_to(std::back_inserter(text), R"(,"layers":{},"cut":{}}})", layers.text, cut_);
    return text;
  }

 private:
  static JsonText layer(std::int64_t max, const char* unit, const std::string& missing) {
    return json_object("max", max, "unit", unit, "missing", some(missing));
  }

  // True if `folder` is `other` or inside it.
  static bool is_inside(std::string_view folder, std::string_view other) {
    return folder.starts_with(other) &&
           (folder.size() == other.size() || folder[other.size()] == '/');
  }

  NodeNumber add(NodeNumber parent, Node node) {
    const auto number = static_cast<NodeNumber>(nodes_.size());
    nodes_.push_back(std::move(node));
    nodes_[parent].children.push_back(number);
    return number;
  }

  static void count_language(Node& folder, std::string_view language, std::int64_t files) {
    const auto known = std::ranges::find(folder.languages, language,
                                         &std::pair<std::string_view, std::int64_t>::first);
    if (known != folder.languages.end()) {
      known->second += files;
    } else {
      folder.languages.emplace_back(language, files);
    }
  }

  // Adds what `child` has to `folder`.
  static void count(Node& folder, const Node& child) {
    folder.files += child.files;
    folder.lines += child.lines;
    folder.bytes += child.bytes;
    folder.code += child.code;
    folder.size += child.size;
    folder.layers.add(child.layers);
    if (!child.is_folder) count_language(folder, child.language, 1);
    for (const auto& [language, files] : child.languages) count_language(folder, language, files);
  }

  static void finish(Node& folder) {
    std::int64_t most = 0;
    for (const auto& [language, files] : folder.languages) {
      if (files < most || (files == most && language > folder.language)) continue;
      most = files;
      folder.language = language;
    }
  }

  // The last of `open` is complete.
  void close(std::vector<NodeNumber>& open) {
    Node& folder = nodes_[open.back()];
    open.pop_back();
    finish(folder);
    count(nodes_[open.back()], folder);
  }

  Result<void> count_memories(const PageCall& call) {
    CODEXMEM_ASSIGN(store::UserReader user, call.memory.store().reader());
    CODEXMEM_ASSIGN(
        const auto counts,
        store::count_citations(*user, call.code.workspace.root().string(), call.shown_project()));
    for (const store::PathCitations& cited : counts) {
      const auto row = std::partition_point(
          rows_.begin(), rows_.end(), [&](const auto& each) { return each.path < cited.path; });
      if (row == rows_.end() || row->path != cited.path) continue;
      layers_[static_cast<std::size_t>(row - rows_.begin())].memories = cited.documents;
    }
    return {};
  }

  void write(const Node& node, std::string_view name, std::string& text) const {
    fmt::format_to(
        std::back_inserter(text),
        R"({{"name":{},"path":{},"kind":"{}","files":{},"lines":{},"bytes":{},"language":{},)"
        R"("code":{},"size":{},"churn":{},"memories":{},"tests":{},"fanIn":{})",
        json_quote(name), json_quote(node.path), node.is_folder ? "folder" : "file", node.files,
        node.lines, node.bytes, json_quote(node.language), node.code, node.size, node.layers.churn,
        node.layers.memories, node.layers.tests, node.layers.fan_in);
    if (!node.sort.empty()) text += fmt::format(R"(,"sort":"{}")", node.sort);
    if (node.is_open) {
      text += R"(,"children":[)";
      for (const NodeNumber child : node.children) {
        write(nodes_[child], file_name(nodes_[child].path), text);
        text += ',';
      }
      if (text.back() == ',') text.pop_back();
      text += ']';
    }
    text += '}';
  }

  const std::vector<store::FileRow>& rows_;  // by path
  std::string folder_;
  std::vector<Layers> layers_;    // of each row
  std::set<std::size_t> tables_;  // rows
  std::vector<Node> nodes_;       // the folder itself first, a parent before its children
  Layers max_, max_of_others_;    // of the files that people wrote, and of the others
  std::size_t cut_ = 0;
};

}  // namespace

Result<std::string> make_code_map(const PageCall& call, const CodeMapParams& params) {
  store::Workspace& workspace = call.code.workspace;
  CODEXMEM_ASSIGN(const std::string folder, page_folder(workspace, params.path));
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto files, call.code.facts.files(*reader));
  MapMaker map(*files, folder);
  CODEXMEM_ASSIGN(const auto imports, call.code.facts.imports(*reader, files));
  map.count_imports(*imports);
  CODEXMEM_TRY(map.find_tables(*reader));
  MissingLayers missing;
  missing.churn = map.read_history(*call.code.history);
  missing.memories = map.read_memories(call);
  if (!map.make()) {
    return Error{ErrorCode::kNotFound, folder.empty()
                                           ? std::string("the index has no file")
                                           : fmt::format("the index has no file below {}", folder)};
  }
  map.open(std::clamp<std::size_t>(params.nodes, 1, kMaxMapNodes));
  return map.json(workspace, missing);
}

}  // namespace codexmem::ask

// Tested by exchange/drawing_test.cpp, and by git/export_test.py with Graphviz.
#include "exchange/drawing.h"

#include <fmt/core.h>

#include <vector>

#include "base/path.h"
#include "exchange/code_walk.h"

namespace codexmem::exchange {
namespace {

using parse::kNoIndex;

std::string node_of(const std::string& path, NodesAre nodes) {
  if (nodes != NodesAre::kFolders) return path;
  const std::string_view folder = folder_of(path);
  return folder.empty() ? "." : std::string(folder);
}

std::string node_of(const graph::FileModel& file, std::uint32_t symbol, NodesAre nodes) {
  if (nodes != NodesAre::kSymbols || symbol == kNoIndex) return node_of(file.path, nodes);
  return file.path + "::" + file.qualified_name(symbol);
}

// The function around `offset`.
std::uint32_t function_around(const graph::FileModel& file, std::uint32_t offset) {
  std::uint32_t symbol = file.symbol_at(offset);
  while (symbol != kNoIndex && !graph::is_callable(file.facts.symbols[symbol])) {
    symbol = file.surrounding(symbol);
  }
  return symbol;
}

Result<void> add_calls(WalkedFile& file, NodesAre nodes, Drawing& drawing) {
  const auto& occurrences = file.model.facts.occurrences;
  for (std::uint32_t i = 0; i < occurrences.size(); ++i) {
    if (graph::usage_kind(file.model, i) != graph::UsageKind::kCall) continue;
    const graph::CertainMeaning meaning = file.meanings.at(file.model, i);
    if (meaning.kind == graph::CertainMeaning::Kind::kUncertain) ++drawing.uncertain;
    if (meaning.kind != graph::CertainMeaning::Kind::kSymbols) continue;
    const std::string from =
        node_of(file.model, function_around(file.model, occurrences[i].offset), nodes);
    for (const graph::Entity& entity : meaning.entities) {
      if (graph::is_of_library(entity)) continue;
      const graph::Entity called = file.meanings.representative(entity);
      const std::string to = node_of(*called.file, called.index, nodes);
      if (from != to || nodes == NodesAre::kSymbols) ++drawing.edges[{from, to}];
    }
  }
  return {};
}

// The number of each node, by name.
std::map<std::string_view, std::size_t> nodes_of(const Drawing& drawing) {
  std::map<std::string_view, std::size_t> nodes;
  for (const auto& [edge, count] : drawing.edges) {
    nodes[edge.first] = 0;
    nodes[edge.second] = 0;
  }
  std::size_t number = 0;
  for (auto& [name, at] : nodes) at = number++;
  return nodes;
}

// `text` in double quotes, as DOT and the labels in it have it.
std::string dot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

// XML 1.0 has no other control characters.
std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace

Result<Drawing> draw(graph::FactsCache& cache, store::CodeReader& reader, EdgesOf of,
                     NodesAre nodes) {
  Drawing drawing;
  if (of == EdgesOf::kCalls) {
    CODEXMEM_TRY(walk_code(cache, reader,
                           [&](WalkedFile& file) { return add_calls(file, nodes, drawing); }));
    return drawing;
  }
  if (nodes == NodesAre::kSymbols) {
    return invalid_argument("imports lead from file to file: draw them by file or by folder");
  }
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  CODEXMEM_TRY(reader.visit_imports([&](store::FileId source, store::FileId target) {
    const store::FileRow* from = files->find(source);
    const store::FileRow* to = files->find(target);
    if (from == nullptr || to == nullptr) return;
    std::pair edge(node_of(from->path, nodes), node_of(to->path, nodes));
    if (edge.first != edge.second) ++drawing.edges[std::move(edge)];
  }));
  return drawing;
}

Result<void> write_dot(const Drawing& drawing, const Output& output) {
  CODEXMEM_TRY(output("digraph codexmem {\n  rankdir=LR;\n  node [shape=box];\n"));
  for (const auto& [name, number] : nodes_of(drawing)) {
    CODEXMEM_TRY(output(fmt::format("  {};\n", dot_text(name))));
  }
  for (const auto& [edge, count] : drawing.edges) {
    CODEXMEM_TRY(output(fmt::format("  {} -> {} [weight={}, label={}];\n", dot_text(edge.first),
                                    dot_text(edge.second), count, count)));
  }
  return output("}\n");
}

Result<void> write_graphml(const Drawing& drawing, const Output& output) {
  CODEXMEM_TRY(
      output("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
             "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
             "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"/>\n"
             "  <graph id=\"codexmem\" edgedefault=\"directed\">\n"));
  const auto nodes = nodes_of(drawing);
  for (const auto& [name, number] : nodes) {
    CODEXMEM_TRY(output(fmt::format("    <node id=\"n{}\"><data key=\"name\">{}</data></node>\n",
                                    number, xml_text(name))));
  }
  for (const auto& [edge, count] : drawing.edges) {
    CODEXMEM_TRY(output(fmt::format(
        "    <edge source=\"n{}\" target=\"n{}\"><data key=\"weight\">{}</data></edge>\n",
        nodes.at(edge.first), nodes.at(edge.second), count)));
  }
  return output("  </graph>\n</graphml>\n");
}

}  // namespace codexmem::exchange

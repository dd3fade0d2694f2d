// tests/memory/fake_code.h - a repository that a test writes by hand, as a CodeView.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "memory/entries/citations.h"

namespace codexmem::testing {

class FakeCode : public memory::CodeView {
 public:
  std::string root = "/repo";
  std::vector<memory::CodeSymbol> symbols;

  memory::CodeSymbol& add(std::string path, std::string name, std::string body,
                          std::string kind = "function") {
    symbols.push_back({.path = std::move(path),
                       .name = std::move(name),
                       .kind = std::move(kind),
                       .body = std::move(body)});
    return symbols.back();
  }

  const std::string& workspace() const override { return root; }

  Result<std::vector<std::string>> find_paths(std::string_view path) override {
    std::vector<std::string> exact, ending;
    for (const std::string& known : paths()) {
      if (known == path) exact.push_back(known);
      if (known.ends_with("/" + std::string(path))) ending.push_back(known);
    }
    return exact.empty() ? ending : exact;
  }

  Result<std::string> find_file_hash(std::string_view path) override {
    std::string all;
    for (const memory::CodeSymbol& symbol : symbols) {
      if (symbol.path == path) all += symbol.body;
    }
    return all.empty() ? std::string() : sha256_hex(all);
  }

  Result<std::vector<std::string>> find_files_with_hash(std::string_view hash) override {
    std::vector<std::string> found;
    for (const std::string& path : paths()) {
      if (*find_file_hash(path) == hash) found.push_back(path);
    }
    return found;
  }

  Result<std::vector<memory::CodeSymbol>> list_symbols(std::string_view path) override {
    return matching([&](const memory::CodeSymbol& symbol) { return symbol.path == path; });
  }

  Result<bool> has(std::string_view path, std::string_view name) override {
    return !matching([&](const memory::CodeSymbol& symbol) {
              return symbol.path == path && (name.empty() || symbol.name == name);
            }).empty();
  }

  Result<std::vector<memory::CodeSymbol>> find_symbols(std::string_view name) override {
    return matching([&](const memory::CodeSymbol& symbol) {
      return symbol.name == name || symbol.name.ends_with("." + std::string(name));
    });
  }

 private:
  template <typename Test>
  std::vector<memory::CodeSymbol> matching(Test test) const {
    std::vector<memory::CodeSymbol> found;
    std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(found), test);
    return found;
  }

  std::vector<std::string> paths() const {
    std::vector<std::string> all;
    for (const memory::CodeSymbol& symbol : symbols) all.push_back(symbol.path);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

}  // namespace codexmem::testing

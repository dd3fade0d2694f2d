// Units of libraries: that they load, from many threads too, and that damage hurts nobody.
#include "graph/core/library_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/compress.h"
#include "graph/core/file_model.h"
#include "graph/cpp/cpp_semantics.h"
#include "graph/ecma/ecma_semantics.h"
#include "graph/go/go_library.h"
#include "graph/csharp/csharp_library.h"
#include "graph/java/java_library.h"
#include "graph/kotlin/kotlin_library.h"
#include "graph/php/php_library.h"

namespace codexmem::graph {
namespace {

std::string number(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
  return bytes;
}

// An archive of one group with one unit.
std::string archive_of(const std::string& name, const std::string& text) {
  const std::string group = compress(text);
  const std::string directory =
      compress(number(1) + number(static_cast<std::uint32_t>(group.size())) + number(1) + name +
               std::string(1, '\0') + number(static_cast<std::uint32_t>(text.size())));
  return "CMXLIB01" + number(static_cast<std::uint32_t>(directory.size())) + directory + group;
}

bool declares(const FileModel& file, std::string_view qualified_name) {
  return std::ranges::any_of(file.facts.symbols, [&](const parse::Symbol& symbol) {
    return symbol.qualified_name == qualified_name;
  });
}

TEST(LibraryUnits, UnitIsAFileOfTheLibrary) {
  const std::string archive = archive_of("shapes", "package shapes\nfunc Area(int) int\n");
  const LibraryUnits units({archive, "go"});
  EXPECT_TRUE(units.has("shapes"));
  const auto file = units.find("shapes");
  ASSERT_NE(file, nullptr);
  EXPECT_TRUE(file->is_library);
  EXPECT_EQ(file->path, "go:shapes");
  EXPECT_LT(file->id, store::FileId{});
  EXPECT_TRUE(declares(*file, "shapes.Area"));
  EXPECT_EQ(units.find("shapes"), file);
}

TEST(LibraryUnits, UnknownUnitIsNone) {
  const LibraryUnits units(go_library());
  EXPECT_FALSE(units.has("net/nothing"));
  EXPECT_EQ(units.find("net/nothing"), nullptr);
  EXPECT_EQ(LibraryUnits().find("net/http"), nullptr);
}

TEST(LibraryUnits, DamagedArchiveHasNoUnits) {
  const std::string whole = archive_of("broken", "package broken\nfunc F()\n");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    EXPECT_EQ(LibraryUnits({cut, "go"}).find("broken"), nullptr) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    (void)LibraryUnits({changed, "go"}).text("broken");
  }
}

TEST(LibraryUnits, ThreadsShareAUnit) {
  const LibraryUnits units(java_library());
  std::vector<std::shared_ptr<const FileModel>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& file : found) {
      threads.emplace_back([&] { file = units.find("java/util/concurrent/ConcurrentMap"); });
    }
  }
  for (const auto& file : found) {
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file, found.front());
  }
}

// Every unit of an archive is source that is understood as a whole.
void expect_all_parse(const LibraryArchive& archive, std::size_t least = 101) {
  const LibraryUnits units(archive);
  const std::vector<std::string> names = units.names();
  EXPECT_GE(names.size(), least);
  for (const std::string& name : names) {
    const auto file = units.find(name);
    ASSERT_NE(file, nullptr) << name;
    EXPECT_TRUE(file->facts.unparsed.empty()) << file->path;
    EXPECT_FALSE(file->facts.truncated) << file->path;
  }
}

TEST(LibraryArchives, GoIsUnderstood) {
  expect_all_parse(go_library());
  const LibraryUnits units(go_library());
  const auto http = units.find("net/http");
  ASSERT_NE(http, nullptr);
  EXPECT_TRUE(declares(*http, "http.Client.Do"));
  EXPECT_TRUE(declares(*http, "http.Handler.ServeHTTP"));
  EXPECT_TRUE(declares(*units.find("os"), "os.ErrNotExist"));
  EXPECT_TRUE(declares(*units.find("slices"), "slices.SortFunc"));
}

TEST(LibraryArchives, CppIsUnderstood) {
  expect_all_parse(cpp_library(), 1);
  const auto unit = LibraryUnits(cpp_library()).find("std");
  ASSERT_NE(unit, nullptr);
  EXPECT_TRUE(declares(*unit, "std.vector.emplace_back"));
  EXPECT_TRUE(declares(*unit, "std.unordered_map.find"));
  EXPECT_TRUE(declares(*unit, "std.unique_ptr.operator->"));
}

TEST(LibraryArchives, JavaIsUnderstood) {
  expect_all_parse(java_library());
  const LibraryUnits units(java_library());
  const auto map = units.find("java/util/Map");
  ASSERT_NE(map, nullptr);
  EXPECT_TRUE(declares(*map, "Map.computeIfAbsent"));
  EXPECT_TRUE(declares(*map, "Map.Entry.getKey"));
  EXPECT_TRUE(declares(*units.find("java/lang/String"), "String.format"));
  EXPECT_TRUE(declares(*units.find("java/util/concurrent/TimeUnit"), "TimeUnit.SECONDS"));
}

TEST(LibraryArchives, PhpIsUnderstood) {
  expect_all_parse(php_library());
  const LibraryUnits units(php_library());
  const auto list = units.find("ArrayIterator");
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(declares(*list, "ArrayIterator.getArrayCopy"));
  EXPECT_TRUE(declares(*units.find("Exception"), "Exception.getMessage"));
  EXPECT_TRUE(declares(*units.find("functions"), "date_create"));
}

TEST(LibraryArchives, CSharpIsUnderstood) {
  expect_all_parse(csharp_library());
  const LibraryUnits units(csharp_library());
  const auto list = units.find("System.Collections.Generic.List");
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(declares(*list, "System.Collections.Generic.List.ConvertAll"));
  EXPECT_TRUE(declares(*units.find("System.Linq.Enumerable"), "System.Linq.Enumerable.Select"));
  EXPECT_TRUE(declares(*units.find("System.DayOfWeek"), "System.DayOfWeek.Monday"));
}

TEST(LibraryArchives, KotlinIsUnderstood) {
  expect_all_parse(kotlin_library());
  const LibraryUnits units(kotlin_library());
  const auto list = units.find("kotlin/collections/List");
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(declares(*list, "List.subList"));
  EXPECT_TRUE(declares(*units.find("kotlin/collections/map"), "Iterable.map"));
  EXPECT_TRUE(declares(*units.find("kotlin/LazyThreadSafetyMode"), "LazyThreadSafetyMode.NONE"));
}

TEST(LibraryArchives, TypeScriptIsUnderstood) {
  expect_all_parse(ecma_library());
  const LibraryUnits units(ecma_library());
  EXPECT_TRUE(declares(*units.find("global/Request"), "Request.clone"));
  EXPECT_TRUE(declares(*units.find("global/NodeJS"), "NodeJS.ReadableStream"));
  EXPECT_TRUE(declares(*units.find("events"), "EventEmitter"));
  EXPECT_TRUE(declares(*units.find("fs/promises"), "readFile"));
}

}  // namespace
}  // namespace codexmem::graph

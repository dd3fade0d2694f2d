// SCIP indexes of a stranger, from the bytes to what is kept of them.
//
//     input := how rest
//     how   := 0 (mod 2)   rest is an index
//              1           rest edits an honest index: place:u16 value:u8 ...
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "exchange/scip_import.h"
#include "exchange/scip_made.h"
#include "support/code_fixture.h"

namespace made = codexmem::testing;
using namespace codexmem;

namespace {

const std::string kText = "class Shop:\n    def open(self):\n        pass\n\nShop().open()\n";

const std::string& honest_index() {
  static const std::string bytes = made::made_scip({{"shop.py",
                                                     {{{0, 6, 10}, "t . p . Shop#", 1},
                                                      {{1, 8, 12}, "t . p . Shop#open().", 1},
                                                      {{4, 0, 4}, "t . p . Shop#", 8},
                                                      {{4, 7, 11}, "t . p . Shop#open().", 8},
                                                      {{1, 13, 17}, "local 0", 1}},
                                                     kText}});
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static made::CodeFixture fixture(std::map<std::string, std::string>{{"shop.py", kText}});
  static made::TemporaryDirectory directory;
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] % 2 == 1) {
    std::string edited = honest_index();
    for (std::size_t at = 0; at + 2 < bytes.size(); at += 3) {
      const auto low = static_cast<unsigned char>(bytes[at]);
      const auto high = static_cast<unsigned char>(bytes[at + 1]);
      edited[(low + 256U * high) % edited.size()] = bytes[at + 2];
    }
    bytes = std::move(edited);
  }
  const auto path = directory.path() / "index.scip";
  if (!replace_file(path, bytes, Sync::kNo).ok()) return 0;
  const auto report = exchange::import_scip(fixture.workspace(), path, {});
  if (report.ok() && report->files > 1) __builtin_trap();  // there is one file
  return 0;
}

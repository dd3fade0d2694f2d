// graph/across/ecosystem.h - where packages are published.
#pragma once

#include <cstdint>
#include <string_view>

namespace codexmem::graph {

enum class Ecosystem : std::uint8_t {
  kNpm,
  kPython,
  kGo,
  kMaven,
  kCargo,
  kComposer,
  kGem,
  kHex,
  kNuget,
  kCmake,
};

/// "npm", "Python", "Go", "Maven", "Cargo", "Composer", "RubyGems", "Hex", "NuGet", "CMake".
std::string_view ecosystem_name(Ecosystem ecosystem);

}  // namespace codexmem::graph

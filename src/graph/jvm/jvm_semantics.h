// graph/jvm/jvm_semantics.h - what Java and Kotlin answer alike.
#pragma once

#include "graph/nominal/nominal_semantics.h"

namespace codexmem::graph {

inline constexpr std::string_view kJvmConfiguration[] = {"pom.xml", "build.gradle",
                                                         "build.gradle.kts"};
inline constexpr std::string_view kJvmIterators[] = {"iterator"};
inline constexpr std::string_view kJvmReachByText[] = {"getDeclaredField", "getDeclaredMethod",
                                                       "getField", "getMethod"};

constexpr LanguageTraits jvm_traits() {
  LanguageTraits traits = overloading_traits();
  traits.files.configuration = kJvmConfiguration;
  traits.names.main_function = "main";
  traits.protocol.next = "next";
  traits.protocol.iterators = kJvmIterators;
  traits.texts.reach = kJvmReachByText;
  traits.names_have_dollars = true;
  traits.packages_need_no_imports = true;
  return traits;
}

class JvmSemantics : public NominalSemantics {
 public:
  using NominalSemantics::NominalSemantics;

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
};

}  // namespace codexmem::graph

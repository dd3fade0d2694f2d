// graph/java/java_lombok.h - the accessors that Lombok makes of fields.
//
// @Getter, @Setter, @With, @Data and @Value at a field or its class give methods that no source
// shows. They stand for their field. Stateless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"

namespace codexmem::graph {

/// True for a file that takes annotations of Lombok.
bool uses_lombok(const FileModel& file);

/// The field of class `type` that its generated method `name` reads or writes; kNoIndex when there
/// is no such method.
std::uint32_t lombok_field(const Entity& type, std::string_view name);

/// The names of the methods that are generated for field `field`.
std::vector<std::string> lombok_accessors(const FileModel& file, std::uint32_t field);

}  // namespace codexmem::graph

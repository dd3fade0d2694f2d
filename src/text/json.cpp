#include "text/json.h"

template class nlohmann::basic_json<codexmem::OrderedObject>;
template class nlohmann::detail::serializer<codexmem::Json>;

namespace codexmem {

std::string dump_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace codexmem

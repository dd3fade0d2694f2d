// app/data_destinations.h - where data goes by the settings: what `status`, `doctor`, the worker
// and the viewer say of it.
#pragma once

#include <string>

#include "config/settings.h"

namespace codexmem::app {

/// The hosts that are sent something, each with what: "api.openai.com (observations, vectors)", a
/// comma between two; "nowhere: rules on this machine" when there is none. Sends nothing.
std::string describe_data_destinations(const ReadSetting& setting);

}  // namespace codexmem::app

// app/settings/data_destinations.h - where data goes by the settings: what `status`, `doctor`, the
// worker and the viewer say of it.
#pragma once

#include <string>

#include "config/settings.h"

namespace codexmem::app {

/// The hosts that receive data, each with the kind of data: "api.openai.com (observations,
/// vectors)", separated by commas; "nowhere: rules on this machine" if there is no host. Sends
/// nothing.
std::string describe_data_destinations(const ReadSetting& setting);

}  // namespace codexmem::app

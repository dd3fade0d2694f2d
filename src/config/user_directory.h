// config/user_directory.h - the folder for data of the user rather than of a repository.
#pragma once

#include <filesystem>

namespace codexmem {

/// The user's data directory by the environment: CODEXMEM_DATA_DIR, otherwise ~/.codexmem; empty
/// when neither CODEXMEM_DATA_DIR nor HOME is set.
std::filesystem::path user_directory();

}  // namespace codexmem

// config/user_directory.h - where what belongs to the user, not to a repository, is kept.
#pragma once

#include <filesystem>

namespace codexmem {

/// The user's data directory by the environment: CODEXMEM_DATA_DIR, else ~/.codexmem; empty when
/// there is neither CODEXMEM_DATA_DIR nor HOME.
std::filesystem::path user_directory();

}  // namespace codexmem

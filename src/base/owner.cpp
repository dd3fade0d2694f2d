// Tested by base/owner_test.cpp and, as another user, by tests/worker/other_users_test.py.
#include "base/owner.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace codexmem {

bool is_trusted(uid_t owner) {
  if (owner == ::geteuid() || owner == 0) return true;
  const char* const sudo_uid =
      std::getenv("SUDO_UID");  // NOLINT(concurrency-mt-unsafe): never set here
  const std::string_view caller = sudo_uid != nullptr ? sudo_uid : "";
  uid_t uid = 0;
  const auto read = std::from_chars(caller.data(), caller.data() + caller.size(), uid);
  return ::geteuid() == 0 && read.ec == std::errc() && uid == owner;
}

bool speaks_for(const std::filesystem::path& found, const std::filesystem::path& start) {
  struct stat target {};
  struct stat info {};
  struct stat place {};
  if (::stat(found.c_str(), &target) != 0 || ::lstat(found.c_str(), &info) != 0) return false;
  if (is_trusted(info.st_uid)) return true;
  return ::stat(start.c_str(), &place) == 0 && place.st_uid == info.st_uid;
}

}  // namespace codexmem

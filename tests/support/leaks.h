// tests/support/leaks.h - for a library that leaks where it fails.
#pragma once

extern "C" {
// Of LeakSanitizer; null without it.
void __lsan_disable() __attribute__((weak));
void __lsan_enable() __attribute__((weak));
}

namespace codexmem::testing {

/// Memory that is allocated in its scope may leak.
class LeaksOfOthers {
 public:
  LeaksOfOthers() {
    if (&__lsan_disable != nullptr) __lsan_disable();
  }
  ~LeaksOfOthers() {
    if (&__lsan_enable != nullptr) __lsan_enable();
  }
  LeaksOfOthers(const LeaksOfOthers&) = delete;
  LeaksOfOthers& operator=(const LeaksOfOthers&) = delete;
};

}  // namespace codexmem::testing

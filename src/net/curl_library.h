// net/curl_library.h - libcurl, loaded when it is first asked for; for this folder alone.
//
// Linking it would cost each start of the program half as much again (docs/design/net.md): it
// brings twenty libraries along. The portable program has one of its own inside. Thread-safe.
#pragma once

#include <curl/curl.h>

#include <string>

#include "base/result.h"

namespace codexmem::net {

/// The functions of libcurl that are used.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_reset) easy_reset = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_perform) multi_perform = nullptr;
  decltype(&::curl_multi_poll) multi_poll = nullptr;
  decltype(&::curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&::curl_multi_info_read) multi_info_read = nullptr;

  /// The file of certificates to trust; empty: the library knows.
  std::string certificates;

  /// The library, loaded at the first call and never unloaded. Errors: kUnsupported when it is not
  /// installed, naming the package.
  static Result<const CurlLibrary*> load();
};

/// The libcurl that is linked into the program, but for `certificates`; cmake/portable/curl.cpp has
/// it, so elsewhere this function's address is null.
[[gnu::weak]] const CurlLibrary& linked_curl();

}  // namespace codexmem::net

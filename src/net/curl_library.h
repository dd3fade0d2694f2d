// net/curl_library.h - libcurl, loaded at its first use; only for this folder.
//
// Linking it would make each start of the program half as slow again (docs/how-it-works.md,
// "Network"), because it loads twenty other libraries. The portable program has its own copy
// inside. Thread-safe.
#pragma once

#include <curl/curl.h>

#include <string>

#include "base/result.h"

namespace codexmem::net {

/// The libcurl functions in use.
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

  /// The file of trusted certificates; empty: use the library's default.
  std::string certificates;

  /// Loads the library at the first call and never unloads it. Errors: kUnsupported when it is not
  /// installed; the message names the package.
  static Result<const CurlLibrary*> load();
};

/// The libcurl that is linked into the program; `certificates` is not set. Defined in
/// cmake/portable/curl.cpp; otherwise this function's address is null.
[[gnu::weak]] const CurlLibrary& linked_curl();

}  // namespace codexmem::net

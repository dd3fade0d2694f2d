// libcurl inside of the portable program (src/net/curl_library.h).
#include <curl/curl.h>

#include "net/curl_library.h"

// They are macros that check types.
#undef curl_easy_getinfo
#undef curl_easy_setopt

namespace codexmem::net {

const CurlLibrary& linked_curl() {
  static const CurlLibrary library = {
      .global_init = curl_global_init,
      .easy_init = curl_easy_init,
      .easy_setopt = curl_easy_setopt,
      .easy_getinfo = curl_easy_getinfo,
      .easy_reset = curl_easy_reset,
      .easy_cleanup = curl_easy_cleanup,
      .easy_strerror = curl_easy_strerror,
      .slist_append = curl_slist_append,
      .slist_free_all = curl_slist_free_all,
      .multi_init = curl_multi_init,
      .multi_cleanup = curl_multi_cleanup,
      .multi_add_handle = curl_multi_add_handle,
      .multi_remove_handle = curl_multi_remove_handle,
      .multi_perform = curl_multi_perform,
      .multi_poll = curl_multi_poll,
      .multi_wakeup = curl_multi_wakeup,
      .multi_info_read = curl_multi_info_read,
      .certificates = {},
  };
  return library;
}

}  // namespace codexmem::net

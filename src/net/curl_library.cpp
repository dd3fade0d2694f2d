#include "net/curl_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace codexmem::net {
namespace {

// Where distributions keep trusted certificates, in one file.
constexpr const char* kCertificates[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo, NixOS
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, Red Hat
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, later releases
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine, Void
};

Result<CurlLibrary> start_linked() {
  CurlLibrary library = linked_curl();
  const char* const named = std::getenv("SSL_CERT_FILE");
  if (named != nullptr && *named != '\0') {
    library.certificates = named;
  } else {
    for (const char* path : kCertificates) {
      if (!library.certificates.empty() || ::access(path, R_OK) != 0) continue;
      library.certificates = path;
    }
  }
  if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return Error{ErrorCode::kUnsupported, "libcurl does not start"};
  }
  return library;
}

Result<CurlLibrary> open_library() {
  if (&linked_curl != nullptr) return start_linked();
  void* handle = nullptr;
  // Debian has one build for each TLS library; any will do.
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) break;
  }
  if (handle == nullptr) {
    return Error{ErrorCode::kUnsupported, "no HTTP without libcurl: install libcurl4"};
  }
  CurlLibrary library;
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
    if (function == nullptr) missing = name;
  };
  find(library.global_init, "curl_global_init");
  find(library.easy_init, "curl_easy_init");
  find(library.easy_setopt, "curl_easy_setopt");
  find(library.easy_getinfo, "curl_easy_getinfo");
  find(library.easy_reset, "curl_easy_reset");
  find(library.easy_cleanup, "curl_easy_cleanup");
  find(library.easy_strerror, "curl_easy_strerror");
  find(library.slist_append, "curl_slist_append");
  find(library.slist_free_all, "curl_slist_free_all");
  find(library.multi_init, "curl_multi_init");
  find(library.multi_cleanup, "curl_multi_cleanup");
  find(library.multi_add_handle, "curl_multi_add_handle");
  find(library.multi_remove_handle, "curl_multi_remove_handle");
  find(library.multi_perform, "curl_multi_perform");
  find(library.multi_poll, "curl_multi_poll");
  find(library.multi_wakeup, "curl_multi_wakeup");
  find(library.multi_info_read, "curl_multi_info_read");
  if (!missing.empty()) {
    return Error{ErrorCode::kUnsupported, "the libcurl of this machine is too old: no " + missing};
  }
  if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return Error{ErrorCode::kUnsupported, "libcurl does not start"};
  }
  return library;
}

}  // namespace

Result<const CurlLibrary*> CurlLibrary::load() {
  static const Result<CurlLibrary> library = open_library();
  if (!library.ok()) return library.error();
  return &*library;
}

}  // namespace codexmem::net

// Debian's libgit2 can sign in to servers by Kerberos, of which Debian has no static library. codexmem never lets
// libgit2 talk to a server, so these are never called; if they are, they say that signing in failed.
#include <stddef.h>
#include <stdint.h>

enum { kFailure = 13 << 16 };  // GSS_S_FAILURE

const void* GSS_C_NT_HOSTBASED_SERVICE = NULL;

uint32_t gss_delete_sec_context(void) { return kFailure; }
uint32_t gss_display_status(void) { return kFailure; }
uint32_t gss_import_name(void) { return kFailure; }
uint32_t gss_indicate_mechs(void) { return kFailure; }
uint32_t gss_init_sec_context(void) { return kFailure; }
uint32_t gss_release_buffer(void) { return kFailure; }
uint32_t gss_release_name(void) { return kFailure; }
uint32_t gss_release_oid_set(void) { return kFailure; }

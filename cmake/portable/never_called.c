// Functions that static libraries name and codexmem never comes to call, in place of libraries that cannot be linked
// statically (Kerberos) or whose terms do not go with it (libgcrypt under libssh2, libquadmath). Each fails.

// Debian's libgit2 signs in to servers by Kerberos and SSH. codexmem reads repositories on disk only.
enum { kGssFailure = 13 << 16 };  // GSS_S_FAILURE
const void* GSS_C_NT_HOSTBASED_SERVICE = 0;
#define GSS_FAILS(name) \
  unsigned gss_##name(void) { return kGssFailure; }
GSS_FAILS(delete_sec_context)
GSS_FAILS(display_status)
GSS_FAILS(import_name)
GSS_FAILS(indicate_mechs)
GSS_FAILS(init_sec_context)
GSS_FAILS(release_buffer)
GSS_FAILS(release_name)
GSS_FAILS(release_oid_set)

// libgit2 initialises it in each process, so this succeeds; then no session can be had.
int libssh2_init(int flags) { return flags & 0; }
void libssh2_exit(void) {}
void* libssh2_session_init_ex(void) { return 0; }
#define SSH_FAILS(name) \
  long libssh2_##name(void) { return -1; }
#define SSH_HAS_NONE(name) \
  void* libssh2_##name(void) { return 0; }
SSH_FAILS(agent_connect)
SSH_FAILS(agent_disconnect)
SSH_FAILS(agent_free)
SSH_FAILS(agent_get_identity)
SSH_HAS_NONE(agent_init)
SSH_FAILS(agent_list_identities)
SSH_FAILS(agent_userauth)
SSH_FAILS(channel_close)
SSH_FAILS(channel_free)
SSH_HAS_NONE(channel_open_ex)
SSH_FAILS(channel_process_startup)
SSH_FAILS(channel_read_ex)
SSH_FAILS(channel_set_blocking)
SSH_FAILS(channel_write_ex)
SSH_HAS_NONE(hostkey_hash)
SSH_FAILS(knownhost_checkp)
SSH_FAILS(knownhost_free)
SSH_HAS_NONE(knownhost_init)
SSH_FAILS(knownhost_readfile)
SSH_HAS_NONE(session_abstract)
SSH_FAILS(session_disconnect_ex)
SSH_FAILS(session_free)
SSH_FAILS(session_handshake)
SSH_HAS_NONE(session_hostkey)
SSH_FAILS(session_last_error)
SSH_FAILS(session_method_pref)
SSH_FAILS(session_set_blocking)
SSH_FAILS(userauth_authenticated)
SSH_FAILS(userauth_keyboard_interactive_ex)
SSH_HAS_NONE(userauth_list)
SSH_FAILS(userauth_password_ex)
SSH_FAILS(userauth_publickey)
SSH_FAILS(userauth_publickey_fromfile_ex)
SSH_FAILS(userauth_publickey_frommemory)

// Prints Fortran's REAL(16), of which LAPACK has none.
int quadmath_snprintf(void) { return -1; }

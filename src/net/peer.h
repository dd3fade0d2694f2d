// net/peer.h - finds the user at the other end of a connection from this machine.
//
// Every user of the machine can connect to a port of 127.0.0.1. The kernel knows who created the
// client's socket: Linux reports it for a pair of addresses and ports (sock_diag(7)). Belongs to
// Every user of the machine can connect to a port of 127.0.0.1. The kernel knows who created the
#pragma once

namespace codexmem::net {

enum class Peer {
  kOwnUser,    // the user of this process
  kOtherUser,  // another user
  kUnknown,    // the kernel does not say; or root, who may forward others' requests
};

class PeerCheck {
 public:
  /// `listening` is the server's own socket, which the kernel must know if it knows any.
  explicit PeerCheck(int listening);
  ~PeerCheck();
  PeerCheck(const PeerCheck&) = delete;
  PeerCheck& operator=(const PeerCheck&) = delete;

  /// The user who opened the connection `accepted`, from the socket at its other end. kUnknown if
  /// the client has already closed its socket.
  Peer find(int accepted);

  /// False when clients of this user can be kUnknown: a kernel or sandbox without sock_diag, or a
  /// user namespace that maps only some users.
  bool knows_everyone() const { return knows_everyone_; }

 private:
  int netlink_ = -1;  // -1: the kernel cannot be asked
  bool knows_everyone_ = false;
};

}  // namespace codexmem::net

// net/peer.h - which user of this machine is at the other end of a connection.
//
// A port of 127.0.0.1 is open to every user of the machine. The kernel knows who made the client's
// socket: Linux answers for a pair of addresses and ports (sock_diag(7)). Belongs to one thread.
// Design: docs/design/net.md, "Who is served".
#pragma once

namespace codexmem::net {

enum class Peer {
  kOwnUser,    // the user of this process
  kOtherUser,  // certainly somebody else
  kUnknown,    // the kernel does not say; or root, who may pass on what others ask
};

class PeerCheck {
 public:
  /// `listening` is the server's own socket, which the kernel must know if it knows any.
  explicit PeerCheck(int listening);
  ~PeerCheck();
  PeerCheck(const PeerCheck&) = delete;
  PeerCheck& operator=(const PeerCheck&) = delete;

  /// Who opened the connection `accepted`, by the socket at its other end. A client that has closed
  /// its socket already is kUnknown.
  Peer find(int accepted);

  /// False when clients of this user can be kUnknown: a kernel or sandbox without sock_diag, or a
  /// user namespace that has numbers for some users only.
  bool knows_everyone() const { return knows_everyone_; }

 private:
  int netlink_ = -1;  // -1: the kernel is not asked
  bool knows_everyone_ = false;
};

}  // namespace codexmem::net

// The kernel is asked once per connection, with the client's address and port as the source and
// ours as the destination, so it finds the client's socket rather than our end.
//
// Ways to deceive it, and the defences:
// - A client that sends and closes at once leaves a socket without an owner, which is reported as
//   root's. So only a socket with an inode counts.
// - A client that resets its connection frees its port for others while its data still waits here.
//   As long as our end is connected, nobody else can use that pair of ports, so our end is checked
//   after the kernel's answer.
// - In a user namespace, all users without a number there are reported as the overflow user.
//
// Tested by net/peer_test.cpp and, as another user, by tests/worker/other_users_test.py.
#include "net/peer.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"

namespace codexmem::net {
namespace {

struct SocketOwner {
  int state = 0;
  std::uint32_t inode = 0;  // 0: no process has the socket (any more)
  std::uint32_t user = 0;
};

// The TCP socket at `local` that is connected to `remote`, or listens at `local`.
std::optional<SocketOwner> find_owner(int netlink, const sockaddr_in& local,
                                      const sockaddr_in& remote) {
  struct {
    nlmsghdr head;
    inet_diag_req_v2 body;
  } request{};
  request.head = {.nlmsg_len = sizeof request,
                  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                  .nlmsg_flags = NLM_F_REQUEST,
                  .nlmsg_seq = 0,
                  .nlmsg_pid = 0};
  request.body.sdiag_family = AF_INET;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~0U;
  request.body.id.idiag_sport = local.sin_port;
  request.body.id.idiag_dport = remote.sin_port;
  request.body.id.idiag_src[0] = local.sin_addr.s_addr;
  request.body.id.idiag_dst[0] = remote.sin_addr.s_addr;
  request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (::send(netlink, &request, sizeof request, 0) != sizeof request) return std::nullopt;

  // When send() returns, the kernel has already answered.
  std::array<char, 4'096> answer;
  const ssize_t size = ::recv(netlink, answer.data(), answer.size(), MSG_DONTWAIT);
  nlmsghdr head{};
  inet_diag_msg found{};
  if (size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof found)) return std::nullopt;
  std::memcpy(&head, answer.data(), sizeof head);
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  if (found.id.idiag_sport != local.sin_port || found.id.idiag_dport != remote.sin_port) {
    return std::nullopt;  // another socket, such as the one that listens at that port
  }
  return SocketOwner{found.idiag_state, found.idiag_inode, found.idiag_uid};
}

sockaddr_in address_of(int socket, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (ask(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return address;
}

bool is_connected(int state) {
  return state == TCP_ESTABLISHED || state == TCP_CLOSE_WAIT || state == TCP_FIN_WAIT1 ||
         state == TCP_FIN_WAIT2;
}

int state_of(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_state : 0;
}

// True if every user of the machine has a number here, as outside all user namespaces.
bool has_all_users() {
  const auto map = read_file("/proc/self/uid_map", 4'096);
  return map.ok() && fold_whitespace(*map) == "0 0 4294967295";
}

}  // namespace

PeerCheck::PeerCheck(int listening)
    : netlink_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {
  if (netlink_ >= 0) {
    if (find_owner(netlink_, address_of(listening, ::getsockname), {})) {
      knows_everyone_ = has_all_users();
      return;
    }
    ::close(netlink_);
    netlink_ = -1;
  }
  log_warn(
      "http: the system does not say whose a connection is; each client has to send the token");
}

PeerCheck::~PeerCheck() {
  if (netlink_ >= 0) ::close(netlink_);
}

Peer PeerCheck::find(int accepted) {
  if (netlink_ < 0) return Peer::kUnknown;
  const auto owner = find_owner(netlink_, address_of(accepted, ::getpeername),
                                address_of(accepted, ::getsockname));
  const bool is_certain =
      owner && owner->inode != 0 && is_connected(owner->state) && is_connected(state_of(accepted));
  if (!is_certain) return Peer::kUnknown;
  constexpr std::uint32_t kRoot = 0, kOverflowUser = 65'534;
  if (owner->user == kOverflowUser && !knows_everyone_) return Peer::kUnknown;
  if (owner->user == ::geteuid()) return Peer::kOwnUser;
  return owner->user == kRoot ? Peer::kUnknown : Peer::kOtherUser;
}

}  // namespace codexmem::net

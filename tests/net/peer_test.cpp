#include "net/peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace codexmem::net {
namespace {

constexpr unsigned kNobody = 65'534;

// A socket that listens on loopback, and what its clients look like.
class Listening {
 public:
  Listening() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 10), 0);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    peers_.emplace(socket_);
  }
  ~Listening() { ::close(socket_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  // A client of IPv4, or of IPv6 with an address of IPv4 in it; from `own_port`, if one is given,
  // and -1 when somebody has that.
  int connect(int family = AF_INET, int own_port = 0) const {
    const int client = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (family == AF_INET6) {
      sockaddr_in6 address{};
      address.sin6_family = AF_INET6;
      address.sin6_port = htons(static_cast<std::uint16_t>(port_));
      ::inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr);
      EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
      return client;
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (own_port != 0) {
      const int yes = 1;
      ::setsockopt(client, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      address.sin_port = htons(static_cast<std::uint16_t>(own_port));
      if (::bind(client, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        ::close(client);
        return -1;
      }
    }
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return client;
  }
  int accept() const { return ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC); }
  Peer find(int accepted) { return peers_->find(accepted); }
  bool knows_everyone() const { return peers_->knows_everyone(); }

 private:
  const int socket_;
  int port_ = 0;
  std::optional<PeerCheck> peers_;
};

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void reset(int client) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(client);
}

class PeerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!listening.knows_everyone()) GTEST_SKIP() << "the system does not say whose a socket is";
  }
  Listening listening;
};

TEST_F(PeerTest, IsTheUserOfTheClientsSocket) {
  for (const int family : {AF_INET, AF_INET6}) {
    const int client = listening.connect(family), accepted = listening.accept();
    EXPECT_EQ(listening.find(accepted), Peer::kOwnUser);
    ::shutdown(client, SHUT_WR);  // it waits for an answer
    EXPECT_EQ(listening.find(accepted), Peer::kOwnUser);
    ::close(client);
    ::close(accepted);
  }
}

TEST_F(PeerTest, WhoeverHasClosedIsUnknown) {
  // The kernel reports such a socket as root's.
  const int client = listening.connect(), accepted = listening.accept();
  ::send(client, "x", 1, 0);
  ::close(client);
  EXPECT_EQ(listening.find(accepted), Peer::kUnknown);
  ::close(accepted);
}

TEST_F(PeerTest, WhoeverTakesThePortOfAClientIsNotTakenForIt) {
  int accepted = -1, other = -1;
  while (other < 0) {
    ::close(accepted);
    const int client = listening.connect();
    accepted = listening.accept();
    const int port = port_of(client);
    ::send(client, "x", 1, 0);
    reset(client);
    other = listening.connect(AF_INET, port);
  }
  const int of_other = listening.accept();
  EXPECT_EQ(listening.find(accepted), Peer::kUnknown);
  EXPECT_EQ(listening.find(of_other), Peer::kOwnUser);
  for (const int each : {other, accepted, of_other}) ::close(each);
}

TEST_F(PeerTest, AnotherUserIsDistinguishedFromOneself) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be another user";
  int connected[2];
  ASSERT_EQ(::pipe(connected), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(kNobody, kNobody, kNobody) != 0) ::_exit(1);
    listening.connect();
    char end;
    ::close(connected[1]);
    ::_exit(static_cast<int>(::read(connected[0], &end, 1)));
  }
  const int accepted = listening.accept();
  EXPECT_EQ(listening.find(accepted), Peer::kOtherUser);
  ::close(connected[0]);
  ::close(connected[1]);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(accepted);
}

TEST_F(PeerTest, RootAsksForOthersPerhaps) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be another user";
  const int client = listening.connect(), accepted = listening.accept();
  ASSERT_EQ(::seteuid(kNobody), 0);
  EXPECT_EQ(listening.find(accepted), Peer::kUnknown);
  ASSERT_EQ(::seteuid(0), 0);
  ::close(client);
  ::close(accepted);
}

}  // namespace
}  // namespace codexmem::net

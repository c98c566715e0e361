#include "tls_pump.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/worker_pool.h"
#include "net/channel.h"
#include "net/tls.h"

namespace plimsoll::bench {
namespace {

using net::Channel;

constexpr std::size_t kPieceSize = 64u << 10;

void Await(const Channel& channel, Channel::Outcome outcome) {
  pollfd wanted{.fd = channel.socket(), .events = POLLIN, .revents = 0};
  if (outcome == Channel::Outcome::WantWrite) wanted.events = POLLOUT;
  poll(&wanted, 1, 100);
}

void ShakeHands(Channel& channel) {
  for (;;) {
    const Channel::Outcome outcome = channel.Handshake();
    if (outcome == Channel::Outcome::Done) return;
    PL_ASSERT(outcome == Channel::Outcome::WantRead || outcome == Channel::Outcome::WantWrite);
    Await(channel, outcome);
    channel.MarkReadable();
  }
}

void SendUntil(Channel& channel, const std::atomic<bool>& is_over) {
  ShakeHands(channel);
  const std::string piece(kPieceSize, 'x');
  std::size_t start = 0;
  while (!is_over) {
    const Channel::Transfer sent = channel.Write(std::string_view(piece).substr(start), {});
    if (sent.outcome == Channel::Outcome::Done) {
      start = (start + sent.bytes) % piece.size();
    } else {
      Await(channel, sent.outcome);
    }
  }
}

void ReceiveUntil(Channel& channel, const std::atomic<bool>& is_over,
                  std::atomic<std::size_t>& received) {
  ShakeHands(channel);
  std::string piece(kPieceSize, '\0');
  while (!is_over) {
    const Channel::Transfer got = channel.Read(piece.data(), piece.size());
    if (got.outcome == Channel::Outcome::Done) {
      received += got.bytes;
    } else {
      Await(channel, got.outcome);
      channel.MarkReadable();
    }
  }
}

/// Two ends over the loopback, as a client and a server have them.
std::array<int, 2> Connect() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  PL_ASSERT(bind(listener, plain, size) == 0 && listen(listener, 1) == 0);
  PL_ASSERT(getsockname(listener, plain, &size) == 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  PL_ASSERT(connect(client, plain, size) == 0);
  const int server = accept(listener, nullptr, nullptr);
  close(listener);
  for (const int end : {server, client}) fcntl(end, F_SETFL, O_NONBLOCK);
  return {server, client};
}

}  // namespace

double PumpTls(const net::ServerTls& server, const net::ClientTls& client, Duration duration) {
  const net::SharedSslContext server_context = net::MakeServerContext(server).value();
  const net::SharedSslContext client_context = net::MakeClientContext(client).value();
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> received = 0;
  std::vector<std::unique_ptr<Channel>> channels;
  std::vector<std::jthread> threads;
  for (int pair = 0; pair < std::max(1, HardwareThreads() / 2); ++pair) {
    const std::array<int, 2> ends = Connect();
    Channel& sender = *channels.emplace_back(std::make_unique<Channel>(ends[0]));
    Channel& receiver = *channels.emplace_back(std::make_unique<Channel>(ends[1]));
    PL_ASSERT(sender.StartTlsAsServer(server_context));
    PL_ASSERT(receiver.StartTlsAsClient(client_context, "127.0.0.1"));
    threads.emplace_back([&] { SendUntil(sender, is_over); });
    threads.emplace_back([&] { ReceiveUntil(receiver, is_over, received); });
  }
  std::this_thread::sleep_for(duration / 4);  // until it is in full flow
  const std::size_t before = received;
  std::this_thread::sleep_for(duration);
  const std::size_t after = received;
  is_over = true;
  return static_cast<double>(after - before) / std::chrono::duration<double>(duration).count();
}

}  // namespace plimsoll::bench

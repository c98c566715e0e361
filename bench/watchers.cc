#include "watchers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "base/assert.h"
#include "net/client_connection.h"
#include "net/tls.h"

namespace plimsoll::bench {

using namespace std::chrono_literals;
using net::Channel;

std::int64_t NowNs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

std::string TimeMark() { return fmt::format("@{:019}", NowNs()); }

Watchers::Watchers(const std::string& url, const net::ClientTls& tls,
                   const std::vector<std::string>& targets)
    : poller_(epoll_create1(EPOLL_CLOEXEC)) {
  const net::Endpoint endpoint = net::ParseUrl(url).value();
  net::SharedSslContext context;
  if (endpoint.is_tls) context = net::MakeClientContext(tls).value();
  net::Waiter waiter;
  for (const std::string& target : targets) {
    waiter.Start(60s);
    const int socket = net::Dial(endpoint, 60s, waiter).value();
    auto channel = std::make_unique<Channel>(socket);
    if (context != nullptr) {
      PL_ASSERT(channel->StartTlsAsClient(context, "127.0.0.1"));
      while (channel->Handshake() == Channel::Outcome::WantRead) {
        waiter.Wait(socket, POLLIN);
        channel->MarkReadable();
      }
    }
    channel->Write(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target), {});
    epoll_event event{.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = {.ptr = channel.get()}};
    epoll_ctl(poller_, EPOLL_CTL_ADD, socket, &event);
    channels_.push_back(std::move(channel));
  }
}

Watchers::~Watchers() { close(poller_); }

void Watchers::Read(int patience_ms) {
  std::string scratch(64u << 10, '\0');
  std::array<epoll_event, 256> events;
  int count = 0;
  while ((count = epoll_wait(poller_, events.data(), events.size(), patience_ms)) > 0) {
    for (int i = 0; i < count; ++i) {
      auto* const channel = static_cast<Channel*>(events[static_cast<std::size_t>(i)].data.ptr);
      channel->MarkReadable();
      Channel::Transfer got;
      while ((got = channel->Read(scratch.data(), scratch.size())).outcome ==
             Channel::Outcome::Done) {
        Note(std::string_view(scratch).substr(0, got.bytes));
      }
    }
  }
}

void Watchers::Note(std::string_view text) {
  const std::int64_t now = NowNs();
  bytes_ += text.size();
  for (std::size_t at = 0; (at = text.find('@', at)) != std::string_view::npos; ++at) {
    ++marks_;
    if (text.size() - at < 20) continue;
    const std::int64_t sent = std::strtoll(text.data() + at + 1, nullptr, 10);
    lags_ms_.push_back(static_cast<float>(now - sent) / 1e6f);
  }
}

float Watchers::LagMs(double part) {
  if (lags_ms_.empty()) return 0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(lags_ms_.size() - 1));
  std::ranges::nth_element(lags_ms_, lags_ms_.begin() + static_cast<std::ptrdiff_t>(at));
  return lags_ms_[at];
}

}  // namespace plimsoll::bench

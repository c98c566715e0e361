#include "watchers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "base/assert.h"
#include "net/client_connection.h"
#include "net/tls.h"
#include "program.h"

namespace plimsoll::bench {

using namespace std::chrono_literals;
using net::Channel;

namespace {

constexpr std::size_t kMarkSize = 20;
constexpr std::size_t kScratchSize = 64u << 10;
constexpr std::int64_t kLagStepNs = 100'000;
constexpr std::size_t kLagSteps = 200'000;

}  // namespace

std::int64_t NowNs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

std::string TimeMark() { return fmt::format("@{:019}", NowNs()); }

Watchers::Watchers(const std::string& url, const net::ClientTls& tls,
                   const std::vector<std::string>& targets)
    : poller_(epoll_create1(EPOLL_CLOEXEC)), scratch_(kScratchSize, '\0'), lags_(kLagSteps) {
  const net::Endpoint endpoint = net::ParseUrl(url).value();
  net::SharedSslContext context;
  if (endpoint.is_tls) context = net::MakeClientContext(tls).value();
  net::Waiter waiter;
  for (const std::string& target : targets) {
    waiter.Start(60s);
    const int socket = net::Dial(endpoint, 60s, waiter).value();
    auto watcher = std::make_unique<Watcher>(socket);
    Channel& channel = watcher->channel;
    if (context != nullptr) {
      PL_ASSERT(channel.StartTlsAsClient(context, "127.0.0.1"));
      while (channel.Handshake() == Channel::Outcome::WantRead) {
        waiter.Wait(socket, POLLIN);
        channel.MarkReadable();
      }
    }
    channel.Write(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target), {});
    epoll_event event{.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = {.ptr = watcher.get()}};
    epoll_ctl(poller_, EPOLL_CTL_ADD, socket, &event);
    watchers_.push_back(std::move(watcher));
  }
}

Watchers::~Watchers() { close(poller_); }

void Watchers::Read(int patience_ms) {
  const double before = ProcessorSeconds();
  std::array<epoll_event, 256> events;
  int count = 0;
  while ((count = epoll_wait(poller_, events.data(), events.size(), patience_ms)) > 0) {
    for (int i = 0; i < count; ++i) {
      ReadAll(*static_cast<Watcher*>(events[static_cast<std::size_t>(i)].data.ptr));
    }
  }
  seconds_ += ProcessorSeconds() - before;
}

void Watchers::ReadAll(Watcher& watcher) {
  watcher.channel.MarkReadable();
  std::string& rest = watcher.rest;
  while (true) {
    std::ranges::copy(rest, scratch_.begin());
    const Channel::Transfer got =
        watcher.channel.Read(scratch_.data() + rest.size(), scratch_.size() - rest.size());
    if (got.outcome != Channel::Outcome::Done) return;
    bytes_ += got.bytes;
    const std::string_view text(scratch_.data(), rest.size() + got.bytes);
    rest = text.substr(text.size() - Note(text, watcher, NowNs()));
  }
}

std::size_t Watchers::Note(std::string_view text, Watcher& watcher, std::int64_t now) {
  for (std::size_t at = 0; (at = text.find('@', at)) != std::string_view::npos; at += kMarkSize) {
    if (text.size() - at < kMarkSize) return text.size() - at;
    std::int64_t sent = 0;
    std::from_chars(text.data() + at + 1, text.data() + at + kMarkSize, sent);
    const auto lag = static_cast<std::size_t>(std::max<std::int64_t>(now - sent, 0) / kLagStepNs);
    ++lags_[std::min(lag, kLagSteps - 1)];
    ++marks_;
    watcher.got.Add(static_cast<std::uint64_t>(sent));
  }
  return 0;
}

double Watchers::LagMs(double part) const {
  const auto wanted = static_cast<std::uint64_t>(part * static_cast<double>(marks_));
  std::uint64_t below = 0;
  std::size_t step = 0;
  while (step + 1 < kLagSteps && (below += lags_[step]) < wanted) ++step;
  return static_cast<double>(step) * static_cast<double>(kLagStepNs) / 1e6;
}

std::size_t Watchers::CountReceivers(const Sequence& wanted) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      watchers_, [&](const auto& watcher) { return watcher->got == wanted; }));
}

}  // namespace plimsoll::bench

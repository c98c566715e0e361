// Runs the API client and an informer against a hostile server. The server sends the input over a
// socket, unchanged, in answer to the client's requests. With any bytes every call must end, the
// informer's events must fit each other, and objects must be of the requested kind.
//
// Input: a byte that chooses how the informer lists, then HTTP responses with a NUL between them.
// The server sends one response per connection and then closes the connection. The first answers a
// Get, the others the informer's lists and watches.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/schema/schema.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/real_clock.h"
#include "client/client.h"
#include "client/informer.h"
#include "cost_bound.h"
#include "net/client.h"

namespace {

namespace client = plimsoll::client;

/// Sends the responses of a script, one per connection. Lives as long as the process.
class HostileServer {
 public:
  HostileServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    constexpr int kBacklog = 64;
    PL_ASSERT(bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    PL_ASSERT(listen(listener_, kBacklog) == 0);
    PL_ASSERT(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
    std::thread([this] { Run(); }).detach();
  }

  /// Returns the URL of a server that sends these responses. The address is another one of the
  /// loopback each time. A closed connection blocks its pair of ports for a minute, and a fuzzer
  /// would run out of ports. The path tells the requests of this run from late ones of the last.
  std::string Play(std::vector<std::string> responses) {
    const std::lock_guard lock(mutex_);
    responses_ = std::move(responses);
    next_ = 0;
    ++run_;
    return "http://127.0.0." + std::to_string(run_ % 250 + 1) + ":" + std::to_string(port_) +
           PathOfRun();
  }
  /// Blocks until all responses are sent and the client has come back for another.
  void WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ > responses_.size(); });
  }

 private:
  std::string PathOfRun() const { return "/run" + std::to_string(run_); }

  void Run() {
    while (true) {
      const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      Serve(connection);
      close(connection);
    }
  }

  void Serve(int connection) {
    // A small request arrives in one piece; a connection without one is of no use to the client.
    std::array<char, 4096> buffer{};
    const ssize_t size = recv(connection, buffer.data(), buffer.size(), 0);
    if (size <= 0) return;
    const std::string_view request(buffer.data(), static_cast<std::size_t>(size));
    std::string response;
    {
      const std::lock_guard lock(mutex_);
      if (!request.starts_with("GET " + PathOfRun() + "/")) return;
      if (next_ < responses_.size()) response = responses_[next_];
      ++next_;
      changed_.notify_all();
    }
    for (std::string_view rest = response; !rest.empty();) {
      const ssize_t sent = send(connection, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  const int listener_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> responses_;
  std::size_t next_ = 0;
  std::uint64_t run_ = 0;
};

/// Checks that an informer's events make sense one after the other.
class Mirror {
 public:
  void Observe(const client::InformerEvent& event) {
    using Type = client::InformerEvent::Type;
    if (event.type == Type::Synced) {
      PL_ASSERT(!std::exchange(is_synced_, true));
      return;
    }
    PL_ASSERT(event.object != nullptr && event.object->As<plimsoll::api::Pod>() != nullptr);
    const auto& metadata = event.object->metadata();
    const auto key = std::pair(std::string(metadata.namespace_), std::string(metadata.name));
    switch (event.type) {
      case Type::Added:
        PL_ASSERT(known_.emplace(key, event.object).second);
        break;
      case Type::Modified:
        PL_ASSERT(known_.at(key) == event.before);
        known_[key] = event.object;
        break;
      case Type::Deleted:
        PL_ASSERT(known_.erase(key) == 1);
        break;
      case Type::Synced:
        break;
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, client::ObjectPtr> known_;
  bool is_synced_ = false;
};

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

void Run(std::uint8_t choice, std::string_view input) {
  // Never destroyed: their threads run until the process ends.
  static auto& server = *new HostileServer;
  static auto& clock = *new plimsoll::RealClock;
  static const plimsoll::api::KindDesc& pods = *plimsoll::api::FindKind("", "v1", "Pod");
  plimsoll::MemorySink sink;
  plimsoll::Logger log(clock, sink);
  const client::Client tested(*plimsoll::net::ConnectTo(server.Play(Split(input)), {}), clock,
                              {.retries_max = 1, .retry_after_max = plimsoll::Duration::zero()});
  const auto got = tested.Get({pods, "default", "web"});
  if (!got) PL_ASSERT(got.error().code != 0 || !got.error().message.empty());
  Mirror mirror;
  client::InformerOptions options{.kind = pods};
  options.use_watch_list = (choice & 1) != 0;
  options.is_lean = (choice & 2) != 0;
  options.backoff = {.initial = plimsoll::Duration::zero(), .max = plimsoll::Duration::zero()};
  client::Informer informer(tested, std::move(options), log,
                            [&](const client::InformerEvent& event) { mirror.Observe(event); });
  informer.Start();
  server.WaitForEnd();
  informer.Stop();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 64u << 20});
  Run(bytes[0], {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}

#include "net/server.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "net/accept.h"
#include "net/http1_writer.h"
#include "net/loop.h"
#include "net/server_core.h"
#include "net/socket_address.h"
#include "net/tls.h"

namespace plimsoll::net {
namespace {

/// The usual soft limit is 1024, of a time when select() could take no more; the hard limit is what
/// the machine's owner means.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// A quarter of the shortest time-out, so that none is late by much more than that.
Duration ChooseTick(const ServerOptions& options) {
  Duration tick = std::chrono::milliseconds(500);
  for (const Duration timeout : {options.header_timeout, options.body_timeout, options.idle_timeout,
                                 options.write_timeout}) {
    if (timeout > Duration::zero()) tick = std::min(tick, timeout / 4);
  }
  return std::max<Duration>(tick, std::chrono::milliseconds(1));
}

class ServerImpl;

/// Accepts for all loops, on the first of them.
class Listener final : public Watched {
 public:
  Listener(ServerImpl& server, Loop& loop, int socket)
      : server_(server), loop_(loop), socket_(socket) {}
  ~Listener() override { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void OnReady(std::uint32_t) override { AcceptAll(); }
  void OnTick(Ticks) override {
    if (is_stalled_) AcceptAll();
  }
  void OnDrain() override { Close(); }
  void Close() override { loop_.Forget(socket_); }

 private:
  void AcceptAll();

  ServerImpl& server_;
  Loop& loop_;
  const int socket_;
  bool is_stalled_ = false;  // out of files; tried again at the next tick
};

class ServerImpl final : public Server {
 public:
  ServerImpl(const ServerOptions& options, Handler& handler, Logger& log)
      : core_(options, handler, log) {}
  ~ServerImpl() override {
    for (const auto& lane : lanes_) lane->loop->Stop();
  }
  ServerImpl(const ServerImpl&) = delete;
  ServerImpl& operator=(const ServerImpl&) = delete;

  Status Open(BoundPort port) {
    if (core_.options.tls.has_value()) PL_TRY(ReplaceTls(*core_.options.tls));
    const Duration tick = ChooseTick(core_.options);
    for (int i = 0; i < std::max(core_.options.threads, 1); ++i) {
      lanes_.push_back(std::make_unique<Lane>(core_, PL_TRY(Loop::Make(tick))));
    }
    port_ = port.number();
    const int socket = port.Release();
    Loop& first = *lanes_.front()->loop;
    if (!first.Watch(socket, std::make_shared<Listener>(*this, first, socket))) {
      return Fail(Reason::InternalError, "cannot watch the listening socket");
    }
    for (const auto& lane : lanes_) lane->loop->Start();
    return {};
  }

  std::uint16_t port() const override { return port_; }

  Status ReplaceTls(const ServerTls& tls) override {
    SharedSslContext context = PL_TRY(MakeServerContext(tls));
    const std::scoped_lock lock(core_.mutex);
    context_.swap(context);
    return {};
  }

  void Drain(Duration timeout) override {
    core_.is_draining = true;
    for (const auto& lane : lanes_) {
      lane->loop->Post([loop = lane->loop.get()] {
        for (const auto& watched : loop->AllWatched()) watched->OnDrain();
      });
    }
    std::unique_lock lock(core_.mutex);
    core_.none_left.wait_for(lock, timeout, [&] { return core_.connections == 0; });
  }

  void Accepted(int socket, std::string remote_address) {
    if (core_.connections >= core_.options.connections_max) {
      close(socket);
      PL_LOG(core_.log, Info(2), "Refused a connection: too many are open",
             {"client", remote_address}, {"limit", core_.options.connections_max});
      return;
    }
    core_.CountOpened();
    TuneSocket(socket);
    SharedSslContext context;
    {
      const std::scoped_lock lock(core_.mutex);
      context = context_;
    }
    Lane* const lane = lanes_[next_lane_++ % lanes_.size()].get();
    const bool is_posted =
        lane->loop->Post([lane, channel = std::make_unique<Channel>(socket),
                          remote_address = std::move(remote_address), context]() mutable {
          Adopt(*lane, std::move(channel), std::move(remote_address), context);
        });
    if (!is_posted) core_.CountClosed();
  }

 private:
  ServerCore core_;
  std::uint16_t port_ = 0;
  SharedSslContext context_;  // guarded by the core's mutex
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t next_lane_ = 0;
};

void Listener::AcceptAll() {
  is_stalled_ = false;
  while (true) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* const peer = reinterpret_cast<sockaddr*>(&address);
    const int socket = accept4(socket_, peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      server_.Accepted(socket, FormatAddress(peer));
    } else if (errno != EINTR && errno != ECONNABORTED) {
      is_stalled_ = errno != EAGAIN;
      return;
    }
  }
}

}  // namespace

std::string_view Lane::Date() {
  if (const Ticks now = loop->now(); date_tick_ != now) {
    date_ = FormatHttpDate(core.log.clock().Now());
    date_tick_ = now;
  }
  return date_;
}

const Bytes& Lane::Chunk(const Bytes& text) {
  if (chunk_text_ != text) {
    std::string chunk;
    chunk.reserve(text->size() + kChunkFramingSizeMax);
    AppendChunk(chunk, *text);
    chunk_ = MakeBytes(std::move(chunk));
    chunk_text_ = text;
  }
  return chunk_;
}

Result<BoundPort> BoundPort::Bind(const std::string& address, std::uint16_t port) {
  return BoundPort(PL_TRY(Listen(address, port)));
}

BoundPort::BoundPort(BoundPort&& other) noexcept : socket_(other.Release()) {}

BoundPort& BoundPort::operator=(BoundPort&& other) noexcept {
  std::swap(socket_, other.socket_);
  return *this;
}

BoundPort::~BoundPort() {
  if (socket_ >= 0) close(socket_);
}

std::uint16_t BoundPort::number() const { return PortOf(socket_); }

int BoundPort::Release() { return std::exchange(socket_, -1); }

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler& handler,
                                              Logger& log) {
  return Start(PL_TRY(BoundPort::Bind(options.address, options.port)), options, handler, log);
}

Result<std::unique_ptr<Server>> Server::Start(BoundPort port, const ServerOptions& options,
                                              Handler& handler, Logger& log) {
  RaiseFileLimit();
  auto server = std::make_unique<ServerImpl>(options, handler, log);
  PL_TRY(server->Open(std::move(port)));
  return server;
}

}  // namespace plimsoll::net

#include "net/server.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
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

/// Raises the soft limit of open files to the hard limit, and returns it. The usual soft limit is
/// 1024, which is the most that select() can handle.
std::uint64_t RaiseFileLimit() {
  constexpr std::uint64_t kUnknown = 1024;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kUnknown;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : kUnknown;
}

/// Returns a quarter of the shortest time-out, so that none is late by much more than that.
Duration ChooseTick(const ServerOptions& options) {
  Duration tick = std::chrono::milliseconds(500);
  for (const Duration timeout : {options.header_timeout, options.body_timeout, options.idle_timeout,
                                 options.write_timeout}) {
    if (timeout > Duration::zero()) tick = std::min(tick, timeout / 4);
  }
  return std::max<Duration>(tick, std::chrono::milliseconds(1));
}

/// Accepts connections for all loops, on the first one.
class Listener final : public Watched, public std::enable_shared_from_this<Listener> {
 public:
  Listener(ServerThreads& server, Loop& loop, int socket)
      : server_(server), loop_(loop), socket_(socket) {}
  ~Listener() override { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void OnReady(std::uint32_t) override { AcceptAll(); }
  void OnTick(Ticks) override {
    if (is_stalled_) AcceptAll();
  }
  void OnDrain() override { Close(); }
  void Close() override {
    is_closed_ = true;
    loop_.Forget(socket_);
  }
  /// Called from any thread when a connection has closed.
  void OnRoom() {
    loop_.Post([weak = weak_from_this()] {
      const auto listener = weak.lock();
      if (listener != nullptr && !listener->is_closed_) listener->AcceptAll();
    });
  }

 private:
  void AcceptAll();
  void Stall(int error);

  ServerThreads& server_;
  Loop& loop_;
  const int socket_;
  bool is_stalled_ = false;  // until the next tick, or until a connection closes
  bool is_closed_ = false;
  bool is_out_of_files_ = false;
};

}  // namespace

/// Threads of a server, with their connections and the listening socket.
class ServerThreads {
 public:
  ServerThreads(const ServerOptions& options, Handler& handler, Logger& log)
      : core_(options, handler, log, FitConnectionLimits(options.connections, RaiseFileLimit()),
              [this] {
                if (const auto listener = listener_.lock()) listener->OnRoom();
              }) {}
  ~ServerThreads() {
    for (const auto& thread : threads_) thread->loop->Stop();
  }
  ServerThreads(const ServerThreads&) = delete;
  ServerThreads& operator=(const ServerThreads&) = delete;

  Status Open(BoundPort port) {
    if (core_.options.tls.has_value()) PL_TRY(ReplaceTls(*core_.options.tls));
    const Duration tick = ChooseTick(core_.options);
    for (int i = 0; i < std::max(core_.options.threads, 1); ++i) {
      threads_.push_back(std::make_unique<ServerThread>(core_, PL_TRY(Loop::Make(tick))));
    }
    port_ = port.number();
    const int socket = port.Release();
    Loop& first = *threads_.front()->loop;
    const auto listener = std::make_shared<Listener>(*this, first, socket);
    listener_ = listener;
    if (!first.Watch(socket, listener)) {
      return Fail(Reason::InternalError, "cannot watch the listening socket");
    }
    for (const auto& thread : threads_) thread->loop->Start();
    return {};
  }

  std::uint16_t port() const { return port_; }

  Status ReplaceTls(const ServerTls& tls) {
    SharedSslContext context = PL_TRY(MakeServerContext(tls));
    const std::scoped_lock lock(core_.mutex);
    context_.swap(context);
    return {};
  }

  void Drain(Duration timeout) {
    core_.is_draining = true;
    for (const auto& thread : threads_) {
      thread->loop->Post([loop = thread->loop.get()] {
        for (const auto& watched : loop->AllWatched()) watched->OnDrain();
      });
    }
    std::unique_lock lock(core_.mutex);
    core_.none_left.wait_for(lock, timeout, [&] { return core_.connections == 0; });
  }

  ServerCore& core() { return core_; }

  /// Passes the socket to one of the threads, or closes it if its address has too many.
  void Admit(int socket, const sockaddr* peer, Loop& loop) {
    auto channel = std::make_unique<Channel>(socket);
    std::string remote_address = FormatAddress(peer);
    auto entry = core_.table.Add(SourceNetwork(peer), loop.now(),
                                 loop.After(core_.options.connections.anonymous_grace));
    if (entry == nullptr) {
      PL_LOG(core_.log, Info(2), "Closed a new connection: its address has too many connections",
             {"client", remote_address});
      return;
    }
    core_.CountOpened();
    TuneSocket(socket);
    SharedSslContext context;
    {
      const std::scoped_lock lock(core_.mutex);
      context = context_;
    }
    ServerThread* const thread = threads_[next_thread_++ % threads_.size()].get();
    const bool is_posted = thread->loop->Post(
        [thread,
         accepted = Accepted{std::move(channel), std::move(entry), std::move(remote_address)},
         context]() mutable { Adopt(*thread, std::move(accepted), context); });
    if (!is_posted) core_.CountClosed();
  }

 private:
  ServerCore core_;
  std::uint16_t port_ = 0;
  SharedSslContext context_;  // guarded by the core's mutex
  std::vector<std::unique_ptr<ServerThread>> threads_;
  std::weak_ptr<Listener> listener_;  // the first thread's loop owns it until the server drains
  std::size_t next_thread_ = 0;
};

namespace {

void Listener::AcceptAll() {
  is_stalled_ = false;
  while (true) {
    ConnectionTable& table = server_.core().table;
    const ConnectionTable::Room room = table.MakeRoom(loop_.now(), /*is_out_of_files=*/false);
    if (room == ConnectionTable::Room::Soon) {
      // Clients wait in the kernel's backlog meanwhile.
      is_stalled_ = true;
      return;
    }
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* const peer = reinterpret_cast<sockaddr*>(&address);
    const int socket = accept4(socket_, peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EAGAIN) Stall(errno);
      return;
    }
    is_out_of_files_ = false;
    if (room == ConnectionTable::Room::None) {
      close(socket);
      PL_LOG(server_.core().log, Info(2), "Closed a new connection: too many connections are open",
             {"client", FormatAddress(peer)});
      continue;
    }
    server_.Admit(socket, peer, loop_);
  }
}

/// Called when the system gives no more sockets. Evicts anonymous clients; accepting is retried.
void Listener::Stall(int error) {
  is_stalled_ = true;
  const bool is_out_of_files = error == EMFILE || error == ENFILE;
  server_.core().table.MakeRoom(loop_.now(), is_out_of_files);
  if (!std::exchange(is_out_of_files_, true)) {
    PL_LOG(server_.core().log, Warning(), "Cannot accept connections; trying again",
           {"err", std::strerror(error)});
  }
}

}  // namespace

std::string_view ServerThread::Date() {
  if (const Ticks now = loop->now(); date_tick_ != now) {
    date_ = FormatHttpDate(core.log.clock().Now());
    date_tick_ = now;
  }
  return date_;
}

const Bytes& ServerThread::Chunk(const Bytes& text) {
  if (chunk_text_ != text) {
    std::string chunk;
    chunk.reserve(text->size() + kChunkFramingSizeMax);
    AppendChunk(chunk, *text);
    chunk_ = MakeBytes(std::move(chunk));
    chunk_text_ = text;
  }
  return chunk_;
}

Status CheckTls(const ServerTls& tls) {
  PL_TRY(MakeServerContext(tls));
  return {};
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
  auto threads = std::make_unique<ServerThreads>(options, handler, log);
  PL_TRY(threads->Open(std::move(port)));
  return std::unique_ptr<Server>(new Server(std::move(threads)));
}

Server::Server(std::unique_ptr<ServerThreads> threads) : threads_(std::move(threads)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return threads_->port(); }

Status Server::ReplaceTls(const ServerTls& tls) { return threads_->ReplaceTls(tls); }

void Server::Drain(Duration timeout) { threads_->Drain(timeout); }

}  // namespace plimsoll::net

#include "net/accept.h"

#include <sys/epoll.h>

#include <utility>

#include "net/http1_connection.h"
#include "net/tls.h"

namespace plimsoll::net {
namespace {

/// Creates the connection. Another protocol offered by ALPN would be another class
/// here.
std::shared_ptr<Watched> MakeConnection(ServerThread& thread, Accepted accepted) {
  PeerIdentity peer;
  if (accepted.channel->ssl() != nullptr) peer = CheckPeer(accepted.channel->ssl());
  return std::make_shared<Http1Connection>(thread, std::move(accepted), std::move(peer));
}

/// Lets the table close the connection from another thread.
void AllowEviction(const ServerThread& thread, ConnectionTable::Entry& entry,
                   const std::shared_ptr<Watched>& watched) {
  entry.OnEvict([loop = thread.loop, weak = std::weak_ptr(watched)] {
    loop->Post([weak] {
      if (const auto connection = weak.lock()) connection->Close();
    });
  });
}

/// A connection during its TLS handshake; then Http1Connection replaces it.
class TlsHandshake final : public Watched {
 public:
  TlsHandshake(ServerThread& thread, Accepted accepted)
      : thread_(thread),
        accepted_(std::move(accepted)),
        deadline_(thread.loop->After(thread.core.options.header_timeout)) {}
  ~TlsHandshake() override {
    if (accepted_.channel == nullptr) return;
    accepted_ = {};
    thread_.core.CountClosed();
  }
  TlsHandshake(const TlsHandshake&) = delete;
  TlsHandshake& operator=(const TlsHandshake&) = delete;

  void OnReady(std::uint32_t events) override {
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
      Close();
      return;
    }
    if ((events & EPOLLRDHUP) != 0) {
      accepted_.channel->MarkEnded();
    } else if ((events & EPOLLIN) != 0) {
      accepted_.channel->MarkReadable();
    }
    const Channel::Outcome outcome = accepted_.channel->Handshake();
    if (outcome == Channel::Outcome::Done) {
      Finish(events);
    } else if (outcome == Channel::Outcome::Broken || outcome == Channel::Outcome::End) {
      Fail();
    }
  }

  void OnTick(Ticks now) override {
    if (now >= deadline_) Close();
  }

  void OnDrain() override { Close(); }

  void Close() override {
    if (accepted_.channel != nullptr) thread_.loop->Forget(accepted_.channel->socket());
  }

 private:
  void Finish(std::uint32_t events) {
    const int socket = accepted_.channel->socket();
    ConnectionTable::Entry& entry = *accepted_.entry;
    const std::shared_ptr<Watched> connection = MakeConnection(thread_, std::move(accepted_));
    AllowEviction(thread_, entry, connection);
    thread_.loop->Replace(socket, connection);
    // The first request may have arrived with the last bytes of the handshake.
    connection->OnReady(events);
  }

  void Fail() {
    const std::unique_ptr<Channel>& channel = accepted_.channel;
    if (channel->is_plain_http()) {
      channel->WritePlain(
          "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
    PL_LOG(thread_.core.log, Info(4), "TLS handshake failed", {"client", accepted_.remote_address},
           {"err", channel->failure()});
    channel->FinishWriting();
    Close();
  }

  ServerThread& thread_;
  Accepted accepted_;
  const Ticks deadline_;
};

}  // namespace

void Adopt(ServerThread& thread, Accepted accepted, const std::shared_ptr<ssl_ctx_st>& context) {
  const int socket = accepted.channel->socket();
  ConnectionTable::Entry& entry = *accepted.entry;
  std::shared_ptr<Watched> watched;
  if (context == nullptr) {
    watched = MakeConnection(thread, std::move(accepted));
  } else if (accepted.channel->StartTlsAsServer(context)) {
    watched = std::make_shared<TlsHandshake>(thread, std::move(accepted));
  } else {
    accepted = {};
    thread.core.CountClosed();
    return;
  }
  AllowEviction(thread, entry, watched);
  if (!thread.loop->Watch(socket, watched)) thread.loop->Forget(socket);
}

}  // namespace plimsoll::net

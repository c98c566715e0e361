#include "net/accept.h"

#include <sys/epoll.h>

#include <utility>

#include "net/http1_connection.h"
#include "net/tls.h"

namespace plimsoll::net {
namespace {

/// Creates the connection. Another protocol offered by ALPN would be another class
/// here.
std::shared_ptr<Watched> MakeConnection(Lane& lane, Accepted accepted) {
  PeerProof proof;
  if (accepted.channel->ssl() != nullptr) proof = CheckPeer(accepted.channel->ssl());
  return std::make_shared<Http1Connection>(lane, std::move(accepted), std::move(proof));
}

/// Lets the table close the connection from another thread.
void AllowEviction(const Lane& lane, ConnectionTable::Place& place,
                   const std::shared_ptr<Watched>& watched) {
  place.OnEvict([loop = lane.loop, weak = std::weak_ptr(watched)] {
    loop->Post([weak] {
      if (const auto connection = weak.lock()) connection->Close();
    });
  });
}

/// A connection during its TLS handshake; then Http1Connection replaces it.
class TlsHandshake final : public Watched {
 public:
  TlsHandshake(Lane& lane, Accepted accepted)
      : lane_(lane),
        accepted_(std::move(accepted)),
        deadline_(lane.loop->After(lane.core.options.header_timeout)) {}
  ~TlsHandshake() override {
    if (accepted_.channel == nullptr) return;
    accepted_ = {};
    lane_.core.CountClosed();
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
    if (accepted_.channel != nullptr) lane_.loop->Forget(accepted_.channel->socket());
  }

 private:
  void Finish(std::uint32_t events) {
    const int socket = accepted_.channel->socket();
    ConnectionTable::Place& place = *accepted_.place;
    const std::shared_ptr<Watched> connection = MakeConnection(lane_, std::move(accepted_));
    AllowEviction(lane_, place, connection);
    lane_.loop->Replace(socket, connection);
    // The first request may have arrived with the last bytes of the handshake.
    connection->OnReady(events);
  }

  void Fail() {
    const std::unique_ptr<Channel>& channel = accepted_.channel;
    if (channel->is_plain_http()) {
      channel->WritePlain(
          "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
    PL_LOG(lane_.core.log, Info(4), "TLS handshake failed", {"client", accepted_.remote_address},
           {"err", channel->failure()});
    channel->FinishWriting();
    Close();
  }

  Lane& lane_;
  Accepted accepted_;
  const Ticks deadline_;
};

}  // namespace

void Adopt(Lane& lane, Accepted accepted, const std::shared_ptr<ssl_ctx_st>& context) {
  const int socket = accepted.channel->socket();
  ConnectionTable::Place& place = *accepted.place;
  std::shared_ptr<Watched> watched;
  if (context == nullptr) {
    watched = MakeConnection(lane, std::move(accepted));
  } else if (accepted.channel->StartTlsAsServer(context)) {
    watched = std::make_shared<TlsHandshake>(lane, std::move(accepted));
  } else {
    accepted = {};
    lane.core.CountClosed();
    return;
  }
  AllowEviction(lane, place, watched);
  if (!lane.loop->Watch(socket, watched)) lane.loop->Forget(socket);
}

}  // namespace plimsoll::net

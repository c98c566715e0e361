#include "net/accept.h"

#include <sys/epoll.h>

#include <utility>

#include "net/http1_connection.h"
#include "net/tls.h"

namespace plimsoll::net {
namespace {

/// Chooses the kind of connection. A further protocol, once ALPN offers it, is a further class
/// here.
std::shared_ptr<Watched> MakeConnection(Lane& lane, std::unique_ptr<Channel> channel,
                                        std::string remote_address) {
  PeerProof proof;
  if (channel->ssl() != nullptr) proof = CheckPeer(channel->ssl());
  return std::make_shared<Http1Connection>(lane, std::move(channel), std::move(remote_address),
                                           std::move(proof));
}

/// A connection until its handshake is over; then another takes its place.
class TlsHandshake final : public Watched {
 public:
  TlsHandshake(Lane& lane, std::unique_ptr<Channel> channel, std::string remote_address)
      : lane_(lane),
        channel_(std::move(channel)),
        remote_address_(std::move(remote_address)),
        deadline_(lane.loop->After(lane.core.options.header_timeout)) {}
  ~TlsHandshake() override {
    if (channel_ != nullptr) lane_.core.CountClosed();
  }
  TlsHandshake(const TlsHandshake&) = delete;
  TlsHandshake& operator=(const TlsHandshake&) = delete;

  void OnReady(std::uint32_t events) override {
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
      Close();
      return;
    }
    if ((events & EPOLLRDHUP) != 0) {
      channel_->MarkEnded();
    } else if ((events & EPOLLIN) != 0) {
      channel_->MarkReadable();
    }
    const Channel::Outcome outcome = channel_->Handshake();
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
    if (channel_ != nullptr) lane_.loop->Forget(channel_->socket());
  }

 private:
  void Finish(std::uint32_t events) {
    const int socket = channel_->socket();
    const std::shared_ptr<Watched> connection =
        MakeConnection(lane_, std::move(channel_), std::move(remote_address_));
    lane_.loop->Replace(socket, connection);
    // The first request may have come with the last of the handshake.
    connection->OnReady(events);
  }

  void Fail() {
    if (channel_->is_plain_http()) {
      channel_->WritePlain(
          "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
    PL_LOG(lane_.core.log, Info(4), "TLS handshake failed", {"client", remote_address_},
           {"err", channel_->failure()});
    channel_->FinishWriting();
    Close();
  }

  Lane& lane_;
  std::unique_ptr<Channel> channel_;
  std::string remote_address_;
  const Ticks deadline_;
};

}  // namespace

void Adopt(Lane& lane, std::unique_ptr<Channel> channel, std::string remote_address,
           const std::shared_ptr<ssl_ctx_st>& context) {
  const int socket = channel->socket();
  std::shared_ptr<Watched> watched;
  if (context == nullptr) {
    watched = MakeConnection(lane, std::move(channel), std::move(remote_address));
  } else if (channel->StartTlsAsServer(context)) {
    watched = std::make_shared<TlsHandshake>(lane, std::move(channel), std::move(remote_address));
  } else {
    lane.core.CountClosed();
    return;
  }
  if (!lane.loop->Watch(socket, watched)) lane.loop->Forget(socket);
}

}  // namespace plimsoll::net

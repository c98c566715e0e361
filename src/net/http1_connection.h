#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/accept.h"
#include "net/channel.h"
#include "net/http1_body.h"
#include "net/http1_parser.h"
#include "net/http1_writer.h"
#include "net/loop.h"
#include "net/outbox.h"
#include "net/server_core.h"
#include "net/stream_queue.h"
#include "net/tls.h"

namespace plimsoll::net {

/// A client's connection from its first request to its end. Belongs to the thread of its loop.
///
///   Head → Handling → Sending → Head …        a request and its response
///      Handling → Body → Handling             the handler reads the body
///      Handling → Streaming → Sending         a response that is written piece by piece
///                Sending → Discarding → Head  the handler has left a small body unread
///                Sending → Lingering          the last response: later bytes are discarded
///
/// Requests are served one after the other, so that responses are in order. The connection reads
/// from its socket only for the next head, for a body that the handler has requested, or to discard
/// bytes.
class Http1Connection final : public Watched, public std::enable_shared_from_this<Http1Connection> {
 public:
  Http1Connection(ServerThread& thread, Accepted accepted, PeerIdentity peer);
  ~Http1Connection() override;

  void OnReady(std::uint32_t events) override;
  void OnTick(Ticks now) override;
  void OnDrain() override;
  void Close() override;

  /// See Exchange::ReadBody.
  void OnReadBody(std::size_t size_max, BodyReceiver receiver);
  void OnAuthenticated();

  // The two ways to answer a request.
  void OnResponse(Response response);
  void OnStream(std::shared_ptr<StreamQueue> stream, int status, const Headers& headers);
  /// Called when the stream's queue has something to send.
  void OnStreamReady() { Pump(); }

 private:
  enum class State : std::uint8_t {
    Head,
    Handling,
    Body,
    Sending,
    Streaming,
    Discarding,
    Lingering,
    Closed
  };
  enum class Input : std::uint8_t { Some, None, Ended };

  /// Runs steps until it has to wait.
  void Pump();
  void PumpLater();
  /// Runs one step. Returns false if it has to wait.
  bool Step();
  bool StepHead();
  bool StepBody();
  bool StepHandling();
  bool StepSending();
  bool StepStreaming();
  bool StepDiscarding();
  bool StepLingering();

  bool BeginRequest();
  bool Dispatch();
  void Refuse(const HttpFault& fault);
  /// Passes the body to the handler, which may respond before this returns.
  void DeliverBody(ReceivedBody body);
  /// Sets the time until which a slow client must send more of its body.
  void SetBodyDeadline();
  /// Decides if the connection can continue after a body that the handler leaves unread.
  void AbandonBody();
  void StopReadingBody();
  void AwaitHead();
  void StartResponse(Response response);
  /// Moves pieces of the stream to the outbox, as many as are sent at once.
  void PutPieces();
  void PutHead(int status, const Headers& headers, Framing framing, std::uint64_t length);
  bool Compresses(const Response& response) const;
  /// Detects that the client leaves while nothing else is read. Returns false if it is gone.
  bool ReadAhead();

  Input Receive(std::size_t size_max = ~std::size_t{0});
  Outbox::Outcome Flush();
  bool IsLast() const { return !head_.keeps_alive || thread_.core.is_draining; }

  ServerThread& thread_;
  std::unique_ptr<ConnectionTable::Entry> table_entry_;
  const std::unique_ptr<Channel> channel_;
  const std::string remote_address_;
  const PeerIdentity peer_;

  State state_ = State::Head;
  bool is_pumping_ = false;
  bool is_first_ = true;      // no request has arrived yet
  bool must_linger_ = false;  // bytes will remain unread
  bool is_pump_posted_ = false;
  Ticks deadline_;                // for the client's next bytes
  Ticks write_deadline_;          // for the client to read what we send
  std::uint64_t write_mark_ = 0;  // bytes sent when the deadline was set

  std::string in_;
  HeadScanner scanner_;
  RequestHead head_;
  bool is_authenticated_ = false;
  bool is_head_request_ = false;
  bool accepts_gzip_ = false;
  Http1Body body_;
  std::string body_text_;
  std::size_t body_size_max_ = 0;
  Ticks body_deadline_ = 0;  // for the first byte of a body
  BodyReceiver receiver_;
  std::optional<Response> response_;

  std::shared_ptr<StreamQueue> stream_;
  std::vector<Piece> pieces_;  // taken from the stream
  std::size_t next_piece_ = 0;
  std::size_t stream_bytes_ = 0;  // bytes of the stream in the outbox
  bool is_stream_chunked_ = false;
  Outbox outbox_;
};

}  // namespace plimsoll::net

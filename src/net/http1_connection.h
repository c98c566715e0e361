#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/channel.h"
#include "net/http1_parser.h"
#include "net/http1_writer.h"
#include "net/loop.h"
#include "net/outbox.h"
#include "net/server_core.h"
#include "net/stream_queue.h"
#include "net/tls.h"

namespace plimsoll::net {

/// A client's connection from its first request to its end. Lives on the thread of its loop.
///
///   Head → Body → Handling → Sending → Head …       a request and its response
///                         ↘ Streaming ↗              a response that is written piece by piece
///                             Sending → Lingering    the last one: what still comes is thrown away
///
/// Requests are served one after the other, so that responses go out in order.
class Http1Connection final : public Watched, public std::enable_shared_from_this<Http1Connection> {
 public:
  Http1Connection(Lane& lane, std::unique_ptr<Channel> channel, std::string remote_address,
                  PeerProof proof);
  ~Http1Connection() override;

  void OnReady(std::uint32_t events) override;
  void OnTick(Ticks now) override;
  void OnDrain() override;
  void Close() override;

  // The two ways in which a request is answered.
  void OnResponse(Response response);
  void OnStream(std::shared_ptr<StreamQueue> stream, int status, const Headers& headers);
  /// There is something in the stream's queue.
  void OnStreamReady() { Pump(); }

 private:
  enum class State : std::uint8_t { Head, Body, Handling, Sending, Streaming, Lingering, Closed };
  enum class Input : std::uint8_t { Some, None, Ended };

  /// Goes on as far as it can without waiting.
  void Pump();
  void PumpLater();
  /// One step. False when there is something to wait for.
  bool Step();
  bool StepHead();
  bool StepBody();
  bool StepHandling();
  bool StepSending();
  bool StepStreaming();
  bool StepLingering();

  bool BeginRequest();
  bool Dispatch();
  void Refuse(const HttpFault& fault);
  void StartResponse(Response response);
  /// Of the stream, as many as are to be sent at once.
  void PutPieces();
  void PutHead(int status, const Headers& headers, Framing framing, std::uint64_t length);
  bool Compresses(const Response& response) const;
  /// Watches for the client's leaving while there is nothing else to read for. False: it is gone.
  bool ReadAhead();

  Input Receive();
  Outbox::Outcome Flush();
  bool IsLast() const { return !head_.keeps_alive || lane_.core.is_draining; }

  Lane& lane_;
  const std::unique_ptr<Channel> channel_;
  const std::string remote_address_;
  const PeerProof proof_;

  State state_ = State::Head;
  bool is_pumping_ = false;
  bool is_first_ = true;      // no request has come yet
  bool must_linger_ = false;  // bytes will be left unread
  bool is_pump_posted_ = false;
  Ticks deadline_;        // of what the client owes us
  Ticks write_deadline_;  // of its taking anything of what we send

  std::string in_;
  HeadScanner scanner_;
  RequestHead head_;
  bool is_head_request_ = false;
  bool accepts_gzip_ = false;
  ChunkDecoder chunks_;
  std::optional<Response> response_;

  std::shared_ptr<StreamQueue> stream_;
  std::vector<Piece> pieces_;  // taken from the stream
  std::size_t next_piece_ = 0;
  std::size_t stream_bytes_ = 0;  // of those that are in the outbox
  bool is_stream_chunked_ = false;
  Outbox outbox_;
};

}  // namespace plimsoll::net

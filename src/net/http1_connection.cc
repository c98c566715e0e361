#include "net/http1_connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "net/gzip.h"
#include "net/http1_exchange.h"
#include "net/limits.h"

namespace plimsoll::net {
namespace {

// Maximum size of a stream's pieces that are moved to the outbox at once. Further pieces of a slow
// client stay references to texts that all watchers share.
constexpr std::size_t kPutSizeMax = 64u << 10;
// A piece of at least this size is sent from the shared text. Among other pieces it must also fill
// a TLS record by itself. A piece above kSharedSizeMax is not worth caching in a thread.
constexpr std::size_t kSharedAloneSizeMin = 2u << 10;
constexpr std::size_t kSharedAmongOthersSizeMin = 16u << 10;
constexpr std::size_t kSharedSizeMax = 512u << 10;
constexpr Duration kLingerTime = std::chrono::milliseconds(500);

}  // namespace

Http1Connection::Http1Connection(ServerThread& thread, Accepted accepted, PeerIdentity peer)
    : thread_(thread),
      table_entry_(std::move(accepted.entry)),
      channel_(std::move(accepted.channel)),
      remote_address_(std::move(accepted.remote_address)),
      peer_(std::move(peer)),
      deadline_(thread.loop->After(thread.core.options.header_timeout)),
      write_deadline_(~Ticks{0}) {
  if (peer_.certificate.has_value()) OnAuthenticated();
}

Http1Connection::~Http1Connection() {
  table_entry_ = nullptr;
  thread_.core.CountClosed();
}

void Http1Connection::OnAuthenticated() {
  if (!std::exchange(is_authenticated_, true)) table_entry_->MarkAuthenticated();
}

void Http1Connection::OnReady(std::uint32_t events) {
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
    Close();
    return;
  }
  if ((events & EPOLLRDHUP) != 0) {
    channel_->MarkEnded();
    // A client that has finished sending may still read a response, but a stream has no end.
    if (state_ == State::Streaming) {
      Close();
      return;
    }
  } else if ((events & EPOLLIN) != 0) {
    channel_->MarkReadable();
  }
  Pump();
}

void Http1Connection::OnTick(Ticks now) {
  const bool is_late = now >= deadline_ && state_ != State::Handling && state_ != State::Sending &&
                       state_ != State::Streaming;
  if (is_late || (now >= write_deadline_ && !outbox_.empty())) {
    Close();
    return;
  }
  // A connection that was idle for a tick is likely to stay idle, so free its buffers.
  if (outbox_.empty()) outbox_.Shrink();
  if (in_.empty()) in_ = {};
}

void Http1Connection::OnDrain() {
  if (state_ == State::Streaming) {
    stream_->EndEarly();
  } else if (state_ == State::Head) {
    is_first_ = false;  // no longer wait for the first request
    Pump();
  }
}

void Http1Connection::Close() {
  if (state_ == State::Closed) return;
  state_ = State::Closed;
  thread_.loop->Forget(channel_->socket());
  if (const auto stream = std::exchange(stream_, nullptr)) stream->Close();
  receiver_ = nullptr;
}

void Http1Connection::Pump() {
  if (is_pumping_) return;
  is_pumping_ = true;
  for (int steps = 0; Step();) {
    if (++steps == kStepsPerTurnMax) {
      PumpLater();
      break;
    }
  }
  is_pumping_ = false;
}

void Http1Connection::PumpLater() {
  if (std::exchange(is_pump_posted_, true)) return;
  thread_.loop->Post([weak = weak_from_this()] {
    if (const auto connection = weak.lock()) {
      connection->is_pump_posted_ = false;
      connection->Pump();
    }
  });
}

bool Http1Connection::Step() {
  switch (state_) {
    case State::Head:
      return StepHead();
    case State::Body:
      return StepBody();
    case State::Handling:
      return StepHandling();
    case State::Sending:
      return StepSending();
    case State::Streaming:
      return StepStreaming();
    case State::Discarding:
      return StepDiscarding();
    case State::Lingering:
      return StepLingering();
    case State::Closed:
      return false;
  }
  return false;
}

Http1Connection::Input Http1Connection::Receive(std::size_t size_max) {
  std::string& scratch = thread_.loop->scratch();
  const Channel::Transfer transfer =
      channel_->Read(scratch.data(), std::min(scratch.size(), size_max));
  switch (transfer.outcome) {
    case Channel::Outcome::Done:
      in_.append(scratch, 0, transfer.bytes);
      return Input::Some;
    case Channel::Outcome::WantRead:
    case Channel::Outcome::WantWrite:
      return Input::None;
    case Channel::Outcome::End:
      return Input::Ended;
    case Channel::Outcome::Broken:
      Close();
      return Input::Ended;
  }
  return Input::Ended;
}

/// If the outcome is Broken, the connection is closed already.
Outbox::Outcome Http1Connection::Flush() {
  const Outbox::Outcome outcome = outbox_.Flush(*channel_);
  if (outcome == Outbox::Outcome::Broken) {
    Close();
  } else if (outcome == Outbox::Outcome::Yield) {
    PumpLater();
  }
  const ServerOptions& options = thread_.core.options;
  const std::uint64_t progress_min = state_ == State::Streaming ? 1 : options.write_progress_min;
  if (outcome != Outbox::Outcome::Full) {
    write_deadline_ = ~Ticks{0};
  } else if (write_deadline_ == ~Ticks{0} || outbox_.sent() - write_mark_ >= progress_min) {
    write_deadline_ = thread_.loop->After(options.write_timeout);
    write_mark_ = outbox_.sent();
  }
  return outcome;
}

bool Http1Connection::StepHead() {
  switch (scanner_.Scan(in_)) {
    case HeadScanner::Outcome::Broken:
      Refuse({});
      return true;
    case HeadScanner::Outcome::Found:
      return BeginRequest();
    case HeadScanner::Outcome::More:
      break;
  }
  if (in_.size() > thread_.core.options.header_bytes_max) {
    Refuse({431, ""});
    return true;
  }
  // Send the responses of pipelined requests together, now that no further request is buffered.
  if (Flush() != Outbox::Outcome::Empty) return false;
  const bool was_empty = in_.empty();
  switch (Receive(thread_.core.options.header_bytes_max + 1 - in_.size())) {
    case Input::Some:
      if (was_empty) deadline_ = thread_.loop->After(thread_.core.options.header_timeout);
      return true;
    case Input::None:
      if (was_empty && thread_.core.is_draining && !is_first_) {
        channel_->FinishWriting();
        Close();
      }
      return false;
    case Input::Ended:
      Close();
      return false;
  }
  return false;
}

bool Http1Connection::BeginRequest() {
  const std::size_t size = scanner_.size();
  scanner_.Reset();
  if (size > thread_.core.options.header_bytes_max) {
    Refuse({431, ""});
    return true;
  }
  auto parsed = ParseRequestHead(std::string_view(in_).substr(0, size));
  in_.erase(0, size);
  if (!parsed.has_value()) {
    Refuse(parsed.error());
    return true;
  }
  head_ = std::move(*parsed);
  is_first_ = false;
  Request& request = head_.request;
  request.remote_address = remote_address_;
  request.certificate = peer_.certificate;
  request.is_certificate_bad = peer_.is_bad;
  is_head_request_ = request.method == "HEAD";
  accepts_gzip_ = AcceptsGzip(request.headers.Find("Accept-Encoding"));
  body_ = Http1Body(head_);
  if (!body_.is_whole()) {
    request.unread_body.emplace();
    if (!head_.is_chunked) request.unread_body->size = head_.content_length;
  }
  return Dispatch();
}

bool Http1Connection::Dispatch() {
  state_ = State::Handling;
  auto exchange = std::make_shared<Http1Exchange>(thread_.loop, weak_from_this(),
                                                  thread_.core.options.stream_pending_bytes_max);
  thread_.core.handler.Serve(std::move(head_.request), std::move(exchange));
  return true;
}

bool Http1Connection::StepHandling() {
  if (response_.has_value()) {
    Response response = std::move(*response_);
    response_.reset();
    AbandonBody();
    StartResponse(std::move(response));
    return true;
  }
  if (Flush() != Outbox::Outcome::Empty) return false;
  if (body_.is_whole()) ReadAhead();
  return false;
}

bool Http1Connection::ReadAhead() {
  while (in_.size() < kReadAheadBytesMax) {
    switch (Receive(kReadAheadBytesMax - in_.size())) {
      case Input::Some:
        break;
      case Input::None:
        return true;
      case Input::Ended:
        return false;
    }
  }
  return true;
}

void Http1Connection::Refuse(const HttpFault& fault) {
  outbox_.text() += FaultResponse(fault);
  head_.keeps_alive = false;
  must_linger_ = true;
  state_ = State::Sending;
  body_text_ = {};
  receiver_ = nullptr;  // a late response of its owner is ignored in this state
}

void Http1Connection::OnResponse(Response response) {
  StopReadingBody();
  if (state_ != State::Handling) return;
  response_ = std::move(response);
  Pump();
}

bool Http1Connection::Compresses(const Response& response) const {
  return accepts_gzip_ && !is_head_request_ && !response.headers.Has("Content-Encoding");
}

void Http1Connection::PutHead(int status, const Headers& headers, Framing framing,
                              std::uint64_t length) {
  AppendHead(outbox_.text(),
             {.status = status,
              .framing = framing,
              .length = length,
              .keeps_alive = !IsLast() && framing != Framing::UntilClose,
              .is_http_1_0 = head_.is_http_1_0,
              .date = thread_.Date()},
             headers);
  if (framing == Framing::UntilClose) head_.keeps_alive = false;
}

void Http1Connection::StartResponse(Response response) {
  state_ = State::Sending;
  const int status = response.status;
  if (status == 204 || status == 304) {
    PutHead(status, response.headers, Framing::None, 0);
    return;
  }
  const std::size_t gzip_bytes_min = thread_.core.options.gzip_bytes_min;
  const bool compresses = Compresses(response);
  if (response.source != nullptr && compresses) {
    // Compress only if the body exceeds the minimum, so read that much first.
    std::string start;
    bool has_more = true;
    while (has_more && start.size() <= gzip_bytes_min) has_more = response.source->Read(start);
    if (has_more) {
      response.source = Prepend(std::move(start), std::move(response.source));
    } else {
      response.source = nullptr;
      response.body = MakeBytes(std::move(start));
    }
  }
  if (response.body == nullptr) response.body = MakeBytes({});
  if (compresses && (response.source != nullptr || response.body->size() > gzip_bytes_min)) {
    if (response.source == nullptr) response.source = SourceOf(std::move(response.body));
    response.source = Gzip(std::move(response.source));
    response.headers.Add("Content-Encoding", "gzip");
    response.headers.Add("Vary", "Accept-Encoding");
  }
  if (response.source == nullptr) {
    PutHead(status, response.headers, Framing::Length, response.body->size());
    if (!is_head_request_) outbox_.Add(std::move(response.body));
  } else {
    const Framing framing = head_.is_http_1_0 ? Framing::UntilClose : Framing::Chunked;
    PutHead(status, response.headers, framing, 0);
    if (!is_head_request_) {
      outbox_.Add(std::move(response.source), framing == Framing::Chunked);
    }
  }
}

bool Http1Connection::StepSending() {
  // A response that is only text may wait for the next ones; see StepHead.
  const bool waits = outbox_.is_text() && !IsLast();
  if (!waits && Flush() != Outbox::Outcome::Empty) return false;
  if (!IsLast() && body_.is_whole()) {
    AwaitHead();
    return true;
  }
  if (!IsLast()) {
    state_ = State::Discarding;
    deadline_ = thread_.loop->After(thread_.core.options.header_timeout);
    return true;
  }
  channel_->FinishWriting();
  if (!must_linger_ || channel_->is_ended()) {
    Close();
    return false;
  }
  // Closing now would discard what the client has sent, and TCP would then also discard the
  // response that the client has not read yet.
  state_ = State::Lingering;
  deadline_ = thread_.loop->After(kLingerTime);
  return true;
}

void Http1Connection::AwaitHead() {
  state_ = State::Head;
  must_linger_ = false;
  const ServerOptions& options = thread_.core.options;
  deadline_ = thread_.loop->After(in_.empty() ? options.idle_timeout : options.header_timeout);
}

bool Http1Connection::StepLingering() {
  const Input input = Receive();
  in_.clear();
  if (input == Input::Ended) Close();
  return input == Input::Some;
}

void Http1Connection::OnStream(std::shared_ptr<StreamQueue> stream, int status,
                               const Headers& headers) {
  StopReadingBody();
  if (state_ != State::Handling) {
    stream->Close();
    return;
  }
  // A stream may last for hours, so do not wait for the rest of the body after it.
  AbandonBody();
  if (!body_.is_whole()) head_.keeps_alive = false;
  state_ = State::Streaming;
  stream_ = std::move(stream);
  is_stream_chunked_ = !head_.is_http_1_0;
  PutHead(status, headers, is_stream_chunked_ ? Framing::Chunked : Framing::UntilClose, 0);
  if (thread_.core.is_draining || is_head_request_) stream_->EndEarly();
  // The client may have left before the stream began.
  if (channel_->is_ended()) {
    Close();
    return;
  }
  Pump();
}

void Http1Connection::PutPieces() {
  std::string& text = outbox_.text();
  while (next_piece_ < pieces_.size() && text.size() < kPutSizeMax) {
    const std::size_t size = StreamQueue::SizeOf(pieces_[next_piece_]);
    const bool is_shared =
        is_stream_chunked_ && size <= kSharedSizeMax &&
        size >= (pieces_.size() == 1 ? kSharedAloneSizeMin : kSharedAmongOthersSizeMin);
    if (is_shared && !text.empty()) return;  // add it in the next step
    const Piece piece = std::move(pieces_[next_piece_++]);
    stream_bytes_ += size;
    if (piece.text == nullptr || is_head_request_) continue;
    if (is_shared) return outbox_.Add(thread_.Chunk(piece.text));
    if (is_stream_chunked_) {
      AppendChunk(text, *piece.text);
    } else {
      text += *piece.text;
    }
  }
}

bool Http1Connection::StepStreaming() {
  if (Flush() != Outbox::Outcome::Empty) return false;
  if (stream_bytes_ > 0) stream_->Sent(std::exchange(stream_bytes_, 0));
  if (next_piece_ < pieces_.size()) {
    PutPieces();
    return true;
  }
  pieces_ = {};
  next_piece_ = 0;
  const StreamQueue::Outcome state = stream_->PopAll(pieces_);
  if (state == StreamQueue::Outcome::Cut) {
    Close();
    return false;
  }
  if (!pieces_.empty()) return true;
  if (state == StreamQueue::Outcome::Ended) {
    if (is_stream_chunked_ && !is_head_request_) outbox_.text() += kLastChunk;
    stream_ = nullptr;
    state_ = State::Sending;
    return true;
  }
  if (!ReadAhead()) Close();
  return false;
}

}  // namespace plimsoll::net

// The part of Http1Connection that reads and discards bodies.

#include <algorithm>
#include <utility>

#include "net/http1_connection.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kBodyReservedMax = 256u << 10;

}  // namespace

void Http1Connection::OnReadBody(std::size_t size_max, BodyReceiver receiver) {
  if (state_ != State::Handling || response_.has_value() || body_.is_whole()) return;
  receiver_ = std::move(receiver);
  body_size_max_ = size_max;
  const bool waits_for_continue = std::exchange(head_.expects_continue, false);
  if (waits_for_continue && in_.empty() && body_.left() <= size_max) {
    outbox_.text() += "HTTP/1.1 100 Continue\r\n\r\n";
  }
  if (body_.left() <= size_max) {
    body_text_.reserve(std::min<std::size_t>(body_.left(), kBodyReservedMax));
  }
  body_deadline_ = thread_.loop->After(thread_.core.options.body_timeout);
  state_ = State::Body;
  SetBodyDeadline();
  Pump();
}

void Http1Connection::SetBodyDeadline() {
  deadline_ = body_deadline_;
  const std::size_t rate = thread_.core.options.body_bytes_per_second_min;
  if (body_text_.empty() || rate == 0 || body_deadline_ == ~Ticks{0}) return;
  const Duration earned = std::chrono::milliseconds(body_text_.size() * 1000 / rate + 1);
  deadline_ += thread_.loop->After(earned) - thread_.loop->now();
}

bool Http1Connection::StepBody() {
  switch (body_.Read(in_, body_text_, body_size_max_)) {
    case Http1Body::Outcome::Done:
      DeliverBody({.text = std::exchange(body_text_, {})});
      return true;
    case Http1Body::Outcome::TooLarge:
      body_text_ = {};
      head_.keeps_alive = false;
      must_linger_ = true;
      DeliverBody({.text = {}, .is_too_large = true});
      return true;
    case Http1Body::Outcome::Broken:
      Refuse({});
      return true;
    case Http1Body::Outcome::More:
      break;
  }
  SetBodyDeadline();
  if (Flush() != Outbox::Outcome::Empty) return false;
  const Input input = Receive();
  if (input == Input::Ended) Close();
  return input == Input::Some;
}

void Http1Connection::DeliverBody(ReceivedBody body) {
  state_ = State::Handling;
  BodyReceiver receiver = std::exchange(receiver_, nullptr);
  receiver(std::move(body));
}

void Http1Connection::AbandonBody() {
  if (body_.is_whole()) return;
  // A client that waits for "100 Continue" may send or omit the body after this response.
  if (head_.expects_continue || body_.left() > thread_.core.options.discarded_bytes_max) {
    head_.keeps_alive = false;
  }
  must_linger_ = true;
}

/// The handler may respond before it gets the body that it requested.
void Http1Connection::StopReadingBody() {
  if (state_ != State::Body) return;
  state_ = State::Handling;
  head_.keeps_alive = false;
  body_text_ = {};
  receiver_ = nullptr;
}

bool Http1Connection::StepDiscarding() {
  switch (body_.Discard(in_, thread_.core.options.discarded_bytes_max)) {
    case Http1Body::Outcome::Done:
      AwaitHead();
      return true;
    case Http1Body::Outcome::TooLarge:
    case Http1Body::Outcome::Broken:
      head_.keeps_alive = false;
      state_ = State::Sending;
      return true;
    case Http1Body::Outcome::More:
      break;
  }
  if (Flush() != Outbox::Outcome::Empty) return false;
  const Input input = Receive();
  if (input == Input::Ended) Close();
  return input == Input::Some;
}

}  // namespace plimsoll::net

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "net/http.h"

namespace plimsoll::net {

/// The meeting point of those who write a stream and the carrier that sends it. Safe for use by
/// many threads. Shared by both; the writers hold it through a handle that ends the stream when the
/// last of them lets go.
class StreamQueue : public std::enable_shared_from_this<StreamQueue> {
 public:
  /// `wake` tells the carrier, from any thread, that there is something to take. It is called once
  /// until the carrier has taken.
  StreamQueue(std::size_t pending_bytes_max, Task wake)
      : pending_bytes_max_(pending_bytes_max), wake_(std::move(wake)) {}

  std::shared_ptr<Stream> MakeHandle();

  // For the writers; see Stream.
  bool Write(Piece piece);
  void End();
  void OnClose(Task task);
  void WhenRoom(Task task);

  /// What a piece counts for: its text and something for its keeping.
  static std::size_t SizeOf(const Piece& piece) {
    return 64 + (piece.text != nullptr ? piece.text->size() : 0);
  }

  // For the carrier.

  enum class Outcome : std::uint8_t {
    Open,
    Ended,  // nothing comes after these pieces
    Cut,    // the reader is too far behind
  };
  /// Everything that was written since. It counts as pending until it is Sent.
  Outcome Take(std::vector<Piece>& pieces);
  void Sent(std::size_t size);
  /// Nothing can be sent any more: tells the writers.
  void Close();
  /// The carrier wants to end: tells the writers, and lets what they have written be sent.
  void EndEarly();

 private:
  void Wake(std::unique_lock<std::mutex> lock);
  bool HasRoom() const { return pending_bytes_ <= pending_bytes_max_ / 4; }

  const std::size_t pending_bytes_max_;
  Task wake_;

  std::mutex mutex_;  // of all below
  std::vector<Piece> pieces_;
  std::size_t pending_bytes_ = 0;
  bool is_woken_ = false;
  bool is_ended_ = false;
  bool is_cut_ = false;
  bool is_closed_ = false;
  std::vector<Task> on_close_;
  Task when_room_;
};

}  // namespace plimsoll::net

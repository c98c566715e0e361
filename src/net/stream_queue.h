#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "net/http.h"

namespace plimsoll::net {

/// Queue between the writers of a stream and the carrier that sends it. Safe for use by many
/// threads, and shared by both sides. Writers hold a handle, which ends the stream when the last
/// reference to it is dropped.
class StreamQueue : public std::enable_shared_from_this<StreamQueue> {
 public:
  /// `wake` tells the carrier, from any thread, that there is something to take. After a call it is
  /// not called again until the carrier calls PopAll.
  StreamQueue(std::size_t pending_bytes_max, Task wake)
      : pending_bytes_max_(pending_bytes_max), wake_(std::move(wake)) {}

  std::shared_ptr<Stream> MakeHandle();

  // For writers; see Stream.
  bool Write(Piece piece);
  void End();
  void OnClose(Task task);
  void OnWritable(Task task);

  /// Returns the bytes that a piece counts for, with some overhead.
  static std::size_t SizeOf(const Piece& piece) { return 64 + piece.size(); }

  // For the carrier.

  enum class Outcome : std::uint8_t {
    Open,
    Ended,  // nothing follows these pieces
    Cut,    // the reader is too far behind
  };
  /// Takes all pieces written since the last call. They count as pending until Sent.
  Outcome PopAll(std::vector<Piece>& pieces);
  void Sent(std::size_t size);
  /// Nothing can be sent any more: runs the OnClose tasks of the writers.
  void Close();
  /// The carrier wants to end: runs the OnClose tasks, and lets pending pieces be sent.
  void EndEarly();

 private:
  void Wake(std::unique_lock<std::mutex> lock);
  bool HasRoom() const { return pending_bytes_ <= pending_bytes_max_ / 4; }

  const std::size_t pending_bytes_max_;
  Task wake_;

  std::mutex mutex_;  // guards all members below
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

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "store/etcd/health.h"
#include "store/etcd/rpc.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// Result of a write.
struct WriteAnswer {
  std::string key;  // etcd's key
  Result<Revision> result;
  /// Revision that the write made or conflicted with. Every watch of the key must report it before
  /// the writer gets its answer. kNoRevision: unknown.
  Revision seen{};
  CommitDone done;
};

/// Writes in flight to etcd. Many run at once, but only one per key, so the writes of one key are
/// applied in the order of the Commit calls. Only for the loop's thread.
///
/// A write whose outcome is unknown is never just sent again. The key is read back:
///  - If it was to be created and holds our very value, we created it, because a created object
///    has a UID of its own.
///  - If it was to be changed or deleted and is at the expected revision, the compare-and-swap is
///    sent once more. At most one of the two attempts can succeed.
///  - Otherwise the result is Timeout: another client may have written this, or deleted ours.
class Writes {
 public:
  using OnAnswer = std::function<void(WriteAnswer)>;

  Writes(Rpc& rpc, Health& health, OnAnswer on_answer);

  void Commit(SwapRequest request, CommitDone done);

 private:
  struct Writing {
    SwapRequest request;
    CommitDone done;
    int attempts = 0;
    std::optional<Fault> unknown;  // why an attempt's outcome is unknown
  };
  using Queue = std::deque<Writing>;

  Writing& First(const std::string& key);
  void Pump();
  void Send(const std::string& key);
  void OnSwap(const std::string& key, std::expected<SwapReply, Fault> reply);
  void OnFault(const std::string& key, const Fault& fault);
  void ReadBack(const std::string& key);
  void ResolveUnknown(const std::string& key, const std::optional<KeyValue>& found);
  void Retry(const std::string& key, void (Writes::*step)(const std::string&));
  void Answer(const std::string& key, Result<Revision> result, Revision seen);

  Rpc& rpc_;
  Health& health_;
  OnAnswer on_answer_;
  std::map<std::string, Queue> queues_;  // never empty; the first write of each is in flight
  std::deque<std::string> ready_;        // keys whose first write waits for a slot
  std::size_t in_flight_ = 0;
};

}  // namespace plimsoll::store::etcd

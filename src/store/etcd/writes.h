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

/// How a write ended.
struct WriteAnswer {
  std::string key;  // etcd's
  Result<Revision> result;
  /// What the write made, or lost against: whoever watches the key shall have seen it before the
  /// writer is told. kNoRevision: nothing that is known.
  Revision seen{};
  CommitDone done;
};

/// Writes on their way to etcd, many at once, but one at a time of each key, so that those of a key
/// are applied in the order of their asking. For the loop's thread.
///
/// A write whose fate is unknown is never simply sent again. The key is read back, and:
///  - a key that was to be created and holds our very value was created by us, because a created
///    object carries an id of its own;
///  - a key that is to be changed or deleted and is still as expected gets the same
///    compare-and-swap once more: of the two, at most one can find it so;
///  - everything else is Timeout: another may have written the same, or deleted what we made.
class Writes {
 public:
  using Tell = std::function<void(WriteAnswer)>;

  Writes(Rpc& rpc, Health& health, Tell tell);

  void Commit(SwapRequest request, CommitDone done);

 private:
  struct Writing {
    SwapRequest request;
    CommitDone done;
    int attempts = 0;
    std::optional<Fault> unknown;  // why an attempt's fate is not known
  };
  using Queue = std::deque<Writing>;

  Writing& First(const std::string& key);
  void Pump();
  void Send(const std::string& key);
  void OnSwap(const std::string& key, std::expected<SwapReply, Fault> reply);
  void OnFault(const std::string& key, const Fault& fault);
  void ReadBack(const std::string& key);
  void Judge(const std::string& key, const std::optional<KeyValue>& found);
  void Retry(const std::string& key, void (Writes::*step)(const std::string&));
  void Answer(const std::string& key, Result<Revision> result, Revision seen);

  Rpc& rpc_;
  Health& health_;
  Tell tell_;
  std::map<std::string, Queue> queues_;  // never empty ones; the first of each is on its way
  std::deque<std::string> ready_;        // keys whose first waits for a place
  std::size_t on_their_way_ = 0;
};

}  // namespace plimsoll::store::etcd

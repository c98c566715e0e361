#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "store/etcd/fault.h"
#include "store/etcd/key_map.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// A key of etcd's with what it holds.
struct KeyValue {
  std::string key;
  Bytes value;
  Revision created{};
  Revision modified{};
};

/// A compare-and-swap of one key.
struct SwapRequest {
  std::string key;
  Bytes value;  // null: delete it
  Revision expected{};
};

struct SwapReply {
  bool is_swapped = false;
  Revision revision{};            // etcd's, when it was done
  std::optional<KeyValue> found;  // what was there instead; nothing when swapped
};

struct ReadRequest {
  KeyRange keys;  // without an end: the one key
  std::int64_t limit = 0;
  Revision at = kNoRevision;
  bool is_count_only = false;
};

struct ReadReply {
  std::vector<KeyValue> records;
  std::int64_t count = 0;  // of all in the range, whatever the limit
  Revision revision{};     // etcd's, when it was read
};

struct StatusReply {
  std::string version;
  std::vector<std::string> errors;  // alarms, and whether there is no leader
};

struct WatchRequest {
  std::int64_t id = 0;  // of the asker's choice, new within the link
  KeyRange keys;
  Revision start{};  // the first that is told; at least 1
  bool with_previous = false;
};

struct WatchEvent {
  KeyValue now;  // of a deletion the key and the revision alone
  bool is_deletion = false;
  std::optional<KeyValue> previous;
};

struct WatchReply {
  std::int64_t id = 0;
  bool is_created = false;
  bool is_cancelled = false;
  bool is_fragment = false;  // the rest of it comes with the next replies
  std::string cancel_reason;
  Revision compacted{};  // not zero: cancelled because it began before
  Revision revision{};   // of a reply without events: all up to it has been told
  std::vector<WatchEvent> events;
};

/// What a watch link tells, on the loop's thread.
class WatchListener {
 public:
  virtual ~WatchListener() = default;
  virtual void OnReply(WatchReply reply) = 0;
  /// Nothing more will come. It may destroy the link.
  virtual void OnBroken(const Fault& fault) = 0;
};

/// One stream that carries many watches. Its end, by destruction, ends them. For the loop's thread.
class WatchLink {
 public:
  virtual ~WatchLink() = default;
  virtual void Create(WatchRequest request) = 0;
  virtual void Cancel(std::int64_t id) = 0;
};

template <class Reply>
using RpcDone = std::move_only_function<void(std::expected<Reply, Fault>)>;

/// etcd as it is spoken to: each call is one attempt with one member, answered once on the loop's
/// thread, and never repeated from within. After a fault of the member the next call goes to
/// another one. Calls may be made by any thread.
class Rpc {
 public:
  virtual ~Rpc() = default;
  virtual void Swap(SwapRequest request, RpcDone<SwapReply> done) = 0;
  /// Sees everything that was acknowledged before, by whichever member.
  virtual void Read(ReadRequest request, RpcDone<ReadReply> done) = 0;
  virtual void Compact(Revision revision, RpcDone<Revision> done) = 0;
  virtual void GetStatus(RpcDone<StatusReply> done) = 0;
  /// On the loop's thread. The listener must outlive the link.
  virtual std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) = 0;
  /// Runs the task on the loop's thread after that time, or at the end.
  virtual void After(std::chrono::milliseconds time, std::move_only_function<void()> task) = 0;
  /// Ends what is on its way: its answers have been posted to the loop when this returns, and no
  /// call reaches etcd any more.
  virtual void Shutdown() = 0;
};

}  // namespace plimsoll::store::etcd

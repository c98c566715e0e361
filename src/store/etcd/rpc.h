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

/// A key of etcd and its value.
struct KeyValue {
  std::string key;
  Bytes value;
  Revision created{};
  Revision modified{};
};

/// A compare-and-swap of one key.
struct SwapRequest {
  std::string key;
  Bytes value;  // null: delete the key
  Revision expected{};
};

struct SwapReply {
  bool is_swapped = false;
  Revision revision{};            // etcd's revision when it was done
  std::optional<KeyValue> found;  // current state of the key if not swapped
};

struct ReadRequest {
  KeyRange keys;  // empty `end`: only the key `begin`
  std::int64_t limit = 0;
  Revision at = kNoRevision;
  bool is_count_only = false;
};

struct ReadReply {
  std::vector<KeyValue> records;
  std::int64_t count = 0;  // number of keys in the range, regardless of the limit
  Revision revision{};     // etcd's revision at the time of the read
};

struct StatusReply {
  std::string version;
  std::vector<std::string> errors;  // alarms, and "no leader"
};

struct WatchRequest {
  std::int64_t id = 0;  // chosen by the caller; unique within the link
  KeyRange keys;
  Revision start{};  // first revision to report; at least 1
  bool with_previous = false;
};

struct KeyEvent {
  KeyValue now;  // for a deletion only key and revision are set
  bool is_deletion = false;
  std::optional<KeyValue> previous;
};

struct WatchReply {
  std::int64_t id = 0;
  bool is_created = false;
  bool is_cancelled = false;
  bool is_fragment = false;  // more events of it follow in the next replies
  std::string cancel_reason;
  Revision compacted{};  // not zero: cancelled, because it began before this revision
  Revision revision{};   // without events: progress; all up to it was sent
  std::vector<KeyEvent> events;
};

/// Receives the replies of a watch link, on the loop's thread.
class WatchListener {
 public:
  virtual ~WatchListener() = default;
  virtual void OnReply(WatchReply reply) = 0;
  /// Called last, when the link is broken. The listener may destroy the link.
  virtual void OnBroken(const Fault& fault) = 0;
};

/// One stream that carries many watches; the destructor ends them. Only for the loop's thread.
class WatchLink {
 public:
  virtual ~WatchLink() = default;
  virtual void Create(WatchRequest request) = 0;
  virtual void Cancel(std::int64_t id) = 0;
};

template <class Reply>
using RpcDone = std::move_only_function<void(std::expected<Reply, Fault>)>;

/// Requests to etcd. Each call is one attempt with one member, answered once on the loop's thread,
/// and never retried in here. After a fault of the member, the next call goes to another member.
/// Any thread may make calls.
class Rpc {
 public:
  virtual ~Rpc() = default;
  virtual void Swap(SwapRequest request, RpcDone<SwapReply> done) = 0;
  /// Linearizable: sees every write that any member has acknowledged before.
  virtual void Read(ReadRequest request, RpcDone<ReadReply> done) = 0;
  virtual void Compact(Revision revision, RpcDone<Revision> done) = 0;
  virtual void GetStatus(RpcDone<StatusReply> done) = 0;
  /// Opens a watch stream. Only for the loop's thread. The listener must outlive the link.
  virtual std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) = 0;
  /// Runs the task on the loop's thread after `time`, or at Shutdown if that is earlier.
  virtual void After(std::chrono::milliseconds time, std::move_only_function<void()> task) = 0;
  /// Ends all pending calls. When it returns, their answers have been posted to the loop, and no
  /// later call reaches etcd.
  virtual void Shutdown() = 0;
};

}  // namespace plimsoll::store::etcd

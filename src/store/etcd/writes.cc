#include "store/etcd/writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "store/limits.h"

namespace plimsoll::store::etcd {
namespace {

std::chrono::milliseconds PauseAfter(int attempts) {
  return std::chrono::milliseconds(std::min(50 << std::min(attempts, 10), 1'000));
}

Error Indeterminate(const SwapRequest& request, const Fault& fault) {
  return {
      Reason::Timeout,
      {},
      fmt::format("it is unknown whether the write of {} was done: {}", request.key, fault.text)};
}

}  // namespace

Writes::Writes(Rpc& rpc, Health& health, OnAnswer on_answer)
    : rpc_(rpc), health_(health), on_answer_(std::move(on_answer)) {}

void Writes::Commit(SwapRequest request, CommitDone done) {
  std::string key = request.key;
  Queue& queue = queues_[key];
  queue.push_back({std::move(request), std::move(done)});
  if (queue.size() > 1) return;
  ready_.push_back(std::move(key));
  Pump();
}

Writes::Writing& Writes::First(const std::string& key) {
  const auto queue = queues_.find(key);
  PL_ASSERT(queue != queues_.end());
  return queue->second.front();
}

void Writes::Pump() {
  while (in_flight_ < kEtcdWritesMax && !ready_.empty()) {
    const std::string key = std::move(ready_.front());
    ready_.pop_front();
    ++in_flight_;
    Send(key);
  }
}

void Writes::Send(const std::string& key) {
  Writing& writing = First(key);
  ++writing.attempts;
  rpc_.Swap(writing.request,
            [this, key](std::expected<SwapReply, Fault> reply) { OnSwap(key, std::move(reply)); });
}

void Writes::OnSwap(const std::string& key, std::expected<SwapReply, Fault> reply) {
  if (!reply.has_value()) return OnFault(key, reply.error());
  const Writing& writing = First(key);
  if (reply->is_swapped) {
    if (writing.request.value == nullptr && writing.request.expected == kNoRevision) {
      return Answer(key, Fail(Reason::Invalid, "cannot delete a key that does not exist"),
                    kNoRevision);
    }
    health_.NoteWritten();
    return Answer(key, reply->revision, reply->revision);
  }
  if (writing.unknown.has_value()) return ResolveUnknown(key, reply->found);
  const Revision found = reply->found.has_value() ? reply->found->modified : kNoRevision;
  Answer(key,
         Fail(Reason::Conflict, fmt::format("key {} is at revision {}, not {}", key, Number(found),
                                            Number(writing.request.expected))),
         found);
}

void Writes::OnFault(const std::string& key, const Fault& fault) {
  health_.NoteFault(fault);
  Writing& writing = First(key);
  if (fault.MayHaveHappened()) {
    writing.unknown = fault;
    return Retry(key, &Writes::ReadBack);
  }
  // This attempt did nothing, but an earlier one may have taken effect.
  if (fault.IsTransient()) {
    if (writing.attempts < kEtcdWriteAttemptsMax) {
      return Retry(key, writing.unknown.has_value() ? &Writes::ReadBack : &Writes::Send);
    }
  }
  Answer(
      key,
      std::unexpected(writing.unknown.has_value() ? Indeterminate(writing.request, *writing.unknown)
                                                  : ErrorOf(fault)),
      kNoRevision);
}

void Writes::ReadBack(const std::string& key) {
  Writing& writing = First(key);
  if (writing.attempts >= kEtcdWriteAttemptsMax) {
    return Answer(key, std::unexpected(Indeterminate(writing.request, *writing.unknown)),
                  kNoRevision);
  }
  ++writing.attempts;
  rpc_.Read({.keys = {key, {}}}, [this, key](std::expected<ReadReply, Fault> reply) {
    if (!reply.has_value()) return Retry(key, &Writes::ReadBack);
    std::optional<KeyValue> found;
    if (!reply->records.empty()) found = std::move(reply->records.front());
    ResolveUnknown(key, found);
  });
}

void Writes::ResolveUnknown(const std::string& key, const std::optional<KeyValue>& found) {
  const Writing& writing = First(key);
  const SwapRequest& request = writing.request;
  const Revision at = found.has_value() ? found->modified : kNoRevision;
  const bool is_creation = request.expected == kNoRevision;
  if (is_creation && request.value != nullptr && found.has_value() &&
      found->created == found->modified && *found->value == *request.value) {
    return Answer(key, at, at);
  }
  if (!is_creation && at == request.expected && writing.attempts < kEtcdWriteAttemptsMax) {
    return Send(key);
  }
  Answer(key, std::unexpected(Indeterminate(request, *writing.unknown)), at);
}

void Writes::Retry(const std::string& key, void (Writes::*step)(const std::string&)) {
  rpc_.After(PauseAfter(First(key).attempts), [this, key, step] { (this->*step)(key); });
}

void Writes::Answer(const std::string& key, Result<Revision> result, Revision seen) {
  const auto queue = queues_.find(key);
  PL_ASSERT(queue != queues_.end());
  WriteAnswer answer{key, std::move(result), seen, std::move(queue->second.front().done)};
  queue->second.pop_front();
  --in_flight_;
  if (queue->second.empty()) {
    queues_.erase(queue);
  } else {
    ready_.push_back(answer.key);
  }
  Pump();
  on_answer_(std::move(answer));
}

}  // namespace plimsoll::store::etcd

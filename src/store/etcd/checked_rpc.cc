#include "store/etcd/checked_rpc.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace plimsoll::store::etcd {
namespace {

/// Description of what is wrong with an answer, or nothing if the answer is valid.
using Wrong = std::optional<std::string>;

constexpr std::size_t kKeyShownMax = 200;

bool IsPossible(Revision revision) { return kNoRevision <= revision && revision <= kRevisionMax; }

Wrong CheckRecord(const KeyValue& record) {
  if (record.modified == kNoRevision || !IsPossible(record.modified) ||
      !IsPossible(record.created) || record.created > record.modified) {
    return fmt::format("a key with the impossible revisions {} (created) and {} (modified)",
                       Number(record.created), Number(record.modified));
  }
  return std::nullopt;
}

Wrong ForeignKey(std::string_view key) {
  return fmt::format("key {}, which was not requested", key.substr(0, kKeyShownMax));
}

Wrong ImpossibleRevision(Revision revision) {
  return fmt::format("the impossible revision {}", Number(revision));
}

Wrong Check(const SwapRequest& request, const SwapReply& reply) {
  if (!IsPossible(reply.revision)) return ImpossibleRevision(reply.revision);
  if (reply.is_swapped && reply.revision == kNoRevision) return ImpossibleRevision(reply.revision);
  if (!reply.found.has_value()) return std::nullopt;
  if (reply.found->key != request.key) return ForeignKey(reply.found->key);
  return CheckRecord(*reply.found);
}

Wrong CheckCount(const ReadRequest& request, const ReadReply& reply) {
  const auto size = static_cast<std::int64_t>(reply.records.size());
  const bool is_cut = request.limit > 0 && size == request.limit;
  const bool is_too_long = request.limit > 0 && size > request.limit;
  const bool fits = request.is_count_only ? size == 0 && reply.count >= 0
                                          : reply.count == size || (is_cut && reply.count > size);
  if (fits && !is_too_long) return std::nullopt;
  return fmt::format("{} records of {} at a limit of {}", size, reply.count, request.limit);
}

Wrong Check(const ReadRequest& request, const ReadReply& reply) {
  if (!IsPossible(reply.revision)) return ImpossibleRevision(reply.revision);
  if (Wrong wrong = CheckCount(request, reply)) return wrong;
  const KeyRange& keys = request.keys;
  const std::string* before = nullptr;
  for (const KeyValue& record : reply.records) {
    const bool is_asked_for =
        keys.end.empty() ? record.key == keys.begin : keys.Contains(record.key);
    if (!is_asked_for) return ForeignKey(record.key);
    if (before != nullptr && record.key <= *before) return "keys that are not in ascending order";
    if (Wrong wrong = CheckRecord(record)) return wrong;
    before = &record.key;
  }
  return std::nullopt;
}

Fault FaultOf(const Wrong& wrong) { return {Fault::Kind::Unknown, "etcd answered with " + *wrong}; }

template <class Request, class Reply>
RpcDone<Reply> CheckingDone(const Request& request, RpcDone<Reply> done) {
  return [request, done = std::move(done)](std::expected<Reply, Fault> reply) mutable {
    if (reply.has_value()) {
      if (const Wrong wrong = Check(request, *reply)) reply = std::unexpected(FaultOf(wrong));
    }
    done(std::move(reply));
  };
}

/// A watch link that checks all replies before it passes them to the listener.
class CheckedLink final : public WatchLink, private WatchListener {
 public:
  explicit CheckedLink(WatchListener& listener) : listener_(listener) {}

  void Open(Rpc& rpc) { link_ = rpc.OpenWatch(*this); }

  void Create(WatchRequest request) override {
    watches_[request.id] = {request.keys, request.start};
    link_->Create(std::move(request));
  }
  void Cancel(std::int64_t id) override {
    watches_.erase(id);
    link_->Cancel(id);
  }

 private:
  struct Watched {
    KeyRange keys;
    Revision at_least{};  // lower bound for the next event
  };

  void OnReply(WatchReply reply) override {
    // The listener may destroy this link.
    if (const Wrong wrong = Check(reply)) return listener_.OnBroken(FaultOf(wrong));
    listener_.OnReply(std::move(reply));
  }
  void OnBroken(const Fault& fault) override { listener_.OnBroken(fault); }

  Wrong Check(const WatchReply& reply) {
    const auto watched = watches_.find(reply.id);
    if (watched == watches_.end()) return std::nullopt;  // the listener ignores it, too
    if (!IsPossible(reply.revision)) return ImpossibleRevision(reply.revision);
    if (!IsPossible(reply.compacted)) return ImpossibleRevision(reply.compacted);
    for (const KeyEvent& event : reply.events) {
      if (!watched->second.keys.Contains(event.now.key)) return ForeignKey(event.now.key);
      if (Wrong wrong = CheckRecord(event.now)) return wrong;
      if (event.now.modified < watched->second.at_least) {
        return fmt::format("the event of revision {} after that of {}", Number(event.now.modified),
                           Number(watched->second.at_least));
      }
      watched->second.at_least = event.now.modified;
      if (!event.previous.has_value()) continue;
      if (Wrong wrong = CheckRecord(*event.previous)) return wrong;
      if (event.previous->modified > event.now.modified) {
        return ImpossibleRevision(event.previous->modified);
      }
    }
    return std::nullopt;
  }

  WatchListener& listener_;
  std::map<std::int64_t, Watched> watches_;  // by id
  std::unique_ptr<WatchLink> link_;
};

}  // namespace

void CheckedRpc::Swap(SwapRequest request, RpcDone<SwapReply> done) {
  auto checking = CheckingDone<SwapRequest, SwapReply>(request, std::move(done));
  rpc_->Swap(std::move(request), std::move(checking));
}

void CheckedRpc::Read(ReadRequest request, RpcDone<ReadReply> done) {
  auto checking = CheckingDone<ReadRequest, ReadReply>(request, std::move(done));
  rpc_->Read(std::move(request), std::move(checking));
}

std::unique_ptr<WatchLink> CheckedRpc::OpenWatch(WatchListener& listener) {
  auto link = std::make_unique<CheckedLink>(listener);
  link->Open(*rpc_);
  return link;
}

}  // namespace plimsoll::store::etcd

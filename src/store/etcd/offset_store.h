#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "store/store.h"

namespace plimsoll::store::etcd {

/// A store on etcd whose revisions are etcd's plus an offset.
///
/// etcd offers no call that raises its revision. A store that was filled from elsewhere must
/// nevertheless be ahead of all revisions that its clients remember. So the offset is stored
/// in etcd, next to the objects, and every server adds it. It is 0 until BumpRevision is
/// called.
class OffsetStore final : public Store {
 public:
  /// Last part of the offset's key, below the store's root.
  static constexpr std::string_view kOffsetKey = "plimsoll.io/revision-offset";

  /// `root` is the prefix of every key of the store. It ends with a slash.
  OffsetStore(std::unique_ptr<Store> inner, std::string_view root)
      : inner_(std::move(inner)), key_(std::string(root) + std::string(kOffsetKey)) {}

  /// Reads the offset. Must be called once, first. InternalError: the stored offset is no number.
  Status Start();

  void Commit(Write write, CommitDone done) override;
  Result<std::optional<Record>> Get(std::string_view key) override;
  Result<Range> List(const RangeRequest& request) override;
  Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                           ChangeSink& sink) override;
  Status Compact(Revision revision) override;
  Status BumpRevision(Revision revision) override;
  Revision latest() const override { return Shown(inner_->latest()); }
  Result<Revision> ReadLatest() override;
  std::int64_t QuickHistory() const override { return inner_->QuickHistory(); }
  bool IsShared() const override { return inner_->IsShared(); }
  Revision compacted() const override { return Shown(inner_->compacted()); }
  Status Health() const override { return inner_->Health(); }

 private:
  class ShiftedWatch;

  std::int64_t offset() const { return offset_.load(std::memory_order_relaxed); }
  /// Converts etcd's revision to the one that clients see.
  Revision Shown(Revision inner) const { return Revision{Number(inner) + offset()}; }
  /// Converts a client's revision to etcd's. Expired: it is from before the offset was set.
  Result<Revision> Inner(Revision shown) const;
  Error ErrorAt(const Error& error, Revision shown) const;

  const std::unique_ptr<Store> inner_;
  const std::string key_;
  std::atomic<std::int64_t> offset_ = 0;
};

}  // namespace plimsoll::store::etcd

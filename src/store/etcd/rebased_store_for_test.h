#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace plimsoll::store::etcd {

/// Wraps a store and subtracts its initial revision from all revisions. For contract tests, which
/// expect the first revision to be 1.
class RebasedStore final : public Store {
 public:
  explicit RebasedStore(std::unique_ptr<Store> inner)
      : inner_(std::move(inner)), base_(Number(inner_->latest())) {}

  void Commit(Write write, CommitDone done) override {
    if (write.expected != kNoRevision) write.expected = In(write.expected);
    inner_->Commit(std::move(write),
                   [this, done = std::move(done)](Result<Revision> result) mutable {
                     done(result.has_value() ? Result<Revision>(Out(*result)) : std::move(result));
                   });
  }
  Result<std::optional<Record>> Get(std::string_view key) override {
    std::optional<Record> record = PL_TRY(inner_->Get(key));
    if (record.has_value()) record->revision = Out(record->revision);
    return record;
  }
  Result<Range> List(const RangeRequest& request) override {
    RangeRequest asked = request;
    if (asked.at != kNoRevision) asked.at = In(asked.at);
    Result<Range> range = inner_->List(asked);
    if (!range.has_value()) return std::unexpected(Out(range.error()));
    range->at = Out(range->at);
    for (Record& record : range->records) record.revision = Out(record.revision);
    return range;
  }
  Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                           ChangeSink& sink) override {
    auto rebased = std::make_unique<RebasedWatch>(sink, base_);
    rebased->inner = PL_TRY(inner_->WatchFrom(std::move(prefix), In(after), *rebased));
    return rebased;
  }
  Status Compact(Revision revision) override { return inner_->Compact(In(revision)); }
  Status BumpRevision(Revision revision) override { return inner_->BumpRevision(In(revision)); }
  Revision latest() const override { return Out(inner_->latest()); }
  Revision compacted() const override { return std::max(Out(inner_->compacted()), kNoRevision); }
  Status Health() const override { return inner_->Health(); }

 private:
  /// Both the outer watch and the sink of the inner watch. A sink may destroy its watch, and with
  /// it this object, so no method touches a member after it called the sink.
  class RebasedWatch final : public Watch, public ChangeSink {
   public:
    RebasedWatch(ChangeSink& sink, std::int64_t base) : sink_(sink), base_(base) {}
    bool ReadsBefore() const override { return sink_.ReadsBefore(); }
    void OnChanges(std::span<const Change> changes) override {
      std::vector<Change> rebased(changes.begin(), changes.end());
      for (Change& change : rebased) {
        change.revision = Revision{Number(change.revision) - base_};
        if (change.before_revision == kNoRevision) continue;
        change.before_revision = Revision{Number(change.before_revision) - base_};
      }
      sink_.OnChanges(rebased);
    }
    void OnEnd(const Error& error) override { sink_.OnEnd(error); }

    std::unique_ptr<Watch> inner;

   private:
    ChangeSink& sink_;
    const std::int64_t base_;
  };

  Revision In(Revision revision) const { return Revision{Number(revision) + base_}; }
  Revision Out(Revision revision) const { return Revision{Number(revision) - base_}; }
  /// Subtracts the base from every number in the message: all of them are revisions.
  Error Out(Error error) const {
    std::string text;
    for (std::size_t i = 0; i < error.message.size();) {
      std::size_t digits = 0;
      while (i + digits < error.message.size() && error.message[i + digits] >= '0' &&
             error.message[i + digits] <= '9') {
        ++digits;
      }
      if (digits == 0) {
        text += error.message[i++];
      } else {
        text += std::to_string(std::stoll(error.message.substr(i, digits)) - base_);
        i += digits;
      }
    }
    error.message = std::move(text);
    return error;
  }

  const std::unique_ptr<Store> inner_;
  const std::int64_t base_;
};

}  // namespace plimsoll::store::etcd

#include "store/etcd/offset_store.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "store/etcd/checked_rpc.h"
#include "store/revision_errors.h"
#include "store/rocks_format.h"

namespace plimsoll::store::etcd {
namespace {

// No key ever has this revision, so a write that expects it is a Conflict.
constexpr Revision kNeverRevision{std::numeric_limits<std::int64_t>::max()};

}  // namespace

/// Adds the offset to the revisions of a watch. It is the outer watch and the inner one's sink. A
/// sink may destroy its watch, and so this: a method touches no member after calling the sink.
class OffsetStore::ShiftedWatch final : public Watch, public ChangeSink {
 public:
  ShiftedWatch(ChangeSink& sink, std::int64_t offset) : sink_(sink), offset_(offset) {}

  bool ReadsBefore() const override { return sink_.ReadsBefore(); }
  void OnChanges(std::span<const Change> changes) override {
    std::vector<Change> shifted(changes.begin(), changes.end());
    for (Change& change : shifted) {
      change.revision = Revision{Number(change.revision) + offset_};
      if (change.before_revision == kNoRevision) continue;
      change.before_revision = Revision{Number(change.before_revision) + offset_};
    }
    sink_.OnChanges(shifted);
  }
  void OnEnd(const Error& error) override { sink_.OnEnd(error); }

  std::unique_ptr<Watch> inner;

 private:
  ChangeSink& sink_;
  const std::int64_t offset_;
};

Status OffsetStore::Start() {
  const std::optional<Record> record = PL_TRY(inner_->Get(key_));
  if (!record.has_value()) return {};
  const std::optional<std::int64_t> offset = ParseMetaNumber(*record->value);
  if (!offset.has_value() || *offset > Number(kRevisionMax)) {
    return Fail(Reason::InternalError,
                fmt::format("etcd's key {} holds '{}', which is no revision offset: restore the "
                            "key, or restore the whole store from a snapshot",
                            key_, record->value->substr(0, 64)));
  }
  offset_ = *offset;
  return {};
}

Result<Revision> OffsetStore::Inner(Revision shown) const {
  if (offset() == 0) return shown;
  if (Number(shown) <= offset()) return std::unexpected(TooOld(shown, compacted()));
  return Revision{Number(shown) - offset()};
}

Error OffsetStore::ErrorAt(const Error& error, Revision shown) const {
  if (offset() == 0 || shown == kNoRevision) return error;
  if (error.reason == Reason::Expired) return TooOld(shown, compacted());
  if (error.reason == Reason::Timeout) return TooLarge(shown, latest());
  return error;
}

void OffsetStore::Commit(Write write, CommitDone done) {
  if (offset() == 0) return inner_->Commit(std::move(write), std::move(done));
  if (write.expected != kNoRevision)
    write.expected = Inner(write.expected).value_or(kNeverRevision);
  inner_->Commit(std::move(write), [this, done = std::move(done)](Result<Revision> result) mutable {
    if (result.has_value()) result = Shown(*result);
    done(std::move(result));
  });
}

Result<std::optional<Record>> OffsetStore::Get(std::string_view key) {
  std::optional<Record> record = PL_TRY(inner_->Get(key));
  if (record.has_value()) record->revision = Shown(record->revision);
  return record;
}

Result<Range> OffsetStore::List(const RangeRequest& request) {
  RangeRequest asked = request;
  if (asked.at != kNoRevision) asked.at = PL_TRY(Inner(asked.at));
  Result<Range> range = inner_->List(asked);
  if (!range.has_value()) return std::unexpected(ErrorAt(range.error(), request.at));
  if (offset() == 0) return range;
  range->at = Shown(range->at);
  for (Record& record : range->records) record.revision = Shown(record.revision);
  return range;
}

Result<std::unique_ptr<Watch>> OffsetStore::WatchFrom(std::string prefix, Revision after,
                                                      ChangeSink& sink) {
  if (offset() == 0) return inner_->WatchFrom(std::move(prefix), after, sink);
  const Revision from = PL_TRY(Inner(after));
  auto watch = std::make_unique<ShiftedWatch>(sink, offset());
  Result<std::unique_ptr<Watch>> inner = inner_->WatchFrom(std::move(prefix), from, *watch);
  if (!inner.has_value()) return std::unexpected(ErrorAt(inner.error(), after));
  watch->inner = std::move(*inner);
  return watch;
}

Status OffsetStore::Compact(Revision revision) {
  const Result<Revision> inner = Inner(revision);
  if (!inner.has_value()) return {};  // older than every revision of etcd
  const Status status = inner_->Compact(*inner);
  if (!status.has_value()) return std::unexpected(ErrorAt(status.error(), revision));
  return {};
}

Status OffsetStore::BumpRevision(Revision revision) {
  const Revision now = PL_TRY(inner_->ReadLatest());
  const std::optional<Record> old = PL_TRY(inner_->Get(key_));
  // Writing the offset takes one revision, too.
  const std::int64_t offset = Number(revision) - Number(now) - 1;
  if (revision <= Shown(now) || offset < this->offset()) {
    return Fail(Reason::Invalid,
                fmt::format("the store is at revision {} already, cannot bump it to {}",
                            Number(Shown(now)), Number(revision)));
  }
  const Revision expected = old.has_value() ? old->revision : kNoRevision;
  const Revision made =
      PL_TRY(inner_->CommitAndWait({key_, MakeBytes(std::to_string(offset)), expected}));
  offset_ = offset;
  return inner_->Compact(made);
}

Result<Revision> OffsetStore::ReadLatest() { return Shown(PL_TRY(inner_->ReadLatest())); }

}  // namespace plimsoll::store::etcd

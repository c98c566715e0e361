#include "controller/eviction_history/eviction_history.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <variant>

#include "base/time_arithmetic.h"
#include "controller/unread_fields.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kGroup = "plimsoll.io";
constexpr std::string_view kVersion = "v1alpha1";
constexpr std::string_view kKind = "EvictionRecord";
/// Annotation with the number of entries. The controller does not read the entries themselves.
constexpr std::string_view kCountKey = "plimsoll.io/entries";
/// The field manager of the records.
constexpr std::string_view kManager = EvictionHistory::kName;

const api::KindDesc& RecordKind() {
  static const api::KindDesc& kind = *api::FindKind(kGroup, kVersion, kKind);
  return kind;
}

std::size_t CountOf(const api::Object& record) {
  const auto text = record.metadata().annotations.Find(kCountKey);
  std::size_t count = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), count);
  return std::min(count, EvictionHistory::kEntriesPerRecordMax);
}

std::string NameAt(Instant time) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
  return "history-" + std::to_string(milliseconds.count());
}

}  // namespace

std::span<const WatchedKind> EvictionHistory::watched() const {
  static constexpr std::array<std::string_view, 1> kUnusedRecordFields{"entries"};
  static constexpr std::array kWatched = {
      WatchedKind{"", "v1", "Node", kUnusedNodeFields},
      WatchedKind{kGroup, kVersion, kKind, kUnusedRecordFields},
  };
  return kWatched;
}

void EvictionHistory::Observe(const CoreInput& input, const Turn& turn) {
  if (const auto* const change = std::get_if<ObjectChanged>(&input)) {
    const api::Object& any = *(change->new_object ? change->new_object : change->old_object);
    if (any.kind().kind == kKind) {
      ObserveRecord(*change);
    } else if (any.kind().kind == "Node" && is_synced_ && change->new_object != nullptr) {
      // The taints of a deleted node go with it. The nodes at the start are not news.
      ObserveNode({change->old_object, change->new_object, turn.now}, turn);
    }
  } else if (const auto* const finished = std::get_if<ActionFinished>(&input)) {
    Finish(*finished, turn.now);
  } else {
    is_synced_ = true;
  }
  Run(turn);
}

void EvictionHistory::ObserveNode(NodeChange change, const Turn& turn) {
  if (!ChangesTaints(change)) return;
  if (lookups_.size() >= kLookupsMax) {
    for (std::string& entry : EntriesOfTaints(change, nullptr)) Add(std::move(entry));
    return;
  }
  const ActionId id = next_id_++;
  turn.Do(GetObject{.id = id, .object = change.now});
  lookups_.emplace(id, std::move(change));
}

void EvictionHistory::Wake(const Turn& turn) { Run(turn); }

std::optional<Instant> EvictionHistory::NextWake() const {
  if (!is_synced_) return std::nullopt;
  std::optional<Instant> next;
  const auto soonest = [&](Instant at) { next = next ? std::min(*next, at) : at; };
  const bool has_unwritten = open_ && open_->stored < open_->entries.size();
  if (!write_ && (!waiting_.empty() || lost_ > 0 || has_unwritten)) soonest(next_write_);
  if (!remove_) {
    if (const std::optional<Instant> expiry = NextExpiry()) {
      soonest(std::max(*expiry, next_write_));
    }
  }
  return next;
}

void EvictionHistory::Note(const EvictionFact& fact) { Add(EntryOf(fact)); }

void EvictionHistory::Add(std::string entry) {
  if (waiting_bytes_ + entry.size() > kWaitingBytesMax) {
    ++lost_;
    return;
  }
  waiting_bytes_ += entry.size();
  waiting_.push_back(std::move(entry));
}

void EvictionHistory::ObserveRecord(const ObjectChanged& change) {
  const api::Object& any = *(change.new_object ? change.new_object : change.old_object);
  const std::string uid(any.metadata().uid);
  const auto known = records_.find(uid);
  if (known != records_.end()) {
    stored_entries_ -= known->second.entries;
    by_age_.erase({known->second.created, uid});
    records_.erase(known);
  }
  if (change.new_object == nullptr) {
    if (open_ && open_->name == any.metadata().name) open_.reset();
    return;
  }
  const Record record{change.new_object, CreationTime(any.metadata()), CountOf(any)};
  stored_entries_ += record.entries;
  by_age_.emplace(record.created, uid);
  records_.emplace(uid, record);
}

std::optional<Instant> EvictionHistory::NextExpiry() const {
  if (by_age_.empty()) return std::nullopt;
  const bool is_over = records_.size() > kRecordsMax || stored_entries_ > kStoredEntriesMax;
  return is_over ? Instant::min() : SaturatingAdd(by_age_.begin()->first, kRetention);
}

const EvictionHistory::Record* EvictionHistory::Surplus(Instant now) const {
  const std::optional<Instant> expiry = NextExpiry();
  if (!expiry || *expiry > now) return nullptr;
  return &records_.find(by_age_.begin()->second)->second;
}

void EvictionHistory::Finish(const ActionFinished& finished, Instant now) {
  if (const auto lookup = lookups_.extract(finished.id); !lookup.empty()) {
    for (std::string& entry : EntriesOfTaints(lookup.mapped(), finished.object.get())) {
      Add(std::move(entry));
    }
    return;
  }
  if (finished.id == remove_) {
    remove_.reset();
    if (!finished.status) next_write_ = SaturatingAdd(now, kRetryInterval);
    return;
  }
  if (finished.id != write_) return;
  write_.reset();
  if (!open_) return;
  if (finished.status) {
    open_->stored = open_->entries.size();
    return;
  }
  // The server does not serve the kind, or is not there: keep the facts and try again later.
  next_write_ = SaturatingAdd(now, kRetryInterval);
}

bool EvictionHistory::FillRecord(Instant now) {
  const bool is_full =
      open_ && open_->stored == open_->entries.size() &&
      (open_->entries.size() >= kExtendableEntriesMax || open_->bytes >= kRecordBytesMax);
  if (is_full) open_.reset();
  if (lost_ > 0 && waiting_bytes_ < kWaitingBytesMax / 2) {
    Add(EntryOfLoss(std::exchange(lost_, 0), now));
  }
  if (waiting_.empty() && (!open_ || open_->stored == open_->entries.size())) return false;
  if (!open_) {
    last_name_ = std::max(now, last_name_ + std::chrono::milliseconds(1));
    open_ = OpenRecord{.name = NameAt(last_name_), .entries = {}};
  }
  while (!waiting_.empty() && open_->entries.size() < kEntriesPerRecordMax &&
         open_->bytes + waiting_.front().size() < kRecordBytesMax) {
    open_->bytes += waiting_.front().size();
    waiting_bytes_ -= waiting_.front().size();
    open_->entries.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return open_->stored < open_->entries.size();
}

void EvictionHistory::WriteRecord(const Turn& turn) {
  std::string list;
  list.reserve(open_->bytes + open_->entries.size());
  for (const std::string& entry : open_->entries)
    list.append(list.empty() ? "" : ",").append(entry);
  const std::string count =
      JsonText().Text(kCountKey, std::to_string(open_->entries.size())).Done();
  const std::string body =
      JsonText()
          .Text("apiVersion", "plimsoll.io/v1alpha1")
          .Text("kind", kKind)
          .Raw("metadata", JsonText().Text("name", open_->name).Raw("annotations", count).Done())
          .Raw("entries", "[" + list + "]")
          .Done();
  was_write_ = true;
  write_ = next_id_++;
  next_write_ = SaturatingAdd(turn.now, kWriteInterval);
  // An apply creates the record or replaces its entries, so that a repeated write does no harm.
  turn.Do(PatchObject{.id = *write_,
                      .object = api::ObjectRef(RecordKind(), {}, open_->name),
                      .body = body,
                      .form = PatchForm::Apply,
                      .field_manager = std::string(kManager)});
}

void EvictionHistory::RemoveRecord(const Record& record, const Turn& turn) {
  was_write_ = false;
  remove_ = next_id_++;
  next_write_ = SaturatingAdd(turn.now, kWriteInterval);
  turn.Do(DeleteObject{.id = *remove_, .object = record.object});
}

void EvictionHistory::Run(const Turn& turn) {
  if (!is_synced_ || turn.now < next_write_) return;
  const Record* const surplus = remove_ ? nullptr : Surplus(turn.now);
  // Writes and removals take turns, so that a long mass eviction cannot fill the store.
  if (surplus != nullptr && was_write_) return RemoveRecord(*surplus, turn);
  if (!write_ && FillRecord(turn.now)) return WriteRecord(turn);
  if (surplus != nullptr) RemoveRecord(*surplus, turn);
}

}  // namespace plimsoll::controller

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/controller.h"
#include "controller/eviction_history/history_entry.h"
#include "controller/eviction_journal.h"

namespace plimsoll::controller {

/// Keeps the history of taints and evictions in EvictionRecords: facts of the evictors in this
/// process, and changes of taints of nodes. It writes at most once per second, however many facts
/// there are, and deletes records beyond the limits below, the oldest first.
///
/// A record that is not full is extended, so that few facts do not need many records. The text of
/// that record is kept in memory; after a restart, a new record begins.
class EvictionHistory final : public Controller, public EvictionJournal {
 public:
  static constexpr std::string_view kName = "eviction-history-controller";

  static constexpr Duration kWriteInterval = std::chrono::seconds(1);
  static constexpr Duration kRetryInterval = std::chrono::seconds(30);
  static constexpr Duration kRetention = std::chrono::hours(7 * 24);
  static constexpr std::size_t kEntriesPerRecordMax = 2000;
  /// A record of more entries is not extended: an extension writes all of them again.
  static constexpr std::size_t kExtendableEntriesMax = 100;
  static constexpr std::size_t kRecordBytesMax = 1'000'000;
  static constexpr std::size_t kRecordsMax = 1000;
  static constexpr std::size_t kStoredEntriesMax = 100'000;
  static constexpr std::size_t kWaitingBytesMax = 16'000'000;
  /// Nodes whose managedFields are being read. Further changes are kept without an owner.
  static constexpr std::size_t kLookupsMax = 50;

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& input, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

  void Note(const EvictionFact& fact) override;

 private:
  struct Record {
    ObjectPtr object;
    Instant created{};
    std::size_t entries = 0;
  };
  /// The record that is being written.
  struct OpenRecord {
    std::string name;
    std::vector<std::string> entries;
    std::size_t bytes = 0;
    std::size_t stored = 0;  // entries that the API server has
  };

  void ObserveRecord(const api::ObjectChanged& change);
  /// Reads the node to learn who owns its taints: watch events have no managedFields.
  void ObserveNode(NodeChange change, const Turn& turn);
  void Add(std::string entry);
  void Finish(const ActionFinished& finished, Instant now);
  void Run(const Turn& turn);
  /// Fills the open record, or begins one. Returns false if there is nothing to write.
  bool FillRecord(Instant now);
  void WriteRecord(const Turn& turn);
  void RemoveRecord(const Record& record, const Turn& turn);
  /// Returns the oldest record if the limits or its age demand that it goes.
  const Record* Surplus(Instant now) const;
  std::optional<Instant> NextExpiry() const;

  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t lost_ = 0;
  std::optional<OpenRecord> open_;
  std::map<std::string, Record, std::less<>> records_;  // by uid
  std::set<std::pair<Instant, std::string>> by_age_;    // creation time and uid
  std::size_t stored_entries_ = 0;
  std::map<ActionId, NodeChange> lookups_;  // in flight
  std::optional<ActionId> write_;           // in flight
  std::optional<ActionId> remove_;          // in flight
  Instant next_write_ = Instant::min();
  Instant last_name_ = Instant::min();
  ActionId next_id_ = 1;
  bool was_write_ = false;  // the last request was a write: a removal takes the next turn
  bool is_synced_ = false;
};

}  // namespace plimsoll::controller

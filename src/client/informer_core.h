#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/status/status.h"
#include "api/watch_event.h"
#include "base/time.h"
#include "client/backoff.h"
#include "client/object_store.h"

namespace plimsoll::client {

/// Next call of an informer.
struct InformerStep {
  enum class Type : std::uint8_t { List, WatchList, Watch };

  Type type = Type::List;
  std::string resource_version;
  Duration delay = Duration::zero();  // wait this long first

  friend bool operator==(const InformerStep&, const InformerStep&) = default;
};

/// The logic of an informer without its calls: it says what to request next, takes the answer, and
/// returns the changes. For one thread at a time.
///
///   List ──ok──▶ Watch ──ended, broke off, too busy──▶ Watch from the last resource version
///     ▲            └──any other refusal: 410, …──▶ List again; only the difference is reported
///     └──── refused, after a delay
///
/// With a watch-list the first two are one call: the objects come as events up to a bookmark, and
/// are held back until then. If the server does not support it, List is used from then on. If the
/// server fails to complete it, List is used once, because progress matters most.
class InformerCore {
 public:
  using Events = std::vector<InformerEvent>;

  InformerCore(bool use_watch_list, const BackoffOptions& backoff, std::uint64_t seed)
      : use_watch_list_(use_watch_list), backoff_(backoff, seed) {}

  InformerStep Next() const;

  // Outcome of a List.
  void Listed(const api::ObjectList& list, Events& out);
  /// A server that does not serve the kind (404) has no objects of it, so this reports Synced. The
  /// informer tries again later, because the kind may be added.
  void ListRefused(const api::StatusObject& refusal, Instant now, Events& out);

  // Outcome of a Watch or WatchList: it began, had events, and ended.
  void WatchBegan(Instant now);
  void Observe(const api::WatchEvent& event, Events& out);
  void WatchEnded(Instant now);
  void WatchRefused(const api::StatusObject& refusal, Instant now, Events& out);

  /// Reports every object again, as Modified.
  void Resync(Events& out) const;

  const ObjectStore& store() const { return store_; }
  /// Last resource version seen; empty: none.
  const std::string& resource_version() const { return resource_version_; }
  bool is_synced() const { return is_synced_; }

 private:
  enum class Phase : std::uint8_t { Listing, Watching };

  void Replace(const std::vector<ObjectPtr>& objects, std::string resource_version, Events& out);
  void FallBackToList(const api::StatusObject& refusal);
  void Delay(Instant now) { delay_ = backoff_.Next(now); }

  bool use_watch_list_;
  Backoff backoff_;
  ObjectStore store_;
  Phase phase_ = Phase::Listing;
  std::string resource_version_;
  int watch_lists_broken_off_ = 0;       // since the last success
  bool must_list_ = false;               // use List instead of the next WatchList
  bool is_version_unavailable_ = false;  // the server cannot serve this resource version
  bool is_synced_ = false;
  Duration delay_ = Duration::zero();
  // State of the running watch.
  ObjectStore initial_;  // objects of a WatchList, until its bookmark
  Instant watch_began_;
  bool has_events_ = false;
};

}  // namespace plimsoll::client

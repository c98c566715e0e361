#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/status/status.h"
#include "api/watch_piece.h"
#include "base/time.h"
#include "client/backoff.h"
#include "client/object_store.h"

namespace plimsoll::client {

/// What an informer is to do next.
struct InformerStep {
  enum class Type : std::uint8_t { List, WatchList, Watch };

  Type type = Type::List;
  std::string resource_version;
  Duration delay = Duration::zero();  // to wait first

  friend bool operator==(const InformerStep&, const InformerStep&) = default;
};

/// An informer without its calls: it says what to ask the server next, takes what came back, and
/// tells what that changed. One thread at a time.
///
///   List ──ok──▶ Watch ──ended, broke off, too busy──▶ Watch from where it stood
///     ▲            └──any other refusal: 410, …──▶ List again; only the difference is told
///     └──── refused, after a delay
///
/// With watch-list the first two are one call: the objects come as events up to a bookmark, and are
/// held back until then. A server that does not know it gets a List from then on. A server that
/// fails to complete it gets one List, as progress matters more than the way to it.
class InformerCore {
 public:
  using Events = std::vector<InformerEvent>;

  InformerCore(bool use_watch_list, const BackoffOptions& backoff, std::uint64_t seed)
      : use_watch_list_(use_watch_list), backoff_(backoff, seed) {}

  InformerStep Next() const;

  // What a List led to.
  void Listed(const api::ListPiece& list, Events& out);
  /// A server that does not serve the kind has no objects of it; it is asked again later, as it may
  /// learn to.
  void ListRefused(const api::StatusObject& refusal, Instant now, Events& out);

  // What a Watch or WatchList led to: it began, had events, and ended.
  void WatchBegan(Instant now);
  void Observe(const WatchEvent& event, Events& out);
  void WatchEnded(Instant now);
  void WatchRefused(const api::StatusObject& refusal, Instant now, Events& out);

  /// Tells every object again.
  void Resync(Events& out) const;

  const ObjectStore& store() const { return store_; }
  /// Up to which the server's history is known; empty: none of it.
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
  bool must_list_ = false;               // in place of the next WatchList
  bool is_version_unavailable_ = false;  // the server cannot serve it, or anything as new
  bool is_synced_ = false;
  Duration delay_ = Duration::zero();
  // Of the running watch.
  ObjectStore initial_;  // of a WatchList, until its bookmark
  Instant watch_began_;
  bool has_events_ = false;
};

}  // namespace plimsoll::client

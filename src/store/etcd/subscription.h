#pragma once

#include <cstdint>
#include <vector>

#include "store/etcd/key_map.h"
#include "store/etcd/rpc.h"
#include "store/guarded_sink.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// One watch of the store, shared by its handle and the loop.
class Subscription : public GuardedSink {
 public:
  /// `latest` is etcd's revision at its beginning: up to it, it tells of the past.
  Subscription(KeyRange keys, Revision after, Revision latest, ChangeSink& sink);

  bool is_of_the_past() const { return seen < latest; }
  /// What was there before a change costs etcd a read and the line a copy: asked for when the sink
  /// reads it, and in the past, where nobody can know it otherwise.
  bool NeedsPrevious() const { return reads_before || is_of_the_past(); }

  const KeyRange keys;
  const Revision latest;
  const bool reads_before;

  // Of the loop's thread alone.
  std::int64_t id = 0;  // within the link; 0: none
  bool is_started = false;
  bool has_previous = false;
  Revision seen;
  bool is_far_behind;  // so far that writers do not wait for it
  std::vector<WatchEvent> fragments;
};

}  // namespace plimsoll::store::etcd

#pragma once

#include <cstdint>
#include <vector>

#include "store/detachable_sink.h"
#include "store/etcd/key_map.h"
#include "store/etcd/rpc.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// State of one watch of the store, shared by its handle and the loop.
class Subscription : public DetachableSink {
 public:
  /// `latest` is etcd's revision when the watch begins. Changes up to it are history.
  Subscription(KeyRange keys, Revision after, Revision latest, ChangeSink& sink);

  bool is_of_the_past() const { return seen < latest; }
  /// Returns true if etcd must send the previous value, which costs it a read and bandwidth. Needed
  /// if the sink reads it, and for history, where nothing else can supply it.
  bool NeedsPrevious() const { return reads_before || is_of_the_past(); }

  const KeyRange keys;
  const Revision latest;
  const bool reads_before;

  // Used by the loop's thread only.
  std::int64_t id = 0;  // within the link; 0: none
  bool is_started = false;
  bool has_previous = false;
  Revision seen;
  bool is_far_behind;  // so far behind that writers do not wait for it
  std::vector<KeyEvent> fragments;
};

}  // namespace plimsoll::store::etcd

#include "store/etcd/subscription.h"

#include <utility>

#include "store/limits.h"

namespace plimsoll::store::etcd {
namespace {}  // namespace

Subscription::Subscription(KeyRange of, Revision after, Revision now, ChangeSink& sink)
    : DetachableSink(sink),
      keys(std::move(of)),
      latest(now),
      reads_before(sink.ReadsBefore()),
      seen(after),
      is_far_behind(Number(now) - Number(after) > kEtcdWatchLagMax) {}

}  // namespace plimsoll::store::etcd

#include "store/etcd/subscription.h"

#include <utility>

namespace plimsoll::store::etcd {
namespace {

// Writers do not wait for a watch that begins further back, until it has caught up.
constexpr std::int64_t kNearChangesMax = 4'096;

}  // namespace

Subscription::Subscription(KeyRange of, Revision after, Revision now, ChangeSink& sink)
    : GuardedSink(sink),
      keys(std::move(of)),
      latest(now),
      reads_before(sink.ReadsBefore()),
      seen(after),
      is_far_behind(Number(now) - Number(after) > kNearChangesMax) {}

}  // namespace plimsoll::store::etcd

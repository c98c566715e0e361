#include "apiserver/server/inflight.h"

namespace plimsoll::apiserver {

bool Inflight::Enter(bool is_mutating, bool is_exempt) {
  std::atomic<int>& count = counts_[is_mutating ? 1 : 0];
  const int limit = is_mutating ? limits_.mutating_max : limits_.reading_max;
  const int now = ++count;
  if (now > limit && !is_exempt) {
    --count;
    return false;
  }
  metrics_.Inflight(is_mutating, now);
  return true;
}

void Inflight::Leave(bool is_mutating) {
  metrics_.Inflight(is_mutating, --counts_[is_mutating ? 1 : 0]);
}

}  // namespace plimsoll::apiserver

#include "apiserver/server/inflight.h"

namespace plimsoll::apiserver {

bool Inflight::Enter(bool is_mutating, Standing standing) {
  Count& count = counts_[is_mutating ? 1 : 0];
  const int limit = is_mutating ? limits_.mutating_max : limits_.reading_max;
  if (standing != Standing::Apart && ++count.places > limit && standing == Standing::Limited) {
    --count.places;
    return false;
  }
  metrics_.Inflight(is_mutating, ++count.inside);
  return true;
}

void Inflight::Leave(bool is_mutating, Standing standing) {
  Count& count = counts_[is_mutating ? 1 : 0];
  if (standing != Standing::Apart) --count.places;
  metrics_.Inflight(is_mutating, --count.inside);
}

}  // namespace plimsoll::apiserver

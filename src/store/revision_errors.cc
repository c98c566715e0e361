#include "store/revision_errors.h"

#include <fmt/format.h>

namespace plimsoll::store {

Error TooOld(Revision revision, Revision compacted) {
  return {Reason::Expired,
          {},
          fmt::format("too old resource version: {} ({})", Number(revision), Number(compacted))};
}

Error TooLarge(Revision revision, Revision latest) {
  return {
      Reason::Timeout,
      {},
      fmt::format("Too large resource version: {}, current: {}", Number(revision), Number(latest))};
}

}  // namespace plimsoll::store

#pragma once

#include "base/result.h"
#include "store/store.h"

/// What is said of revisions that cannot be had, as upstream words it.
namespace plimsoll::store {

Error TooOld(Revision revision, Revision compacted);
Error TooLarge(Revision revision, Revision latest);

}  // namespace plimsoll::store

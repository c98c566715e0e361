#pragma once

#include "base/result.h"
#include "store/store.h"

/// Errors for revisions that are compacted or in the future, with upstream's texts.
namespace plimsoll::store {

Error TooOld(Revision revision, Revision compacted);
Error TooLarge(Revision revision, Revision latest);

}  // namespace plimsoll::store

#pragma once

#include <vector>

#include "controller/controller.h"

namespace plimsoll::controller {

/// Returns every kind that can be listed, watched and deleted, each in its best version. Events are
/// excluded: they own nothing, have no owners, and are too many.
std::vector<WatchedKind> DeletableKinds();

}  // namespace plimsoll::controller

#pragma once

#include <vector>

#include "controller/controller.h"

namespace plimsoll::controller {

/// Every kind that can be listed, watched and deleted, each in its best version. Without Events:
/// they own nothing, nobody owns them, and there are too many of them.
std::vector<WatchedKind> DeletableKinds();

}  // namespace plimsoll::controller

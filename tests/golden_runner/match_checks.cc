#include "golden.h"

namespace plimsoll::golden {

std::span<const Check> MatchChecks() { return {}; }

}  // namespace plimsoll::golden

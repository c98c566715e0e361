#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace plimsoll {

void AssertFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace plimsoll

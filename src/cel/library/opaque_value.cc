#include "cel/library/opaque_value.h"

#include <mutex>

namespace plimsoll::cel {

const Type* OpaqueType(std::string_view name) {
  static std::mutex mutex;
  static TypePool pool;
  const std::lock_guard lock(mutex);
  return pool.Opaque(name);
}

}  // namespace plimsoll::cel

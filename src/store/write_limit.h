#pragma once

#include <cstddef>

#include "base/result.h"
#include "store/limits.h"
#include "store/store.h"

namespace plimsoll::store {

/// The request names the key three times (comparison, put, and the read upon a conflict) and has
/// some bytes of framing.
inline constexpr std::size_t kKeyCopies = 3;
inline constexpr std::size_t kFramingBytes = 256;

/// Returns RequestEntityTooLarge, with etcd's text, if the write exceeds kWriteBytesMax.
inline Status CheckWriteSize(const Write& write) {
  const std::size_t value_bytes = write.value == nullptr ? 0 : write.value->size();
  if (value_bytes + kKeyCopies * write.key.size() + kFramingBytes <= kWriteBytesMax) return {};
  return Fail(Reason::RequestEntityTooLarge, "etcdserver: request is too large");
}

}  // namespace plimsoll::store

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apiserver/encryption/encrypted_store.h"
#include "base/result.h"
#include "store/store.h"

namespace plimsoll::apiserver {

struct RewriteReport {
  std::size_t values = 0;               // that the configuration covers
  std::size_t rewritten = 0;            // because they were stored in another way
  std::vector<std::string> unreadable;  // keys of values that no provider can read
};

/// What becomes of values that no provider can read.
enum class Unreadable : std::uint8_t { Keep, Delete };

/// Writes every value of a store again that is not encrypted as the configuration wants it now. The
/// store is the one below an EncryptedStore. Servers may use it meanwhile: a value that one of them
/// has just written is left to it. In a store of this process the old values are also removed from
/// its files; in another they remain until it is compacted and defragmented.
Result<RewriteReport> RewriteValues(store::Store& store, const KeyTransformers& transformers,
                                    Unreadable unreadable);

}  // namespace plimsoll::apiserver

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apiserver/encryption/encrypted_store.h"
#include "base/result.h"
#include "store/store.h"

namespace plimsoll::apiserver {

struct RewriteReport {
  std::size_t values = 0;               // covered by the configuration
  std::size_t rewritten = 0;            // because they were stored differently
  std::vector<std::string> unreadable;  // keys of values that no provider can decrypt
};

/// Action for values that no provider can decrypt.
enum class Unreadable : std::uint8_t { Keep, Delete };

/// Rewrites every value that is not encrypted as the configuration requires. `store` is the inner
/// store of an EncryptedStore. Servers may use it meanwhile: a conflicting write of a server wins.
/// If the store is local, this also removes the old values from its files. In a shared store they
/// remain until it is compacted and defragmented.
///
/// Calls `on_rewrite` after each page, on the thread of the call: how many keys of the store are
/// done, and about how many there are.
Result<RewriteReport> RewriteValues(
    store::Store& store, const KeyTransformers& transformers, Unreadable unreadable,
    const std::function<void(std::size_t done, std::size_t total)>& on_rewrite = {});

}  // namespace plimsoll::apiserver

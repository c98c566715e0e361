#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "codec/value.h"
#include "store/store.h"

/// What the store holds of an object is its JSON without the resourceVersion, which is the
/// revision of the commit and not known before it. kind, apiVersion and metadata stand first, so
/// that the place for it is found without parsing.
namespace plimsoll::apiserver {

/// The text to commit. A resourceVersion in the tree is left out.
std::string EncodeForStore(const codec::Value& tree);

/// The text to send: what was committed, with its resourceVersion.
Bytes WithRevision(std::string_view stored, store::Revision revision);

}  // namespace plimsoll::apiserver

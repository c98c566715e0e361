#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "codec/value.h"
#include "store/store.h"

/// The store holds an object as JSON without resourceVersion, which is the revision of the commit
/// and not known before it. kind, apiVersion and metadata come first, so that resourceVersion can
/// be inserted without parsing.
namespace plimsoll::apiserver {

/// Returns the text to commit. Omits the tree's resourceVersion.
std::string EncodeForStore(const codec::Value& tree);

/// Returns the text to send: the committed text with its resourceVersion.
Bytes WithRevision(std::string_view stored, store::Revision revision);

}  // namespace plimsoll::apiserver

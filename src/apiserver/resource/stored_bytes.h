#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "codec/document.h"
#include "codec/value.h"
#include "store/store.h"

/// The store holds an object as JSON without resourceVersion, which is the revision of the commit
/// and not known before it. The first members are kind, apiVersion and metadata. So
/// resourceVersion can be inserted without parsing.
namespace plimsoll::apiserver {

/// Returns the text to commit. Omits the tree's resourceVersion.
std::string EncodeForStore(const codec::Value& tree);

/// Returns the text to send: the committed text with its resourceVersion.
Bytes WithRevision(std::string_view stored, store::Revision revision);

/// A tree with shared ownership of its document. A commit carries it as payload beside the text, so
/// that the cache of this process need not parse the text.
using TreePtr = std::shared_ptr<const codec::Value>;

/// Returns a copy of the tree with this resourceVersion, in a document of its own.
std::shared_ptr<codec::Document> CopyWithRevision(const codec::Value& tree,
                                                  store::Revision revision);

}  // namespace plimsoll::apiserver

#pragma once

#include "client/response_parser.h"

namespace plimsoll::client {

/// Returns the object without metadata.managedFields, in exactly the memory that it needs. They are
/// half the size of most objects and are needed only for server-side apply, not by a component that
/// caches fifty thousand pods.
ObjectPtr LeanObject(const ObjectPtr& object);

/// Same for a tree: returns its own document.
std::shared_ptr<codec::Document> LeanCopy(const codec::Value& tree);

}  // namespace plimsoll::client

#pragma once

#include "client/reading.h"

namespace plimsoll::client {

/// The object without metadata.managedFields, in no more memory than it needs. They are half of
/// what most objects take, and of use only to whoever applies them; a component that keeps fifty
/// thousand pods in mind does well without.
ObjectPtr LeanObject(const ObjectPtr& object);

/// The same for a tree: a document of its own.
std::shared_ptr<codec::Document> LeanCopy(const codec::Value& tree);

}  // namespace plimsoll::client

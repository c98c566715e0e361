#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "apiserver/cache/cache.h"
#include "apiserver/response/negotiation.h"
#include "base/time.h"

/// Tables for `kubectl get`, with upstream's columns and cells.
namespace plimsoll::apiserver {

/// Returns `"columnDefinitions":[…]` of the resource, for lists and watch events.
std::string ColumnDefinitionsJson(const Resource& resource);

/// Sorts the objects of a list in the order of a Table: FlowSchemas by matching precedence and
/// name. Other kinds keep their order.
void OrderRows(const Resource& resource, std::vector<ObjectPtr>& objects);

/// Appends `{"cells":[…],"object":{…}}`.
void AppendTableRow(const Resource& resource, const StoredObject& object,
                    Negotiated::Include include, Instant now, std::string& out);

/// Appends `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{…}}`.
void AppendPartialMetadata(const StoredObject& object, std::string_view version, std::string& out);

}  // namespace plimsoll::apiserver

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

/// `kubectl get` as the server prints it: upstream's columns and cells.
namespace plimsoll::apiserver {

/// `"columnDefinitions":[…]`, for the resource; events and lists alike.
std::string ColumnDefinitionsJson(const Resource& resource);

/// Puts the objects of a list into the order in which a Table shows them: FlowSchemas by matching
/// precedence and name. Other kinds keep their order.
void OrderRows(const Resource& resource, std::vector<ObjectPtr>& objects);

/// Appends `{"cells":[…],"object":{…}}`.
void AppendTableRow(const Resource& resource, const StoredObject& object,
                    Negotiated::Include include, Instant now, std::string& out);

/// `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{…}}`.
void AppendPartialMetadata(const StoredObject& object, std::string_view version, std::string& out);

}  // namespace plimsoll::apiserver

#pragma once

#include "apiserver/request/api_request.h"
#include "codec/document.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Keeps the decoded body of a request for its audit events: the object itself where the policy
/// asks for it, and the name, namespace, uid and resourceVersion that the path does not tell. Costs
/// nothing when the request is not audited.
void AuditRequestObject(const ApiRequest& request, const codec::Value& object);

/// Keeps the body of a PATCH request, which is a patch and no object. A body that is neither JSON
/// nor YAML is left out.
void AuditRequestPatch(const ApiRequest& request);

/// Removes `metadata.managedFields` from an object, the items of a list and the rows of a Table.
void RemoveManagedFields(codec::Document& document, codec::Value& object);

}  // namespace plimsoll::apiserver

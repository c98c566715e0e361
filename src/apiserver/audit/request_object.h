#pragma once

#include "apiserver/request/api_request.h"
#include "codec/document.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Records the decoded body of a request for its audit events. Records the object if the policy
/// requires it, and name, namespace, uid and resourceVersion if the path does not contain them.
/// Costs nothing if the request is not audited.
void AuditRequestObject(const ApiRequest& request, const codec::Value& object);

/// Records the body of a PATCH request, which is a patch and no object. Omits a body that is
/// neither JSON nor YAML.
void AuditRequestPatch(const ApiRequest& request);

/// Removes `metadata.managedFields` from an object, the items of a list and the rows of a Table.
void RemoveManagedFields(codec::Document& document, codec::Value& object);

}  // namespace plimsoll::apiserver

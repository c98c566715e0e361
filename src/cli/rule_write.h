#pragma once

#include <string>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "client/client.h"

/// Writes DeviceTaintRules to servers that may not know all of their fields. A server that drops a
/// part of the selector would taint other devices than the user asked for, often all of them.
namespace plimsoll::cli {

/// DeviceTaintRule of resource.k8s.io.
const api::KindDesc& RuleKind();

/// The paths of the fields in which a stored rule differs from the one that was asked for:
/// `spec.deviceSelector.selectors`.
std::vector<std::string> DifferentFields(const api::Object& wanted, const api::Object& stored);

/// Checks the rule against the fields that the server declares. NotFound: the server serves no
/// rules. Forbidden: it does not declare some of the rule's fields.
Status CheckRuleFields(const client::Client& client, const api::Object& wanted);

/// Creates the rule. If the server would store, or has stored, anything else than that, there is no
/// rule afterwards, and the error names the fields.
Status CreateRule(const client::Client& client, const api::Object& wanted);

/// Changes the taint of the rule `current` to that of `wanted`. On an error of the same kind the
/// rule has its old taint afterwards. REQUIRES: both have the same selector.
Status ChangeRule(const client::Client& client, const api::Object& current,
                  const api::Object& wanted);

}  // namespace plimsoll::cli

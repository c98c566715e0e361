#pragma once

#include <string>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "client/client.h"

/// Writes DeviceTaintRules to servers that may not know all of their fields. A server that drops a
/// part of the selector would taint other devices than the user asked for, often all of them.
namespace plimsoll::cli {

/// Returns the paths of the fields in which the stored rule differs from the wanted one, such as
/// `spec.deviceSelector.selectors`.
std::vector<std::string> DifferentFields(const api::Object& wanted, const api::Object& stored);

/// Checks the rule against the fields that the server declares. NotFound: the server serves no
/// rules. Forbidden: it does not declare some of the rule's fields.
Status CheckRuleFields(const client::Client& client, const api::Object& wanted);

/// Creates the rule. If the server would store, or has stored, anything else, deletes it again and
/// returns an error that names the fields.
Status CreateRule(const client::Client& client, const api::Object& wanted);

/// Changes the taint of the rule `current` to that of `wanted`. If the server stores something
/// else, restores the old taint and returns an error. REQUIRES: both have the same selector.
Status ChangeRule(const client::Client& client, const api::Object& current,
                  const api::Object& wanted);

}  // namespace plimsoll::cli

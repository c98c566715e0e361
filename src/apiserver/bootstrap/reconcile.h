#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// Action for a default object that already exists.
struct Reconciled {
  enum class Step : std::uint8_t { Nothing, Update, Recreate };
  Step step = Step::Nothing;
  std::string json;  // JSON to write
};

/// Adds missing rules, labels, annotations and selectors of the default ClusterRole. Removes
/// nothing but an aggregationRule that the default lacks. Both arguments are JSON. Does nothing if
/// the annotation `rbac.authorization.kubernetes.io/autoupdate` is false, or if a text cannot be
/// parsed.
Reconciled ReconcileRole(std::string_view existing, std::string_view wanted);
/// Same as above, for subjects. A binding to another role is immutable, so it is recreated.
Reconciled ReconcileBinding(std::string_view existing, std::string_view wanted);
/// Adds the certificates of the default ConfigMap to the existing ones: several servers may trust
/// different authorities.
Reconciled ReconcileAuthentication(std::string_view existing, std::string_view wanted);
/// Sets the date of the default ConfigMap if the existing date is not valid.
Reconciled ReconcileTokenTracking(std::string_view existing, std::string_view wanted);
/// Sets the ports of the default Service: the server's port may have changed.
Reconciled ReconcileService(std::string_view existing, std::string_view wanted);

}  // namespace plimsoll::apiserver

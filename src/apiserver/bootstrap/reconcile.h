#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// What is to be done with a default object that is there already.
struct Reconciled {
  enum class Step : std::uint8_t { Nothing, Update, Recreate };
  Step step = Step::Nothing;
  std::string json;  // to write
};

/// Adds the rules, labels, annotations and selectors of the default one that the other lacks, and
/// takes nothing away; leaves it alone when its annotation
/// `rbac.authorization.kubernetes.io/autoupdate` is false. Both are JSON texts of ClusterRoles;
/// what cannot be read is left alone as well.
Reconciled ReconcileRole(std::string_view existing, std::string_view wanted);
/// Likewise for subjects. A binding to another role cannot be changed and is made anew.
Reconciled ReconcileBinding(std::string_view existing, std::string_view wanted);
/// Adds the certificates of the default ConfigMap to those that the other names: several servers
/// may authenticate clients by different ones.
Reconciled ReconcileAuthentication(std::string_view existing, std::string_view wanted);
/// Gives the ConfigMap the date of the default one where its own is none.
Reconciled ReconcileTokenTracking(std::string_view existing, std::string_view wanted);
/// Gives a Service the ports of the default one: the server may listen elsewhere than it did.
Reconciled ReconcileService(std::string_view existing, std::string_view wanted);

}  // namespace plimsoll::apiserver

#include "apiserver/strategy/admin_namespaces.h"

namespace plimsoll::apiserver {

bool LabelledNamespaces::AllowsAdminAccess(std::string_view namespace_) const {
  const ObjectPtr found = cache_.Get(namespaces_, "", namespace_);
  if (found == nullptr) return false;
  const auto decoded = found->Decode();
  if (!decoded) return false;
  for (const auto& [key, value] : (*decoded)->metadata().labels) {
    if (key == "resource.kubernetes.io/admin-access") return value == "true";
  }
  return false;
}

}  // namespace plimsoll::apiserver

#include "apiserver/admission/token_audience.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "apiserver/authz/pod_references.h"
#include "apiserver/authz/rule_resolver.h"
#include "apiserver/strategy/object_editor.h"
#include "base/assert.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

/// In-tree volume sources and the CSI drivers they were migrated to.
struct MigratedSource {
  std::string_view source;
  std::string_view driver;
};
constexpr std::array kMigratedSources = {
    MigratedSource{"awsElasticBlockStore", "ebs.csi.aws.com"},
    MigratedSource{"azureDisk", "disk.csi.azure.com"},
    MigratedSource{"azureFile", "file.csi.azure.com"},
    MigratedSource{"cinder", "cinder.csi.openstack.org"},
    MigratedSource{"gcePersistentDisk", "pd.csi.storage.gke.io"},
    MigratedSource{"portworxVolume", "pxd.portworx.com"},
    MigratedSource{"vsphereVolume", "csi.vsphere.vmware.com"},
};

/// Returns the CSI driver, or "". `source` is a volume of a pod or the spec of a PersistentVolume.
std::string DriverOfSource(const Value& source) {
  const std::string_view driver = TextAt(source, "csi", "driver");
  if (!driver.empty()) return std::string(driver);
  for (const MigratedSource& row : kMigratedSources) {
    const Value* const found = source.Find(row.source);
    if (found != nullptr && found->is_object()) return std::string(row.driver);
  }
  return {};
}

bool HasProjected(const Value& volume, std::string_view audience) {
  const Value* const sources = FindAt(volume, "projected", "sources");
  return sources != nullptr && std::ranges::any_of(sources->items(), [&](const Value& source) {
           const Value* const token = source.Find("serviceAccountToken");
           return token != nullptr && token->is_object() && TextAt(*token, "audience") == audience;
         });
}

std::unexpected<Error> Missing(std::string_view what, std::string_view name) {
  return Fail(Reason::NotFound, std::string(what) + " " + GoQuote(name) + " not found");
}

std::unexpected<Error> Unreadable(std::string_view what, std::string_view name) {
  return Fail(Reason::InternalError,
              std::string(what) + " " + GoQuote(name) + " cannot be read from the store");
}

const Resource& FindResource(const ResourceTable& resources, std::string_view group,
                             std::string_view plural) {
  const Resource* const found = resources.Find(group, "v1", plural);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

TokenAudiences::TokenAudiences(const Cache& cache, const ResourceTable& resources)
    : cache_(cache),
      claims_(FindResource(resources, "", "persistentvolumeclaims")),
      volumes_(FindResource(resources, "", "persistentvolumes")),
      drivers_(FindResource(resources, "storage.k8s.io", "csidrivers")) {}

Result<bool> TokenAudiences::Has(const Value& pod, std::string_view namespace_,
                                 std::string_view audience) const {
  const Value* const volumes = FindAt(pod, "spec", "volumes");
  if (volumes == nullptr) return false;
  std::vector<std::string> faults;
  for (const Value& volume : volumes->items()) {
    if (HasProjected(volume, audience)) return true;
    const Result<std::string> driver = DriverOf(pod, namespace_, volume);
    if (!driver) {
      faults.push_back(driver.error().message);
      continue;
    }
    if (driver->empty()) continue;
    const Result<bool> has = DriverHas(*driver, audience);
    if (!has) {
      faults.push_back(has.error().message);
    } else if (*has) {
      return true;
    }
  }
  if (faults.empty()) return false;
  return Fail(Reason::NotFound, AggregateText(faults));
}

Result<std::string> TokenAudiences::DriverOf(const Value& pod, std::string_view namespace_,
                                             const Value& volume) const {
  const std::string claim = ClaimOfVolume(TextAt(pod, "metadata", "name"), volume);
  return claim.empty() ? DriverOfSource(volume) : DriverOfClaim(namespace_, claim);
}

Result<std::string> TokenAudiences::DriverOfClaim(std::string_view namespace_,
                                                  std::string_view claim) const {
  const ObjectPtr found = cache_.Get(claims_, namespace_, claim);
  if (found == nullptr) return Missing("persistentvolumeclaim", claim);
  const auto decoded = found->Decode();
  if (!decoded) return Unreadable("persistentvolumeclaim", claim);
  const std::string_view name = TextAt((*decoded)->tree(), "spec", "volumeName");
  const ObjectPtr volume = name.empty() ? nullptr : cache_.Get(volumes_, "", name);
  if (volume == nullptr) return Missing("persistentvolume", name);
  const auto bound = volume->Decode();
  if (!bound) return Unreadable("persistentvolume", name);
  const Value* const spec = (*bound)->tree().Find("spec");
  return spec == nullptr ? std::string() : DriverOfSource(*spec);
}

Result<bool> TokenAudiences::DriverHas(std::string_view driver, std::string_view audience) const {
  const ObjectPtr found = cache_.Get(drivers_, "", driver);
  if (found == nullptr) return Missing("csidriver.storage.k8s.io", driver);
  const auto decoded = found->Decode();
  if (!decoded) return Unreadable("csidriver.storage.k8s.io", driver);
  const Value* const requests = FindAt((*decoded)->tree(), "spec", "tokenRequests");
  return requests != nullptr && std::ranges::any_of(requests->items(), [&](const Value& request) {
           return TextAt(request, "audience") == audience;
         });
}

}  // namespace plimsoll::apiserver

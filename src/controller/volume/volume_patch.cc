#include "controller/volume/volume_patch.h"

#include <algorithm>
#include <vector>

#include "base/go_text.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {
namespace {

std::string Quoted(std::string_view text) { return GoJsonQuote(text); }

/// Returns the start of a patch: metadata without its closing brace.
std::string Opening(const api::Object& object) {
  return R"({"metadata":{"resourceVersion":)" + Quoted(object.metadata().resource_version);
}

std::string Annotations(const std::vector<std::string_view>& keys, std::string_view value) {
  std::string text;
  for (const std::string_view key : keys) {
    text += (text.empty() ? "" : ",") + Quoted(key) + ":" + std::string(value);
  }
  return R"(,"annotations":{)" + text + "}";
}

std::string ModesText(const std::vector<std::string_view>& modes) {
  std::string text;
  for (const std::string_view mode : modes) text += (text.empty() ? "" : ",") + Quoted(mode);
  return "[" + text + "]";
}

/// Returns the volume's capacity. Other resources become null, because a merge would keep them.
std::string CapacityText(const api::ResourceList& before, const api::ResourceList& now) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    text += (text.empty() ? "" : ",") + Quoted(name) + ":" + value;
  };
  for (const api::ResourceAmount& amount : now) add(amount.name, Quoted(amount.text));
  for (const api::ResourceAmount& amount : before) {
    if (std::ranges::find(now, amount.name, &api::ResourceAmount::name) == now.end()) {
      add(amount.name, "null");
    }
  }
  return "{" + text + "}";
}

bool SameStorage(const api::ResourceList& a, const api::ResourceList& b) {
  const auto of_a = std::ranges::find(a, "storage", &api::ResourceAmount::name);
  const auto of_b = std::ranges::find(b, "storage", &api::ResourceAmount::name);
  return of_a != a.end() && of_b != b.end() && of_a->quantity == of_b->quantity;
}

}  // namespace

std::string VolumePhasePatch(const api::Object& volume, std::string_view phase,
                             std::string_view message) {
  return Opening(volume) + R"(},"status":{"phase":)" + Quoted(phase) + R"(,"message":)" +
         (message.empty() ? "null" : Quoted(message)) + "}}";
}

std::string UnbindVolumePatch(const api::Object& volume) {
  if (!volume.metadata().annotations.Has(match::kBoundByController)) {
    return Opening(volume) + R"(},"spec":{"claimRef":{"uid":null}}})";
  }
  return Opening(volume) + Annotations({match::kBoundByController}, "null") +
         R"(},"spec":{"claimRef":null}})";
}

std::string BindClaimPatch(const api::Object& claim, std::string_view volume) {
  const auto& view = *claim.As<api::PersistentVolumeClaim>();
  const bool names_it = view.spec.volume_name == volume;
  std::vector<std::string_view> added;
  if (!names_it && !view.metadata.annotations.Has(match::kBoundByController)) {
    added.push_back(match::kBoundByController);
  }
  if (!view.metadata.annotations.Has(match::kBindCompleted)) {
    added.push_back(match::kBindCompleted);
  }
  if (names_it && added.empty()) return {};
  std::string patch = Opening(claim);
  if (!added.empty()) patch += Annotations(added, R"("yes")");
  patch += "}";
  if (!names_it) patch += R"(,"spec":{"volumeName":)" + Quoted(volume) + "}";
  return patch + "}";
}

std::string ClaimStatusPatch(const api::Object& claim, std::string_view phase,
                             const api::PersistentVolume* volume) {
  const auto& view = *claim.As<api::PersistentVolumeClaim>();
  std::string status;
  const auto add = [&](std::string_view field, const std::string& value) {
    status += (status.empty() ? "" : ",") + Quoted(field) + ":" + value;
  };
  if (view.phase != phase) add("phase", Quoted(phase));
  if (volume == nullptr) {
    if (!view.bound_access_modes.empty()) add("accessModes", "null");
    if (!view.capacity.empty()) add("capacity", "null");
  } else {
    if (view.bound_access_modes != volume->spec.access_modes) {
      add("accessModes", ModesText(volume->spec.access_modes));
    }
    // While a bound claim is resized, its capacity may differ from the volume's.
    if (view.phase != phase && !SameStorage(view.capacity, volume->spec.capacity)) {
      add("capacity", CapacityText(view.capacity, volume->spec.capacity));
    }
  }
  if (status.empty()) return {};
  return Opening(claim) + R"(},"status":{)" + status + "}}";
}

std::string ProvisionerPatch(const api::Object& claim, std::string_view provisioner) {
  std::vector<std::string_view> added;
  for (const std::string_view key : {"volume.beta.kubernetes.io/storage-provisioner",
                                     "volume.kubernetes.io/storage-provisioner"}) {
    if (claim.metadata().annotations.Find(key) != provisioner) added.push_back(key);
  }
  if (added.empty()) return {};
  return Opening(claim) + Annotations(added, Quoted(provisioner)) + "}}";
}

std::string StorageClassPatch(const api::Object& claim, std::string_view storage_class) {
  return Opening(claim) + R"(},"spec":{"storageClassName":)" + Quoted(storage_class) + "}}";
}

}  // namespace plimsoll::controller

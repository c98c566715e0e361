#include "apiserver/admission/device_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "apiserver/strategy/object_editor.h"
#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

bool HasCapitals(std::string_view text) { return std::ranges::any_of(text, IsUpper); }

/// Returns true for `{}`, which differs from no selector.
bool SelectsAll(const codec::Value& rule) {
  const codec::Value* const selector = FindAt(rule, "spec", "deviceSelector");
  return selector != nullptr && selector->is_object() && selector->members().empty();
}

std::string Counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::size_t DeviceWarnings::CountDevices() const {
  std::size_t count = 0;
  for (const ObjectPtr& slice : cache_.List(slices_, {}).objects) {
    const auto decoded = slice->Decode();
    if (!decoded) continue;
    if (const auto* view = (*decoded)->As<api::ResourceSlice>()) count += view->devices.size();
  }
  return count;
}

std::size_t DeviceWarnings::CountPods() const {
  std::set<std::string> uids;
  for (const ObjectPtr& object : cache_.List(claims_, {}).objects) {
    const auto decoded = object->Decode();
    if (!decoded) continue;
    const auto* const claim = (*decoded)->As<api::ResourceClaim>();
    if (claim == nullptr || !claim->allocation) continue;
    for (const api::ConsumerReference& consumer : claim->reserved_for) {
      if (consumer.resource == "pods") uids.emplace(consumer.uid);
    }
  }
  return uids.size();
}

api::Answer<void> DeviceWarnings::Validate(const AdmissionAttributes& attributes) {
  if (attributes.document == nullptr || !attributes.subresource.empty()) return {};
  const codec::Value& now = attributes.document->root();
  if (attributes.kind->kind == "ResourceSlice") {
    const std::string_view driver = TextAt(now, "spec", "driver");
    if (HasCapitals(driver)) {
      attributes.warnings->push_back(fmt::format(
          "spec.driver: driver names should be lowercase; {:?} contains uppercase characters",
          driver));
    }
  }
  if (attributes.kind->kind != "DeviceTaintRule" || !SelectsAll(now)) return {};
  // The rule was warned about before if this update leaves its spec unchanged.
  if (attributes.before != nullptr && SameAt(now, attributes.before->tree(), "spec")) return {};
  std::string text = "spec.deviceSelector: an empty selector selects every device";
  if (MayRead(authorizer_, *attributes.user, "list", slices_) &&
      MayRead(authorizer_, *attributes.user, "list", claims_)) {
    text += fmt::format(": {} published now, {} in use of one", Counted(CountDevices(), "device"),
                        Counted(CountPods(), "pod"));
  }
  attributes.warnings->push_back(std::move(text));
  return {};
}

}  // namespace plimsoll::apiserver

#include "cli/explain/device_explanation.h"

#include <algorithm>
#include <optional>

#include "api/core/taint.h"
#include "base/suggest.h"
#include "cli/devices/taint_arguments.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/toleration_margin.h"

namespace plimsoll::cli {
namespace {

/// Returns how the first of the claim's requests that tolerates the taint does it.
std::optional<Tolerance> ToleranceOfClaim(const api::ResourceClaim& claim, const api::Taint& taint,
                                          const match::Rules& rules) {
  for (const api::DeviceRequest& request : claim.spec.requests) {
    if (request.exactly) {
      auto found = FindTolerance(taint, request.exactly->tolerations, rules);
      if (found) return found;
    }
    for (const api::DeviceRequestDetails& one : request.first_available) {
      auto found = FindTolerance(taint, one.tolerations, rules);
      if (found) return found;
    }
  }
  return std::nullopt;
}

ExplainedDeviceTaint ExplainTaint(const dra::DeviceTaintSource& source,
                                  const std::vector<ObjectPtr>& objects,
                                  const match::Rules& rules) {
  ExplainedDeviceTaint out;
  out.taint = source.taint;
  out.source = TaintSourceText(source);
  for (const ObjectPtr& object : objects) {
    const auto* const claim = object->As<api::ResourceClaim>();
    if (claim == nullptr) continue;
    const auto tolerance = ToleranceOfClaim(*claim, *source.taint, rules);
    if (!tolerance) {
      ++out.refusing;
      continue;
    }
    const auto same =
        std::ranges::find(out.tolerances, tolerance->text, &ClaimTolerance::toleration);
    ClaimTolerance& to =
        same != out.tolerances.end()
            ? *same
            : out.tolerances.emplace_back(ClaimTolerance{tolerance->text, tolerance->margin, {}});
    to.claims.push_back(FullName(*object));
  }
  return out;
}

ExplainedDeviceUse ExplainUse(const DeviceUse& use,
                              const std::vector<dra::DeviceTaintSource>& taints,
                              const match::Rules& rules) {
  ExplainedDeviceUse out;
  out.claim = FullName(*use.claim);
  out.request = use.result->request;
  for (const api::ConsumerReference& consumer : use.view().reserved_for) {
    out.pods.emplace_back(consumer.name);
  }
  for (const dra::DeviceTaintSource& one : taints) {
    if (!FindTolerance(*one.taint, use.result->tolerations, rules)) {
      out.untolerated.push_back(api::ToText(*one.taint));
    }
  }
  return out;
}

Error NoSuchDevice(const std::string& name, const DeviceSnapshot& devices) {
  std::vector<std::string> known;
  for (const dra::TrackedDevice* const device : devices.Published()) {
    known.push_back(DeviceName(device->slice->view->driver, device->slice->view->pool.name,
                               device->device->name));
  }
  std::string message = "no device \"" + name + "\"";
  if (const auto nearest = Nearest(name, known)) message += "; did you mean " + *nearest + "?";
  return {Reason::NotFound, {}, std::move(message)};
}

}  // namespace

Result<DeviceExplanation> ExplainDevice(const std::string& name, const DeviceSnapshot& devices,
                                        const std::vector<ObjectPtr>& objects,
                                        const match::Rules& rules) {
  const DeviceTarget target = PL_TRY(ParseDeviceName(name));
  const dra::TrackedDevice* const published =
      devices.tracker().FindDevice(*target.driver, *target.pool, *target.device);
  const auto& uses = devices.UsesOf(*target.driver, *target.pool, *target.device);
  if (published == nullptr && uses.empty()) return std::unexpected(NoSuchDevice(name, devices));
  DeviceExplanation out;
  out.device = name;
  out.is_published = published != nullptr;
  std::vector<dra::DeviceTaintSource> taints;
  if (published != nullptr) {
    out.node = NodeOfDevice(*published);
    out.attributes = AttributesOf(*published->device);
    out.capacity = CapacityOf(*published->device);
    taints.assign(published->taints.begin(), published->taints.end());
  } else {
    taints = devices.tracker().RuleTaintsOf(*target.driver, *target.pool, *target.device);
  }
  for (const dra::DeviceTaintSource& taint : taints) {
    out.taints.push_back(ExplainTaint(taint, objects, rules));
  }
  for (const DeviceUse& use : uses) out.uses.push_back(ExplainUse(use, taints, rules));
  return out;
}

}  // namespace plimsoll::cli

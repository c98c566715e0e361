#include "dra/device_diagnosis.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plimsoll::dra {
namespace {

std::string WordsFor(const DeviceRefusal& refusal, bool shows_taints) {
  switch (refusal.fault) {
    case DeviceFault::None:
      return "wanted by others too";
    case DeviceFault::PoolIncomplete:
      return "in a pool that is being updated";
    case DeviceFault::PoolInvalid:
      return "in an invalid pool";
    case DeviceFault::InUse:
      return "in use";
    case DeviceFault::NotSelected:
      return "not selected";
    case DeviceFault::OtherNode:
      return "for other nodes";
    case DeviceFault::Capacity:
      return "without the capacity";
    case DeviceFault::Counters:
      return "without counters left";
    case DeviceFault::Constraint:
      return "without attribute " + refusal.detail;
    case DeviceFault::Tainted:
      break;
  }
  if (!shows_taints) return "had untolerated taint(s)";
  const api::DeviceTaint& taint = *refusal.taint->taint;
  return "had untolerated taint {" + std::string(taint.key) + ": " + std::string(taint.value) + "}";
}

bool IsShort(const RequestDiagnosis& request) {
  return request.wanted == 0 ? request.usable < request.devices.size()
                             : static_cast<std::int64_t>(request.usable) < request.wanted;
}

std::string SummaryOf(const RequestDiagnosis& request, bool shows_taints) {
  std::map<std::string, std::size_t> counts;
  for (const DeviceRefusal& refusal : request.devices) {
    if (refusal.fault != DeviceFault::None) ++counts[WordsFor(refusal, shows_taints)];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto& row) { return row.second; });
  std::string text = "request " + request.request + ": wants ";
  text += request.wanted == 0 ? "all" : std::to_string(request.wanted);
  text += " of " + std::to_string(request.devices.size()) + " devices";
  std::string_view separator = ": ";
  for (const auto& [words, count] : sorted) {
    text.append(separator).append(std::to_string(count)).append(" ").append(words);
    separator = ", ";
  }
  return text;
}

}  // namespace

std::string_view ToText(DeviceFault fault) {
  switch (fault) {
    case DeviceFault::None:
      return "None";
    case DeviceFault::PoolIncomplete:
      return "PoolIncomplete";
    case DeviceFault::PoolInvalid:
      return "PoolInvalid";
    case DeviceFault::InUse:
      return "InUse";
    case DeviceFault::NotSelected:
      return "NotSelected";
    case DeviceFault::OtherNode:
      return "OtherNode";
    case DeviceFault::Capacity:
      return "Capacity";
    case DeviceFault::Counters:
      return "Counters";
    case DeviceFault::Tainted:
      return "Tainted";
    case DeviceFault::Constraint:
      return "Constraint";
  }
  return {};
}

std::string Summary(const Diagnosis& diagnosis, bool shows_taints) {
  for (const RequestDiagnosis& request : diagnosis.requests) {
    if (IsShort(request)) return SummaryOf(request, shows_taints);
  }
  return "requests cannot be satisfied together";
}

}  // namespace plimsoll::dra

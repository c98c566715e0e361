#include <algorithm>
#include <array>
#include <set>

#include "apiserver/strategy/kinds.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

/// The device of a claim's allocation, or of what a driver reports about it.
using DeviceId = std::array<std::string_view, 3>;

DeviceId IdOf(const Value& device) {
  return {TextAt(device, "driver"), TextAt(device, "pool"), TextAt(device, "device")};
}

std::set<DeviceId> AllocatedDevices(const Value* status) {
  std::set<DeviceId> out;
  const Value* results =
      status == nullptr ? nullptr : FindAt(*status, "allocation", "devices", "results");
  if (results == nullptr) return out;
  for (const Value& result : results->items()) out.insert(IdOf(result));
  return out;
}

void SetTimeAdded(const StrategyContext& context, const Place& taint) {
  if (!taint.Has("timeAdded")) taint.SetText("timeAdded", FormatTime(context.now));
}

void SetTimesAdded(const StrategyContext& context, const Place& holder) {
  Value* taints = holder.Find("taints");
  if (taints == nullptr) return;
  const api::TypeDesc* type = holder.ItemType("taints");
  for (Value& item : taints->items()) {
    const Place taint(holder.document(), item, type);
    // The slice's own list names a device beside each taint.
    if (taint.Has("taint")) {
      SetTimeAdded(context, taint.Child("taint"));
    } else if (!taint.Has("device")) {
      SetTimeAdded(context, taint);
    }
  }
}

}  // namespace

api::Answer<void> CreateTaintRule(const StrategyContext& context, Place rule) {
  const Place spec = rule.Child("spec");
  if (spec.Has("taint")) SetTimeAdded(context, spec.Child("taint"));
  return {};
}

// The time tells since when the taint is what it is, so a new effect or value brings a new time.
api::Answer<void> UpdateTaintRule(const StrategyContext& context, Place rule, const Value& before) {
  const Place spec = rule.Child("spec");
  const Value* then = FindAt(before, "spec", "taint");
  if (!spec.Has("taint") || then == nullptr) return {};
  const Place taint = spec.Child("taint");
  const bool is_time_kept = taint.Text("timeAdded") == TextAt(*then, "timeAdded");
  const bool is_other = taint.Text("effect") != TextAt(*then, "effect") ||
                        taint.Text("value") != TextAt(*then, "value");
  if (is_other && is_time_kept) taint.Remove("timeAdded");
  SetTimeAdded(context, taint);
  return {};
}

api::Answer<void> CreateSlice(const StrategyContext& context, Place slice) {
  const Place spec = slice.Child("spec");
  SetTimesAdded(context, spec);
  Value* devices = spec.Find("devices");
  if (devices == nullptr) return {};
  const api::TypeDesc* type = spec.ItemType("devices");
  for (Value& device : devices->items()) {
    SetTimesAdded(context, Place(slice.document(), device, type));
  }
  return {};
}

api::Answer<void> UpdateSlice(const StrategyContext& context, Place slice, const Value&) {
  return CreateSlice(context, slice);
}

// What a driver reported about a device goes when the claim lets go of it.
api::Answer<void> UpdateResourceClaimStatus(const StrategyContext&, Place claim,
                                            const Value& before) {
  const Place status = claim.Child("status");
  Value* reported = status.Find("devices");
  if (reported == nullptr) return {};
  std::set<DeviceId> released = AllocatedDevices(before.Find("status"));
  for (const DeviceId& kept : AllocatedDevices(&status.value())) released.erase(kept);
  const auto items = reported->items();
  const auto gone = std::ranges::remove_if(
      items, [&](const Value& device) { return released.contains(IdOf(device)); });
  codec::Document::Truncate(*reported, items.size() - gone.size());
  if (reported->items().empty()) status.Remove("devices");
  return {};
}

}  // namespace plimsoll::apiserver::kinds

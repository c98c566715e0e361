#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "apiserver/strategy/kinds.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

/// Identifies a device in the allocation or the status of a claim.
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

/// `timeAdded` of the taints of a slice, by device, key, value and effect.
using TaintTimes = std::map<std::array<std::string_view, 4>, std::string_view>;

std::array<std::string_view, 4> KeyOf(std::string_view device, const Value& taint) {
  return {device, TextAt(taint, "key"), TextAt(taint, "value"), TextAt(taint, "effect")};
}

TaintTimes TimesOf(const Value* slice) {
  TaintTimes times;
  const auto add = [&](std::string_view device, const Value& taint) {
    const std::string_view time = TextAt(taint, "timeAdded");
    if (!time.empty()) times.emplace(KeyOf(device, taint), time);
  };
  const auto visit = [&](const Value* list, auto each) {
    if (list == nullptr) return;
    for (const Value& item : list->items()) each(item);
  };
  const Value* const spec = slice == nullptr ? nullptr : slice->Find("spec");
  if (spec == nullptr) return times;
  visit(spec->Find("devices"), [&](const Value& device) {
    visit(device.Find("taints"), [&](const Value& taint) { add(TextAt(device, "name"), taint); });
  });
  visit(spec->Find("taints"), [&](const Value& item) {
    if (const Value* const taint = item.Find("taint")) add(TextAt(item, "device"), *taint);
  });
  return times;
}

void SetTimeAdded(const StrategyContext& context, const ObjectEditor& taint) {
  if (!taint.Has("timeAdded")) {
    taint.SetText("timeAdded", FormatTime(RoundUpToSecond(context.now)));
  }
}

/// A taint that the driver publishes again without a time keeps its timeAdded.
void SetTimesAdded(const StrategyContext& context, const ObjectEditor& slice, const Value* before) {
  const TaintTimes times = TimesOf(before);
  const ObjectEditor spec = slice.Child("spec");
  const auto set = [&](std::string_view device, const ObjectEditor& taint) {
    const auto known = times.find(KeyOf(device, taint.value()));
    if (!taint.Has("timeAdded") && known != times.end()) {
      taint.SetText("timeAdded", known->second);
    }
    SetTimeAdded(context, taint);
  };
  const auto visit = [&](const ObjectEditor& holder, auto each) {
    Value* const items = holder.Find("taints");
    if (items == nullptr) return;
    for (Value& item : items->items()) {
      each(ObjectEditor(holder.document(), item, holder.ItemType("taints")));
    }
  };
  visit(spec, [&](const ObjectEditor& item) {
    if (item.Has("taint")) set(item.Text("device"), item.Child("taint"));
  });
  Value* const devices = spec.Find("devices");
  if (devices == nullptr) return;
  for (Value& device : devices->items()) {
    visit(ObjectEditor(slice.document(), device, spec.ItemType("devices")),
          [&](const ObjectEditor& taint) { set(TextAt(device, "name"), taint); });
  }
}

}  // namespace

api::Answer<void> CreateTaintRule(const StrategyContext& context, ObjectEditor rule) {
  const ObjectEditor spec = rule.Child("spec");
  if (spec.Has("taint")) SetTimeAdded(context, spec.Child("taint"));
  return {};
}

// timeAdded is the start of the taint's current state: a new effect or value sets it again.
api::Answer<void> UpdateTaintRule(const StrategyContext& context, ObjectEditor rule,
                                  const Value& before) {
  const ObjectEditor spec = rule.Child("spec");
  const Value* then = FindAt(before, "spec", "taint");
  if (!spec.Has("taint") || then == nullptr) return {};
  const ObjectEditor taint = spec.Child("taint");
  const bool is_time_kept = taint.Text("timeAdded") == TextAt(*then, "timeAdded");
  const bool is_other = taint.Text("effect") != TextAt(*then, "effect") ||
                        taint.Text("value") != TextAt(*then, "value");
  if (is_other && is_time_kept) taint.Remove("timeAdded");
  SetTimeAdded(context, taint);
  return {};
}

api::Answer<void> CreateSlice(const StrategyContext& context, ObjectEditor slice) {
  SetTimesAdded(context, slice, nullptr);
  return {};
}

api::Answer<void> UpdateSlice(const StrategyContext& context, ObjectEditor slice,
                              const Value& before) {
  SetTimesAdded(context, slice, &before);
  return {};
}

// Removes the driver's status of devices that the claim has released.
api::Answer<void> UpdateResourceClaimStatus(const StrategyContext&, ObjectEditor claim,
                                            const Value& before) {
  const ObjectEditor status = claim.Child("status");
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

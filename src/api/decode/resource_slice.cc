#include <algorithm>

#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {
namespace {

namespace resource = fields::resource_v1;

}  // namespace

void Decode(const codec::Value& tree, DeviceTaint& out) {
  using F = resource::DeviceTaint;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kValue, out.value},
               FieldTarget{F::kEffect, out.effect}, FieldTarget{F::kTimeAdded, out.time_added},
               FieldTarget{F::kDescription, out.description},
               FieldTarget{F::kEvictionsPerSecond, out.evictions_per_second});
}

namespace {

void Decode(const codec::Value& tree, cel::VersionText& out) { out.text = tree.text(); }

template <class T>
void DecodeAlternative(const codec::Value& tree, cel::AttributeValue& out) {
  api::Decode(tree, out.emplace<T>());
}

void DecodeVersions(const codec::Value& tree, std::vector<cel::VersionText>& out) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) Decode(item, out.emplace_back());
}

void DecodeBools(const codec::Value& tree, std::vector<bool>& out) {
  for (const codec::Value& item : tree.items()) out.push_back(item.AsBool());
}

void DecodeAttribute(const codec::Value& tree, cel::AttributeValue& out) {
  using F = resource::DeviceAttribute;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kInt:
        DecodeAlternative<std::int64_t>(value, out);
        break;
      case F::kBool:
        DecodeAlternative<bool>(value, out);
        break;
      case F::kString:
        DecodeAlternative<std::string_view>(value, out);
        break;
      case F::kVersion:
        Decode(value, out.emplace<cel::VersionText>());
        break;
      case F::kInts:
        DecodeAlternative<std::vector<std::int64_t>>(value, out);
        break;
      case F::kBools:
        DecodeBools(value, out.emplace<std::vector<bool>>());
        break;
      case F::kStrings:
        DecodeAlternative<std::vector<std::string_view>>(value, out);
        break;
      case F::kVersions:
        DecodeVersions(value, out.emplace<std::vector<cel::VersionText>>());
        break;
      default:
        break;
    }
  }
}

void DecodeAttributes(const codec::Value& tree, std::vector<cel::DeviceAttribute>& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    DecodeAttribute(member.value, out.emplace_back(member.key).value);
  }
  std::ranges::sort(out, {}, &cel::DeviceAttribute::name);
}

void Decode(const codec::Value& tree, CapacityRange& out) {
  using F = resource::CapacityRequestPolicyRange;
  DecodeFields(tree, FieldTarget{F::kMin, out.min}, FieldTarget{F::kMax, out.max},
               FieldTarget{F::kStep, out.step});
}

void DecodePolicy(const codec::Value& tree, CapacityRequestPolicy& out) {
  using F = resource::CapacityRequestPolicy;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kDefault:
        api::Decode(value, out.default_);
        break;
      case F::kValidValues:
        api::Decode(value, out.valid_values);
        break;
      case F::kValidRange:
        Decode(value, out.valid_range.emplace());
        break;
      default:
        break;
    }
  }
}

void DecodeCapacity(const codec::Value& tree, Device& out) {
  using F = resource::DeviceCapacity;
  out.facts.capacity.reserve(tree.members().size());
  for (const codec::Member& capacity : tree.members()) {
    cel::DeviceCapacity& amount = out.facts.capacity.emplace_back(capacity.key);
    for (const codec::Member& member : capacity.value.members()) {
      if (member.field == F::kValue) api::Decode(member.value, amount.value);
      if (member.field == F::kRequestPolicy) {
        DecodePolicy(member.value, out.request_policies.emplace_back(capacity.key).policy);
      }
    }
  }
  std::ranges::sort(out.facts.capacity, {}, &cel::DeviceCapacity::name);
  std::ranges::sort(out.request_policies, {}, &NamedRequestPolicy::name);
}

void DecodeCounters(const codec::Value& tree, std::vector<NamedQuantity>& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& counter : tree.members()) {
    NamedQuantity& amount = out.emplace_back(counter.key);
    DecodeFields(counter.value, FieldTarget{resource::Counter::kValue, amount.value});
  }
  std::ranges::sort(out, {}, &NamedQuantity::name);
}

void DecodeConsumption(const codec::Value& tree, std::vector<CounterConsumption>& out) {
  using F = resource::DeviceCounterConsumption;
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) {
    CounterConsumption& consumption = out.emplace_back();
    for (const auto& [key, value, field] : item.members()) {
      if (field == F::kCounterSet) api::Decode(value, consumption.counter_set);
      if (field == F::kCounters) DecodeCounters(value, consumption.counters);
    }
  }
}

void DecodeCounterSets(const codec::Value& tree, std::vector<CounterSet>& out) {
  using F = resource::CounterSet;
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) {
    CounterSet& set = out.emplace_back();
    for (const auto& [key, value, field] : item.members()) {
      if (field == F::kName) api::Decode(value, set.name);
      if (field == F::kCounters) DecodeCounters(value, set.counters);
    }
  }
}

void DecodeSliceTaints(const codec::Value& tree, std::vector<SliceDeviceTaint>& out) {
  using F = resource::SliceDeviceTaint;
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) {
    SliceDeviceTaint& taint = out.emplace_back();
    DecodeFields(item, FieldTarget{F::kDevice, taint.device}, FieldTarget{F::kTaint, taint.taint});
  }
}

void DecodePool(const codec::Value& tree, ResourcePool& out) {
  using F = resource::ResourcePool;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kGeneration, out.generation},
               FieldTarget{F::kResourceSliceCount, out.resource_slice_count});
}

void DecodeSpec(const codec::Value& tree, ResourceSlice& out) {
  using F = resource::ResourceSliceSpec;
  DecodeFields(tree, FieldTarget{F::kDriver, out.driver},
               FieldTarget{F::kNodeName, out.nodes.node_name},
               FieldTarget{F::kNodeSelector, out.nodes.node_selector},
               FieldTarget{F::kAllNodes, out.nodes.all_nodes},
               FieldTarget{F::kPerDeviceNodeSelection, out.per_device_node_selection},
               FieldTarget{F::kDevices, out.devices});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kPool) DecodePool(value, out.pool);
    if (field == F::kSharedCounters) DecodeCounterSets(value, out.shared_counters);
    if (field == F::kTaints) DecodeSliceTaints(value, out.taints);
  }
  for (Device& device : out.devices) device.facts.driver = out.driver;
}

}  // namespace

void Decode(const codec::Value& tree, Device& out) {
  using F = resource::Device;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kTaints, out.taints},
               FieldTarget{F::kNodeName, out.nodes.node_name},
               FieldTarget{F::kNodeSelector, out.nodes.node_selector},
               FieldTarget{F::kAllNodes, out.nodes.all_nodes},
               FieldTarget{F::kAllowMultipleAllocations, out.facts.allow_multiple_allocations},
               FieldTarget{F::kBindsToNode, out.binds_to_node},
               FieldTarget{F::kBindingConditions, out.binding_conditions},
               FieldTarget{F::kBindingFailureConditions, out.binding_failure_conditions});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kAttributes) DecodeAttributes(value, out.facts.attributes);
    if (field == F::kCapacity) DecodeCapacity(value, out);
    if (field == F::kConsumesCounters) DecodeConsumption(value, out.consumes_counters);
  }
}

void Decode(const codec::Value& tree, ResourceSlice& out) {
  using F = resource::ResourceSlice;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.metadata);
    if (field == F::kSpec) DecodeSpec(value, out);
  }
}

}  // namespace plimsoll::api

#include <algorithm>

#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {
namespace {

namespace resource = fields::resource_v1;

template <class T>
using DecodeItem = void (*)(const codec::Value&, T&);

template <class T>
void DecodeItems(const codec::Value& tree, std::vector<T>& out, DecodeItem<T> decode) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) decode(item, out.emplace_back());
}

/// Tolerations of a request have other field numbers than those of a pod.
void DecodeDeviceToleration(const codec::Value& tree, Toleration& out) {
  using F = resource::DeviceToleration;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kOperator, out.op},
               FieldTarget{F::kValue, out.value}, FieldTarget{F::kEffect, out.effect},
               FieldTarget{F::kExpression, out.expression},
               FieldTarget{F::kTolerationSeconds, out.toleration_seconds});
}

void DecodeSelector(const codec::Value& tree, std::string_view& out) {
  for (const codec::Member& member : tree.members()) {
    if (member.field != resource::DeviceSelector::kCel) continue;
    DecodeFields(member.value, FieldTarget{resource::CELDeviceSelector::kExpression, out});
  }
}

void DecodeQuantities(const codec::Value& tree, std::vector<NamedQuantity>& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    Decode(member.value, out.emplace_back(member.key).value);
  }
  std::ranges::sort(out, {}, &NamedQuantity::name);
}

void DecodeCapacity(const codec::Value& tree, std::vector<NamedQuantity>& out) {
  for (const codec::Member& member : tree.members()) {
    if (member.field == resource::CapacityRequirements::kRequests) {
      DecodeQuantities(member.value, out);
    }
  }
}

/// Decodes the fields common to `exactly` and the elements of `firstAvailable`. F has the numbers.
template <class F>
void DecodeDetails(const codec::Value& tree, DeviceRequestDetails& out) {
  DecodeFields(tree, FieldTarget{F::kDeviceClassName, out.device_class_name},
               FieldTarget{F::kAllocationMode, out.allocation_mode},
               FieldTarget{F::kCount, out.count});
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kSelectors:
        DecodeItems(value, out.selectors, DecodeSelector);
        break;
      case F::kTolerations:
        DecodeItems(value, out.tolerations, DecodeDeviceToleration);
        out.tolerations_source = &value;
        break;
      case F::kCapacity:
        DecodeCapacity(value, out.capacity);
        break;
      default:
        break;
    }
  }
}

void DecodeExactly(const codec::Value& tree, DeviceRequestDetails& out) {
  using F = resource::ExactDeviceRequest;
  DecodeDetails<F>(tree, out);
  DecodeFields(tree, FieldTarget{F::kAdminAccess, out.admin_access});
}

void DecodeSubRequest(const codec::Value& tree, DeviceRequestDetails& out) {
  using F = resource::DeviceSubRequest;
  DecodeDetails<F>(tree, out);
  DecodeFields(tree, FieldTarget{F::kName, out.name});
}

void DecodeRequest(const codec::Value& tree, DeviceRequest& out) {
  using F = resource::DeviceRequest;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kName) Decode(value, out.name);
    if (field == F::kExactly) DecodeExactly(value, out.exactly.emplace());
    if (field == F::kFirstAvailable) DecodeItems(value, out.first_available, DecodeSubRequest);
  }
}

void DecodeConstraint(const codec::Value& tree, DeviceConstraint& out) {
  using F = resource::DeviceConstraint;
  DecodeFields(tree, FieldTarget{F::kRequests, out.requests},
               FieldTarget{F::kMatchAttribute, out.match_attribute},
               FieldTarget{F::kDistinctAttribute, out.distinct_attribute});
}

void DecodeDriver(const codec::Value& tree, std::string_view& out) {
  DecodeFields(tree, FieldTarget{resource::OpaqueDeviceConfiguration::kDriver, out});
}

void DecodeClaimConfig(const codec::Value& tree, DeviceConfig& out) {
  using F = resource::DeviceClaimConfiguration;
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kRequests) Decode(value, out.requests);
    if (field == F::kOpaque) DecodeDriver(value, out.driver);
  }
}

void DecodeClassConfig(const codec::Value& tree, DeviceConfig& out) {
  out.source = &tree;
  for (const codec::Member& member : tree.members()) {
    if (member.field == resource::DeviceClassConfiguration::kOpaque) {
      DecodeDriver(member.value, out.driver);
    }
  }
}

void DecodeResult(const codec::Value& tree, DeviceResult& out) {
  using F = resource::DeviceRequestAllocationResult;
  DecodeFields(tree, FieldTarget{F::kRequest, out.request}, FieldTarget{F::kDriver, out.driver},
               FieldTarget{F::kPool, out.pool}, FieldTarget{F::kDevice, out.device},
               FieldTarget{F::kAdminAccess, out.admin_access},
               FieldTarget{F::kShareID, out.share_id},
               FieldTarget{F::kBindingConditions, out.binding_conditions},
               FieldTarget{F::kBindingFailureConditions, out.binding_failure_conditions});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kTolerations) DecodeItems(value, out.tolerations, DecodeDeviceToleration);
    if (field == F::kConsumedCapacity) DecodeQuantities(value, out.consumed_capacity);
  }
}

void DecodeConsumer(const codec::Value& tree, ConsumerReference& out) {
  using F = resource::ResourceClaimConsumerReference;
  DecodeFields(tree, FieldTarget{F::kApiGroup, out.api_group},
               FieldTarget{F::kResource, out.resource}, FieldTarget{F::kName, out.name},
               FieldTarget{F::kUid, out.uid});
}

void DecodeCondition(const codec::Value& tree, StatusCondition& out) {
  using F = fields::meta_v1::Condition;
  DecodeFields(tree, FieldTarget{F::kType, out.type}, FieldTarget{F::kStatus, out.status});
}

void DecodeDeviceStatus(const codec::Value& tree, AllocatedDeviceStatus& out) {
  using F = resource::AllocatedDeviceStatus;
  DecodeFields(tree, FieldTarget{F::kDriver, out.driver}, FieldTarget{F::kPool, out.pool},
               FieldTarget{F::kDevice, out.device}, FieldTarget{F::kShareID, out.share_id});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kConditions) DecodeItems(value, out.conditions, DecodeCondition);
  }
}

void DecodeStatus(const codec::Value& tree, ResourceClaim& out) {
  using F = resource::ResourceClaimStatus;
  DecodeFields(tree, FieldTarget{F::kAllocation, out.allocation});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kReservedFor) DecodeItems(value, out.reserved_for, DecodeConsumer);
    if (field == F::kDevices) DecodeItems(value, out.devices, DecodeDeviceStatus);
  }
}

void DecodeClaimSpec(const codec::Value& tree, DeviceClaim& out) {
  DecodeFields(tree, FieldTarget{resource::ResourceClaimSpec::kDevices, out});
}

void DecodeTemplateSpec(const codec::Value& tree, ResourceClaimTemplate& out) {
  using F = resource::ResourceClaimTemplateSpec;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.claim_metadata);
    if (field != F::kSpec) continue;
    DecodeClaimSpec(value, out.claim_spec);
    out.claim_source = &value;
  }
}

void DecodeClassSpec(const codec::Value& tree, DeviceClass& out) {
  using F = resource::DeviceClassSpec;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kSelectors) DecodeItems(value, out.selectors, DecodeSelector);
    if (field == F::kConfig) DecodeItems(value, out.config, DecodeClassConfig);
    if (field == F::kExtendedResourceName) Decode(value, out.extended_resource_name);
  }
}

void DecodeRuleSpec(const codec::Value& tree, DeviceTaintRule& out) {
  using F = resource::DeviceTaintRuleSpec;
  DecodeFields(tree, FieldTarget{F::kDeviceSelector, out.selector},
               FieldTarget{F::kTaint, out.taint});
}

}  // namespace

void Decode(const codec::Value& tree, DeviceClaim& out) {
  using F = resource::DeviceClaim;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kRequests) DecodeItems(value, out.requests, DecodeRequest);
    if (field == F::kConstraints) DecodeItems(value, out.constraints, DecodeConstraint);
    if (field == F::kConfig) DecodeItems(value, out.config, DecodeClaimConfig);
  }
}

void Decode(const codec::Value& tree, AllocationResult& out) {
  using F = resource::AllocationResult;
  out.source = &tree;
  DecodeFields(tree, FieldTarget{F::kNodeSelector, out.node_selector},
               FieldTarget{F::kAllocationTimestamp, out.allocation_timestamp});
  for (const auto& [key, value, field] : tree.members()) {
    if (field != F::kDevices) continue;
    for (const codec::Member& member : value.members()) {
      if (member.field == resource::DeviceAllocationResult::kResults) {
        DecodeItems(member.value, out.results, DecodeResult);
      }
    }
  }
}

void Decode(const codec::Value& tree, ResourceClaim& out) {
  using F = resource::ResourceClaim;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.metadata);
    if (field == F::kStatus) DecodeStatus(value, out);
    if (field != F::kSpec) continue;
    DecodeClaimSpec(value, out.spec);
    out.source = &value;
  }
}

void Decode(const codec::Value& tree, ResourceClaimTemplate& out) {
  using F = resource::ResourceClaimTemplate;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.metadata);
    if (field == F::kSpec) DecodeTemplateSpec(value, out);
  }
}

void Decode(const codec::Value& tree, DeviceClass& out) {
  using F = resource::DeviceClass;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.metadata);
    if (field == F::kSpec) DecodeClassSpec(value, out);
  }
}

void Decode(const codec::Value& tree, DeviceTaintSelector& out) {
  using F = resource::DeviceTaintSelector;
  DecodeFields(tree, FieldTarget{F::kDriver, out.driver}, FieldTarget{F::kPool, out.pool},
               FieldTarget{F::kDevice, out.device},
               FieldTarget{F::kDeviceClassName, out.device_class_name});
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kSelectors) DecodeItems(value, out.selectors, DecodeSelector);
  }
}

void Decode(const codec::Value& tree, DeviceTaintRule& out) {
  using F = resource::DeviceTaintRule;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kMetadata) Decode(value, out.metadata);
    if (field == F::kSpec) DecodeRuleSpec(value, out);
    if (field != F::kStatus) continue;
    DecodeFields(value, FieldTarget{resource::DeviceTaintRuleStatus::kConditions, out.conditions});
  }
}

}  // namespace plimsoll::api

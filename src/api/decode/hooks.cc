#include "api/decode/hooks.h"

#include <algorithm>

#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {
namespace {

namespace resource = fields::resource_v1;

template <class T>
void DecodeAlternative(const codec::Value& tree, cel::AttributeValue& out) {
  Decode(tree, out.emplace<T>());
}

void DecodeVersion(const codec::Value& tree, cel::VersionText& out) { out.text = tree.text(); }

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
        DecodeVersion(value, out.emplace<cel::VersionText>());
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
        DecodeItems(value, out.emplace<std::vector<cel::VersionText>>(), DecodeVersion);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void DecodeUntyped(const codec::Value& tree, const TypeDesc& type, UntypedObject& out) {
  const codec::FieldId metadata = FindField(type, "metadata");
  if (metadata == codec::kUnknownField) return;
  const TypeDesc* held = type.fields[metadata].shape->type;
  if (held == nullptr || held->id != fields::meta_v1::ObjectMeta::kTypeId) return;
  for (const codec::Member& member : tree.members()) {
    if (member.field == metadata) Decode(member.value, out.metadata);
  }
}

void DecodeAttributes(const codec::Value& tree, Device& out) {
  std::vector<cel::DeviceAttribute>& attributes = out.facts.attributes;
  attributes.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    DecodeAttribute(member.value, attributes.emplace_back(member.key).value);
  }
  std::ranges::sort(attributes, {}, &cel::DeviceAttribute::name);
}

void DecodeCapacity(const codec::Value& tree, Device& out) {
  using F = resource::DeviceCapacity;
  out.facts.capacity.reserve(tree.members().size());
  for (const codec::Member& capacity : tree.members()) {
    cel::DeviceCapacity& amount = out.facts.capacity.emplace_back(capacity.key);
    for (const codec::Member& member : capacity.value.members()) {
      if (member.field == F::kValue) Decode(member.value, amount.value);
      if (member.field == F::kRequestPolicy) {
        Decode(member.value, out.request_policies.emplace_back(capacity.key).policy);
      }
    }
  }
  std::ranges::sort(out.facts.capacity, {}, &cel::DeviceCapacity::name);
  std::ranges::sort(out.request_policies, {}, &NamedRequestPolicy::name);
}

void SetDriverOfDevices(ResourceSlice& out) {
  for (Device& device : out.devices) device.facts.driver = out.driver;
}

}  // namespace plimsoll::api

#include <array>
#include <set>
#include <string>

#include "api/validation/conditions.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/device_claim.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/node_selector.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kStatus("status");
constexpr std::size_t kConsumersMax = 256;
constexpr std::size_t kResultsMax = 32;
constexpr std::size_t kConfigsMax = 64;  // class and claim together
constexpr std::size_t kConditionsMax = 8;
constexpr std::size_t kIpsMax = 16;
constexpr std::size_t kInterfaceBytesMax = 256;
constexpr std::size_t kHardwareBytesMax = 128;

/// Driver, pool, device, and the share ID of a shared device.
using DeviceKey = std::array<std::string_view, 4>;

DeviceKey KeyOf(const Value& device) {
  return {TextOf(&device, "driver"), TextOf(&device, "pool"), TextOf(&device, "device"),
          TextOf(&device, "shareID")};
}

std::string ShownKey(const DeviceKey& key) {
  return R"({"Driver":)" + GoJsonQuote(key[0]) + R"(,"Pool":)" + GoJsonQuote(key[1]) +
         R"(,"Device":)" + GoJsonQuote(key[2]) + R"(,"ShareID":)" + GoJsonQuote(key[3]) + "}";
}

void CheckConsumers(std::span<const Value> consumers, const FieldPath& at, FieldErrors& errors) {
  if (!CheckCount(consumers.size(), kConsumersMax, at, errors)) return;
  for (std::size_t i = 0; i < consumers.size(); ++i) {
    const FieldPath item_path = at[i];
    for (const std::string_view field : {"resource", "name", "uid"}) {
      if (TextOf(&consumers[i], field).empty()) errors.Required(item_path / field, "");
    }
  }
  SeenTexts uids;
  for (std::size_t i = 0; i < consumers.size(); ++i) {
    const std::string_view uid = TextOf(&consumers[i], "uid");
    if (!uids.Insert(uid)) errors.Duplicate(at[i], BadValue::TypedString(uid));
  }
}

/// Returns true if a consumer was added; a claim being deleted accepts none.
bool HasNewConsumer(std::span<const Value> now, std::span<const Value> before) {
  return std::ranges::any_of(now, [&](const Value& consumer) {
    return std::ranges::none_of(before, [&](const Value& old) { return old == consumer; });
  });
}

void CheckNetwork(const Value* data, const FieldPath& at, FieldErrors& errors) {
  if (TextOf(data, "interfaceName").size() > kInterfaceBytesMax) {
    errors.TooLong(at / "interfaceName", kInterfaceBytesMax);
  }
  if (TextOf(data, "hardwareAddress").size() > kHardwareBytesMax) {
    errors.TooLong(at / "hardwareAddress", kHardwareBytesMax);
  }
  const FieldPath ips_path = at / "ips";
  const auto ips = ItemsOf(data, "ips");
  if (!CheckCount(ips.size(), kIpsMax, ips_path, errors)) return;
  for (std::size_t i = 0; i < ips.size(); ++i) {
    AddFaults(ips_path[i], ips[i].text(), CheckCidr(ips[i].text()), errors);
  }
  CheckUnique(ips, ips_path, errors);
}

void CheckDeviceStatus(const Value& device, const std::set<DeviceKey>& allocated,
                       const FieldPath& at, FieldErrors& errors) {
  CheckDriverName(TextOf(&device, "driver"), at / "driver", errors);
  CheckPoolName(TextOf(&device, "pool"), at / "pool", errors);
  CheckShortName(TextOf(&device, "device"), at / "device", errors);
  if (const Value* const share = device.Find("shareID")) {
    CheckShareId(share->text(), at / "shareID", errors);
  }
  if (!allocated.contains(KeyOf(device))) {
    errors.Invalid(at, BadValue::Json(ShownKey(KeyOf(device))),
                   "must be an allocated device in the claim");
  }
  const FieldPath conditions_path = at / "conditions";
  const auto conditions = ItemsOf(&device, "conditions");
  CheckCount(conditions.size(), kConditionsMax, conditions_path, errors);
  ValidateConditions(conditions, conditions_path, errors);
  if (const Value* const data = device.Find("data")) {
    CheckRawObject(data, false, at / "data", errors);
  }
  CheckNetwork(device.Find("networkData"), at / "networkData", errors);
}

void CheckDeviceStatuses(const Value* status, const FieldPath& at, FieldErrors& errors) {
  std::set<DeviceKey> allocated;
  const Value* const devices = MemberOf(MemberOf(status, "allocation"), "devices");
  for (const Value& result : ItemsOf(devices, "results")) allocated.insert(KeyOf(result));
  std::set<DeviceKey> seen;
  const auto statuses = ItemsOf(status, "devices");
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    CheckDeviceStatus(statuses[i], allocated, at[i], errors);
    const DeviceKey key = KeyOf(statuses[i]);
    if (!seen.insert(key).second) errors.Duplicate(at[i], BadValue::Json(ShownKey(key)));
  }
}

void CheckResult(const Value& result, const RequestNames& names,
                 const PodValidationOptions& options, const FieldPath& at, DeviceFindings& out) {
  names.Check(TextOf(&result, "request"), at / "request", out.coded);
  CheckDriverName(TextOf(&result, "driver"), at / "driver", out.coded);
  CheckPoolName(TextOf(&result, "pool"), at / "pool", out.coded);
  CheckShortName(TextOf(&result, "device"), at / "device", out.coded);
  CheckBindingConditions(result, at, out);
  CheckDeviceTolerations(ItemsOf(&result, "tolerations"), options, at / "tolerations", out);
  if (const Value* const share = result.Find("shareID")) {
    CheckShareId(share->text(), at / "shareID", out.declared);
  }
}

void CheckAllocation(const Value& allocation, const RequestNames& names,
                     const PodValidationOptions& options, const FieldPath& at,
                     DeviceFindings& out) {
  const Value* const devices = allocation.Find("devices");
  const FieldPath devices_path = at / "devices";
  const FieldPath results_path = devices_path / "results";
  const auto results = ItemsOf(devices, "results");
  if (CheckCount(results.size(), kResultsMax, results_path, out.declared)) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      CheckResult(results[i], names, options, results_path[i], out);
    }
  }
  const FieldPath config_path = devices_path / "config";
  const auto configs = ItemsOf(devices, "config");
  if (CheckCount(configs.size(), kConfigsMax, config_path, out.declared)) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      const FieldPath item_path = config_path[i];
      CheckRequiredOneOf(TextOf(&configs[i], "source"), {"FromClaim", "FromClass"},
                         item_path / "source", out.declared);
      names.CheckList(configs[i], item_path, out);
      CheckConfiguration(configs[i], false, item_path, out);
    }
  }
  if (allocation.Find("nodeSelector") != nullptr) {
    ValidateNodeSelector(DecodedOf<NodeSelector>(&allocation, "nodeSelector"), {},
                         at / "nodeSelector", out.coded);
  }
}

}  // namespace

void ValidateResourceClaimStatus(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kReservedFor = kStatus / "reservedFor";
  const Value* const status = MemberOf(change.tree(), "status");
  const Value* const before = MemberOf(change.old_tree(), "status");
  const Value* const allocation = MemberOf(status, "allocation");
  const Value* const allocation_before = MemberOf(before, "allocation");
  const auto consumers = ItemsOf(status, "reservedFor");
  CheckConsumers(consumers, kReservedFor, errors);
  CheckDeviceStatuses(status, kStatus / "devices", errors);
  if (!consumers.empty() && allocation == nullptr) {
    errors.Forbidden(kReservedFor, "may not be specified when `allocated` is not set");
  } else if (!change.now.metadata().deletion_timestamp.empty() &&
             HasNewConsumer(consumers, ItemsOf(before, "reservedFor"))) {
    errors.Forbidden(kReservedFor,
                     "new entries may not be added while `deallocationRequested` or "
                     "`deletionTimestamp` are set");
  }
  if (allocation == nullptr) return;
  if (allocation_before != nullptr) {
    // An allocation is immutable until it is released.
    if (SameMeaning(allocation, allocation_before)) return;
    return errors.Invalid(kStatus / "allocation", BadValue::Null(),
                          "field cannot be modified once set");
  }
  const Value* const devices = MemberOf(MemberOf(change.tree(), "spec"), "devices");
  DeviceFindings out{.coded = errors};
  CheckAllocation(*allocation, RequestNames(devices),
                  DeviceTolerationOptions(change.context, devices), kStatus / "allocation", out);
  out.Finish();
}

void ValidateDeviceTaintRuleStatus(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kConditions = kStatus / "conditions";
  const auto conditions = ItemsOf(MemberOf(change.tree(), "status"), "conditions");
  ValidateConditions(conditions, kConditions, errors);
  CheckCount(conditions.size(), kConditionsMax, kConditions, errors);
}

}  // namespace plimsoll::api

#include "agent/devices/slice_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "api/meta/own_annotation.h"
#include "base/assert.h"
#include "base/fnv.h"
#include "base/time_arithmetic.h"
#include "codec/build.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::agent {
namespace {

using codec::ArrayOf;
using codec::Document;
using codec::ObjectOf;
using codec::Value;

constexpr std::string_view kContentKey = "plimsoll.io/content";
constexpr std::string_view kDeviceTaintsPrefix = "device-taints.";  // behind plimsoll.io/

std::unique_ptr<Document> Parsed(const std::string& json) {
  auto document = codec::ParseJson(json);
  PL_ASSERT(document.has_value());
  return std::move(*document);
}

/// Parses `key=value:Effect` or `key:Effect`.
std::optional<std::string> TaintFrom(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  const std::string_view mark = text.substr(0, colon);
  const std::string_view key = mark.substr(0, mark.find('='));
  if (key.empty()) return std::nullopt;
  Document document;
  Value taint = ObjectOf(document, {{"key", Value::String(key)}});
  if (key.size() < mark.size()) {
    document.Set(taint, "value", Value::String(mark.substr(key.size() + 1)));
  }
  document.Set(taint, "effect", Value::String(text.substr(colon + 1)));
  return codec::WriteJson(taint);
}

std::optional<std::vector<std::string>> TaintsFrom(std::string_view text) {
  std::vector<std::string> taints;
  if (text.starts_with('[')) {
    const auto list = codec::ParseJson(std::string(text));
    if (!list || !(*list)->root().is_array()) return std::nullopt;
    for (const Value& taint : (*list)->root().items()) {
      if (!taint.is_object()) return std::nullopt;
      taints.push_back(codec::WriteJson(taint));
    }
    return taints;
  }
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    std::optional<std::string> taint = TaintFrom(one);
    if (!taint) return std::nullopt;
    taints.push_back(std::move(*taint));
  }
  return taints;
}

const DeviceHealth* Find(const std::vector<DeviceHealth>& health, std::string_view device) {
  const auto found = std::ranges::find(health, device, &DeviceHealth::device);
  return found == health.end() ? nullptr : &*found;
}

bool HasDevice(const std::vector<HostedSlice>& slices, std::string_view name) {
  return std::ranges::any_of(slices, [&](const HostedSlice& slice) {
    const auto document = Parsed(slice.spec);
    const Value* const devices = document->root().Find("devices");
    return devices != nullptr && std::ranges::any_of(devices->items(), [&](const Value& device) {
             return TextAt(device, "name") == name;
           });
  });
}

/// Replaces the taints of devices with health, or removes them if the pool has a taint slice.
void SetInDevices(Document& document, Value& spec, const std::vector<DeviceHealth>& health,
                  bool has_taint_slice) {
  Value* const devices = spec.Find("devices");
  if (devices == nullptr) return;
  for (Value& device : devices->items()) {
    const DeviceHealth* const its = Find(health, TextAt(device, "name"));
    if (its == nullptr) continue;
    document.Remove(device, "taints");
    if (has_taint_slice || its->taints.empty()) continue;
    Value taints = document.NewArray();
    for (const std::string& taint : its->taints) {
      document.Append(taints, document.Clone(Parsed(taint)->root()));
    }
    document.Set(device, "taints", taints);
  }
}

void SetInTaints(Document& document, Value& spec, const std::vector<DeviceHealth>& health) {
  Value taints = document.NewArray();
  if (const Value* const before = spec.Find("taints")) {
    for (const Value& entry : before->items()) {
      if (Find(health, TextAt(entry, "device")) == nullptr) document.Append(taints, entry);
    }
  }
  for (const DeviceHealth& its : health) {
    for (const std::string& taint : its.taints) {
      document.Append(taints,
                      ObjectOf(document, {{"device", document.NewString(its.device)},
                                          {"taint", document.Clone(Parsed(taint)->root())}}));
    }
  }
  document.Set(spec, "taints", taints);
}

/// Returns the health of the devices in the pool.
std::vector<DeviceHealth> HealthIn(const std::vector<HostedSlice>& slices, const HostedSlice& of,
                                   const std::vector<DeviceHealth>& health) {
  std::vector<DeviceHealth> found;
  for (const HostedSlice& slice : slices) {
    if (slice.driver != of.driver || slice.pool != of.pool) continue;
    const auto document = Parsed(slice.spec);
    const Value* const devices = document->root().Find("devices");
    if (devices == nullptr) continue;
    for (const Value& device : devices->items()) {
      if (const DeviceHealth* const its = Find(health, TextAt(device, "name"))) {
        found.push_back(*its);
      }
    }
  }
  return found;
}

/// Time at which each taint of a device was added.
using TaintTimes =
    std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>,
             std::string_view>;

TaintTimes TimesOf(const ObjectPtr& stored) {
  TaintTimes times;
  if (stored == nullptr) return times;
  const auto& view = *stored->As<api::ResourceSlice>();
  const auto add = [&](std::string_view device, const api::DeviceTaint& taint) {
    times[{device, taint.key, taint.value, taint.effect}] = taint.time_added;
  };
  for (const api::Device& device : view.devices) {
    for (const api::DeviceTaint& taint : device.taints) add(device.name, taint);
  }
  for (const api::SliceDeviceTaint& taint : view.taints) add(taint.device, taint.taint);
  return times;
}

void SetTimes(Document& document, Value& spec, const TaintTimes& times, Instant now) {
  const auto set = [&](std::string_view device, Value& taint) {
    if (!TextAt(taint, "timeAdded").empty()) return;
    const auto known =
        times.find({device, TextAt(taint, "key"), TextAt(taint, "value"), TextAt(taint, "effect")});
    const bool is_known = known != times.end() && !known->second.empty();
    document.Set(taint, "timeAdded",
                 document.NewString(is_known ? std::string(known->second)
                                             : FormatTime(RoundUpToSecond(now))));
  };
  if (Value* const devices = spec.Find("devices")) {
    for (Value& device : devices->items()) {
      Value* const taints = device.Find("taints");
      if (taints == nullptr) continue;
      for (Value& taint : taints->items()) set(TextAt(device, "name"), taint);
    }
  }
  if (Value* const taints = spec.Find("taints")) {
    for (Value& entry : taints->items()) {
      if (Value* const taint = entry.Find("taint")) set(TextAt(entry, "device"), *taint);
    }
  }
}

Value OwnersOf(Document& document, const api::Object& node) {
  return ArrayOf(document, {ObjectOf(document, {{"apiVersion", Value::String("v1")},
                                                {"kind", Value::String("Node")},
                                                {"name", Value::String(node.metadata().name)},
                                                {"uid", Value::String(node.metadata().uid)},
                                                {"controller", Value::Bool(true)}})});
}

/// Returns an object of resource.k8s.io whose spec or status (`part`) is `content`.
std::string ResourceJson(Document& document, std::string_view kind, const Value& metadata,
                         std::string_view part, const Value& content) {
  return codec::WriteJson(ObjectOf(document, {{"apiVersion", Value::String("resource.k8s.io/v1")},
                                              {"kind", Value::String(kind)},
                                              {"metadata", metadata},
                                              {part, content}}));
}

/// Counts the taints in a slice's spec: its own, and those of its devices.
std::size_t CountTaints(const Value& spec) {
  const auto own = [](const Value& value) {
    const Value* const taints = value.Find("taints");
    return taints == nullptr ? 0 : taints->items().size();
  };
  std::size_t count = own(spec);
  if (const Value* const devices = spec.Find("devices")) {
    for (const Value& device : devices->items()) count += own(device);
  }
  return count;
}

Value ConditionsOf(Document& document, const std::vector<std::string_view>& types,
                   std::string_view time) {
  Value conditions = document.NewArray(types.size());
  for (const std::string_view type : types) {
    document.Append(conditions, ObjectOf(document, {{"type", Value::String(type)},
                                                    {"status", Value::String("True")},
                                                    {"reason", Value::String("Simulated")},
                                                    {"message", Value::String("")},
                                                    {"lastTransitionTime", Value::String(time)}}));
  }
  return conditions;
}

}  // namespace

std::string_view PublishedContent(const api::ResourceSlice& slice) {
  return api::FindOwnAnnotation(slice.metadata.annotations, "content").value_or(std::string_view());
}

std::vector<DeviceHealth> ReadDeviceHealth(const api::StringMap& annotations,
                                           const std::vector<HostedSlice>& slices,
                                           std::vector<std::string>& faults) {
  std::vector<DeviceHealth> health;
  for (const auto& [key, value] : annotations) {
    const std::optional<std::string_view> name = api::OwnAnnotationName(key);
    if (!name || !name->starts_with(kDeviceTaintsPrefix)) continue;
    const std::string_view device = name->substr(kDeviceTaintsPrefix.size());
    if (!HasDevice(slices, device)) {
      faults.push_back(fmt::format("annotation {}: there is no device \"{}\"", key, device));
      continue;
    }
    auto taints = TaintsFrom(value);
    if (!taints) {
      faults.push_back(fmt::format(
          "annotation {}: want taints as key=value:Effect with commas between them, or a JSON "
          "list, got \"{}\"",
          key, value));
      continue;
    }
    // The same device twice: under the deprecated prefix, and then under the current one.
    std::erase_if(health, [&](const DeviceHealth& earlier) { return earlier.device == device; });
    health.push_back({std::string(device), std::move(*taints)});
  }
  return health;
}

std::vector<SliceContent> ContentsOf(const std::vector<HostedSlice>& slices,
                                     const std::vector<DeviceHealth>& health) {
  std::vector<SliceContent> contents;
  for (const HostedSlice& slice : slices) {
    const bool has_taint_slice = std::ranges::any_of(slices, [&](const HostedSlice& other) {
      return other.is_of_taints && other.driver == slice.driver && other.pool == slice.pool;
    });
    const auto document = Parsed(slice.spec);
    if (slice.is_of_taints) {
      SetInTaints(*document, document->root(), HealthIn(slices, slice, health));
    } else {
      SetInDevices(*document, document->root(), health, has_taint_slice);
    }
    std::string spec = codec::WriteJson(document->root());
    std::string fingerprint = fmt::format("{:016x}", Fnv1a(spec));
    const std::size_t taints = CountTaints(document->root());
    contents.push_back({std::move(spec), std::move(fingerprint), taints});
  }
  return contents;
}

std::size_t CountTaints(const api::ResourceSlice& slice) {
  std::size_t count = slice.taints.size();
  for (const api::Device& device : slice.devices) count += device.taints.size();
  return count;
}

std::string SliceJson(std::string_view name, const api::Object& node, const HostedSlice& slice,
                      const SliceContent& content, const PoolNumbers& pool, const ObjectPtr& stored,
                      Instant now) {
  const auto parsed = Parsed(content.spec);
  Document& document = *parsed;
  Value spec = document.root();
  SetTimes(document, spec, TimesOf(stored), now);
  document.Set(spec, "driver", Value::String(slice.driver));
  document.Set(spec, "pool",
               ObjectOf(document, {{"name", Value::String(slice.pool)},
                                   {"generation", Value::Int(pool.generation)},
                                   {"resourceSliceCount", Value::Int(pool.slices)}}));
  const Value annotations = ObjectOf(document, {{kContentKey, Value::String(content.fingerprint)}});
  const Value metadata = ObjectOf(document, {{"name", Value::String(name)},
                                             {"annotations", annotations},
                                             {"ownerReferences", OwnersOf(document, node)}});
  return ResourceJson(document, "ResourceSlice", metadata, "spec", spec);
}

std::string BindingJson(const api::Object& claim, const std::vector<BindingReport>& reports,
                        Instant now) {
  const auto& view = *claim.As<api::ResourceClaim>();
  Document document;
  const std::string time = FormatTime(RoundUpToSecond(now));
  Value devices = document.NewArray(reports.size());
  for (const BindingReport& report : reports) {
    const api::DeviceResult& result = view.allocation->results[report.place];
    Value device = ObjectOf(document, {{"driver", Value::String(result.driver)},
                                       {"pool", Value::String(result.pool)},
                                       {"device", Value::String(result.device)}});
    if (!result.share_id.empty()) {
      document.Set(device, "shareID", Value::String(result.share_id));
    }
    document.Set(device, "conditions",
                 ConditionsOf(document,
                              report.has_failed ? result.binding_failure_conditions
                                                : result.binding_conditions,
                              time));
    document.Append(devices, device);
  }
  const Value metadata = ObjectOf(document, {{"name", Value::String(view.metadata.name)},
                                             {"namespace", Value::String(view.metadata.namespace_)},
                                             {"uid", Value::String(view.metadata.uid)}});
  return ResourceJson(document, "ResourceClaim", metadata, "status",
                      ObjectOf(document, {{"devices", devices}}));
}

}  // namespace plimsoll::agent

#include <memory>
#include <vector>

#include "api/object.h"
#include "dra/allocator.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Decodes the objects of a case without defaults, like the program that recorded upstream.
class CaseObjects {
 public:
  explicit CaseObjects(Case& one) : one_(one) {}

  ObjectPtr Decode(codec::Value& tree, std::string_view group, std::string_view kind) {
    const std::shared_ptr<codec::Document> document(std::shared_ptr<void>(), &one_.document);
    const api::ObjectSource source{
        .tree = &tree, .path = {}, .implied_kind = api::FindKind(group, "v1", kind)};
    auto decoded = api::DecodeObject(
        document, source,
        {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
    if (decoded) return decoded->object;
    fault_ = std::string(kind) + ": " + decoded.error().message;
    return nullptr;
  }
  std::vector<ObjectPtr> DecodeAll(std::string_view member, std::string_view kind) {
    std::vector<ObjectPtr> objects;
    codec::Value* const items = one_.input.Find(member);
    if (items == nullptr) return objects;
    for (codec::Value& item : items->items()) {
      if (ObjectPtr object = Decode(item, "resource.k8s.io", kind)) objects.push_back(object);
    }
    return objects;
  }
  const Mismatch& fault() const { return fault_; }

 private:
  Case& one_;
  Mismatch fault_;
};

/// Returns the allocation of one device, given as `driver/pool/device`.
api::AllocationResult HeldDevice(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  api::AllocationResult held;
  api::DeviceResult& result = held.results.emplace_back();
  result.driver = text.substr(0, first);
  result.pool = text.substr(first + 1, last - first - 1);
  result.device = text.substr(last + 1);
  return held;
}

Mismatch CompareOutcome(const codec::Value& expect, dra::Allocator::Outcome& outcome) {
  using Answer = dra::Allocator::Answer;
  const codec::Value* const error = expect.Find("error");
  if (auto differs = Differ("error", error == nullptr ? "" : error->text(), outcome.error)) {
    return differs;
  }
  if (error != nullptr) {
    const codec::Value* const only_here = expect.Find("onlyThisNode");
    const bool want = only_here != nullptr && only_here->AsBool();
    return want == outcome.only_this_node ? std::nullopt : Mismatch("onlyThisNode differs");
  }
  const codec::Value* const results = expect.Find("results");
  const bool is_wanted = results != nullptr;
  if (is_wanted != (outcome.answer == Answer::Possible)) {
    return is_wanted ? "want an allocation, got none" : "want no allocation, got one";
  }
  if (!is_wanted) return std::nullopt;
  std::string got;
  for (dra::Allocation& allocation : outcome.allocations) {
    for (api::DeviceResult& result : allocation.result.results) {
      if (!result.share_id.empty()) result.share_id = "<shareID>";  // share ids are random
    }
    got += got.empty() ? "[" : ",";
    got += allocation.ToJson();
  }
  return DifferJson("results", *results, got + "]");
}

Mismatch CheckAllocation(Case& one) {
  CaseObjects objects(one);
  const dra::DeviceSelectors selectors;
  dra::SliceTracker tracker(selectors, {});
  const match::TolerationTimeRules rules{
      .match = {.comparison = true, .semver = false, .evaluator = nullptr}};
  dra::Allocator allocator(tracker, selectors, rules);

  codec::Value* const node = one.input.Find("node");
  if (node == nullptr) return "a case needs a node";
  allocator.SetNode(0, objects.Decode(*node, "", "Node"));
  for (const ObjectPtr& device_class : objects.DecodeAll("deviceClasses", "DeviceClass")) {
    allocator.Observe(api::ObjectChanged{nullptr, device_class});
  }
  for (const ObjectPtr& slice : objects.DecodeAll("resourceSlices", "ResourceSlice")) {
    allocator.Observe(tracker.Observe({nullptr, slice}));
  }
  if (const codec::Value* const held = one.input.Find("allocatedDevices")) {
    for (const codec::Value& device : held->items()) {
      const api::AllocationResult allocation = HeldDevice(device.text());
      allocator.SetAllocation(device.text(), &allocation);
    }
  }
  const dra::ClaimSet claims = allocator.Compile(objects.DecodeAll("claims", "ResourceClaim"));
  if (objects.fault()) return objects.fault();
  const dra::Allocator::Answer asked = allocator.CheckNode(claims, 0);
  Random random(1);
  dra::Allocator::Outcome outcome = allocator.Allocate(claims, 0, random);
  if (asked != outcome.answer) return "Ask and Allocate differ";
  return CompareOutcome(one.expect, outcome);
}

constexpr Check kChecks[] = {{"dra_allocate", CheckAllocation}};

}  // namespace

std::span<const Check> DeviceAllocationChecks() { return kChecks; }

}  // namespace plimsoll::golden

// Allocates devices for arbitrary slices, classes and claims. Ask and Allocate must give the same
// answer, and no device may be given out twice. The allocation in a claim's status must be
// readable.
//
// Input: a List of ResourceSlices, DeviceClasses and ResourceClaims as JSON. Claims with an
// allocation hold their devices; the other claims are to be allocated together.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/object.h"
#include "base/assert.h"
#include "base/random.h"
#include "codec/json.h"
#include "cost_bound.h"
#include "dra/allocator.h"

namespace {

using plimsoll::api::DeviceResult;
using plimsoll::dra::Allocator;
using ObjectPtr = std::shared_ptr<const plimsoll::api::Object>;
using DeviceName = std::tuple<std::string_view, std::string_view, std::string_view>;

std::vector<ObjectPtr> Decode(const std::string& text) {
  std::vector<ObjectPtr> objects;
  auto parsed = plimsoll::codec::ParseJson(text);
  if (!parsed) return objects;
  const std::shared_ptr<plimsoll::codec::Document> document = *std::move(parsed);
  for (const auto& source : plimsoll::api::FindObjects(*document)) {
    if (auto decoded = plimsoll::api::DecodeObject(document, source)) {
      objects.push_back(decoded->object);
    }
  }
  return objects;
}

ObjectPtr Node() {
  return Decode(
             R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","labels":{"zone":"a"}}})")
      .front();
}

void CheckFound(const Allocator::Outcome& outcome, std::set<DeviceName> taken) {
  for (const plimsoll::dra::Allocation& allocation : outcome.allocations) {
    PL_ASSERT(plimsoll::codec::ParseJson(allocation.ToJson()).has_value());
    for (const DeviceResult& result : allocation.result.results) {
      if (result.admin_access || !result.share_id.empty()) continue;
      PL_ASSERT(taken.emplace(result.driver, result.pool, result.device).second);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 64u << 20, .milliseconds_min = 3000});
  const std::vector<ObjectPtr> objects = Decode({reinterpret_cast<const char*>(data), size});
  const plimsoll::dra::DeviceSelectors selectors;
  plimsoll::dra::SliceTracker tracker(selectors, {});
  plimsoll::dra::SearchLimits limits;
  limits.steps_max = 20'000;
  Allocator allocator(tracker, selectors, plimsoll::match::TolerationTimeRules{}, limits);
  allocator.SetNode(0, Node());
  std::vector<ObjectPtr> claims;
  std::set<DeviceName> taken;
  for (const ObjectPtr& object : objects) {
    const plimsoll::api::ObjectChanged news{nullptr, object};
    allocator.Observe(tracker.Observe(news));
    allocator.Observe(news);
    const auto* const claim = object->As<plimsoll::api::ResourceClaim>();
    if (claim == nullptr) continue;
    if (!claim->allocation) {
      claims.push_back(object);
      continue;
    }
    allocator.SetAllocation(std::to_string(taken.size()), &*claim->allocation);
    for (const DeviceResult& result : claim->allocation->results) {
      if (result.admin_access || !result.share_id.empty()) continue;
      taken.emplace(result.driver, result.pool, result.device);
    }
  }
  const plimsoll::dra::ClaimSet set = allocator.Compile(claims);
  plimsoll::Random random(1);
  const Allocator::Outcome outcome = allocator.Allocate(set, 0, random);
  PL_ASSERT(allocator.CheckNode(set, 0) == outcome.answer);
  if (outcome.answer == Allocator::Answer::Impossible) {
    for (const auto& request : allocator.Diagnose(set, 0).requests) {
      PL_ASSERT(request.usable <= request.devices.size());
    }
  }
  CheckFound(outcome, std::move(taken));
  return 0;
}

#include "apiserver/strategy/qos.h"

#include <array>
#include <optional>

#include "base/quantity.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

/// Only these resources determine the QoS class.
constexpr std::array<std::string_view, 2> kResources = {"cpu", "memory"};

/// Sums of requests or limits per resource; nullopt if none is above zero.
using Sums = std::array<std::optional<Quantity>, kResources.size()>;

/// Adds the amounts of a container. Returns false unless it has a positive one of each resource.
bool AddAmounts(const Value* amounts, Sums& sums) {
  bool has_all = true;
  for (std::size_t i = 0; i < kResources.size(); ++i) {
    const Value* text = amounts == nullptr ? nullptr : amounts->Find(kResources[i]);
    const Result<Quantity> amount =
        text == nullptr ? Quantity() : Quantity::FromScalar(text->text());
    if (!amount || amount->sign() <= 0) {
      has_all = false;
    } else if (sums[i]) {
      sums[i]->Add(*amount);
    } else {
      sums[i] = *amount;
    }
  }
  return has_all;
}

struct Totals {
  Sums requests;
  Sums limits;
  bool are_all_limited = true;

  void Add(const Value& resources) {
    AddAmounts(resources.Find("requests"), requests);
    are_all_limited &= AddAmounts(resources.Find("limits"), limits);
  }
};

void AddContainers(const Value& spec, std::string_view list, Totals& totals) {
  const Value* containers = spec.Find(list);
  if (containers == nullptr) return;
  for (const Value& container : containers->items()) {
    const Value* resources = container.Find("resources");
    totals.Add(resources == nullptr ? Value() : *resources);
  }
}

bool IsEmpty(const Sums& sums) { return !sums[0] && !sums[1]; }

}  // namespace

std::string_view QosClassOf(const Value& pod_spec) {
  Totals totals;
  // Pod-level resources replace those of the containers.
  const Value* whole = pod_spec.Find("resources");
  if (whole != nullptr &&
      (whole->Find("requests") != nullptr || whole->Find("limits") != nullptr)) {
    totals.Add(*whole);
  } else {
    AddContainers(pod_spec, "containers", totals);
    AddContainers(pod_spec, "initContainers", totals);
  }
  if (IsEmpty(totals.requests) && IsEmpty(totals.limits)) return "BestEffort";
  return totals.are_all_limited && totals.requests == totals.limits ? "Guaranteed" : "Burstable";
}

}  // namespace plimsoll::apiserver

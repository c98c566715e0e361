#include "controller/workload/deletion_rank.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/go_text.h"
#include "base/time_arithmetic.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

std::int64_t DeletionCost(const OwnedPod& pod) {
  const auto text = pod.metadata().annotations.Find(kDeletionCost);
  if (!text) return 0;
  const Result<std::int64_t> cost = GoParseInt(*text);
  return cost && *cost >= INT32_MIN && *cost <= INT32_MAX ? *cost : 0;
}

std::int64_t MaxRestarts(const OwnedPod& pod) {
  std::int64_t most = 0;
  const codec::Value* const statuses = FindAt(pod.object->tree(), {"status", "containerStatuses"});
  if (statuses == nullptr) return 0;
  for (const codec::Value& status : statuses->items()) {
    most = std::max(most, IntAt(status, {"restartCount"}));
  }
  return most;
}

/// Returns the logarithm of an age to base 2; -1 for times in the future.
std::int64_t AgeRank(Instant since, Instant now) {
  const Duration age = TimeBetween(since, now);
  if (age <= Duration::zero()) return -1;
  return static_cast<std::int64_t>(std::log2(static_cast<double>(age.count())));
}

struct DeletionKey {
  // Compared first; the smaller is deleted first.
  std::tuple<bool, PodPhase, bool, std::int64_t, std::int64_t> first;
  Instant ready_since;
  Instant created;
  std::int64_t restarts = 0;
  std::string_view uid;
  RankedPod pod;
};

/// Returns true if `a` is younger; nothing if the times are equal. Unset counts as youngest.
std::optional<bool> YoungerFirst(Instant a, Instant b, const DeletionKey& of_a,
                                 const DeletionKey& of_b, Instant now) {
  if (a == b) return std::nullopt;
  if (a == Instant() || b == Instant()) return a == Instant();
  const std::int64_t difference = AgeRank(a, now) - AgeRank(b, now);
  return difference == 0 ? of_a.uid < of_b.uid : difference < 0;
}

bool GoesFirst(const DeletionKey& a, const DeletionKey& b, Instant now) {
  if (a.first != b.first) return a.first < b.first;
  if (a.pod.pod->is_ready) {
    const auto younger = YoungerFirst(a.ready_since, b.ready_since, a, b, now);
    if (younger) return *younger;
  }
  if (a.restarts != b.restarts) return a.restarts > b.restarts;
  return YoungerFirst(a.created, b.created, a, b, now).value_or(false);
}

}  // namespace

void SortForDeletion(std::vector<RankedPod>& pods, Instant now) {
  std::vector<DeletionKey> keys;
  keys.reserve(pods.size());
  for (const RankedPod& ranked : pods) {
    const OwnedPod& pod = *ranked.pod;
    keys.push_back({{!pod.view().spec.node_name.empty(), pod.phase, pod.is_ready, DeletionCost(pod),
                     -ranked.rank},
                    pod.ready_since,
                    CreationTime(pod.metadata()),
                    MaxRestarts(pod),
                    pod.metadata().uid,
                    ranked});
  }
  // Upstream's order is not transitive where uids break ties. A merge sort tolerates that.
  std::ranges::stable_sort(
      keys, [&](const DeletionKey& a, const DeletionKey& b) { return GoesFirst(a, b, now); });
  for (std::size_t i = 0; i < keys.size(); ++i) pods[i] = keys[i].pod;
}

}  // namespace plimsoll::controller

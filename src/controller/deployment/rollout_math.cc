#include "controller/deployment/rollout_math.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/go_text.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

bool IsOlder(const RolloutSet* a, const RolloutSet* b) {
  return a->created != b->created ? a->created < b->created : a->name() < b->name();
}

/// Returns the change of the set's size if it is scaled in proportion to the Deployment.
std::int64_t Fraction(const RolloutSet& set, const RolloutSpec& spec, std::int64_t actual_total) {
  if (spec.replicas == 0) return -set.replicas;
  const std::int64_t before = AnnotatedNumber(*set.object, kMaxReplicas).value_or(actual_total);
  if (before == 0) return 0;
  const double size =
      static_cast<double>(set.replicas * spec.max_replicas()) / static_cast<double>(before);
  return std::llround(size) - set.replicas;
}

std::int64_t TotalWanted(const RolloutSets& sets) {
  std::int64_t total = 0;
  for (const RolloutSet* const set : sets) total += set->want;
  return total;
}

}  // namespace

RolloutSpec ReadRolloutSpec(const api::Object& deployment) {
  const codec::Value& tree = deployment.tree();
  RolloutSpec spec;
  spec.replicas = IntAt(tree, {"spec", "replicas"}, 1);
  spec.is_rolling = TextAt(tree, {"spec", "strategy", "type"}) != "Recreate";
  spec.is_paused = BoolAt(tree, {"spec", "paused"});
  spec.min_ready_seconds = IntAt(tree, {"spec", "minReadySeconds"});
  spec.revision_history_limit = IntAt(tree, {"spec", "revisionHistoryLimit"}, INT32_MAX);
  spec.progress_deadline_seconds = IntAt(tree, {"spec", "progressDeadlineSeconds"}, INT32_MAX);
  if (!spec.is_rolling) return spec;
  spec.max_surge = ScaledAt(tree, {"spec", "strategy", "rollingUpdate", "maxSurge"}, spec.replicas,
                            Rounding::Up, 0);
  std::int64_t unavailable = ScaledAt(tree, {"spec", "strategy", "rollingUpdate", "maxUnavailable"},
                                      spec.replicas, Rounding::Down, 0);
  // If both were 0, the rollout could never progress.
  if (spec.max_surge == 0 && unavailable == 0) unavailable = 1;
  spec.max_unavailable = std::min(unavailable, spec.replicas);
  return spec;
}

std::optional<std::int64_t> AnnotatedNumber(const api::Object& object, std::string_view key) {
  const auto text = object.metadata().annotations.Find(key);
  if (!text) return std::nullopt;
  const Result<std::int64_t> number = GoParseInt(*text);
  return number ? std::optional(*number) : std::nullopt;
}

RolloutSet ReadRolloutSet(const ObjectPtr& set) {
  const codec::Value& tree = set->tree();
  RolloutSet read;
  read.object = set;
  read.replicas = read.want = IntAt(tree, {"spec", "replicas"}, 1);
  read.actual = IntAt(tree, {"status", "replicas"});
  read.ready = IntAt(tree, {"status", "readyReplicas"});
  read.available = IntAt(tree, {"status", "availableReplicas"});
  read.terminating = IntAt(tree, {"status", "terminatingReplicas"});
  read.revision = AnnotatedNumber(*set, kRevision).value_or(0);
  read.created = CreationTime(set->metadata());
  return read;
}

std::int64_t NewSetReplicas(const RolloutSpec& spec, const RolloutSets& all,
                            std::int64_t new_replicas) {
  if (!spec.is_rolling) return spec.replicas;
  const std::int64_t room = spec.max_replicas() - TotalWanted(all);
  if (room <= 0) return new_replicas;
  return new_replicas + std::min(room, spec.replicas - new_replicas);
}

bool ScaleDownOld(const RolloutSpec& spec, RolloutSets old_sets, const RolloutSet& new_set) {
  std::erase_if(old_sets, [](const RolloutSet* set) { return set->want == 0; });
  std::ranges::sort(old_sets, IsOlder);
  const std::int64_t total_old = TotalWanted(old_sets);
  const std::int64_t min_available = spec.replicas - spec.max_unavailable;
  // Unavailable replicas of the new set may never become available, so they do not count.
  std::int64_t spare =
      total_old + new_set.want - min_available - (new_set.want - new_set.available);
  if (total_old == 0 || spare <= 0) return false;
  for (RolloutSet* const set : old_sets) {
    const std::int64_t gone = std::clamp<std::int64_t>(set->want - set->available, 0, spare);
    set->want -= gone;
    spare -= gone;
  }
  std::int64_t surplus = new_set.available - min_available;
  for (const RolloutSet* const set : old_sets) surplus += set->available;
  for (RolloutSet* const set : old_sets) {
    const std::int64_t gone = std::clamp<std::int64_t>(surplus, 0, set->want);
    set->want -= gone;
    surplus -= gone;
  }
  return TotalWanted(old_sets) != total_old;
}

void ScaleProportionally(const RolloutSpec& spec, RolloutSets active, std::int64_t actual_total) {
  const std::int64_t allowed = spec.replicas > 0 ? spec.max_replicas() : 0;
  const std::int64_t to_add = allowed - TotalWanted(active);
  if (active.empty() || to_add == 0) return;
  std::ranges::sort(active, [&](const RolloutSet* a, const RolloutSet* b) {
    if (a->replicas != b->replicas) return a->replicas > b->replicas;
    return to_add > 0 ? IsOlder(b, a) : IsOlder(a, b);
  });
  std::int64_t added = 0;
  for (RolloutSet* const set : active) {
    if (set->replicas == 0 || added == to_add) continue;
    const std::int64_t rest = to_add - added;
    const std::int64_t fraction = Fraction(*set, spec, actual_total);
    const std::int64_t share = to_add > 0 ? std::min(fraction, rest) : std::max(fraction, rest);
    set->want += share;
    added += share;
  }
  active.front()->want = std::max<std::int64_t>(0, active.front()->want + to_add - added);
}

}  // namespace plimsoll::controller

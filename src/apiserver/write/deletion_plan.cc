#include "apiserver/write/deletion_plan.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/pod_phase.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver {
namespace {

using api::ObjectMeta;
using codec::Value;
using Step = DeletionPlan::Step;

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

bool Has(const std::vector<std::string_view>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// Finalizers that the object must have until its dependents are handled. The options of the delete
/// come first, then the finalizers of the object, then the default of the kind.
struct Dependents {
  bool is_orphaning = false;
  bool is_foreground = false;
};

Dependents Decide(const Strategy& strategy, const ObjectMeta& meta, const DeleteOptions& options) {
  if (strategy.dependents == DependentsRule::Unsupported) return {};
  if (options.orphan_dependents) return {*options.orphan_dependents, false};
  if (options.propagation_policy) {
    return {*options.propagation_policy == "Orphan", *options.propagation_policy == "Foreground"};
  }
  for (const std::string_view finalizer : meta.finalizers) {
    if (finalizer == kOrphan) return {true, false};
    if (finalizer == kForeground) return {false, true};
  }
  return {strategy.dependents == DependentsRule::Orphan, false};
}

std::vector<std::string_view> NewFinalizers(const Strategy& strategy, const ObjectMeta& meta,
                                            const DeleteOptions& options) {
  const Dependents wanted = Decide(strategy, meta, options);
  if (wanted.is_orphaning == Has(meta.finalizers, kOrphan) &&
      wanted.is_foreground == Has(meta.finalizers, kForeground)) {
    return meta.finalizers;
  }
  std::vector<std::string_view> out;
  for (const std::string_view finalizer : meta.finalizers) {
    if (finalizer != kOrphan && finalizer != kForeground) out.push_back(finalizer);
  }
  if (wanted.is_orphaning) out.push_back(kOrphan);
  if (wanted.is_foreground) out.push_back(kForeground);
  return out;
}

/// Returns the grace period of a pod in seconds.
std::int64_t PodGrace(const api::Object& object, const DeleteOptions& options) {
  const Value& tree = object.tree();
  if (TextAt(tree, "spec", "nodeName").empty()) return 0;
  if (api::IsPodPhaseTerminal(TextAt(tree, "status", "phase"))) return 0;
  std::int64_t seconds = 0;
  if (options.grace_period_seconds) {
    seconds = *options.grace_period_seconds;
  } else if (const Value* own = FindAt(tree, "spec", "terminationGracePeriodSeconds")) {
    seconds = own->AsInt();
  }
  return seconds < 0 ? 1 : seconds;
}

/// Limits the grace period to a century: a client may send any number, but an Instant ends in the
/// year 2262. Affects only deletionTimestamp.
std::chrono::seconds GraceOf(std::int64_t seconds) {
  constexpr std::int64_t kCentury = 100LL * 365 * 24 * 3600;
  return std::chrono::seconds(std::min(seconds, kCentury));
}

/// Deletion deadline of an object, if the delete sets one.
struct Deadline {
  bool is_pending = false;  // has a deadline that the delete does not change
  bool is_first = false;
  std::optional<std::int64_t> grace_seconds;
  Instant at{};
};

Deadline PlanDeadline(const Strategy& strategy, const api::Object& object,
                      const DeleteOptions& options, Instant now) {
  if (!strategy.deletes_gracefully) return {};
  const ObjectMeta& meta = object.metadata();
  if (meta.deletion_timestamp.empty()) {
    const std::int64_t grace = PodGrace(object, options);
    return {
        .is_pending = false, .is_first = true, .grace_seconds = grace, .at = now + GraceOf(grace)};
  }
  const std::int64_t current = meta.deletion_grace_period_seconds.value_or(0);
  if (current == 0) return {};
  // A later delete may only shorten the grace period.
  const std::int64_t asked = options.grace_period_seconds.value_or(current);
  const std::int64_t grace = asked < 0 ? 1 : asked;
  const Result<Instant> set = ParseTime(meta.deletion_timestamp);
  if (grace >= current || !set) return {.is_pending = true};
  return {.is_pending = false,
          .is_first = false,
          .grace_seconds = grace,
          .at = SaturatingAdd(*set, GraceOf(grace) - GraceOf(current))};
}

void SetFinalizers(const ObjectEditor& metadata, const std::vector<std::string_view>& finalizers) {
  if (finalizers.empty()) {
    metadata.Remove("finalizers");
    return;
  }
  codec::Document& document = metadata.document();
  Value list = document.NewArray(finalizers.size());
  for (const std::string_view text : finalizers) document.Append(list, document.NewString(text));
  metadata.Set("finalizers", list);
}

void Mark(const ObjectEditor& metadata, Instant at, std::int64_t grace_seconds, bool is_first) {
  metadata.SetText("deletionTimestamp", FormatTime(at));
  metadata.SetInt("deletionGracePeriodSeconds", grace_seconds);
  const std::int64_t generation = metadata.Int("generation");
  const bool can_grow = generation > 0 && generation < std::numeric_limits<std::int64_t>::max();
  if (is_first && can_grow) metadata.SetInt("generation", generation + 1);
}

/// Returns a mutable copy of the tree.
std::shared_ptr<codec::Document> CopyOf(const api::Object& object) {
  auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(object.tree());
  return document;
}

/// A namespace is emptied before it is removed; until then it rejects new objects.
DeletionPlan PlanNamespace(const api::Object& object,
                           const std::vector<std::string_view>& finalizers, Instant now) {
  const Value* own = FindAt(object.tree(), "spec", "finalizers");
  if (!object.metadata().deletion_timestamp.empty()) {
    return {.step = own != nullptr && !own->items().empty() ? Step::Keep : Step::Remove,
            .marked = {}};
  }
  const auto document = CopyOf(object);
  const ObjectEditor root(*document, object.kind());
  root.Child("status").SetText("phase", "Terminating");
  const ObjectEditor metadata = root.Child("metadata");
  metadata.SetText("deletionTimestamp", FormatTime(now));
  SetFinalizers(metadata, finalizers);
  return {.step = Step::Mark, .marked = document};
}

}  // namespace

DeletionPlan PlanDeletion(const Resource& resource, const api::Object& object,
                          const DeleteOptions& options, Instant now) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  const ObjectMeta& meta = object.metadata();
  const std::vector<std::string_view> finalizers = NewFinalizers(strategy, meta, options);
  if (resource.is_namespaces()) {
    DeletionPlan plan = PlanNamespace(object, finalizers, now);
    if (plan.step != Step::Remove) return plan;
  }
  const Deadline deadline = PlanDeadline(strategy, object, options, now);
  if (deadline.is_pending) return {.step = Step::Keep, .marked = {}};
  if (!deadline.grace_seconds && finalizers.empty()) return {};

  const auto document = CopyOf(object);
  const ObjectEditor metadata = ObjectEditor(*document, object.kind()).Child("metadata");
  SetFinalizers(metadata, finalizers);
  if (deadline.grace_seconds) {
    Mark(metadata, deadline.at, *deadline.grace_seconds, deadline.is_first);
  } else {
    const bool is_first = meta.deletion_timestamp.empty();
    const Result<Instant> set = ParseTime(meta.deletion_timestamp);
    Mark(metadata, !is_first && set && *set <= now ? *set : now, 0, is_first);
  }
  const bool stays = !finalizers.empty() || deadline.grace_seconds.value_or(0) > 0;
  if (document->root() == object.tree()) return {.step = Step::Keep, .marked = {}};
  return {.step = stays ? Step::Mark : Step::MarkThenRemove, .marked = document};
}

}  // namespace plimsoll::apiserver

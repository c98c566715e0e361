#include "apiserver/subresource/eviction.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/core/pod_phase.h"
#include "api/decode/decode.h"
#include "apiserver/limits.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/subresource/amend.h"
#include "apiserver/write/body.h"
#include "apiserver/write/delete.h"

namespace plimsoll::apiserver {
namespace {

std::int64_t CountAt(const codec::Value& tree, std::string_view part, std::string_view field) {
  const codec::Value* found = FindAt(tree, part, field);
  return found != nullptr && found->is_int() ? found->AsInt() : 0;
}

bool HasTrueCondition(const codec::Value& pod, std::string_view type) {
  const codec::Value* conditions = FindAt(pod, "status", "conditions");
  if (conditions == nullptr) return false;
  return std::ranges::any_of(conditions->items(), [&](const codec::Value& condition) {
    return TextAt(condition, "type") == type && TextAt(condition, "status") == "True";
  });
}

/// Returns true if no budget applies: the pod has ended, has not started, or is being deleted.
bool IgnoresBudgets(const codec::Value& pod) {
  const std::string_view phase = TextAt(pod, "status", "phase");
  return api::IsPodPhaseTerminal(phase) || phase == "Pending" ||
         !TextAt(pod, "metadata", "deletionTimestamp").empty();
}

bool IsBeforeReady(const codec::Value& pod) {
  return TextAt(pod, "status", "phase") == "Pending" &&
         TextAt(pod, "metadata", "deletionTimestamp").empty();
}

/// Returns true if an unhealthy pod may be evicted although the budget allows no disruption.
bool IsUnhealthyFree(const codec::Value& budget, const codec::Value& pod) {
  if (HasTrueCondition(pod, "Ready")) return false;
  if (TextAt(budget, "spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const std::int64_t desired = CountAt(budget, "status", "desiredHealthy");
  return CountAt(budget, "status", "currentHealthy") >= desired && desired > 0;
}

api::StatusObject OverBudget(std::string cause, std::int32_t retry_after_seconds = 0) {
  api::StatusObject status = api::TooManyRequests(
      "Cannot evict pod as it would violate the pod's disruption budget.", retry_after_seconds);
  status.details->causes.push_back({"DisruptionBudget", std::move(cause), ""});
  return status;
}

/// The status of the budget is outdated; a retry may succeed.
api::StatusObject BudgetIsBehind(std::string_view name) {
  constexpr std::int32_t kRetryAfterSeconds = 10;
  return OverBudget(
      fmt::format("The disruption budget {} is still being processed by the server.", name),
      kRetryAfterSeconds);
}

class Eviction {
 public:
  Eviction(Writer& writer, const WriteTarget& target, DeleteOptions options)
      : writer_(writer), target_(target), options_(std::move(options)) {}

  api::Answer<void> Run() {
    for (int attempt = 1;; ++attempt) {
      const ObjectPtr pod = PL_TRY(writer_.Find(target_, /*is_latest=*/attempt > 1));
      if (pod == nullptr) return std::unexpected(api::NotFound(target_.Subject()));
      const auto decoded = PL_TRY(pod->Decode());
      if (!IgnoresBudgets(decoded->tree())) return EvictFromBudget(*pod, decoded->tree());
      // If the pod becomes ready meanwhile, the budget applies again.
      const api::Answer<void> deleted = Delete(IsBeforeReady(decoded->tree()) ? &*pod : nullptr);
      const bool is_raced = !deleted && deleted.error().code == 409 && !options_.resource_version;
      if (!is_raced || attempt == kEvictionAttemptsMax) return deleted;
    }
  }

 private:
  api::Answer<void> EvictFromBudget(const StoredObject& pod, const codec::Value& tree) {
    const ObjectPtr budget = PL_TRY(BudgetOf(pod));
    if (budget == nullptr) return Delete(nullptr);
    if (!IsUnhealthyFree(PL_TRY(budget->Decode())->tree(), tree)) {
      PL_TRY(TakeFrom(*budget));
      return Delete(nullptr);
    }
    // The budget is not charged as long as the pod is not ready.
    const api::Answer<void> deleted = Delete(&pod);
    const bool is_raced = !deleted && deleted.error().code == 409 && !options_.resource_version;
    return is_raced ? std::unexpected(BudgetIsBehind(budget->name())) : deleted;
  }

  /// Returns the only budget that selects the pod, or null.
  api::Answer<ObjectPtr> BudgetOf(const StoredObject& pod) const {
    const Resource& budgets =
        *writer_.parts().resources.Find("policy", "v1", "poddisruptionbudgets");
    std::vector<ObjectPtr> matching;
    Selection selection;
    selection.namespace_ = target_.namespace_;
    for (const ObjectPtr& budget : writer_.parts().cache.List(budgets, selection).objects) {
      if (Selects(*budget, pod)) matching.push_back(budget);
    }
    if (matching.size() > 1) {
      return std::unexpected(api::StatusObject{
          .code = 500,
          .message = "This pod has more than one PodDisruptionBudget, which the eviction "
                     "subresource does not support."});
    }
    return matching.empty() ? nullptr : matching.front();
  }

  api::Answer<void> TakeFrom(const StoredObject& guard) {
    WriteTarget target = target_;
    target.resource = &guard.resource();
    target.subresource = "status";
    target.name = guard.name();
    const Instant now = writer_.parts().clock.Now();
    PL_TRY(Amend(writer_, target, [&](ObjectEditor budget, const api::Object& before) {
      return Decrement(budget, before.tree(), now);
    }));
    return {};
  }

  static bool Selects(const StoredObject& budget, const StoredObject& pod) {
    const auto decoded = budget.Decode();
    if (!decoded) return false;
    const codec::Value* tree = FindAt((*decoded)->tree(), "spec", "selector");
    if (tree == nullptr) return false;
    api::LabelSelector selector;
    api::Decode(*tree, selector);
    const auto made = api::Selector::FromObject(&selector);
    return made && made->Matches(pod.labels());
  }

  api::Answer<void> Decrement(const ObjectEditor& budget, const codec::Value& before,
                              Instant now) const {
    const std::string_view name = TextAt(before, "metadata", "name");
    if (CountAt(before, "status", "observedGeneration") <
        CountAt(before, "metadata", "generation")) {
      return std::unexpected(BudgetIsBehind(name));
    }
    const std::int64_t allowed = CountAt(before, "status", "disruptionsAllowed");
    const api::StatusSubject subject{"policy", "poddisruptionbudget", name};
    if (allowed < 0) {
      return std::unexpected(api::Forbidden(subject, "pdb disruptions allowed is negative"));
    }
    const codec::Value* disrupted = FindAt(before, "status", "disruptedPods");
    if (disrupted != nullptr && disrupted->members().size() > kDisruptedPodsMax) {
      return std::unexpected(
          api::Forbidden(subject,
                         "DisruptedPods map too big - too many evictions not confirmed by PDB "
                         "controller"));
    }
    if (allowed == 0) {
      return std::unexpected(OverBudget(
          fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", name,
                      CountAt(before, "status", "desiredHealthy"),
                      CountAt(before, "status", "currentHealthy"))));
    }
    const ObjectEditor status = budget.Child("status");
    status.SetInt("disruptionsAllowed", allowed - 1);
    if (allowed == 1) {
      const ObjectEditor condition =
          SetCondition(budget, "DisruptionAllowed", "False", "InsufficientPods", "", now);
      condition.SetText("message", "");
      condition.SetInt("observedGeneration", CountAt(before, "status", "observedGeneration"));
    }
    const ObjectEditor pods = budget.Child("status").Child("disruptedPods");
    pods.Set(pods.document().CopyText(target_.name), pods.document().NewString(FormatTime(now)));
    return {};
  }

  /// Sets the DisruptionTarget condition and deletes the pod. If `seen` is not null, the pod must
  /// still have that resourceVersion, unless the client sent its own precondition.
  api::Answer<void> Delete(const StoredObject* seen) {
    DeleteOptions options = options_;
    if (seen != nullptr && !options.resource_version) options.resource_version = VersionOf(*seen);
    WriteTarget target = target_;
    target.subresource.clear();
    if (!target_.is_dry_run) {
      const Instant now = writer_.parts().clock.Now();
      const auto tell = [&](ObjectEditor pod, const api::Object& before) -> api::Answer<void> {
        const api::ObjectMeta& metadata = before.metadata();
        PL_TRY(CheckPreconditions(target, options, metadata.uid, metadata.resource_version));
        SetCondition(pod, "DisruptionTarget", "True", "EvictionByEvictionAPI",
                     "Eviction API: evicting", now);
        return {};
      };
      const ObjectPtr told = PL_TRY(Amend(writer_, target_, tell));
      if (options.resource_version) options.resource_version = VersionOf(*told);
    }
    PL_TRY(DeleteObject(writer_, target, options));
    return {};
  }

  Writer& writer_;
  const WriteTarget& target_;
  const DeleteOptions options_;
};

std::optional<std::string> OptionalText(const codec::Value* value) {
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->text());
}

/// Reads the deleteOptions of an Eviction.
DeleteOptions OptionsOf(const codec::Value& eviction) {
  DeleteOptions options;
  const codec::Value* tree = eviction.Find("deleteOptions");
  if (tree == nullptr) return options;
  if (const codec::Value* grace = tree->Find("gracePeriodSeconds")) {
    options.grace_period_seconds = grace->AsInt();
  }
  options.propagation_policy = OptionalText(tree->Find("propagationPolicy"));
  options.uid = OptionalText(FindAt(*tree, "preconditions", "uid"));
  options.resource_version = OptionalText(FindAt(*tree, "preconditions", "resourceVersion"));
  const codec::Value* dry_run = tree->Find("dryRun");
  options.is_dry_run = dry_run != nullptr && !dry_run->items().empty();
  return options;
}

}  // namespace

api::Answer<net::Response> ServeEviction(Writer& writer, ApiRequest& request) {
  WriteTarget target =
      PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, /*is_apply=*/false));
  const api::KindDesc& kind = *api::FindKind("policy", "v1", "Eviction");
  const Draft draft = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings,
                                        /*older_version=*/"v1beta1"));
  const codec::Value& body = draft->root();
  AdmissionAttributes attributes = AttributesOf(target, Operation::Create, draft.get(), nullptr);
  attributes.kind = &kind;
  PL_TRY(writer.Admit(attributes));
  if (TextAt(body, "metadata", "name") != target.name) {
    return std::unexpected(api::BadRequest("name in URL does not match name in Eviction object"));
  }
  DeleteOptions options = OptionsOf(body);
  target.is_dry_run = target.is_dry_run || options.is_dry_run;
  options.is_dry_run = target.is_dry_run;
  PL_TRY(writer.Validate(attributes));
  PL_TRY(Eviction(writer, target, options).Run());
  const Negotiated wanted = PL_TRY(Negotiate(request));
  return RespondJson(request, wanted, 201, api::Success(201).Json());
}

}  // namespace plimsoll::apiserver

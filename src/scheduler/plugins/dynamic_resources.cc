#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/framework/framework.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Holds back pods whose resource claims are not there. No claims are known here, so a pod that
/// has any waits.
class DynamicResources final : public Plugin {
 public:
  explicit DynamicResources(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "DynamicResources"; }
  ExtensionPoints points() const override {
    return kPreEnqueue | kPreFilter | kFilter | kPostFilter | kScore;
  }

  Verdict PreEnqueue(const api::Object& object) const override {
    const api::Pod& pod = *object.As<api::Pod>();
    return pod.spec.resource_claims.empty() ? Verdict() : Missing(pod);
  }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::ResourceClaim, kAdd | kUpdate},
            {EventResource::TargetPod, kUpdatePodGeneratedClaim}};
  }

  Scope filter_scope() const override { return Scope::Node; }
  Scope score_scope() const override { return Scope::Node; }
  Changes depends_on() const override { return 0; }

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override {
    const bool has_claims = !pod.pod.spec.resource_claims.empty();
    return {
        .verdict = has_claims ? Missing(pod.pod) : Verdict::Skip(), .state = nullptr, .nodes = {}};
  }

  /// There is nothing to give back. Upstream looks for what PreFilter left, and says that it is
  /// not found when another plugin had ended it first.
  PostFilterOutcome PostFilter(Framework& /*framework*/, const Attempt& attempt,
                               const Diagnosis& /*diagnosis*/, Random& /*random*/) override {
    PostFilterOutcome outcome;
    const bool was_asked = attempt.pre_filter.ok() || attempt.pre_filter.plugin == name() ||
                           std::ranges::find(attempt.skipped, name()) != attempt.skipped.end();
    outcome.verdict =
        was_asked ? Verdict{Code::Unschedulable, {}, {}} : Verdict::Of(Code::Error, "not found");
    return outcome;
  }

 private:
  static Verdict Missing(const api::Pod& pod) {
    const api::PodResourceClaim& claim = pod.spec.resource_claims.front();
    std::string reason;
    if (claim.resource_claim_name) {
      reason.append("resourceclaim \"").append(*claim.resource_claim_name).append("\" not found");
    } else {
      reason.append("pod \"").append(pod.metadata.namespace_).append("/");
      reason.append(pod.metadata.name).append("\": ResourceClaim not created yet");
    }
    return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeDynamicResources(ClusterState& cluster, const PluginArgs& /*args*/) {
  return std::make_unique<DynamicResources>(cluster);
}

}  // namespace plimsoll::scheduler

#include "cli/up/node_survey.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/object.h"
#include "base/assert.h"
#include "cli/manifest/manifest.h"
#include "cli/up/demo.h"
#include "codec/json.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kSurveyedMax = 1'000;
constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Returns null for a node that no server would accept.
ObjectPtr NodeOf(const agent::HostedNode& node) {
  auto parsed = codec::ParseJson(R"({"apiVersion":"v1","kind":"Node","metadata":)" + node.metadata +
                                 R"(,"spec":)" + node.spec + "}");
  if (!parsed) return nullptr;
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  auto decoded = api::DecodeObject(document, {.field_validation = api::FieldValidation::Ignore});
  return decoded ? std::move(decoded->object) : nullptr;
}

/// Returns the Deployment of the demo's payments.
ObjectPtr PaymentDeployment() {
  for (const Manifest& manifest : DecodeManifests({"<demo>", std::string(kDemoWorkloads)}, {})) {
    if (manifest.object != nullptr && manifest.object->metadata().name == kDemoPayments) {
      return manifest.object;
    }
  }
  PL_ASSERT(false);
  return nullptr;
}

}  // namespace

NodeSurvey SurveyNodes(const std::vector<agent::HostedNode>& nodes, const match::Rules& rules) {
  NodeSurvey survey{.nodes = nodes.size()};
  const ObjectPtr payments = PaymentDeployment();
  const auto& tolerations = payments->As<api::Workload>()->pod_template.spec.tolerations;
  for (std::size_t i = 0; i < std::min(nodes.size(), kSurveyedMax); ++i) {
    const ObjectPtr object = NodeOf(nodes[i]);
    if (object == nullptr) continue;
    ++survey.surveyed;
    const api::NodeSpec& node = object->As<api::Node>()->spec;
    const bool is_open =
        !node.unschedulable && std::ranges::none_of(node.taints, match::BlocksScheduling);
    if (is_open) ++survey.open;
    if (!node.unschedulable && match::FindUntolerated(node.taints, tolerations, rules) == nullptr) {
      ++survey.for_payments;
    }
    if (i != 0) continue;
    for (const api::Taint& taint : node.taints) {
      if (match::BlocksScheduling(taint)) survey.first_keys.emplace_back(taint.key);
    }
    if (node.unschedulable) survey.first_keys.emplace_back(kUnschedulable);
  }
  return survey;
}

}  // namespace plimsoll::cli

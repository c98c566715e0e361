#include "apiserver/resource/metrics_resources.h"

#include <array>
#include <string_view>

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kGroup = "metrics.k8s.io";
constexpr std::string_view kVersion = "v1beta1";
constexpr int kNotImplemented = 501;

/// The verbs of metrics-server. Nothing can delete or watch them, so garbage collectors and
/// namespace controllers that read discovery leave them alone.
constexpr std::array<std::string_view, 2> kVerbs = {"get", "list"};

std::array<api::KindDesc, 2> MakeKinds() {
  api::KindDesc nodes;
  nodes.group = kGroup;
  nodes.version = kVersion;
  nodes.kind = "NodeMetrics";
  nodes.list_kind = "NodeMetricsList";
  nodes.plural = "nodes";
  nodes.verbs = kVerbs;
  api::KindDesc pods = nodes;
  pods.kind = "PodMetrics";
  pods.list_kind = "PodMetricsList";
  pods.plural = "pods";
  pods.is_namespaced = true;
  return {nodes, pods};
}

}  // namespace

std::span<const api::KindDesc> MetricsKinds() {
  static const std::array<api::KindDesc, 2> kKinds = MakeKinds();
  return kKinds;
}

bool IsMetrics(const api::KindDesc& kind) { return kind.group == kGroup; }

api::StatusObject NoMetrics() {
  return {.code = kNotImplemented,
          .reason = "NotImplemented",
          .message =
              "containers are simulated, so there is no use of processor or memory to "
              "show; this server does not ask kubelets for measurements"};
}

}  // namespace plimsoll::apiserver

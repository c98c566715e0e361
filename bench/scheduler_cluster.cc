#include "scheduler_cluster.h"

#include "api/object.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kTemplates = 1'000;

api::ResourceAmount Amount(std::string_view name, std::string_view text) {
  return {.name = name, .quantity = *Quantity::Parse(text)};
}

std::string Tolerations(PodKind kind, std::size_t t) {
  if (kind != PodKind::Templates) return R"([{"key":"risk","operator":"Lt","value":"50"}])";
  const std::string team = std::to_string(t % 7);
  return R"([{"key":"risk","operator":")" + std::string(t % 3 == 0 ? "Gt" : "Lt") +
         R"(","value":")" + std::to_string(20 + t % 60) +
         R"("},{"key":"driver","operator":"SemverGt","value":"v1.)" + std::to_string(t % 12) +
         R"(.0"},{"expression":"taint.key == 'team' && taint.value in ['t1', 't)" + team +
         R"(']"}])";
}

std::string Affinity(PodKind kind, std::size_t t) {
  switch (kind) {
    case PodKind::Threshold:
      return "{}";
    case PodKind::Spread:
      return R"({"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
             R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"a"}}}]})";
    case PodKind::AntiAffinity:
      return R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
             R"({"topologyKey":"host","labelSelector":{"matchLabels":{"app":"a"}}}]}}})";
    case PodKind::Templates:
      return R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
             R"({"nodeSelectorTerms":[{"matchExpressions":[)"
             R"({"key":"generation","operator":"Gt","values":[")" +
             std::to_string(t % 4) + R"("]},{"key":"zone","operator":"NotIn","values":["z)" +
             std::to_string(t % 5) + R"("]}]}]}}}})";
  }
  return "{}";
}

std::string PodText(PodKind kind, std::size_t i) {
  const std::size_t t = kind == PodKind::Templates ? i % kTemplates : 0;
  const std::string name = "pod-" + std::to_string(i);
  std::string extra = Affinity(kind, t);
  extra = extra.size() > 2 ? "," + extra.substr(1, extra.size() - 2) : "";
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":")" + name +
         R"(","labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"app:1",)"
         R"("resources":{"requests":{"cpu":")" +
         std::to_string(100 * (1 + t % 4)) + R"(m","memory":"256Mi"}}}],"tolerations":)" +
         Tolerations(kind, t) + extra + "}}";
}

}  // namespace

const api::Node& SchedulerCluster::Node(std::size_t i, std::uint64_t revision) {
  texts_.clear();
  const auto keep = [&](std::string text) -> std::string_view {
    return texts_.emplace_back(std::move(text));
  };
  node_ = {};
  node_.metadata.name = keep("node-" + std::to_string(i));
  node_.metadata.labels = {{"generation", keep(std::to_string(i % 8))},
                           {"host", node_.metadata.name},
                           {"kubernetes.io/os", "linux"},
                           {"zone", keep("z" + std::to_string(i % 3))}};
  node_.spec.taints = {
      {"risk", keep(std::to_string((i * 37 + revision * 13) % 100)), "NoSchedule", ""}};
  if (taints_ == Taints::Mixed) {
    if (i % 2 == 1) {
      node_.spec.taints.push_back(
          {"driver", keep("v1." + std::to_string(i % 20) + ".3"), "NoSchedule", ""});
    }
    if (i % 5 == 0) {
      node_.spec.taints.push_back({"team", keep("t" + std::to_string(i % 7)), "NoSchedule", ""});
    }
  }
  node_.status.allocatable = {Amount("cpu", "32"), Amount("memory", "128Gi"),
                              Amount("pods", "110")};
  return node_;
}

std::vector<scheduler::ObjectPtr> MakePods(PodKind kind, std::size_t count) {
  std::vector<scheduler::ObjectPtr> pods;
  pods.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto document = codec::ParseJson(PodText(kind, i));
    PL_ASSERT(document.has_value());
    const std::shared_ptr<codec::Document> shared = std::move(*document);
    auto decoded = api::DecodeObject(shared);
    PL_ASSERT(decoded.has_value());
    pods.push_back(decoded->object);
  }
  return pods;
}

}  // namespace plimsoll::bench

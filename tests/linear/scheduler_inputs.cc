#include <memory>
#include <string>
#include <utility>

#include "api/expression/toleration_expression.h"
#include "base/assert.h"
#include "base/metrics.h"
#include "inputs.h"
#include "match/cel_evaluator.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/scheduler.h"

namespace plimsoll::linear {
namespace {

using Text = std::string;
using scheduler::ObjectPtr;

constexpr int kNodes = 20;
constexpr int kPods = 40;

/// A scheduler with a few nodes and pods.
class Cluster {
 public:
  Cluster() : expressions_(), evaluator_(expressions_) {
    scheduler::SchedulerOptions options;
    options.profiles.push_back({.name = "default-scheduler", .make_plugins = [](auto& cluster) {
                                  return scheduler::MakeDefaultProfile(cluster, {});
                                }});
    options.rules = match::Rules::From(api::FeatureGates(), &evaluator_);
    options.rules.evaluator = &evaluator_;
    scheduler_ = std::make_unique<scheduler::Scheduler>(std::move(options), metrics_);
    for (int i = 0; i < kNodes; ++i) {
      const Text name = "n" + std::to_string(i);
      Tell(scheduler::NodeFromYaml(
          name, "{allocatable: {pods: '110', cpu: '100', memory: 100Gi}}",
          "{taints: [{key: t" + std::to_string(i) + ", value: v, effect: NoSchedule}]}",
          "labels: {kubernetes.io/hostname: " + name + ", zone: z" + std::to_string(i % 3) + "}"));
    }
    for (int i = 0; i < kPods; ++i) {
      Tell(scheduler::PodFromYaml("old" + std::to_string(i),
                                  "{nodeName: n" + std::to_string(i % kNodes) + "}",
                                  "labels: {app: a" + std::to_string(i % 7) + "}"));
    }
    scheduler_->Observe(api::Synced{}, {now_, out_});
    Run();
  }

  void Tell(const ObjectPtr& object) {
    scheduler_->Observe(api::ObjectChanged{nullptr, object}, {now_, out_});
  }
  void Run() {
    for (auto next = scheduler_->NextWake(); next && *next <= now_; next = scheduler_->NextWake()) {
      scheduler_->Wake({now_, out_});
    }
  }

 private:
  api::TolerationExpressions expressions_;
  match::CelEvaluator evaluator_;
  MetricsRegistry metrics_;
  Instant now_{};
  scheduler::Actions out_;
  std::unique_ptr<scheduler::Scheduler> scheduler_;
};

/// Schedules a pod, then delivers a similar pod that is bound, and schedules another pod.
Make Placed(const Text& before, const Text& after, const std::function<Text(Text)>& item) {
  return [=](std::size_t size) {
    const Text spec = "schedulerName: default-scheduler, " + before + Joined(size, item) + after;
    const ObjectPtr first = scheduler::PodFromYaml("p1", "{" + spec + "}", "labels: {app: a1}");
    const ObjectPtr running =
        scheduler::PodFromYaml("p2", "{nodeName: n1, " + spec + "}", "labels: {app: a1}");
    const ObjectPtr last = scheduler::PodFromYaml(
        "p3", "{schedulerName: default-scheduler, tolerations: [{operator: Exists}]}",
        "labels: {app: a1}");
    return [=, cluster = std::make_shared<Cluster>()] {
      for (const ObjectPtr& pod : {first, running, last}) {
        cluster->Tell(pod);
        cluster->Run();
      }
    };
  };
}

Text Term(const Text& i, const Text& key) {
  return "{topologyKey: " + key +
         ", labelSelector: {matchExpressions: [{key: app, operator: NotIn, "
         "values: [x" +
         i + "]}]}}";
}

std::vector<Input> Affinity() {
  const auto affinity = [](const Text& kind) {
    return "affinity: {" + kind + ": {requiredDuringSchedulingIgnoredDuringExecution: [";
  };
  const auto preferred = [](const Text& kind) {
    return "affinity: {" + kind + ": {preferredDuringSchedulingIgnoredDuringExecution: [";
  };
  const auto by_zone = [](const Text& i) { return Term(i, "zone"); };
  const auto by_own_key = [](const Text& i) { return Term(i, "k" + i); };
  const auto weighed = [](const Text& i) {
    return "{weight: 1, podAffinityTerm: " + Term(i, "zone") + "}";
  };
  const auto spaces = [](const Text& i) {
    return "{topologyKey: zone, labelSelector: {}, namespaceSelector: {matchExpressions: [{key: k" +
           i + ", operator: DoesNotExist}]}}";
  };
  const Text tolerate = "tolerations: [{operator: Exists}], ";
  return {
      {"placing: affinity terms", 500, Placed(tolerate + affinity("podAffinity"), "]}}", by_zone)},
      {"placing: affinity terms, many topologies", 500,
       Placed(tolerate + affinity("podAffinity"), "]}}", by_own_key)},
      {"placing: anti-affinity terms", 500,
       Placed(tolerate + affinity("podAntiAffinity"), "]}}", by_zone)},
      {"placing: anti-affinity, many topologies", 500,
       Placed(tolerate + affinity("podAntiAffinity"), "]}}", by_own_key)},
      {"placing: preferred affinity terms", 500,
       Placed(tolerate + preferred("podAffinity"), "]}}", weighed)},
      {"placing: affinity, namespace selectors", 500,
       Placed(tolerate + affinity("podAffinity"), "]}}", spaces)},
  };
}

std::vector<Input> Others() {
  const Text tolerate = "tolerations: [{operator: Exists}], ";
  return {
      {"placing: far too many spread constraints", 2000,
       Placed(tolerate + "topologySpreadConstraints: [", "]",
              [](const Text& i) {
                return "{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: k" + i +
                       ", labelSelector: {matchLabels: {app: a1}}}";
              })},
      {"placing: tolerations", 2000,
       Placed("tolerations: [", "]", [](const Text& i) { return "{key: k" + i + ", value: v}"; })},
      {"placing: toleration expressions", 200,
       Placed("tolerations: [", "]",
              [](const Text& i) { return "{expression: \"taint.key == 'k" + i + "'\"}"; })},
      {"placing: node selector", 1000,
       Placed(tolerate + "nodeSelector: {", "}", [](const Text& i) { return "k" + i + ": v"; })},
      {"placing: node affinity terms", 1000,
       Placed(tolerate +
                  "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                  "{nodeSelectorTerms: [",
              "]}}}",
              [](const Text& i) {
                return "{matchExpressions: [{key: k" + i + ", operator: In, values: [v]}]}";
              })},
      {"placing: host ports", 1000,
       Placed(tolerate + "containers: [{name: c, image: i, ports: [", "]}]",
              [](const Text& i) {
                const Text port = std::to_string(1 + std::stoi(i));
                return "{containerPort: " + port + ", hostPort: " + port + "}";
              })},
      {"placing: resources", 500,
       Placed(tolerate + "containers: [{name: c, image: i, resources: {requests: {", "}}}]",
              [](const Text& i) { return "a.io/r" + i + ": '1'"; })},
      {"placing: sidecars and init containers", 100,
       Placed(tolerate + "initContainers: [", "]",
              [](const Text& i) {
                return "{name: s" + i + ", restartPolicy: Always, resources: {requests: {a.io/r" +
                       i + ": '1'}}}, {name: i" + i + ", resources: {requests: {a.io/q" + i +
                       ": '1'}}}";
              })},
      {"placing: volumes", 5000,
       Placed(tolerate + "volumes: [", "]",
              [](const Text& i) {
                return "{name: v" + i + ", persistentVolumeClaim: {claimName: c" + i + "}}";
              })},
  };
}

/// Delivers and changes a node with many taints or labels, while pods are pending.
Make NodeTold(const std::function<Text(Text)>& taint, const std::function<Text(Text)>& label) {
  return [=](std::size_t size) {
    const auto make = [&](const Text& name) {
      return scheduler::NodeFromYaml(
          name, "{allocatable: {pods: '110'}}",
          "{taints: [" + (taint ? Joined(size, taint) : "") + "]}",
          "labels: {x: v" + (label ? "," + Joined(size, label) : "") + "}");
    };
    return [node = make("big"), other = make("big2"), cluster = std::make_shared<Cluster>()] {
      cluster->Tell(scheduler::PodFromYaml("w", "{schedulerName: default-scheduler}"));
      cluster->Run();
      for (const ObjectPtr& one : {node, other}) {
        cluster->Tell(one);
        cluster->Run();
      }
    };
  };
}

}  // namespace

std::vector<Input> SchedulerInputs() {
  std::vector<Input> all = Affinity();
  std::vector<Input> others = Others();
  all.insert(all.end(), others.begin(), others.end());
  all.push_back(
      {"node told: taints", 1000,
       NodeTold([](const Text& i) { return "{key: k" + i + ", effect: NoSchedule}"; }, {})});
  all.push_back(
      {"node told: labels", 2000, NodeTold({}, [](const Text& i) { return "k" + i + ": v"; })});
  return all;
}

}  // namespace plimsoll::linear

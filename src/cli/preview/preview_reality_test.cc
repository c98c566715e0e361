// Compares previews with what the controller then does, on random clusters whose taints have a
// history. Texts come from small alphabets so that values are often near a threshold.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "cli/preview/node_change.h"
#include "cli/preview/node_impact.h"
#include "controller/server_for_test.h"
#include "controller/taint_eviction/taint_eviction.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;
using Times = std::map<std::string, Instant>;  // of evictions, by pod

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
const Texts kKeys = {"risk", "kernel"};
const Texts kValues = {"3", "5", "7", "9", "5.15.0", ""};
const Texts kOperators = {"Lt", "Lt", "Lt", "Gt", "SemverGt", "Exists", "Equal"};
const Texts kSeconds = {"", "0", "20", "45", "90", "90"};

const std::string& Pick(const Texts& texts) {
  return texts[static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(texts.size())))];
}
int Roll(int sides) { return *rc::gen::inRange(0, sides); }

std::string RandomToleration() {
  std::string op = Pick(kOperators);
  std::string text = "{key: " + Pick(kKeys) + ", operator: " + op;
  if (op != "Exists") text += ", value: \"" + Pick(kValues) + "\"";
  if (const std::string& seconds = Pick(kSeconds); !seconds.empty()) {
    text += ", effect: NoExecute, tolerationSeconds: " + seconds;
  }
  return text + "}";
}

/// A cluster with the real controller, whose server sets the times of taints as servers do.
class Reality {
 public:
  explicit Reality(const std::string& gates)
      : gates_(GatesOf(gates)),
        core_(gates_, match::Rules::From(gates_, nullptr), metrics_),
        server_(core_, kNoon) {
    for (int i = 0; i < kNodes; ++i) {
      server_.Put("{apiVersion: v1, kind: Node, metadata: {name: n" + std::to_string(i) + "}}");
    }
    const int pods = 1 + Roll(12);
    for (int i = 0; i < pods; ++i) {
      std::string tolerations;
      for (int count = 1 + Roll(4); count > 0; --count) {
        tolerations += (tolerations.empty() ? "" : ", ") + RandomToleration();
      }
      server_.Put("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: p" +
                  std::to_string(i) + "}, spec: {nodeName: n" + std::to_string(Roll(kNodes)) +
                  ", tolerations: [" + tolerations + "]}}");
    }
    server_.Sync();
    server_.Settle();
  }

  /// Adds a taint that the node does not have yet. A later change of its value would move the time
  /// that a successor of the controller sees, but not the running countdown.
  void AddTaint() {
    TaintEdit edit{Pick(kKeys), Pick(kValues), "NoExecute", false};
    const ObjectPtr node = server_.Find("Node", "", "n" + std::to_string(Roll(kNodes)));
    for (const api::Taint& taint : node->As<api::Node>()->spec.taints) {
      if (taint.key == edit.key) return;
    }
    Write(node, *WithTaints(node, std::span(&edit, 1)));
  }
  void Pass(Duration time) { server_.RunFor(time); }

  PreviewCluster Cluster() const {
    PreviewCluster cluster;
    cluster.objects = server_.All("Node");
    const std::vector<ObjectPtr> pods = server_.All("Pod");
    cluster.objects.insert(cluster.objects.end(), pods.begin(), pods.end());
    cluster.gates = gates_;
    cluster.rules = match::Rules::From(gates_, nullptr);
    cluster.now = server_.now();
    return cluster;
  }

  /// Makes the changes, lets the time pass, and returns who was evicted when.
  Times Play(const std::vector<NodeChange>& changes) {
    for (const NodeChange& change : changes) {
      if (change.after != change.before) Write(change.before, change.after);
    }
    Times times;
    std::map<std::string, bool> present = Pods();
    const auto note = [&] {
      for (auto& [name, is_there] : present) {
        if (!is_there || server_.Find("Pod", "d", name) != nullptr) continue;
        is_there = false;
        times[name] = server_.now();
      }
    };
    server_.Settle();
    note();
    while (const auto next = core_.NextWake()) {
      server_.RunUntil(std::max(server_.now(), *next));
      note();
    }
    return times;
  }

 private:
  static constexpr int kNodes = 3;

  static api::FeatureGates GatesOf(const std::string& text) {
    api::FeatureGates gates;
    RC_ASSERT(gates.Apply(text).has_value());
    return gates;
  }

  std::map<std::string, bool> Pods() const {
    std::map<std::string, bool> pods;
    for (const ObjectPtr& pod : server_.All("Pod")) pods[std::string(pod->metadata().name)] = true;
    return pods;
  }

  /// Writes the taints; those without a time get the current one.
  void Write(const ObjectPtr& before, const ObjectPtr& after) {
    std::string taints;
    for (const api::Taint& taint : after->As<api::Node>()->spec.taints) {
      const std::string time =
          taint.time_added.empty() ? FormatTime(server_.now()) : std::string(taint.time_added);
      taints += (taints.empty() ? "" : ",") + std::string(R"({"key":")") + std::string(taint.key) +
                R"(","value":")" + std::string(taint.value) + R"(","effect":")" +
                std::string(taint.effect) + R"(","timeAdded":")" + time + R"("})";
    }
    server_.Patch("Node", "", before->metadata().name, R"({"spec":{"taints":[)" + taints + "]}}");
  }

  const api::FeatureGates gates_;
  MetricsRegistry metrics_;
  controller::TaintEviction core_;
  controller::ServerForTest<controller::TaintEviction> server_;
};

Times TimesOf(const std::vector<Departure>& departures) {
  Times times;
  for (const Departure& one : departures) {
    RC_ASSERT(times.emplace(one.pod->metadata().name, one.at).second);
  }
  return times;
}

std::string Text(const Times& times) {
  std::string text;
  for (const auto& [pod, at] : times) text += pod + " " + FormatDuration(at - kNoon) + "\n";
  return text;
}

/// Compares the preview of a random edit with reality.
void Compare(const std::string& gates, bool is_removal) {
  Reality reality(gates);
  for (int count = Roll(5); count > 0; --count) {
    reality.AddTaint();
    reality.Pass(std::chrono::seconds(1 + Roll(12)));
  }
  const PreviewCluster cluster = reality.Cluster();
  TaintEdit edit{Pick(kKeys), is_removal ? "" : Pick(kValues), "NoExecute", is_removal};
  std::vector<NodeChange> changes;
  for (const ObjectPtr& object : cluster.objects) {
    if (object->As<api::Node>() == nullptr) continue;
    // The preview is about all nodes, so that it tells all evictions; some of them do not change.
    const bool is_meant = Roll(3) > 0;
    changes.push_back({object, is_meant ? *WithTaints(object, std::span(&edit, 1)) : object});
  }
  const TaintForecast forecast = ForecastTaints(cluster, changes);
  const Times previewed = TimesOf(forecast.after);
  const Times played = reality.Play(changes);
  if (previewed != played) {
    RC_FAIL("previewed:\n" + Text(previewed) + "played:\n" + Text(played));
  }
  RC_CLASSIFY(!played.empty(), "evicts");
  const bool cancels = std::ranges::any_of(forecast.before, [&](const Departure& one) {
    return !played.contains(std::string(one.pod->metadata().name));
  });
  RC_CLASSIFY(cancels, "cancels");
}

RC_GTEST_PROP(PreviewRealityTest, TaintedNodesEvictAsPreviewed, ()) { Compare("", false); }

RC_GTEST_PROP(PreviewRealityTest, RemovedTaintsCancelAsPreviewed, ()) { Compare("", true); }

RC_GTEST_PROP(PreviewRealityTest, UpstreamsTimesArePreviewedToo, ()) {
  Compare("ThresholdEvictionGrace=false", Roll(2) == 0);
}

}  // namespace
}  // namespace plimsoll::cli

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/feature_gates.h"
#include "base/assert.h"
#include "base/metrics.h"
#include "controller/controller_set.h"
#include "controller/registry.h"
#include "controller/server_for_test.h"
#include "controller/workload/tree.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// For tests: both evictors with their gate, over a fake API server. They can be killed; successors
/// start from the stored objects.
class PoliciesForTest {
 public:
  explicit PoliciesForTest(Instant start, std::string_view controllers =
                                              "taint-eviction,device-taint-eviction,"
                                              "eviction-policy")
      : start_(start), controllers_(controllers) {
    Restart();
  }

  /// Kills the controllers. Actions that the server has not performed are lost.
  void Restart() {
    auto next = std::make_unique<Link>(start_, controllers_);
    if (link_ != nullptr) next->server.TakeOver(link_->server);
    link_ = std::move(next);
    link_->server.Sync();
  }
  ServerForTest<ControllerSet>& server() { return link_->server; }
  MetricsRegistry& metrics() { return link_->metrics; }

  /// Puts an object and lets the controllers act, without time passing.
  void Put(const std::string& yaml) {
    server().Put(yaml);
    server().RunFor(Duration::zero());
  }

 private:
  struct Link {
    Link(Instant start, const std::string& controllers) : server(core, start) {
      auto made = MakeControllers(controllers, {gates, rules, metrics});
      PL_ASSERT(made.has_value());
      for (auto& one : *made) core.Add(std::move(one));
    }

    api::FeatureGates gates;
    match::Rules rules;
    MetricsRegistry metrics;
    ControllerSet core;
    ServerForTest<ControllerSet> server;
  };

  const Instant start_;
  const std::string controllers_;
  std::unique_ptr<Link> link_;
};

/// For tests: a node n1, pods on it, and policies.
class PolicyWorld {
 public:
  static Instant Noon() { return ParseTime("2026-03-01T12:00:00Z").value(); }
  PolicyWorld() {
    Node("n1", "");
    server().Put("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
  }

  ServerForTest<ControllerSet>& server() { return world_.server(); }

  void Node(const std::string& name, const std::string& taints, const std::string& zone = "a") {
    world_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: " + name +
               ", labels: {topology.kubernetes.io/zone: " + zone + "}}\nspec: {taints: [" + taints +
               "]}\n");
  }
  std::string TaintNow(const std::string& value = "100", const std::string& key = "risk") {
    return "{key: " + key + ", value: '" + value + "', effect: NoExecute, timeAdded: '" +
           FormatTime(server().now()) + "'}";
  }
  void Pod(const std::string& name, const std::string& spec = {}, const std::string& meta = {},
           bool is_ready = true) {
    world_.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: default" +
               meta + "}\nspec: {nodeName: n1" + spec +
               "}\nstatus: {phase: Running, conditions: [{type: Ready, status: '" +
               (is_ready ? "True" : "False") + "'}]}\n");
  }
  void Pods(int count) {
    for (int i = 0; i < count; ++i) Pod("p" + std::string(i < 10 ? "0" : "") + std::to_string(i));
  }
  void Policy(const std::string& spec, const std::string& name = "p") {
    world_.Put("apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: " + name +
               "}\nspec: {" + spec + "}\n");
  }
  void RunTo(Duration time) { server().RunUntil(Noon() + time); }
  std::size_t Left() { return server().All("Pod").size(); }
  std::vector<std::string> Evicted() {
    std::vector<std::string> names;
    for (const std::string& text : server().TakeEvictions()) {
      names.push_back(text.substr(0, text.find(':')));
    }
    return names;
  }
  const codec::Value& Status(const std::string& name = "p") {
    object_ = server().Find("EvictionPolicy", "", name);
    return *FindAt(object_->tree(), {"status"});
  }
  std::string ConditionOf(const std::string& type) {
    for (const codec::Value& one : FindAt(Status(), {"conditions"})->items()) {
      if (TextAt(one, {"type"}) == type) return std::string(TextAt(one, {"status"}));
    }
    return {};
  }

  PoliciesForTest world_{Noon()};
  ObjectPtr object_;
};

}  // namespace plimsoll::controller

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/event_recorder.h"
#include "agent/metrics.h"
#include "agent/records.h"
#include "agent/simulated/simulated_runtime.h"
#include "api/decode/decode_json_for_test.h"
#include "base/metrics.h"

namespace plimsoll::agent {

/// For tests of one part of the agent: a node `n`, virtual time, and the actions that the part
/// requests.
class PartsForTest {
 protected:
  PartsForTest() {
    node_.name = "n";
    node_.address = "172.16.0.1";
    node_.is_there = true;
    node_.object = api::DecodeJson(NodeJson("n"));
  }

  static std::string NodeJson(const std::string& name, const std::string& labels = "") {
    return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name +
           R"(","uid":"u-n","labels":{)" + labels +
           R"(}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"2"}}})";
  }
  /// Returns a pod `web` on the node. `metadata` and `spec` are further fields, each with a comma.
  static ObjectPtr APod(const std::string& metadata = "", const std::string& spec = "",
                        const std::string& uid = "u-web") {
    return api::DecodeJson(
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default",)" +
        metadata + R"("uid":")" + uid + R"("},"spec":{"nodeName":"n",)" + spec +
        R"("restartPolicy":"Always","containers":[{"name":"c","image":"web",)"
        R"("resources":{"requests":{"cpu":"1"}}}]}})");
  }
  /// Returns a record of a pod that runs or is held.
  PodRecord& Living(ObjectPtr object) {
    auto pod = std::make_unique<PodRecord>(pods_.size() + 1, node_, neighbours_, std::move(object));
    pod->state = PodRecord::State::Living;
    neighbours_.pods.push_back(pod.get());
    return *pods_.emplace_back(std::move(pod));
  }

  Turn Now() { return {now_, actions_}; }
  /// Returns and clears the requested actions of one type.
  template <class Action>
  std::vector<Action> Take() {
    std::vector<Action> found;
    std::erase_if(actions_, [&](const api::Action& action) {
      const auto* const one = std::get_if<Action>(&action);
      if (one != nullptr) found.push_back(*one);
      return one != nullptr;
    });
    return found;
  }
  static ActionFinished Failure(ActionId id, Reason reason) {
    return {id, Fail(reason, "refused"), nullptr};
  }
  static ActionFinished Success(ActionId id, ObjectPtr object = nullptr) {
    return {id, {}, std::move(object)};
  }

  Instant now_{std::chrono::hours(24 * 365 * 50)};
  Actions actions_;
  ActionId next_action_ = 1;
  MetricsRegistry registry_;
  AgentMetrics metrics_{registry_};
  EventRecorder events_{100, 1000};
  SimulatedRuntime runtime_;
  NodeRecord node_;
  NodePods neighbours_;
  std::vector<std::unique_ptr<PodRecord>> pods_;
};

}  // namespace plimsoll::agent

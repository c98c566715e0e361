#include "cli/demo/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/assert.h"
#include "base/async.h"
#include "cli/demo/await_objects.h"
#include "cli/demo/node_taint.h"
#include "cli/up/demo.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

constexpr std::string_view kNamespace = "default";
constexpr std::string_view kEffect = "NoExecute";
constexpr std::string_view kEvent = "TaintManagerEviction";
/// Risk that crosses the line of the payments, but not that of the batch work.
constexpr std::string_view kHighRisk = "15";
constexpr Duration kTick = std::chrono::milliseconds(200);

const api::KindDesc& KindOf(std::string_view group, std::string_view kind) {
  const api::KindDesc* const found = api::FindKind(group, "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

bool IsRunning(const api::Object& pod) {
  return pod.metadata().deletion_timestamp.empty() && pod.As<api::Pod>()->status.phase == "Running";
}

std::string NodeOf(const api::Object& pod) {
  return std::string(pod.As<api::Pod>()->spec.node_name);
}

std::string SelectorOf(std::string_view app) { return fmt::format("app={}", app); }

const api::Toleration* FindRiskToleration(const api::Object& pod) {
  for (const api::Toleration& one : pod.As<api::Pod>()->spec.tolerations) {
    if (one.key == kDemoTaint) return &one;
  }
  return nullptr;
}

class Story {
 public:
  explicit Story(const StoryParts& parts) : in_(parts), say_(parts.narrator) {}

  Status Play() {
    PL_TRY(ShowNodes());
    PL_TRY(ShowPods());
    const Status told = TellMove();
    if (!in_.restores_taint) return told;
    const Status restored = Restore();
    return told ? restored : told;
  }

 private:
  ObjectSelection PodsOf(std::string_view app) const {
    return {KindOf("", "Pod"), kNamespace, SelectorOf(app)};
  }

  Status ShowNodes() {
    const auto nodes = in_.client.List({KindOf("", "Node")}, {}, {.stop = in_.stop});
    if (!nodes) return std::unexpected(api::ToError(nodes.error()));
    std::vector<std::vector<std::string>> rows;
    for (const ObjectPtr& node : nodes->objects) {
      const api::Taint* const taint = FindTaint(*node, kDemoTaint);
      if (taint == nullptr) continue;
      rows.push_back({std::string(node->metadata().name), std::string(taint->value),
                      std::string(taint->effect)});
    }
    if (rows.empty()) {
      return Fail(Reason::NotFound,
                  fmt::format("no node has the taint {}: start the cluster with 'plimsoll up "
                              "--demo', or leave --kubeconfig out",
                              kDemoTaint));
    }
    std::ranges::sort(rows);
    say_.Step(fmt::format("{} nodes say how likely they are to fail, as the value of a taint.",
                          rows.size()));
    say_.Command(
        "kubectl get nodes -o custom-columns='NAME:.metadata.name,RISK:.spec.taints[0].value,"
        "EFFECT:.spec.taints[0].effect'");
    say_.Table({"NAME", "RISK", "EFFECT"}, rows);
    say_.Pause();
    return {};
  }

  /// Waits for all payments, and chooses a node that runs one.
  Status ShowPods() {
    const auto deployment = in_.client.Get(
        {KindOf("apps", "Deployment"), kNamespace, kDemoPayments}, {}, {.stop = in_.stop});
    if (!deployment) {
      return Fail(Reason::NotFound, deployment.error().message +
                                        ": start the cluster with 'plimsoll up --demo', or leave "
                                        "--kubeconfig out");
    }
    const auto wanted =
        static_cast<std::size_t>((*deployment)->As<api::Workload>()->replicas.value_or(1));
    payments_ = PL_TRY(AwaitPayments("all payments run", wanted, {}));
    const auto batch =
        in_.client.List({KindOf("", "Pod"), kNamespace}, {.label_selector = SelectorOf(kDemoBatch)},
                        {.stop = in_.stop});
    if (!batch) return std::unexpected(api::ToError(batch.error()));
    ChooseNode(batch->objects);
    const api::Toleration* const line = FindRiskToleration(*payments_.begin()->second);
    if (line == nullptr) {
      return Fail(Reason::NotFound, fmt::format("{} does not tolerate {}, so nothing would move",
                                                kDemoPayments, kDemoTaint));
    }
    grace_ = std::chrono::seconds(line->toleration_seconds.value_or(0));
    say_.Step(
        fmt::format("Payments accept a risk below {}, batch work one below 20.", line->value));
    say_.Command(
        fmt::format("kubectl get pods -l app={} -o custom-columns="
                    "'POD:.metadata.name,NODE:.spec.nodeName'",
                    kDemoPayments));
    ShowPayments(payments_);
    say_.Pause();
    return {};
  }

  void ShowPayments(const NamedObjects& pods) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, pod] : pods) rows.push_back({name, NodeOf(*pod)});
    say_.Table({"POD", "NODE"}, rows);
  }

  /// Prefers a node that runs batch work, too: that stays.
  void ChooseNode(const std::vector<ObjectPtr>& batch) {
    std::set<std::string> with_batch;
    for (const ObjectPtr& pod : batch) {
      if (IsRunning(*pod)) with_batch.insert(NodeOf(*pod));
    }
    for (const auto& [name, pod] : payments_) {
      const std::string node = NodeOf(*pod);
      if (node_.empty() || (!with_batch.contains(node_) && with_batch.contains(node))) node_ = node;
    }
    for (const auto& [name, pod] : payments_) {
      if (NodeOf(*pod) == node_) leaving_.insert(name);
    }
    for (const ObjectPtr& pod : batch) {
      if (IsRunning(*pod) && NodeOf(*pod) == node_) staying_.emplace_back(pod->metadata().name);
    }
  }

  Status RaiseRisk() {
    const auto node = in_.client.Get({KindOf("", "Node"), {}, node_}, {}, {.stop = in_.stop});
    if (!node) return std::unexpected(api::ToError(node.error()));
    if (const api::Taint* const old = FindTaint(**node, kDemoTaint, kEffect)) {
      old_risk_ = std::string(old->value);
    }
    say_.Step(fmt::format("The risk of {} rises to {}, above the line of the payments.", node_,
                          kHighRisk));
    say_.Command(fmt::format("kubectl taint nodes {} {}={}:{} --overwrite", node_, kDemoTaint,
                             kHighRisk, kEffect));
    is_raised_ = true;  // even if the answer gets lost
    PL_TRY(SetTaint(in_.client, node_, kDemoTaint, kEffect, std::string(kHighRisk), in_.stop));
    deadline_ = in_.cluster_clock.Now() + grace_;
    return {};
  }

  Status TellMove() {
    PL_TRY(RaiseRisk());
    PL_TRY(CountDown());
    PL_TRY(ShowEvents());
    PL_TRY(ShowReplacements());
    return ExplainAndEnd();
  }

  /// Watches on another thread while this one shows the time that is left.
  Status CountDown() {
    say_.Step(fmt::format("The payments there have {} to leave.", FormatDuration(grace_)));
    say_.Command(fmt::format("kubectl get pods -l app={} -w", kDemoPayments));
    Result<NamedObjects> left = NamedObjects();
    const auto is_done = std::make_shared<client::StopSignal>();
    {
      WorkerPool watcher(1);
      watcher.Run([&] {
        left = AwaitObjects(
            in_.client, PodsOf(kDemoPayments), "the payments leave " + node_,
            [&](const NamedObjects& pods) { return HaveLeft(pods); }, in_.stop);
        is_done->Stop();
      });
      Clock& clock = in_.client.clock();
      do {
        const auto seconds =
            std::chrono::ceil<std::chrono::seconds>(deadline_ - in_.cluster_clock.Now()).count();
        const std::int64_t shown = std::max<std::int64_t>(0, seconds);
        say_.Countdown(shown, fmt::format("{} leaves in {} s", *leaving_.begin(), shown));
      } while (is_done->WaitUntil(clock, clock.Now() + kTick));
    }
    say_.EndCountdown();
    PL_TRY(left);
    for (const std::string& pod : leaving_) {
      say_.Say(fmt::format("{} was evicted from {}.", pod, node_));
    }
    return {};
  }

  bool HaveLeft(const NamedObjects& pods) const {
    return std::ranges::all_of(leaving_, [&](const std::string& name) {
      const auto found = pods.find(name);
      return found == pods.end() || !found->second->metadata().deletion_timestamp.empty();
    });
  }

  Status ShowEvents() {
    const std::string& pod = *leaving_.begin();
    const std::string selector = fmt::format("reason={},involvedObject.name={}", kEvent, pod);
    const auto events = PL_TRY(AwaitObjects(
        in_.client, {KindOf("", "Event"), kNamespace, {}, selector},
        "an event tells the eviction of " + pod,
        [](const NamedObjects& found) { return !found.empty(); }, in_.stop));
    say_.Step("An event says why.");
    say_.Command("kubectl get events --field-selector " + selector);
    for (const auto& [name, event] : events) {
      const codec::Value* const message = event->tree().Find("message");
      if (message != nullptr && message->is_string()) say_.Say(message->text());
    }
    say_.Pause();
    return {};
  }

  Status ShowReplacements() {
    const NamedObjects now =
        PL_TRY(AwaitPayments("new payments run on other nodes", payments_.size(), leaving_));
    for (const auto& [name, pod] : now) {
      if (payments_.contains(name)) continue;
      if (NodeOf(*pod) == node_) {
        return Fail(Reason::InternalError, fmt::format("{} runs on {} again", name, node_));
      }
      replacement_ = name;
      home_ = NodeOf(*pod);
    }
    if (replacement_.empty()) return Fail(Reason::InternalError, "no pod has come in its place");
    say_.Step(fmt::format("The Deployment made a new pod. It runs on {}.", home_));
    say_.Command(
        fmt::format("kubectl get pods -l app={} -o custom-columns="
                    "'POD:.metadata.name,NODE:.spec.nodeName'",
                    kDemoPayments));
    ShowPayments(now);
    return CheckBatch();
  }

  /// Returns an error if batch work has left, although it tolerates the new risk.
  Status CheckBatch() {
    if (!staying_.empty()) {
      const auto batch =
          in_.client.List({KindOf("", "Pod"), kNamespace},
                          {.label_selector = SelectorOf(kDemoBatch)}, {.stop = in_.stop});
      if (!batch) return std::unexpected(api::ToError(batch.error()));
      for (const std::string& name : staying_) {
        const auto found = std::ranges::find_if(
            batch->objects, [&](const ObjectPtr& pod) { return pod->metadata().name == name; });
        if (found == batch->objects.end() || !IsRunning(**found)) {
          return Fail(Reason::InternalError, fmt::format("{} has left {}", name, node_));
        }
      }
      say_.Say(fmt::format("Batch work stays on {}: {} is below its line.", node_, kHighRisk));
    }
    say_.Pause();
    return {};
  }

  Status ExplainAndEnd() {
    say_.Step("Why there, and why not on the other nodes?");
    say_.Command(fmt::format("plimsoll explain pod {} --node {}", replacement_, node_));
    PL_TRY(in_.explain(replacement_, node_));
    say_.Pause();
    say_.Step(fmt::format("That was all: {} moved from {} to {}, and nobody had to act.",
                          kDemoPayments, node_, home_));
    return {};
  }

  Status Restore() {
    if (!is_raised_) return {};
    // The story may have been stopped; the cluster must get its taint back all the same.
    const auto own_stop = in_.client.NewStopSignal();
    PL_TRY(SetTaint(in_.client, node_, kDemoTaint, kEffect, old_risk_, own_stop));
    say_.Say(fmt::format("The risk of {} is what it was.", node_));
    say_.Command(old_risk_
                     ? fmt::format("kubectl taint nodes {} {}={}:{} --overwrite", node_, kDemoTaint,
                                   *old_risk_, kEffect)
                     : fmt::format("kubectl taint nodes {} {}:{}-", node_, kDemoTaint, kEffect));
    return {};
  }

  /// Waits until so many payments run, without any of the others.
  Result<NamedObjects> AwaitPayments(std::string_view what, std::size_t count,
                                     const std::set<std::string, std::less<>>& without) {
    return AwaitObjects(
        in_.client, PodsOf(kDemoPayments), what,
        [&](const NamedObjects& pods) {
          return pods.size() == count && std::ranges::all_of(pods, [&](const auto& one) {
                   return !without.contains(one.first) && IsRunning(*one.second);
                 });
        },
        in_.stop);
  }

  const StoryParts& in_;
  Narrator& say_;
  NamedObjects payments_;  // before the move
  std::string node_;       // whose risk rises
  std::set<std::string, std::less<>> leaving_;
  std::vector<std::string> staying_;
  std::optional<std::string> old_risk_;  // of the same effect; unset: there was no such taint
  bool is_raised_ = false;
  Duration grace_{};
  Instant deadline_;  // by the clock of the cluster
  std::string replacement_;
  std::string home_;  // its node
};

}  // namespace

Status PlayStory(const StoryParts& parts) { return Story(parts).Play(); }

}  // namespace plimsoll::cli

#include "cli/up/start_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text/ascii.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kRisks =
    "  kubectl get nodes -o custom-columns='NAME:.metadata.name,RISK:.spec.taints[0].value'\n";
constexpr std::string_view kTaints =
    "  kubectl get nodes -o custom-columns="
    "'NAME:.metadata.name,TAINTS:.spec.taints[*].key,VALUES:.spec.taints[*].value'\n";

constexpr char kMoveSteps[] =
    R"(  kubectl get pods -o wide                            # payments are where the risk is below 5
  NODE=$(kubectl get pods -l app=payment-processor -o jsonpath='{{.items[0].spec.nodeName}}')
  kubectl taint nodes $NODE failure-probability=15:NoExecute --overwrite   # crosses their line
  kubectl get events -w --field-selector reason=TaintManagerEviction       # 30 s later they {}
)";

constexpr std::string_view kWaitingSteps =
    R"(  kubectl get pods -o wide                            # payments wait: no node's risk is below 5
  kubectl get events --field-selector reason=FailedScheduling
)";

constexpr std::string_view kPlainSteps =
    R"(  kubectl get nodes -o wide
  kubectl create deployment web --image=registry.example.com/web:1 --replicas=3
  kubectl get pods -o wide
  NODE=$(kubectl get pods -l app=web -o jsonpath='{.items[0].spec.nodeName}')
  kubectl taint nodes $NODE failure-probability=15:NoExecute --overwrite   # no pod tolerates it
  kubectl get events --field-selector reason=TaintManagerEviction
)";

constexpr std::string_view kStepsWithoutNodes =
    R"(  kubectl get namespaces
  kubectl api-resources
  kubectl explain pod.spec.tolerations.operator
  kubectl create deployment web --image=registry.example.com/web:1
  kubectl get events                                  # no nodes yet: --nodes 3, or --demo
)";

constexpr char kTaintedSteps[] =
    R"(  kubectl get pods -o wide
  NODE=$(kubectl get pod web -o jsonpath='{{.spec.nodeName}}')
  kubectl taint nodes $NODE {}=yes:NoExecute --overwrite       # the pod does not tolerate it
  kubectl get events --field-selector reason=TaintManagerEviction
)";

bool IsPlainWord(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return IsAlphanumeric(c) || std::string_view("./_-").contains(c);
  });
}

/// Returns a command for a pod that tolerates the taints of the first node. A Deployment made by
/// `kubectl create deployment` tolerates none.
std::string RunTolerantPod(const std::string& name, const std::string& image,
                           const std::vector<std::string>& keys) {
  std::string tolerations;
  for (const std::string& key : keys) {
    tolerations +=
        fmt::format(R"({}{{"key":"{}","operator":"Exists"}})", tolerations.empty() ? "" : ",", key);
  }
  return fmt::format(
      "  kubectl run {} --image={} \\\n"
      "    --overrides='{{\"spec\":{{\"tolerations\":[{}]}}}}'   # every node has a taint\n",
      name, image, tolerations);
}

/// Returns a key that none of the tolerated ones equals.
std::string OtherKey(const std::vector<std::string>& keys) {
  std::string key = "maintenance";
  while (std::ranges::find(keys, key) != keys.end()) key += "-2";
  return key;
}

std::string OwnPod(const NodeSurvey& nodes) {
  if (nodes.open == 0) {
    if (!std::ranges::all_of(nodes.first_keys, IsPlainWord)) return "";
    return RunTolerantPod("nginx", "nginx", nodes.first_keys);
  }
  const bool knows_all = nodes.surveyed == nodes.nodes;
  const std::string who = nodes.open == nodes.surveyed ? "every node accepts"
                          : knows_all
                              ? fmt::format("{} of {} nodes accept", nodes.open, nodes.nodes)
                              : "some nodes accept";
  return fmt::format(
      "  kubectl create deployment nginx --image=nginx       # your own: {} any pod\n", who);
}

std::string DemoSteps(const StartScreenFacts& facts) {
  const NodeSurvey& nodes = facts.nodes;
  std::string steps(facts.has_demo_nodes ? kRisks : kTaints);
  if (nodes.for_payments == 0) {
    steps += kWaitingSteps;
  } else {
    steps += fmt::format(kMoveSteps,
                         nodes.for_payments == 1 ? "leave, and no other node takes them" : "move");
  }
  return steps + OwnPod(nodes);
}

std::string TaintedSteps(const NodeSurvey& nodes) {
  std::string steps(kTaints);
  if (!std::ranges::all_of(nodes.first_keys, IsPlainWord)) return steps;
  steps += RunTolerantPod("web", "registry.example.com/web:1", nodes.first_keys);
  return steps + fmt::format(kTaintedSteps, OtherKey(nodes.first_keys));
}

std::string Steps(const StartScreenFacts& facts) {
  if (facts.nodes.nodes == 0) return std::string(kStepsWithoutNodes);
  if (facts.is_demo) return DemoSteps(facts);
  return facts.nodes.open == 0 ? TaintedSteps(facts.nodes) : std::string(kPlainSteps);
}

}  // namespace

std::string ShellWord(const std::string& word) {
  if (IsPlainWord(word)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string StartScreenText(const StartScreenFacts& facts) {
  const bool is_merged = !facts.merged_kubeconfig.empty();
  const std::size_t nodes = facts.nodes.nodes;
  std::string out = fmt::format(
      "Plimsoll is up: {}\n\n"
      "  runs        API server, scheduler, controllers, {} simulated node{}; one process\n"
      "  data        {} ({})\n"
      "  kubeconfig  {}\n",
      facts.url, nodes, nodes == 1 ? "" : "s", facts.directory,
      facts.had_data ? "found from an earlier run; --fresh begins anew" : "new",
      is_merged ? fmt::format("{} (context {})", facts.merged_kubeconfig, facts.context)
                : facts.kubeconfig);
  if (facts.has_demo_nodes) {
    out +=
        "  demo        nodes say how likely they are to fail; payments accept below 5 %, batch "
        "work below 20 %\n";
  }
  out += "\nTry in another terminal:\n\n";
  if (!is_merged) out += fmt::format("  export KUBECONFIG={}\n", ShellWord(facts.kubeconfig));
  out += fmt::format("{}\n{} stops it; the data stays, and the next start finds it.\n",
                     Steps(facts), facts.stop_command.empty() ? "Ctrl-C" : facts.stop_command);
  return out;
}

}  // namespace plimsoll::cli

#include "cli/up/start_screen.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace plimsoll::cli {
namespace {

constexpr std::string_view kDemoSteps =
    R"(  kubectl get nodes -o custom-columns='NAME:.metadata.name,RISK:.spec.taints[0].value'
  kubectl get pods -o wide                            # payments are where the risk is below 5
  NODE=$(kubectl get pods -l app=payment-processor -o jsonpath='{.items[0].spec.nodeName}')
  kubectl taint nodes $NODE failure-probability=15:NoExecute --overwrite   # crosses their line
  kubectl get events -w --field-selector reason=TaintManagerEviction       # 30 s later they move
  kubectl create deployment nginx --image=nginx       # your own: half of the nodes accept any pod
)";

constexpr char kPlainSteps[] =
    R"(  kubectl get nodes -o wide
  kubectl create deployment web --image=registry.example.com/web:1 --replicas=3
  kubectl get pods -o wide
  kubectl taint nodes {} failure-probability=15:NoExecute     # no pod tolerates it
  kubectl get events --field-selector reason=TaintManagerEviction
)";

constexpr std::string_view kStepsWithoutNodes =
    R"(  kubectl get namespaces
  kubectl api-resources
  kubectl explain pod.spec.tolerations.operator
  kubectl create deployment web --image=registry.example.com/web:1
  kubectl get events                                  # no nodes yet: --nodes 3, or --demo
)";

std::string Steps(const StartScreenFacts& facts) {
  if (facts.is_demo) return std::string(kDemoSteps);
  if (facts.nodes == 0) return std::string(kStepsWithoutNodes);
  return fmt::format(kPlainSteps, facts.first_node);
}

}  // namespace

std::string StartScreenText(const StartScreenFacts& facts) {
  std::string out = fmt::format(
      "Plimsoll is up: {}\n\n"
      "  runs        API server, scheduler, controllers, {} simulated node{}; one process\n"
      "  data        {} ({})\n"
      "  kubeconfig  {}\n",
      facts.url, facts.nodes, facts.nodes == 1 ? "" : "s", facts.directory,
      facts.had_data ? "found from an earlier run; --fresh begins anew" : "new", facts.kubeconfig);
  if (facts.is_demo) {
    out +=
        "  demo        nodes say how likely they are to fail; payments accept below 5 %, batch "
        "work below 20 %\n";
  }
  out += fmt::format(
      "\nTry in another terminal:\n\n  export KUBECONFIG={}\n{}\n"
      "Ctrl-C stops it; the data stays, and the next start finds it.\n",
      facts.kubeconfig, Steps(facts));
  return out;
}

}  // namespace plimsoll::cli

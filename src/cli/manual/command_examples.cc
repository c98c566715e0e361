#include "cli/manual/command_examples.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kKubectl = "kubectl ";

/// Commands for people who look at placement.
std::vector<CommandExamples> PlacementExamples() {
  return {
      {"plimsoll check",
       "check.md",
       {{"plimsoll check deploy/", "Check all manifests below a directory"},
        {"plimsoll check --strict-hints --nodes nodes.yaml pod.yaml",
         "Fail also if a threshold just misses the value of a node"},
        {"helm template chart | plimsoll check -o json -",
         "Check the output of another program, and print JSON"}}},
      {"plimsoll match",
       "match.md",
       {{"plimsoll match --pod pod.yaml --nodes nodes.yaml",
         "Show which of these nodes accept the pod"},
        {"plimsoll match --pod pod.yaml", "Compare the pod with the nodes of the current cluster"},
        {"kubectl get nodes -o json | plimsoll match --pod pod.yaml --nodes - --node spot-1",
         "Show every reason of one node"}}},
      {"plimsoll explain pod",
       "explain.md",
       {{"plimsoll explain pod web-0 -n shop", "Show why a pod is pending, or why it has its node"},
        {"plimsoll explain pod -f pod.yaml", "Ask whether a pod would fit before it is created"},
        {"plimsoll explain pod -f pod.yaml --nodes nodes.yaml --node spot-1",
         "Explain one node without an API server"}}},
      {"plimsoll explain deployment",
       "explain.md",
       {{"plimsoll explain deployment web -n shop", "Show where its pods run, and why others wait"},
        {"plimsoll explain deployment web --replicas 20", "Ask whether 20 pods would fit now"},
        {"plimsoll explain deployment -f web.yaml --nodes nodes.yaml",
         "Explain a manifest without an API server"}}},
      {"plimsoll explain replicaset",
       "explain.md",
       {{"plimsoll explain replicaset web-5d9c", "Explain one revision of a Deployment"},
        {"plimsoll explain replicaset web-5d9c -o json", "Print the facts for programs"}}},
      {"plimsoll explain statefulset",
       "explain.md",
       {{"plimsoll explain statefulset db", "Show its pods, with the volumes of the missing ones"},
        {"plimsoll explain statefulset db --replicas 5", "Ask whether five pods would fit now"}}},
      {"plimsoll explain daemonset",
       "explain.md",
       {{"plimsoll explain daemonset agent -n kube-system",
         "Show which nodes have no pod, and why"},
        {"plimsoll explain daemonset -f agent.yaml --nodes nodes.yaml",
         "Explain a manifest without an API server"}}},
      {"plimsoll explain job",
       "explain.md",
       {{"plimsoll explain job report", "Show why fewer pods run than its parallelism"},
        {"plimsoll explain job report --replicas 50", "Ask whether 50 pods would fit now"}}},
      {"plimsoll explain node",
       "explain.md",
       {{"plimsoll explain node spot-1",
         "Show which pods tolerate its taints, and which could run there"},
        {"plimsoll explain node spot-1 -o yaml", "Print the facts for programs"}}},
      {"plimsoll explain claim",
       "explain.md",
       {{"plimsoll explain claim gpu -n shop", "Show its devices, or why it cannot be allocated"},
        {"plimsoll explain claim gpu -n shop -o json", "Print the facts for programs"}}},
      {"plimsoll explain device",
       "explain.md",
       {{"plimsoll explain device gpu.example.com/node-0/gpu-1",
         "Show who tainted a device, and who uses it"},
        {"plimsoll explain device gpu.example.com/node-0/gpu-1 -o yaml",
         "Print the facts for programs"}}},
      {"plimsoll cel check",
       "cel.md",
       {{"plimsoll cel check 'int(taint.value) < 5'",
         "Show the type and the cost of an expression"},
        {"plimsoll cel check --env device 'device.driver == \"gpu.example.com\"'",
         "Check an expression of a device selector"}}},
      {"plimsoll cel eval",
       "cel.md",
       {{"plimsoll cel eval 'int(taint.value) < 5' --taint failure-probability=7:NoSchedule",
         "Evaluate the expression of a toleration for a taint"},
        {"plimsoll cel eval --explain 'device.driver == \"gpu.example.com\"' --device slices.yaml",
         "Show the value of each part of an expression, for each device"}}},
      {"plimsoll get devices",
       "devices.md",
       {{"plimsoll get devices -o wide", "List all devices with their attributes and capacities"},
        {"plimsoll get devices --tainted",
         "Show which devices are tainted, by whom, and their pods"},
        {"plimsoll get devices --node node-0 -o name",
         "Print only the names of a node's devices"}}},
      {"plimsoll get tolerations",
       "kubectl-plugin.md",
       {{"plimsoll get tolerations -l app=web", "List operators and the margin to each threshold"},
        {"kubectl get pods,nodes -A -o json | plimsoll get tolerations -f - -A",
         "List the tolerations of objects in a file"}}},
      {"plimsoll get taints",
       "kubectl-plugin.md",
       {{"plimsoll get taints spot-1",
         "Show who set each taint of a node, and how many pods tolerate it"},
        {"plimsoll get taints -l pool=spot -o wide",
         "List the taints of a pool with their times"}}},
      {"plimsoll history",
       "controllers.md",
       {{"plimsoll history node spot-1", "Show changes of a node's taints, and whom they evicted"},
        {"plimsoll history workload web -n shop --since 2h -o json",
         "Show why pods of a workload went, for a program"}}},
      {"plimsoll taint device",
       "devices.md",
       {{"plimsoll taint device gpu.example.com/node-0/gpu-1 broken=yes:NoExecute",
         "Taint one device and evict its pods"},
        {"plimsoll taint device --driver gpu.example.com retire=soon:NoExecute --rate 5 --preview",
         "Show which pods a taint would evict, without changing anything"},
        {"plimsoll taint device --driver gpu.example.com retire-", "Remove that taint"}}},
  };
}

/// Commands about evictions.
std::vector<CommandExamples> EvictionExamples() {
  constexpr std::string_view kPage = "lines-and-previews.md";
  return {
      {"plimsoll lines",
       kPage,
       {{"plimsoll lines -A", "Show how near the pods of all namespaces are to their thresholds"},
        {"plimsoll lines failure-probability -o wide",
         "Show one key, with the names of the pods that are near the line"},
        {"kubectl get pods,nodes -A -o json | plimsoll lines -f - -o json",
         "Survey the objects of a file"}}},
      {"plimsoll taint node",
       kPage,
       {{"plimsoll taint node spot-1 failure-probability=8:NoExecute --preview",
         "Show whom a taint would evict, when, and where the pods would run"},
        {"plimsoll taint node -l pool=spot maintenance=soon:NoSchedule --yes",
         "Taint a pool of nodes without a question"},
        {"plimsoll taint node spot-1 failure-probability-", "Remove the taint"}}},
      {"plimsoll taint rule",
       kPage,
       {{"plimsoll taint rule -f rule.yaml --preview",
         "Show whom the taints of a rule would evict"},
        {"plimsoll taint rule -f rule.yaml --value 80 --preview",
         "Assume a value for a rule that asks Prometheus"}}},
      {"plimsoll cordon",
       kPage,
       {{"plimsoll cordon spot-1", "Keep new pods away from a node"},
        {"plimsoll cordon -l pool=spot --yes", "Cordon a pool of nodes without a question"}}},
      {"plimsoll uncordon",
       kPage,
       {{"plimsoll uncordon spot-1 --yes", "Let new pods come to a node again"},
        {"plimsoll uncordon -l pool=spot --preview", "Show what would change"}}},
      {"plimsoll drain",
       kPage,
       {{"plimsoll drain spot-1 --preview",
         "Show which pods would go, where they would fit, and which budgets hold them"},
        {"plimsoll drain spot-1 --delete-emptydir-data --timeout 10m --yes",
         "Drain a node, and give up after ten minutes"}}},
      {"plimsoll evictions",
       kPage,
       {{"plimsoll evictions -A", "List evictions that wait, are held back or run"},
        {"plimsoll evictions -A --watch", "Print the list again whenever it changes"}}},
      {"plimsoll evictions pause",
       kPage,
       {{"plimsoll evictions pause spot", "Hold back the evictions of the policy spot"},
        {"plimsoll evictions pause spot batch", "Pause two policies"}}},
      {"plimsoll evictions resume",
       kPage,
       {{"plimsoll evictions resume spot", "Let evictions go on, and reset a tripped breaker"},
        {"plimsoll evictions resume spot batch", "Resume two policies"}}},
      {"plimsoll evictions cancel",
       kPage,
       {{"plimsoll evictions cancel pod web-0 -n shop",
         "Withdraw the eviction of a pod, or tell what must change"},
        {"plimsoll evictions cancel web-0", "Same, for a pod of the current namespace"}}},
  };
}

/// Commands that run a cluster or parts of it.
std::vector<CommandExamples> ClusterExamples() {
  return {
      {"plimsoll up",
       "first-hour.md",
       {{"plimsoll up --demo", "Run a cluster with 20 nodes and two workloads"},
        {"plimsoll up --nodes 100 --port 7443 --data-dir /var/tmp/lab",
         "Run a larger cluster beside it"},
        {"plimsoll up --demo --detach --merge-kubeconfig",
         "Run in the background, as the current context of kubectl"}}},
      {"plimsoll status",
       "first-hour.md",
       {{"plimsoll status", "Show what runs, and if its nodes are ready"},
        {"plimsoll status -o json", "Print the facts for scripts; exit code 1 if nothing runs"}}},
      {"plimsoll down",
       "first-hour.md",
       {{"plimsoll down", "Stop the cluster, and keep its data"},
        {"plimsoll down --purge", "Stop it, and delete its data directory"}}},
      {"plimsoll demo",
       "first-hour.md",
       {{"plimsoll demo", "Watch the story for a minute"},
        {"plimsoll demo --kubeconfig .plimsoll/admin.kubeconfig",
         "Play it on the cluster that plimsoll up --demo runs"}}},
      {"plimsoll apiserver",
       "apiserver.md",
       {{"plimsoll apiserver --data-dir data", "Serve clients on this machine"},
        {"plimsoll apiserver --data-dir data --tls-san api.example.com --bind-address 0.0.0.0",
         "Serve clients on other machines"},
        {"plimsoll apiserver --etcd-servers http://127.0.0.1:2379", "Store the objects in etcd"}}},
      {"plimsoll scheduler",
       "scheduler.md",
       {{"plimsoll scheduler --kubeconfig admin.kubeconfig --config scheduler.yaml",
         "Schedule the pods of any Kubernetes API server"},
        {"plimsoll scheduler --kubeconfig admin.kubeconfig --scheduler-name plimsoll",
         "Run a second scheduler for the pods that name it"}}},
      {"plimsoll controller-manager",
       "controllers.md",
       {{"plimsoll controller-manager --kubeconfig admin.kubeconfig "
         "--controllers=taint-eviction-controller",
         "Run only one controller"},
        {"plimsoll controller-manager --kubeconfig admin.kubeconfig "
         "--controllers=taint-eviction,device-taint-eviction --dry-run",
         "Log which pods would be evicted, without evicting them"}}},
      {"plimsoll kubelet",
       "kubelet.md",
       {{"plimsoll kubelet --kubeconfig admin.kubeconfig --nodes 10", "Simulate ten equal nodes"},
        {"plimsoll kubelet --kubeconfig admin.kubeconfig --nodes 1000 "
         "--node-template nodes.yaml.template",
         "Simulate a thousand nodes that follow a template"}}},
  };
}

std::vector<CommandExamples> DataExamples() {
  return {
      {"plimsoll migrate",
       "operations.md",
       {{"plimsoll migrate --from rocksdb:.plimsoll --to etcd:http://127.0.0.1:2379",
         "Move a cluster from its data directory to etcd"},
        {"plimsoll migrate --from etcd:http://127.0.0.1:2379 --to rocksdb:data -o json",
         "Move it back, and print the result as JSON"}}},
      {"plimsoll storage rewrite",
       "operations.md",
       {{"plimsoll storage rewrite --store rocksdb:.plimsoll --encryption-provider-config "
         "keys.yaml",
         "Encrypt all values with the first key of a configuration, while no server runs"},
        {"plimsoll storage rewrite --store etcd:http://127.0.0.1:2379 "
         "--encryption-provider-config keys.yaml",
         "Do the same in etcd, while servers run"}}},
      {"plimsoll snapshot save",
       "operations.md",
       {{"plimsoll snapshot save backup.plimsoll --server", "Save the objects of a running server"},
        {"plimsoll snapshot save backup.plimsoll --store etcd:http://127.0.0.1:2379",
         "Save a store. A store on RocksDB must not be in use"}}},
      {"plimsoll snapshot restore",
       "operations.md",
       {{"plimsoll snapshot restore backup.plimsoll --store rocksdb:data",
         "Restore a snapshot to an empty data directory"},
        {"plimsoll snapshot restore backup.plimsoll --store etcd:http://127.0.0.1:2379",
         "Restore a snapshot to an empty etcd"}}},
  };
}

std::vector<CommandExamples> OtherExamples() {
  return {
      {"plimsoll",
       "",
       {{"plimsoll up --demo", "Run a cluster with 20 nodes and two workloads on this machine"},
        {"plimsoll match --pod pod.yaml",
         "Show which nodes accept a pod, and why others refuse it"},
        {"plimsoll explain pod web-0", "Show why a pod is pending, or why it has its node"}}},
      {"plimsoll version",
       "",
       {{"plimsoll version", "Show the version of the program and of the Kubernetes API"},
        {"plimsoll version -o json", "Print the versions for scripts"}}},
      {"plimsoll help",
       "",
       {{"plimsoll help", "List all commands"},
        {"plimsoll help cel eval", "Show the help of one command"}}},
      {"plimsoll completion",
       "",
       {{"source <(plimsoll completion bash)", "Complete commands in bash; put this in ~/.bashrc"},
        {"plimsoll completion zsh > ~/.zfunc/_plimsoll", "Install the script for zsh"},
        {"plimsoll completion fish > ~/.config/fish/completions/plimsoll.fish",
         "Install the script for fish"}}},
  };
}

const std::vector<CommandExamples>& AllExamples() {
  static const std::vector<CommandExamples> kExamples = [] {
    std::vector<CommandExamples> all;
    for (const auto& some : {PlacementExamples(), EvictionExamples(), ClusterExamples(),
                             DataExamples(), OtherExamples()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kExamples;
}

}  // namespace

const CommandExamples& ExamplesOf(std::string_view command) {
  static const CommandExamples kNone;
  // The kubectl plugin has the same commands.
  if (command.starts_with(kKubectl)) command.remove_prefix(kKubectl.size());
  for (const CommandExamples& found : AllExamples()) {
    if (found.command == command) return found;
  }
  return kNone;
}

std::vector<Example> ExamplesFor(std::string_view command, const std::vector<std::string>& below) {
  std::vector<Example> examples = ExamplesOf(command).examples;
  if (!examples.empty()) return examples;
  for (const std::string& one : below) {
    const CommandExamples& its = ExamplesOf(one);
    if (!its.examples.empty()) examples.push_back(its.examples.front());
  }
  return examples;
}

}  // namespace plimsoll::cli

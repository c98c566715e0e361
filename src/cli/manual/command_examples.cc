#include "cli/manual/command_examples.h"

namespace plimsoll::cli {
namespace {

const std::vector<CommandExamples>& AllExamples() {
  static const std::vector<CommandExamples> kExamples{
      {"plimsoll check",
       "check.md",
       {{"plimsoll check deploy/", "all manifests below a directory, before they are applied"},
        {"plimsoll check --strict-hints --nodes nodes.yaml pod.yaml",
         "fail also when a threshold just misses what some node has"},
        {"helm template chart | plimsoll check -o json -", "what another program writes"}}},
      {"plimsoll match",
       "match.md",
       {{"plimsoll match --pod pod.yaml --nodes nodes.yaml", "every node, and why not"},
        {"kubectl get nodes -o json | plimsoll match --pod pod.yaml --nodes - --node spot-1",
         "all there is to say of one node of a running cluster"}}},
      {"plimsoll explain pod",
       "explain.md",
       {{"plimsoll explain pod web-0 -n shop", "why it waits, or why it is where it is"},
        {"plimsoll explain pod -f pod.yaml",
         "whether the cluster would take it, before it is made"},
        {"plimsoll explain pod -f pod.yaml --nodes nodes.yaml --node spot-1",
         "without a server, with all that one node says"}}},
      {"plimsoll cel check",
       "cel.md",
       {{"plimsoll cel check 'int(taint.value) < 5'", "its type, and what it costs at most"}}},
      {"plimsoll cel eval",
       "cel.md",
       {{"plimsoll cel eval 'int(taint.value) < 5' --taint failure-probability=7:NoSchedule",
         "what a toleration makes of a taint"},
        {"plimsoll cel eval --explain 'device.driver == \"gpu.example.com\"' --device slices.yaml",
         "the value of each part, for each device"}}},
      {"plimsoll get devices",
       "devices.md",
       {{"plimsoll get devices --tainted", "who tainted which device, and who uses it"}}},
      {"plimsoll taint device",
       "devices.md",
       {{"plimsoll taint device gpu.example.com/node-0/gpu-1 broken=yes:NoExecute", "one device"},
        {"plimsoll taint device --driver gpu.example.com retire=soon:NoExecute --rate 5 --preview",
         "first see whom it would evict"},
        {"plimsoll taint device --driver gpu.example.com retire-", "take it back"}}},
      {"plimsoll up",
       "first-hour.md",
       {{"plimsoll up --demo", "20 nodes, two workloads, and what to try"},
        {"plimsoll up --nodes 100 --port 7443 --data-dir /var/tmp/lab", "a larger one beside it"},
        {"plimsoll up --demo --fresh", "forget what earlier runs have stored"},
        {"plimsoll up --demo --detach --merge-kubeconfig",
         "in the background, and the current context of kubectl"}}},
      {"plimsoll status",
       "first-hour.md",
       {{"plimsoll status", "what runs, and how it is"},
        {"plimsoll status -o json", "for scripts; exit code 1 if nothing runs"}}},
      {"plimsoll down",
       "first-hour.md",
       {{"plimsoll down", "stop it; the data stays"},
        {"plimsoll down --purge", "delete the data directory, too"}}},
      {"plimsoll demo",
       "first-hour.md",
       {{"plimsoll demo", "watch for a minute"},
        {"plimsoll demo --kubeconfig .plimsoll/admin.kubeconfig",
         "on the cluster that plimsoll up --demo runs"}}},
      {"plimsoll apiserver",
       "apiserver.md",
       {{"plimsoll apiserver --data-dir data --tls-san api.example.com --bind-address 0.0.0.0",
         "for clients on other machines"}}},
      {"plimsoll migrate",
       "operations.md",
       {{"plimsoll migrate --from rocksdb:.plimsoll --to etcd:http://127.0.0.1:2379",
         "a cluster outgrows its machine"}}},
      {"plimsoll storage rewrite",
       "operations.md",
       {{"plimsoll storage rewrite --store rocksdb:.plimsoll --encryption-provider-config "
         "keys.yaml",
         "after a key was replaced; of rocksdb, while no server runs"}}},
      {"plimsoll snapshot save",
       "operations.md",
       {{"plimsoll snapshot save backup.plimsoll --store etcd:http://127.0.0.1:2379",
         "while servers run; of rocksdb, while none does"}}},
      {"plimsoll snapshot restore",
       "operations.md",
       {{"plimsoll snapshot restore backup.plimsoll --store rocksdb:data", "into an empty store"}}},
      {"plimsoll scheduler",
       "scheduler.md",
       {{"plimsoll scheduler --kubeconfig admin.kubeconfig --config scheduler.yaml",
         "beside any Kubernetes API server"},
        {"plimsoll scheduler --kubeconfig admin.kubeconfig --scheduler-name plimsoll",
         "a second scheduler, for the pods that name it"}}},
      {"plimsoll controller-manager",
       "controllers.md",
       {{"plimsoll controller-manager --kubeconfig admin.kubeconfig "
         "--controllers=taint-eviction-controller",
         "one controller alone"},
        {"plimsoll controller-manager --kubeconfig admin.kubeconfig "
         "--controllers=taint-eviction,device-taint-eviction --dry-run",
         "tell who would be evicted, and evict nobody"}}},
      {"plimsoll kubelet",
       "kubelet.md",
       {{"plimsoll kubelet --kubeconfig admin.kubeconfig --nodes 1000 "
         "--node-template nodes.yaml.template",
         "a thousand nodes made of one template"}}},
      {"plimsoll version", "", {{"plimsoll version -o json", "for scripts"}}},
      {"plimsoll completion",
       "",
       {{"source <(plimsoll completion bash)", "in ~/.bashrc"},
        {"plimsoll completion zsh > ~/.zfunc/_plimsoll", "where zsh looks for them"}}},
  };
  return kExamples;
}

}  // namespace

const CommandExamples& ExamplesOf(std::string_view command) {
  static const CommandExamples kNone;
  for (const CommandExamples& found : AllExamples()) {
    if (found.command == command) return found;
  }
  return kNone;
}

}  // namespace plimsoll::cli

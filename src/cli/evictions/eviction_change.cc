#include "cli/evictions/eviction_change.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "api/core/taint_owner.h"
#include "api/lifecycle/eviction_request.h"
#include "base/assert.h"
#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/pending_eviction.h"
#include "cli/explain/text_lines.h"
#include "cli/flags/common_flags.h"
#include "cli/output/failure.h"
#include "cli/output/styled_text.h"
#include "cli/tolerations/placement_objects.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

/// Requesters of Plimsoll's own controllers begin with it.
constexpr std::string_view kRequesterPrefix = "plimsoll.io/";

const api::KindDesc& KindOf(std::string_view group, std::string_view version,
                            std::string_view kind) {
  const api::KindDesc* const found = api::FindKind(group, version, kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

/// Withdraws the requests of Plimsoll for the pod. Returns how many.
Result<std::size_t> Withdraw(const api::Object& pod, const ClusterReader& server,
                             const client::Client& client, Context& context) {
  std::size_t withdrawn = 0;
  const auto requests = PL_TRY(
      server.List({"lifecycle.k8s.io", "v1alpha1", "EvictionRequest"}, pod.metadata().namespace_));
  for (const ObjectPtr& object : requests) {
    const auto* const request = object->As<api::EvictionRequest>();
    if (request == nullptr || !request->pod || request->pod->uid != pod.metadata().uid ||
        request->intent != "Eviction" || !request->requester.starts_with(kRequesterPrefix)) {
      continue;
    }
    client::PatchOptions options;
    options.type = client::PatchType::Merge;
    PL_TRY(api::StatusOf(client.Patch(
        {object->kind(), object->metadata().namespace_, object->metadata().name},
        R"({"metadata":{"resourceVersion":")" + std::string(object->metadata().resource_version) +
            R"("},"spec":{"intent":"Withdrawn"}})",
        options)));
    context.out << "evictionrequest.lifecycle.k8s.io/" << object->metadata().name << " withdrawn\n";
    ++withdrawn;
  }
  return withdrawn;
}

/// Adds which changes would let the pod stay.
void AddRemedies(const api::Object& pod, const api::Object& node, const match::Rules& rules,
                 TextLines& lines) {
  const api::PodSpec& spec = pod.As<api::Pod>()->spec;
  for (const api::Taint& taint : node.As<api::Node>()->spec.taints) {
    if (!match::Evicts(taint)) continue;
    const api::Toleration* const found = match::FindToleration(spec.tolerations, taint, rules);
    if (found != nullptr && !found->toleration_seconds) continue;
    std::string line = "taint " + api::ToText(taint) + " of node " + std::string(spec.node_name);
    if (const auto owners = OwnersOfTaint(node, taint); !owners.empty()) {
      line += ", set by " + ListText(owners);
    }
    lines.Add("- remove it: plimsoll taint node " + std::string(spec.node_name) + " " +
              std::string(taint.key) + ":NoExecute-   (" + line + ")");
  }
  lines.Add(
      "- or tolerate it: add a toleration to the pod; its tolerations can be extended while "
      "it runs");
  lines.Add("- or hold back all evictions of a policy: plimsoll evictions pause POLICY");
}

/// Explains why the eviction cannot be cancelled by itself. Returns an exit code.
int ExplainCancel(const ObjectPtr& pod, const ObjectPtr& node, const api::FeatureGates& gates,
                  const match::Rules& rules, Instant now, Context& context) {
  TextLines lines;
  const std::string name = "pod " + FullName(*pod);
  if (!pod->metadata().deletion_timestamp.empty()) {
    lines.Add(name + " terminates already: its eviction cannot be cancelled any more", Style::Bad);
  } else if (pod->As<api::Pod>()->spec.node_name.empty()) {
    lines.Add(name + " has no node yet, so that nothing evicts it");
  } else if (node == nullptr) {
    lines.Add("the node of " + name + " is gone: pod garbage collection deletes the pod",
              Style::Bad);
  } else {
    const auto pending = FindEviction(pod, node, gates, rules, now);
    if (!pending) {
      lines.Add(name + " is not to be evicted by a taint of its node", Style::Good);
    } else {
      lines.Add(name + " is to be evicted " +
                (pending->at ? "at " + FormatTime(*pending->at) : std::string("now")) + ": " +
                pending->why);
      lines.Add("No eviction request asks for it, so that one of these must change:");
      AddRemedies(*pod, *node, rules, lines);
    }
  }
  Write(lines.text(), context.out_look, context.out);
  return kExitFindings;
}

/// Returns the name of the pod among the words `pod NAME`, `pod/NAME` or `NAME`.
Result<std::string> PodNameOf(std::vector<std::string> words) {
  if (words.size() == 2 && (words[0] == "pod" || words[0] == "pods" || words[0] == "po")) {
    return words[1];
  }
  if (words.size() != 1) return Fail(Reason::Invalid, "which pod? Write: pod NAME");
  const std::size_t slash = words[0].find('/');
  return slash == std::string::npos ? words[0] : words[0].substr(slash + 1);
}

Result<int> Cancel(const EvictionChangeOptions& options, Context& context) {
  const std::string name = PL_TRY(PodNameOf(options.words));
  RealClock clock;
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const match::Rules rules = PL_TRY(RulesOf(options.feature_gates));
  const ClusterReader server =
      PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
  const std::string namespace_ =
      options.namespace_.empty() ? server.namespace_() : options.namespace_;
  const ObjectPtr pod = PL_TRY(server.FindPod(namespace_, name));
  if (pod == nullptr) {
    return Fail(Reason::NotFound, "no pod \"" + name + "\" in namespace \"" + namespace_ + "\"");
  }
  const auto client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
  if (PL_TRY(Withdraw(*pod, server, *client, context)) > 0) return static_cast<int>(kExitOk);
  ObjectPtr node;
  const std::string node_name(pod->As<api::Pod>()->spec.node_name);
  if (!node_name.empty()) node = PL_TRY(server.Find(KindOf("", "v1", "Node"), {}, node_name));
  return ExplainCancel(pod, node, gates, rules, clock.Now(), context);
}

/// Pauses or resumes the policy.
Status ChangePolicy(EvictionChange change, const std::string& policy, const client::Client& client,
                    Context& context) {
  const bool is_pause = change == EvictionChange::Pause;
  client::PatchOptions options;
  options.type = client::PatchType::Merge;
  options.field_manager = "plimsoll-evictions";
  const std::string patch = is_pause ? R"({"spec":{"paused":true}})"
                                     : R"({"spec":{"paused":false,"resumedAt":")" +
                                           FormatTime(client.clock().Now()) + R"("}})";
  const auto answer = client.Patch(
      {KindOf("plimsoll.io", "v1alpha1", "EvictionPolicy"), {}, policy}, patch, options);
  PL_TRY(api::StatusOf(answer));
  context.out << "evictionpolicy.plimsoll.io/" << policy << (is_pause ? " paused\n" : " resumed\n");
  return {};
}

Result<int> Change(EvictionChange change, const EvictionChangeOptions& options, Context& context) {
  if (change == EvictionChange::Cancel) return Cancel(options, context);
  RealClock clock;
  const auto client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
  for (const std::string& policy : options.words) {
    PL_TRY(ChangePolicy(change, policy, *client, context));
  }
  return static_cast<int>(kExitOk);
}

}  // namespace

void AddEvictionChangeFlags(CLI::App& command, EvictionChange change,
                            EvictionChangeOptions& options) {
  const bool is_cancel = change == EvictionChange::Cancel;
  command
      .add_option("words", options.words,
                  is_cancel ? "Name of the pod, such as pod web-0" : "Names of EvictionPolicies")
      ->required()
      ->type_name(is_cancel ? "[pod] NAME" : "POLICY");
  if (is_cancel) {
    command
        .add_option("-n,--namespace", options.namespace_,
                    "Namespace of the pod. Without this flag the namespace of the kubeconfig's "
                    "context")
        ->type_name("NAMESPACE");
    AddFeatureGatesFlag(command, options.feature_gates);
  }
  AddServerFlags(command, options.kubeconfig, options.kube_context);
}

int RunEvictionChange(EvictionChange change, const EvictionChangeOptions& options,
                      Context& context) {
  const Result<int> code = Change(change, options, context);
  return code ? *code : ReportFailure(code.error(), context);
}

}  // namespace plimsoll::cli

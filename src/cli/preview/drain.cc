#include "cli/preview/drain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <set>
#include <utility>

#include "api/schema/schema.h"
#include "base/assert.h"
#include "base/go_duration.h"
#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/pod_groups.h"
#include "cli/explain/text_lines.h"
#include "cli/flags/number_checks.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/tree_output.h"
#include "cli/preview/change_nodes.h"
#include "cli/preview/impact_output.h"
#include "cli/preview/node_change.h"
#include "codec/build.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::ObjectOf;
using codec::Value;

/// Delay between two attempts of evictions that a budget refuses, as in kubectl.
constexpr Duration kRetryDelay = std::chrono::seconds(5);
/// Delay between two looks at pods that terminate.
constexpr Duration kPollDelay = std::chrono::seconds(1);

const api::KindDesc& PodKind() {
  const api::KindDesc* const kind = api::FindKind("", "v1", "Pod");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

std::string EvictionJson(const api::Object& pod, std::optional<std::int64_t> grace_seconds) {
  Document document;
  Value options = document.NewObject();
  if (grace_seconds) document.Set(options, "gracePeriodSeconds", Value::Int(*grace_seconds));
  document.Set(options, "preconditions",
               ObjectOf(document, {{"uid", Value::String(pod.metadata().uid)}}));
  const Value metadata =
      ObjectOf(document, {{"name", Value::String(pod.metadata().name)},
                          {"namespace", Value::String(pod.metadata().namespace_)}});
  return codec::WriteJson(ObjectOf(document, {{"apiVersion", Value::String("policy/v1")},
                                              {"kind", Value::String("Eviction")},
                                              {"metadata", metadata},
                                              {"deleteOptions", options}}));
}

/// Evicts pods one after the other, and waits until they are gone.
class Evictor {
 public:
  Evictor(const DrainPlan& plan, const DrainOptions& options, const client::Client& client,
          Context& context)
      : options_(options), client_(client), context_(context), pending_(plan.evicted) {}

  bool is_done() const { return pending_.empty() && going_.empty(); }

  /// Tries every eviction that is left.
  Status EvictPending() {
    std::vector<ObjectPtr> refused;
    for (const ObjectPtr& pod : pending_) {
      const auto answer =
          client_.Create({PodKind(), pod->metadata().namespace_, pod->metadata().name, "eviction"},
                         EvictionJson(*pod, options_.grace_seconds), {}, {.retries_max = 0});
      // 404 and 409 (another uid): the pod is gone already.
      if (answer || answer.error().code == 404 || answer.error().code == 409) {
        going_.push_back(pod);
      } else if (answer.error().code == 429) {
        if (told_.insert(PodKey(*pod)).second) {
          Tell("pod/" + FullName(*pod) + " waits: " + answer.error().message);
        }
        refused.push_back(pod);
      } else {
        return Fail(api::ToError(answer.error()).reason,
                    "cannot evict pod " + FullName(*pod) + ": " + answer.error().message);
      }
    }
    pending_ = std::move(refused);
    return {};
  }

  /// Forgets the pods that are gone.
  Status FindGone() {
    std::set<std::string> nodes;
    for (const ObjectPtr& pod : going_) nodes.emplace(pod->As<api::Pod>()->spec.node_name);
    std::set<std::string> present;
    for (const std::string& node : nodes) {
      const auto list = client_.List({PodKind()}, {.field_selector = "spec.nodeName=" + node});
      if (!list) return std::unexpected(api::ToError(list.error()));
      for (const ObjectPtr& pod : list->objects) present.insert(PodKey(*pod));
    }
    std::erase_if(going_, [&](const ObjectPtr& pod) {
      if (present.contains(PodKey(*pod))) return false;
      Tell("pod/" + FullName(*pod) + " evicted");
      return true;
    });
    return {};
  }

  /// Returns the full names of the pods that are left.
  std::vector<std::string> LeftOver() const {
    std::vector<std::string> names = FullNames(pending_);
    const std::vector<std::string> going = FullNames(going_);
    names.insert(names.end(), going.begin(), going.end());
    return names;
  }

 private:
  void Tell(const std::string& line) {
    if (!IsTree(options_.preview.output)) context_.out << line << '\n' << std::flush;
  }

  const DrainOptions& options_;
  const client::Client& client_;
  Context& context_;
  std::vector<ObjectPtr> pending_;  // not evicted yet
  std::vector<ObjectPtr> going_;    // evicted, and not gone yet
  std::set<std::string> told_;      // pods whose refusal was printed
};

/// Returns Invalid if the plan needs flags that are not given.
Status CheckPlan(const DrainPlan& plan, const DrainOptions& options) {
  if (!plan.unmanaged.empty() && !options.is_forced) {
    return Fail(Reason::Invalid,
                "nobody would create these pods again: " + ListText(FullNames(plan.unmanaged)) +
                    "; add --force to delete them for good");
  }
  if (!plan.with_empty_dir.empty() && !options.deletes_empty_dir) {
    return Fail(Reason::Invalid, "these pods would lose the data of emptyDir volumes: " +
                                     ListText(FullNames(plan.with_empty_dir)) +
                                     "; add --delete-emptydir-data to evict them all the same");
  }
  return {};
}

void PrintNotes(const DrainPlan& plan, const DrainOptions& options, Context& context) {
  if (!plan.with_empty_dir.empty()) {
    PrintWarning(
        "the data of emptyDir volumes is lost: " + ListText(FullNames(plan.with_empty_dir)),
        context);
  }
  if (const Status status = CheckPlan(plan, options); !status) {
    PrintWarning("the drain will not begin: " + status.error().message, context);
  }
}

void PrintResult(const std::vector<ObjectPtr>& nodes, const DrainPlan& plan, OutputFormat format,
                 Context& context) {
  if (!IsTree(format)) {
    for (const ObjectPtr& node : nodes) {
      context.out << "node/" << node->metadata().name << " drained\n";
    }
    return;
  }
  Document document;
  Value root = document.NewObject();
  SetList(document, root, "nodes", nodes,
          [&](const ObjectPtr& node) { return document.NewString(node->metadata().name); });
  SetTexts(document, root, "evicted", FullNames(plan.evicted));
  WriteTree(root, format, context.out);
}

Result<Duration> TimeoutOf(const std::string& text) {
  const auto timeout = ParseGoDuration(text);
  if (timeout && *timeout >= Duration::zero()) return *timeout;
  return FailAt(Reason::Invalid, "--timeout",
                fmt::format("want a duration such as 5m, or 0s for no limit, got \"{}\"", text));
}

/// Shows the impact. Returns the plan.
Result<DrainPlan> Show(const PreviewCluster& cluster, const std::vector<ObjectPtr>& nodes,
                       const DrainOptions& options, Context& context) {
  DrainPlan plan = PlanDrain(cluster.objects, nodes);
  const OutputFormat format = options.preview.output;
  if (IsTree(format) && !options.preview.is_preview) return plan;
  const NodeImpact impact = PL_TRY(ImpactOfDrain(cluster, nodes, plan));
  if (IsTree(format)) {
    Document document;
    WriteTree(ImpactTree(impact, document), format, context.out);
    return plan;
  }
  PrintImpact({.change = "Drain " + NodesText(impact.nodes), .is_by_api = true}, impact, format,
              context);
  PrintNotes(plan, options, context);
  return plan;
}

Result<bool> Drain(const DrainOptions& options, Context& context) {
  PL_TRY(CheckPreviewOptions(options.preview));
  const Duration timeout = PL_TRY(TimeoutOf(options.timeout));
  RealClock clock;
  const PreviewCluster cluster = PL_TRY(ReadPreviewCluster(options.preview, clock, context));
  const std::vector<ObjectPtr> nodes =
      PL_TRY(SelectNodes(cluster, options.nodes, options.selector));
  const DrainPlan plan = PL_TRY(Show(cluster, nodes, options, context));
  if (options.preview.is_preview) {
    if (!IsTree(options.preview.output)) context.out << "Nothing was changed.\n";
    return true;
  }
  PL_TRY(CheckPlan(plan, options));
  context.out << std::flush;
  const std::string question = "Drain " + CountText(nodes.size(), "node") + " and evict " +
                               CountText(plan.evicted.size(), "pod") + "?";
  if (!PL_TRY(Confirm(question, options.preview.is_confirmed, context))) return false;
  const auto client =
      PL_TRY(ConnectForUser(options.preview.kubeconfig, options.preview.kube_context, clock));
  for (const ObjectPtr& node : nodes) {
    (void)PL_TRY(WriteNode(
        *client, node, [](const ObjectPtr& one) { return WithUnschedulable(one, true); },
        "plimsoll-cordon"));
  }
  const auto stop = client->NewStopSignal();
  const DrainClock drain_clock{[&] { return clock.Now(); },
                               [&](Duration time) { stop->WaitUntil(clock, clock.Now() + time); }};
  PL_TRY(EvictAll(plan, options, timeout, *client, drain_clock, context));
  PrintResult(nodes, plan, options.preview.output, context);
  return true;
}

}  // namespace

Status EvictAll(const DrainPlan& plan, const DrainOptions& options, Duration timeout,
                const client::Client& client, const DrainClock& clock, Context& context) {
  Evictor evictor(plan, options, client, context);
  const Instant begin = clock.now();
  Instant retry_at = begin;
  while (true) {
    if (clock.now() >= retry_at) {
      PL_TRY(evictor.EvictPending());
      retry_at = clock.now() + kRetryDelay;
    }
    PL_TRY(evictor.FindGone());
    if (evictor.is_done()) return {};
    if (timeout > Duration::zero() && clock.now() - begin >= timeout) {
      return Fail(Reason::Timeout,
                  "not all pods were gone after " + FormatDuration(timeout) +
                      ". The nodes stay cordoned. Left: " + ListText(evictor.LeftOver()));
    }
    clock.wait(kPollDelay);
  }
}

void AddDrainFlags(CLI::App& command, DrainOptions& options) {
  command.add_option("nodes", options.nodes, "Names of nodes")->type_name("NODE");
  command.add_option("-l,--selector", options.selector, "Drain the nodes whose labels match")
      ->type_name("SELECTOR");
  command.add_flag("--force", options.is_forced,
                   "Also evict pods without a controller, which nobody creates again");
  command.add_flag("--delete-emptydir-data", options.deletes_empty_dir,
                   "Also evict pods whose emptyDir volumes lose their data");
  command
      .add_option("--timeout", options.timeout,
                  "Time after which the drain ends with an error. 0s for no limit")
      ->type_name("DURATION");
  RequireInteger(command
                     .add_option("--grace-period", options.grace_seconds,
                                 "Seconds that each pod has to end. Without this flag its own")
                     ->type_name("INT"),
                 0, 1'000'000);
  AddPreviewFlags(command, options.preview);
}

int RunDrain(const DrainOptions& options, Context& context) {
  return ReportChange(Drain(options, context), context);
}

}  // namespace plimsoll::cli

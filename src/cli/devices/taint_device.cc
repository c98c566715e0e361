#include "cli/devices/taint_device.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "api/validation/object.h"
#include "base/real_clock.h"
#include "base/suggest.h"
#include "cli/connect.h"
#include "cli/devices/device_snapshot.h"
#include "cli/devices/taint_arguments.h"
#include "cli/devices/taint_preview.h"
#include "cli/devices/taint_rule_writer.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/styled_text.h"
#include "cli/output/tree_output.h"
#include "codec/json.h"
#include "runner/calls.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

struct Request {
  DeviceTarget target;
  TaintArgument taint;
  RuleDetails details;
  std::string name;  // name of the rule
  ObjectPtr rule;    // null for a removal
};

/// Decodes and validates the rule.
Result<ObjectPtr> DecodeRule(const std::string& json) {
  auto document = PL_TRY(codec::ParseJson(json));
  const ObjectPtr rule =
      PL_TRY(api::DecodeObject(std::shared_ptr<codec::Document>(std::move(document)))).object;
  const api::FieldErrors faults = api::ValidateCreate(*rule, {});
  if (!faults.empty()) {
    return Fail(Reason::Invalid, api::InvalidPrefix(*rule) + faults.Text());
  }
  return rule;
}

Result<Request> ParseRequest(const TaintDeviceOptions& options) {
  if (options.is_preview && options.output == OutputFormat::Name) {
    return FailAt(Reason::Invalid, "-o",
                  "name is for the rules that were changed, and --preview changes none");
  }
  if (options.arguments.empty() || options.arguments.size() > 2) {
    return Fail(Reason::Invalid,
                "want DRIVER/POOL/DEVICE and a taint, or a taint and --driver, --pool, --class or "
                "--cel");
  }
  Request request;
  const bool has_name = options.arguments.size() == 2;
  const bool has_selector = !options.driver.empty() || !options.pool.empty() ||
                            !options.class_name.empty() || !options.expressions.empty();
  if (has_name && has_selector) {
    return Fail(Reason::Invalid,
                "a device by its name and --driver, --pool, --class or --cel exclude each other");
  }
  if (has_name) request.target = PL_TRY(ParseDeviceName(options.arguments.front()));
  if (!options.driver.empty()) request.target.driver = options.driver;
  if (!options.pool.empty()) request.target.pool = options.pool;
  if (!options.class_name.empty()) request.target.class_name = options.class_name;
  request.target.expressions = options.expressions;
  request.taint = PL_TRY(ParseTaintArgument(options.arguments.back()));
  if (request.target.empty() && options.name.empty()) {
    return Fail(Reason::Invalid,
                "say which devices: DRIVER/POOL/DEVICE before the taint, or "
                "--driver, --pool, --class or --cel");
  }
  if (request.target.empty() && !request.taint.is_removal) {
    return Fail(Reason::Invalid, "--name alone is enough only to remove a taint");
  }
  if (options.rate && *options.rate <= 0) {
    return Fail(Reason::Invalid,
                fmt::format("--rate: want evictions per second, 1 or more, got {}", *options.rate));
  }
  request.details = {options.rate, options.description};
  request.name =
      options.name.empty() ? RuleNameFor(request.target, request.taint.key) : options.name;
  if (!request.taint.is_removal) {
    request.rule =
        PL_TRY(DecodeRule(RuleJson(request.name, request.target, request.taint, request.details)));
  }
  return request;
}

std::string FullName(std::string_view rule) {
  return "devicetaintrule.resource.k8s.io/" + std::string(rule);
}

/// A missing class selects no devices, which is probably a mistake.
Status CheckClass(const DeviceTarget& target, const DeviceSnapshot& snapshot) {
  if (!target.class_name) return {};
  std::vector<std::string> names;
  for (const auto& one : snapshot.classes()) names.emplace_back(one->metadata().name);
  if (std::ranges::find(names, *target.class_name) != names.end()) return {};
  std::string message = fmt::format("there is no DeviceClass \"{}\"", *target.class_name);
  if (const auto nearest = Nearest(*target.class_name, names)) {
    message += fmt::format("; did you mean \"{}\"?", *nearest);
  }
  return Fail(Reason::Invalid, std::move(message));
}

/// A rule, and what happened to it.
struct RuleAction {
  std::string rule;
  std::string action;  // created, configured, unchanged, deleted, would be deleted
};
using RuleActions = std::vector<RuleAction>;

/// Changes the taint of an existing rule to the requested one. Fields that are not given are
/// removed.
Result<RuleActions> ChangeTaint(const api::Object& rule, const Request& request,
                                const client::Client& client) {
  if (DifferentFields(*request.rule, rule).empty()) {
    return RuleActions{{request.name, "unchanged"}};
  }
  PL_TRY(ChangeRule(client, rule, *request.rule));
  return RuleActions{{request.name, "configured"}};
}

Result<RuleActions> AddTaint(const Request& request, const DeviceSnapshot& snapshot,
                             const client::Client& client) {
  for (const auto& rule : snapshot.rules()) {
    if (rule->metadata().name != request.name) continue;
    const auto& its = *rule->As<api::DeviceTaintRule>();
    if (!IsEqual(request.target, its.selector) || its.taint.key != request.taint.key) {
      return Fail(Reason::AlreadyExists,
                  fmt::format("{} is there and taints other devices, or by another key: choose "
                              "another --name",
                              FullName(request.name)));
    }
    return ChangeTaint(*rule, request, client);
  }
  PL_TRY(CreateRule(client, *request.rule));
  return RuleActions{{request.name, "created"}};
}

void PrintActions(const RuleActions& actions, OutputFormat format, Context& context) {
  if (!IsTree(format)) {
    for (const auto& [rule, action] : actions) {
      context.out << FullName(rule);
      if (format == OutputFormat::Text) context.out << ' ' << action;
      context.out << '\n';
    }
    return;
  }
  codec::Document document;
  codec::Value root = document.NewObject();
  SetList(document, root, "rules", actions, [&](const RuleAction& one) {
    codec::Value tree = document.NewObject();
    SetText(document, tree, "name", one.rule);
    SetText(document, tree, "action", one.action);
    return tree;
  });
  WriteTree(root, format, context.out);
}

/// Returns the preview for programs.
codec::Value ImpactTree(const TaintImpact& impact, codec::Document& document) {
  codec::Value root = document.NewObject();
  SetTexts(document, root, "devices", impact.devices);
  SetCount(document, root, "claims", impact.claims);
  SetCount(document, root, "pods", impact.pods);
  SetCount(document, root, "toleratingPods", impact.tolerating_pods);
  SetCount(document, root, "delayedPods", impact.delayed_pods);
  SetCount(document, root, "evictedPods", impact.evicted());
  codec::Value namespaces = document.NewObject();
  for (const auto& [name, count] : impact.evicted_by_namespace) {
    SetCount(document, namespaces, document.CopyText(name), count);
  }
  document.Set(root, "evictedPodsByNamespace", namespaces);
  return root;
}

/// Prints the impact of the rule. `target` names its devices.
void Preview(const api::DeviceTaintRule& rule, const std::string& target,
             const DeviceSnapshot& snapshot, OutputFormat format, Context& context) {
  const match::TolerationTimeRules rules{match::Rules::From(
      api::FeatureGates(), &service::EvaluatorOf(service::ExpressionUser::CommandLine))};
  const TaintImpact impact = ImpactOf(snapshot, rule, rules);
  if (IsTree(format)) {
    codec::Document document;
    WriteTree(ImpactTree(impact, document), format, context.out);
    return;
  }
  StyledText text;
  text.Add(fmt::format("Taint {} for {}:\n", api::ToText(rule.taint), target));
  text.Add(ImpactText(impact, rule.taint));
  Write(text, context.out_look, context.out);
}

/// A server that does not know the selector's fields has stored an empty selector, which selects
/// every device. The rule's name still shows its purpose.
bool HasEmptySelector(const api::DeviceTaintRule& rule, const Request& request) {
  return rule.metadata.name == request.name && rule.selector &&
         IsEqual(DeviceTarget(), rule.selector);
}

bool IsRequested(const api::Object& rule, const Request& request) {
  const auto& its = *rule.As<api::DeviceTaintRule>();
  const bool is_target = request.target.empty() ? its.metadata.name == request.name
                                                : IsEqual(request.target, its.selector) ||
                                                      HasEmptySelector(its, request);
  return is_target && its.taint.key == request.taint.key &&
         (request.taint.effect.empty() || its.taint.effect == request.taint.effect);
}

/// Adds to an error which rules were deleted before it.
Error WithActions(Error error, const RuleActions& actions) {
  for (const auto& [rule, action] : actions) {
    error.message += fmt::format("; {} {} before", FullName(rule), action);
  }
  return error;
}

Result<RuleActions> RemoveTaint(const Request& request, const DeviceSnapshot& snapshot,
                                const client::Client& client, bool is_preview) {
  RuleActions actions;
  for (const auto& rule : snapshot.rules()) {
    if (!IsRequested(*rule, request)) continue;
    const std::string name(rule->metadata().name);
    if (is_preview) {
      actions.push_back({name, "would be deleted"});
      continue;
    }
    const Status deleted = runner::Send(client, api::DeleteObject{.object = rule}, {}).status;
    if (!deleted) return std::unexpected(WithActions(deleted.error(), actions));
    actions.push_back({name, "deleted"});
  }
  if (!actions.empty()) return actions;
  std::string message = fmt::format("no rule for {} has a taint \"{}\"",
                                    request.target.empty() ? request.name : ToText(request.target),
                                    request.taint.key);
  for (const auto& rule : snapshot.rules()) {
    if (rule->As<api::DeviceTaintRule>()->taint.key != request.taint.key) continue;
    message += fmt::format("; {} has it for others", rule->metadata().name);
    break;
  }
  if (request.target.device) {
    const dra::TrackedDevice* const device = snapshot.tracker().FindDevice(
        *request.target.driver, *request.target.pool, *request.target.device);
    const bool is_drivers =
        device != nullptr && std::ranges::any_of(device->taints, [&](const auto& taint) {
          return taint.rule == nullptr && taint.taint->key == request.taint.key;
        });
    if (is_drivers) message += "; it is the driver's, who alone can take it away";
  }
  return Fail(Reason::NotFound, std::move(message));
}

}  // namespace

void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options) {
  command
      .add_option(
          "words", options.arguments,
          "Name of the device, unless flags select devices, and the taint: key=value:Effect "
          "or key:Effect. Effects are NoExecute, NoSchedule and None. key- and key:Effect- "
          "remove the taint")
      ->type_name("[DRIVER/POOL/DEVICE] TAINT");
  command.add_option("--driver", options.driver, "Taint all devices of this driver")
      ->type_name("DRIVER");
  command.add_option("--pool", options.pool, "Taint all devices of this pool")->type_name("POOL");
  command
      .add_option("--class", options.class_name, "Taint all devices that this DeviceClass selects")
      ->type_name("DEVICECLASS");
  command
      .add_option("--cel", options.expressions,
                  "Taint all devices for which this CEL expression is true")
      ->allow_extra_args(false)
      ->type_name("EXPR");
  RequireInteger(command
                     .add_option("--rate", options.rate,
                                 "Pods that a NoExecute taint evicts per second. Without this "
                                 "flag 10")
                     ->type_name("INT"),
                 1, 1'000'000);
  command
      .add_option("--description", options.description,
                  "Reason of the taint, for people who read the DeviceTaintRule")
      ->type_name("TEXT");
  command
      .add_option("--name", options.name,
                  "Name of the DeviceTaintRule. Without this flag it is made from the devices and "
                  "the key of the taint")
      ->type_name("NAME");
  command.add_flag("--preview", options.is_preview,
                   "Change nothing; show how many devices, claims and pods are affected, and how "
                   "long the eviction takes");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml, OutputFormat::Name});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
}

Status TaintDevice(const TaintDeviceOptions& options, const client::Client& client,
                   Context& context) {
  const Request request = PL_TRY(ParseRequest(options));
  const auto snapshot = PL_TRY(DeviceSnapshot::Load(client));
  if (request.taint.is_removal) {
    PrintActions(PL_TRY(RemoveTaint(request, *snapshot, client, options.is_preview)),
                 options.output, context);
    return {};
  }
  PL_TRY(CheckClass(request.target, *snapshot));
  if (options.is_preview) {
    PL_TRY(CheckRuleFields(client, *request.rule));
    Preview(*request.rule->As<api::DeviceTaintRule>(), ToText(request.target), *snapshot,
            options.output, context);
    if (!IsTree(options.output)) context.out << "Nothing was changed.\n";
    return {};
  }
  PrintActions(PL_TRY(AddTaint(request, *snapshot, client)), options.output, context);
  if (snapshot->tracker().SelectedBy(*request.rule->As<api::DeviceTaintRule>()).empty()) {
    PrintWarning("no published device is selected by " + ToText(request.target), context);
  }
  return {};
}

int RunTaintDevice(const TaintDeviceOptions& options, Context& context) {
  // Report errors in the arguments before connecting.
  if (const auto request = ParseRequest(options); !request) {
    return ReportFailure(request.error(), context);
  }
  RealClock clock;
  const auto client = ConnectForUser(options.kubeconfig, options.kube_context, clock);
  if (!client) return ReportFailure(client.error(), context);
  const Status status = TaintDevice(options, **client, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

Status PreviewDeviceTaintRule(const api::Object& rule, const client::Client& client,
                              OutputFormat format, Context& context) {
  const auto* const view = rule.As<api::DeviceTaintRule>();
  if (view == nullptr) return Fail(Reason::Invalid, "want a DeviceTaintRule");
  PL_TRY(CheckRuleFields(client, rule));
  const auto snapshot = PL_TRY(DeviceSnapshot::Load(client));
  Preview(*view, "the devices of rule " + std::string(view->metadata.name), *snapshot, format,
          context);
  return {};
}

}  // namespace plimsoll::cli

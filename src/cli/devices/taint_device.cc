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

/// Changes the taint of an existing rule to the requested one. Fields that are not given are
/// removed.
Status ChangeTaint(const api::Object& rule, const Request& request, const client::Client& client,
                   std::ostream& out) {
  if (DifferentFields(*request.rule, rule).empty()) {
    out << FullName(request.name) << " unchanged\n";
    return {};
  }
  PL_TRY(ChangeRule(client, rule, *request.rule));
  out << FullName(request.name) << " configured\n";
  return {};
}

Status AddTaint(const Request& request, const DeviceSnapshot& snapshot,
                const client::Client& client, Context& context) {
  for (const auto& rule : snapshot.rules()) {
    if (rule->metadata().name != request.name) continue;
    const auto& its = *rule->As<api::DeviceTaintRule>();
    if (!IsEqual(request.target, its.selector) || its.taint.key != request.taint.key) {
      return Fail(Reason::AlreadyExists,
                  fmt::format("{} is there and taints other devices, or by another key: choose "
                              "another --name",
                              FullName(request.name)));
    }
    return ChangeTaint(*rule, request, client, context.out);
  }
  PL_TRY(CreateRule(client, *request.rule));
  context.out << FullName(request.name) << " created\n";
  return {};
}

void Preview(const Request& request, const DeviceSnapshot& snapshot, std::ostream& out) {
  const auto& rule = *request.rule->As<api::DeviceTaintRule>();
  const match::TolerationTimeRules rules{match::Rules::From(
      api::FeatureGates(), &service::EvaluatorOf(service::ExpressionUser::CommandLine))};
  out << "Taint " << api::ToText(rule.taint) << " for " << ToText(request.target) << ":\n"
      << ImpactText(ImpactOf(snapshot, rule, rules), rule.taint) << "Nothing was changed.\n";
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

Status RemoveTaint(const Request& request, const DeviceSnapshot& snapshot,
                   const client::Client& client, bool is_preview, std::ostream& out) {
  std::size_t count = 0;
  for (const auto& rule : snapshot.rules()) {
    if (!IsRequested(*rule, request)) continue;
    ++count;
    const std::string name = FullName(rule->metadata().name);
    if (is_preview) {
      out << name << " would be deleted\n";
      continue;
    }
    PL_TRY(runner::Send(client, api::DeleteObject{.object = rule}, {}).status);
    out << name << " deleted\n";
  }
  if (count > 0) return {};
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
      .add_option("words", options.arguments,
                  "The device, unless flags select devices, and the taint: key=value:Effect or "
                  "key:Effect with NoExecute, NoSchedule or None; key- or key:Effect- removes it")
      ->type_name("[DRIVER/POOL/DEVICE] TAINT");
  command.add_option("--driver", options.driver, "All devices of this driver");
  command.add_option("--pool", options.pool, "All devices of this pool");
  command.add_option("--class", options.class_name, "All devices that this DeviceClass selects")
      ->type_name("NAME");
  command.add_option("--cel", options.expressions, "All devices for which this expression holds")
      ->allow_extra_args(false)
      ->type_name("EXPR");
  RequireInteger(
      command.add_option("--rate", options.rate,
                         "How many pods per second a NoExecute taint evicts; 10 without"),
      1, 1'000'000);
  command.add_option("--description", options.description, "Why, for people");
  command.add_option("--name", options.name, "Of the DeviceTaintRule; otherwise made of the rest");
  command.add_flag("--preview", options.is_preview,
                   "Only tell how many devices, claims and pods it is about, and how long eviction "
                   "takes");
  AddKubeconfigFlag(command, options.kubeconfig);
}

Status TaintDevice(const TaintDeviceOptions& options, const client::Client& client,
                   Context& context) {
  const Request request = PL_TRY(ParseRequest(options));
  const auto snapshot = PL_TRY(DeviceSnapshot::Load(client));
  if (request.taint.is_removal) {
    return RemoveTaint(request, *snapshot, client, options.is_preview, context.out);
  }
  PL_TRY(CheckClass(request.target, *snapshot));
  if (options.is_preview) {
    PL_TRY(CheckRuleFields(client, *request.rule));
    Preview(request, *snapshot, context.out);
    return {};
  }
  PL_TRY(AddTaint(request, *snapshot, client, context));
  if (snapshot->tracker().SelectedBy(*request.rule->As<api::DeviceTaintRule>()).empty()) {
    context.err << "Warning: no published device is selected by " << ToText(request.target) << '\n';
  }
  return {};
}

int RunTaintDevice(const TaintDeviceOptions& options, Context& context) {
  // Report errors in the arguments before connecting.
  if (const auto request = ParseRequest(options); !request) {
    return ReportFailure(request.error(), context);
  }
  RealClock clock;
  const auto client = ConnectForUser(options.kubeconfig, clock);
  if (!client) return ReportFailure(client.error(), context);
  const Status status = TaintDevice(options, **client, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli

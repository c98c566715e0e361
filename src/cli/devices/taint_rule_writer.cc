#include "cli/devices/taint_rule_writer.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "api/resource/device_taint_rule.h"
#include "base/assert.h"
#include "codec/build.h"
#include "codec/json.h"
#include "runner/calls.h"

namespace plimsoll::cli {
namespace {

const api::KindDesc& TaintRuleKind() {
  const api::KindDesc* const kind = api::FindKind("resource.k8s.io", "v1", "DeviceTaintRule");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

using api::DeviceTaintRule;
using codec::Value;

constexpr std::string_view kSelector = "spec.deviceSelector";

// Flags that set fields which a server may not know.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kFlags{{
    {"spec.deviceSelector.driver", "--driver"},
    {"spec.deviceSelector.pool", "--pool"},
    {"spec.deviceSelector.deviceClassName", "--class"},
    {"spec.deviceSelector.selectors", "--cel"},
    {"spec.taint.evictionsPerSecond", "--rate"},
    {"spec.taint.description", "--description"},
    {"spec.taint.effect", "the effect"},
}};

/// Returns `spec.deviceSelector.selectors (--cel), spec.taint.description (--description)`.
std::string FieldsAndFlags(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) {
    if (!text.empty()) text += ", ";
    text += field;
    for (const auto& [path, flag] : kFlags) {
      if (field == path) text += fmt::format(" ({})", flag);
    }
  }
  return text;
}

Error NotStored(const std::vector<std::string>& fields, std::string_view what_now) {
  return {Reason::Forbidden,
          {},
          fmt::format("the server does not store {} as asked for, so that the rule would taint "
                      "other devices or in another way; {}",
                      FieldsAndFlags(fields), what_now)};
}

/// A taint field that a command can change, as in a patch.
struct TaintField {
  std::string_view name;
  Value wanted;
  Value stored;
};

Value TextOrNull(std::string_view text) {
  return text.empty() ? Value::Null() : Value::String(text);
}

std::vector<TaintField> FieldsOf(const api::DeviceTaint& wanted, const api::DeviceTaint& stored) {
  const auto rate = [](const api::DeviceTaint& taint) {
    return taint.evictions_per_second ? Value::Int(*taint.evictions_per_second) : Value::Null();
  };
  return {{"value", TextOrNull(wanted.value), TextOrNull(stored.value)},
          {"effect", TextOrNull(wanted.effect), TextOrNull(stored.effect)},
          {"evictionsPerSecond", rate(wanted), rate(stored)},
          {"description", TextOrNull(wanted.description), TextOrNull(stored.description)}};
}

/// Returns a merge patch from the taint of `from` to that of `to`. Leaves out equal fields, because
/// a server may not know them.
std::string TaintPatch(const api::Object& from, const api::Object& to,
                       std::string_view resource_version) {
  codec::Document document;
  Value taint = document.NewObject();
  for (const TaintField& field :
       FieldsOf(to.As<DeviceTaintRule>()->taint, from.As<DeviceTaintRule>()->taint)) {
    if (!(field.wanted == field.stored)) document.Set(taint, field.name, field.wanted);
  }
  return codec::WriteJson(codec::ObjectOf(
      document, {{"metadata", codec::ObjectOf(document, {{"resourceVersion",
                                                          document.NewString(resource_version)}})},
                 {"spec", codec::ObjectOf(document, {{"taint", taint}})}}));
}

api::Answer<client::ObjectPtr> SendPatch(const client::Client& client, const api::Object& from,
                                         const api::Object& to, std::string_view resource_version,
                                         bool dry_run) {
  client::PatchOptions options;
  options.type = client::PatchType::Merge;
  options.field_validation = "Strict";
  options.dry_run = dry_run;
  return client.Patch({TaintRuleKind(), {}, from.metadata().name},
                      TaintPatch(from, to, resource_version), options);
}

/// Reads the rule from the server, because the response of a write may differ from stored data.
Result<std::vector<std::string>> DifferencesOnServer(const client::Client& client,
                                                     const api::Object& wanted) {
  const auto stored = client.Get({TaintRuleKind(), {}, wanted.metadata().name});
  if (const Status status = api::StatusOf(stored); !status) {
    return Fail(status.error().reason,
                fmt::format("the rule {} was written but could not be read back: {}; look at it "
                            "with: kubectl get devicetaintrule {} -o yaml",
                            wanted.metadata().name, status.error().Text(), wanted.metadata().name));
  }
  return DifferentFields(wanted, **stored);
}

}  // namespace

std::vector<std::string> DifferentFields(const api::Object& wanted, const api::Object& stored) {
  const auto& want = *wanted.As<DeviceTaintRule>();
  const auto* const have = stored.As<DeviceTaintRule>();
  if (have == nullptr) return {"kind"};
  std::vector<std::string> fields;
  const auto compare = [&](std::string_view in, std::string_view name, const auto& a,
                           const auto& b) {
    if (!(a == b)) fields.push_back(fmt::format("{}.{}", in, name));
  };
  const api::DeviceTaintSelector none;
  const api::DeviceTaintSelector& a = want.selector ? *want.selector : none;
  const api::DeviceTaintSelector& b = have->selector ? *have->selector : none;
  compare("spec", "deviceSelector", want.selector.has_value(), have->selector.has_value());
  compare(kSelector, "driver", a.driver, b.driver);
  compare(kSelector, "pool", a.pool, b.pool);
  compare(kSelector, "device", a.device, b.device);
  compare(kSelector, "deviceClassName", a.device_class_name, b.device_class_name);
  compare(kSelector, "selectors", a.selectors, b.selectors);
  compare("spec.taint", "key", want.taint.key, have->taint.key);
  for (const TaintField& field : FieldsOf(want.taint, have->taint)) {
    compare("spec.taint", field.name, field.wanted, field.stored);
  }
  return fields;
}

Status CheckRuleFields(const client::Client& client, const api::Object& wanted) {
  const auto served = client.FindServed(TaintRuleKind());
  if (!served && served.error().code == 404) {
    return Fail(Reason::NotFound,
                "the server serves no DeviceTaintRules: turn on its feature gate "
                "DRADeviceTaintRules (DRADeviceTaints) and resource.k8s.io/v1alpha3 or v1beta2");
  }
  // Without an OpenAPI document, only the dry run shows what the server stores.
  const auto declared = client.GetDeclaredFields(TaintRuleKind());
  if (!declared) return {};
  const std::vector<std::string> undeclared = declared->UndeclaredIn(wanted.tree());
  if (undeclared.empty()) return {};
  return std::unexpected(
      Error{Reason::Forbidden,
            {},
            fmt::format("the server does not know {}, and would taint other devices or in "
                        "another way without it; nothing was written",
                        FieldsAndFlags(undeclared))});
}

Status CreateRule(const client::Client& client, const api::Object& wanted) {
  PL_TRY(CheckRuleFields(client, wanted));
  client::WriteOptions options;
  options.field_validation = "Strict";
  options.dry_run = true;
  const auto tried = client.Create({TaintRuleKind()}, wanted, options);
  PL_TRY(api::StatusOf(tried));
  if (const auto fields = DifferentFields(wanted, **tried); !fields.empty()) {
    return std::unexpected(NotStored(fields, "nothing was written"));
  }
  options.dry_run = false;
  const auto created = client.Create({TaintRuleKind()}, wanted, options);
  PL_TRY(api::StatusOf(created));
  std::vector<std::string> fields = DifferentFields(wanted, **created);
  if (fields.empty()) fields = PL_TRY(DifferencesOnServer(client, wanted));
  if (fields.empty()) return {};
  const Status deleted = runner::Send(client, api::DeleteObject{.object = *created}, {}).status;
  if (!deleted) {
    return std::unexpected(
        NotStored(fields, fmt::format("DELETE THE RULE {}: that failed here: {}",
                                      wanted.metadata().name, deleted.error().Text())));
  }
  return std::unexpected(NotStored(fields, "the rule was deleted again"));
}

Status ChangeRule(const client::Client& client, const api::Object& current,
                  const api::Object& wanted) {
  PL_TRY(CheckRuleFields(client, wanted));
  const std::string_view version = current.metadata().resource_version;
  const auto tried = SendPatch(client, current, wanted, version, /*dry_run=*/true);
  PL_TRY(api::StatusOf(tried));
  if (const auto fields = DifferentFields(wanted, **tried); !fields.empty()) {
    return std::unexpected(NotStored(fields, "nothing was written"));
  }
  const auto changed = SendPatch(client, current, wanted, version, /*dry_run=*/false);
  PL_TRY(api::StatusOf(changed));
  std::vector<std::string> fields = DifferentFields(wanted, **changed);
  if (fields.empty()) fields = PL_TRY(DifferencesOnServer(client, wanted));
  if (fields.empty()) return {};
  const Status restored = api::StatusOf(
      SendPatch(client, **changed, current, (*changed)->metadata().resource_version, false));
  return std::unexpected(NotStored(
      fields, restored ? std::string("the rule has its old taint again")
                       : fmt::format("LOOK AT THE RULE {}: its old taint could not be written: {}",
                                     wanted.metadata().name, restored.error().Text())));
}

}  // namespace plimsoll::cli

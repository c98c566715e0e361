#include "api/plimsoll/node_taint_rule.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>

#include "api/expression/node_expression.h"
#include "api/server_url.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/tree_reads.h"
#include "base/go_duration.h"
#include "base/go_text.h"
#include "base/text/base64.h"

namespace plimsoll::api {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kRuleNameBytesMax = 63;
constexpr std::size_t kDescriptionBytesMax = 1024;
constexpr std::size_t kNamesMax = 1000;
constexpr std::size_t kQueryBytesMax = 10 * 1024;
constexpr std::size_t kCaBundleBytesMax = 64 * 1024;
constexpr std::int64_t kNumberMax = 1'000'000'000'000;
constexpr Duration kIntervalMax = 24h;
constexpr Duration kStaleMax = 30 * 24h;

constexpr std::string_view kPemBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kPemEnd = "-----END CERTIFICATE-----";

/// Checks a duration; an empty text is valid.
void CheckDuration(std::string_view text, Duration min, Duration max, std::string_view range,
                   const FieldPath& at, FieldErrors& errors) {
  if (text.empty()) return;
  const std::optional<Duration> duration = ParseGoDuration(text);
  if (!duration) return errors.Invalid(at, text, "must be a duration such as 30s or 1h30m");
  if (*duration < min || *duration > max) errors.Invalid(at, text, range);
}

void CheckTaintValue(std::string_view value, const FieldPath& at, FieldErrors& errors) {
  if (const Faults faults = CheckLabelValue(value); !faults.empty()) {
    errors.Invalid(at, value, Joined(faults, ";"));
  }
}

void CheckExpression(std::string_view text, NodeExpression::Gives gives, const FieldPath& at,
                     FieldErrors& errors) {
  if (text.size() > kNodeExpressionBytesMax) return errors.TooLong(at, kNodeExpressionBytesMax);
  const auto compiled = NodeExpression::Compile(text, gives);
  if (!compiled) AddExpressionFault(compiled.error(), text, at, errors);
}

void CheckNumber(std::int64_t number, std::int64_t min, const FieldPath& at, FieldErrors& errors) {
  if (number >= min && number <= kNumberMax) return;
  errors.Invalid(at, BadValue::Int(number),
                 "must be between " + std::to_string(min) + " and " + std::to_string(kNumberMax));
}

/// `is_stored`: the expression is unchanged, so it is not compiled again.
void CheckNodes(const NodeTaintRuleNodes& nodes, bool is_stored, const FieldPath& at,
                FieldErrors& errors) {
  ValidateLabelSelector(nodes, false, at, errors);
  if (!nodes.cel.empty() && !is_stored) {
    CheckExpression(nodes.cel, NodeExpression::Gives::Bool, at / "cel", errors);
  }
  const FieldPath names = at / "names";
  if (nodes.names.size() > kNamesMax) return errors.TooMany(names, nodes.names.size(), kNamesMax);
  for (std::size_t i = 0; i < nodes.names.size(); ++i) {
    AddFaults(names[i], nodes.names[i], CheckDns1123Subdomain(nodes.names[i]), errors);
  }
}

/// True if the text holds certificates in PEM form and nothing else that looks like PEM. A text
/// that passes can still be rejected when the connection is made.
bool LooksLikeCertificates(std::string_view pem) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = pem.find("-----BEGIN ", at)) != pem.npos; ++count) {
    if (!pem.substr(at).starts_with(kPemBegin)) return false;
    const std::size_t body = at + kPemBegin.size();
    const std::size_t end = pem.find(kPemEnd, body);
    if (end == pem.npos || CheckBase64(GoTrimSpace(pem.substr(body, end - body)))) return false;
    at = end;
  }
  return count > 0;
}

void CheckSecretKey(const NodeTaintSecretKey& key, const FieldPath& at, FieldErrors& errors) {
  const auto check = [&](std::string_view text, std::string_view field, const Faults& faults) {
    const FieldPath path = at / field;
    if (text.empty()) return errors.Required(path, "");
    AddFaults(path, text, faults, errors);
  };
  check(key.key, "key", CheckConfigMapKey(key.key));
  check(key.name, "name", CheckDns1123Subdomain(key.name));
  check(key.namespace_, "namespace", CheckDns1123Label(key.namespace_));
}

void CheckServer(const NodeTaintPrometheus& source, const FieldPath& at, FieldErrors& errors) {
  const FieldPath server = at / "server";
  if (source.server.empty()) return errors.Required(server, "");
  const auto url = ParseServerUrl(source.server);
  if (!url) return errors.Invalid(server, source.server, url.error());
  if (!url->is_tls && source.bearer_token) {
    errors.Forbidden(at / "bearerToken", "may only be sent to a server with https");
  }
  if (source.ca_bundle.empty()) return;
  const FieldPath bundle = at / "caBundle";
  if (!url->is_tls) return errors.Forbidden(bundle, "may only be set for a server with https");
  const Result<std::string> pem = DecodeBase64(source.ca_bundle);
  if (pem && pem->size() > kCaBundleBytesMax) return errors.TooLong(bundle, kCaBundleBytesMax);
  if (!pem || !LooksLikeCertificates(*pem)) {
    errors.Invalid(bundle, BadValue::String("..."), "must be certificates in PEM form");
  }
}

void CheckPrometheus(const NodeTaintPrometheus& source, const FieldPath& at, FieldErrors& errors) {
  CheckServer(source, at, errors);
  if (source.bearer_token) CheckSecretKey(*source.bearer_token, at / "bearerToken", errors);
  const FieldPath query = at / "query";
  if (source.query.empty()) errors.Required(query, "");
  if (source.query.size() > kQueryBytesMax) errors.TooLong(query, kQueryBytesMax);
  if (!source.node_label.empty()) {
    AddFaults(at / "nodeLabel", source.node_label, CheckCIdentifier(source.node_label), errors);
  }
  CheckDuration(source.interval, 1s, kIntervalMax, "must be between 1s and 24h", at / "interval",
                errors);
  CheckDuration(source.timeout, 100ms, 1min, "must be between 100ms and 1m", at / "timeout",
                errors);
}

void CheckSource(const NodeTaintValue& value, bool is_stored, const FieldPath& at,
                 FieldErrors& errors) {
  const int count = !value.annotation.empty() + value.constant.has_value() +
                    !value.expression.empty() + !value.file.empty() + value.prometheus.has_value();
  if (count == 0) {
    return errors.Required(
        at, "one of annotation, constant, expression, file and prometheus must be set");
  }
  if (count > 1) {
    return errors.Forbidden(
        at, "only one of annotation, constant, expression, file and prometheus may be set");
  }
  if (!value.annotation.empty()) {
    AddFaults(at / "annotation", value.annotation, CheckQualifiedName(value.annotation), errors);
  }
  if (value.constant) CheckTaintValue(*value.constant, at / "constant", errors);
  if (!value.expression.empty() && !is_stored) {
    CheckExpression(value.expression, NodeExpression::Gives::Text, at / "expression", errors);
  }
  if (!value.file.empty()) {
    errors.Forbidden(at / "file",
                     "files are not supported by this version; let an agent on the node write an "
                     "annotation of the node, and use `annotation`");
  }
  if (value.prometheus) CheckPrometheus(*value.prometheus, at / "prometheus", errors);
}

void CheckStale(const NodeTaintStale& stale, const FieldPath& at, FieldErrors& errors) {
  CheckDuration(stale.after, 1s, kStaleMax, "must be between 1s and 720h", at / "after", errors);
  if (!stale.then.empty()) {
    CheckOneOf(stale.then, {"Keep", "Remove", "Value"}, at / "then", errors);
  }
  const FieldPath value = at / "value";
  if (stale.then == "Value" && stale.value.empty()) {
    errors.Required(value, "must be set if `then` is Value");
  }
  if (stale.then != "Value" && !stale.value.empty()) {
    errors.Forbidden(value, "may only be set if `then` is Value");
  }
  CheckTaintValue(stale.value, value, errors);
}

void CheckTaint(const NodeTaintRuleTaint& taint, const NodeTaintRule* before, const FieldPath& at,
                FieldErrors& errors) {
  const FieldPath key = at / "key";
  if (taint.key.empty()) {
    errors.Required(key, "");
  } else {
    ValidateLabelName(taint.key, key, errors);
  }
  // The controller finds the taints of a rule by its key.
  if (before != nullptr && before->spec.taint.key != taint.key) {
    errors.Invalid(key, taint.key, "field is immutable");
  }
  CheckRequiredOneOf(taint.effect, {"NoExecute", "NoSchedule", "None", "PreferNoSchedule"},
                     at / "effect", errors);
}

}  // namespace

void ValidateNodeTaintRule(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSpec("spec");
  static constexpr FieldPath kMetadata("metadata");
  const auto& rule = *change.now.As<NodeTaintRule>();
  const NodeTaintRuleSpec& spec = rule.spec;
  const auto* const before =
      change.before == nullptr ? nullptr : change.before->As<NodeTaintRule>();
  // The name is part of a field manager and of the key of an annotation.
  if (rule.metadata.name.size() > kRuleNameBytesMax) {
    errors.TooLong(kMetadata / "name", kRuleNameBytesMax);
  }
  if (TextOf(MemberOf(change.tree(), "spec"), "description").size() > kDescriptionBytesMax) {
    errors.TooLong(kSpec / "description", kDescriptionBytesMax);
  }
  if (spec.nodes) {
    const bool is_stored =
        before != nullptr && before->spec.nodes && before->spec.nodes->cel == spec.nodes->cel;
    CheckNodes(*spec.nodes, is_stored, kSpec / "nodes", errors);
  }
  CheckTaint(spec.taint, before, kSpec / "taint", errors);
  CheckSource(spec.value,
              before != nullptr && before->spec.value.expression == spec.value.expression,
              kSpec / "value", errors);
  if (spec.stale) CheckStale(*spec.stale, kSpec / "stale", errors);
  CheckNumber(spec.step, 1, kSpec / "step", errors);
  CheckNumber(spec.hysteresis, 0, kSpec / "hysteresis", errors);
  CheckDuration(spec.min_interval, 0s, kIntervalMax, "must be between 0s and 24h",
                kSpec / "minInterval", errors);
  if (spec.max_changes_per_minute) {
    CheckNumber(*spec.max_changes_per_minute, 1, kSpec / "maxChangesPerMinute", errors);
  }
}

}  // namespace plimsoll::api

#include <string>

#include "api/schema/schema.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/tree_reads.h"
#include "base/syntax.h"

/// Events have two APIs and one store, so the same rules apply to both; the newer API has
/// additional ones. Paths are those of the older API.
namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kTextBytesMax = 128;
constexpr std::size_t kMessageBytesMax = 1024;

/// Field names of the two APIs.
struct Names {
  std::string_view object, message, controller, first, last, count, source;
};
constexpr Names kCore{"involvedObject", "message",       "reportingComponent",
                      "firstTimestamp", "lastTimestamp", "count",
                      "source"};
constexpr Names kNew{"regarding",
                     "note",
                     "reportingController",
                     "deprecatedFirstTimestamp",
                     "deprecatedLastTimestamp",
                     "deprecatedCount",
                     "deprecatedSource"};

/// Returns null if the referenced kind is unknown.
const KindDesc* KindOf(const Value* object) {
  const std::string_view version = TextOf(object, "apiVersion");
  const std::size_t slash = version.find('/');
  if (slash == std::string_view::npos) return FindKind({}, version, TextOf(object, "kind"));
  return FindKind(version.substr(0, slash), version.substr(slash + 1), TextOf(object, "kind"));
}

void CheckNamespace(const Object& event, const Value* object, FieldErrors& errors) {
  static constexpr FieldPath kObject("involvedObject");
  const FieldPath at = kObject / "namespace";
  const std::string_view own = event.metadata().namespace_;
  const std::string_view other = TextOf(object, "namespace");
  // Events about cluster-scoped objects are stored in the namespace `default`.
  const bool agrees = other.empty() ? own.empty() || own == "default" : own == other;
  if (!agrees) errors.Invalid(at, other, "does not match event.namespace");
  const KindDesc* kind = KindOf(object);
  if (kind != nullptr && !kind->plural.empty()) {
    const std::string name(TextOf(object, "kind"));
    if (kind->is_namespaced && other.empty()) errors.Required(at, "required for kind " + name);
    if (!kind->is_namespaced && !other.empty()) {
      errors.Invalid(at, other, "not allowed for kind " + name);
    }
  }
  AddFaults(FieldPath("namespace"), own, CheckDns1123Subdomain(own), errors);
}

void CheckShort(std::string_view text, std::string_view key, FieldErrors& errors) {
  if (text.empty()) return errors.Required(FieldPath(key), "");
  if (text.size() > kTextBytesMax) {
    errors.Invalid(FieldPath(key), "", "can have at most 128 characters");
  }
}

/// Checks the fields required of every event with an eventTime.
void CheckReport(const Value* event, const Names& names, FieldErrors& errors) {
  const std::string_view controller = TextOf(event, names.controller);
  const FieldPath controller_at(names.controller);
  if (controller.empty()) errors.Required(controller_at, "");
  AddFaults(controller_at, controller, CheckQualifiedName(controller), errors);
  CheckShort(TextOf(event, "reportingInstance"), "reportingInstance", errors);
  CheckShort(TextOf(event, "action"), "action", errors);
  CheckShort(TextOf(event, "reason"), "reason", errors);
  if (TextOf(event, names.message).size() > kMessageBytesMax) {
    errors.Invalid(FieldPath("message"), "", "can have at most 1024 characters");
  }
}

void Check(const KindChange& change, const Names& names, FieldErrors& errors) {
  const Value* event = change.tree();
  CheckNamespace(change.now, MemberOf(event, names.object), errors);
  if (!TextOf(event, "eventTime").empty()) CheckReport(event, names, errors);
}

}  // namespace

void ValidateCoreEvent(const KindChange& change, FieldErrors& errors) {
  Check(change, kCore, errors);
}

void ValidateEvent(const KindChange& change, FieldErrors& errors) {
  Check(change, kNew, errors);
  if (change.before != nullptr) return;
  const Value* event = change.tree();
  if (TextOf(event, "eventTime").empty()) errors.Required(FieldPath("eventTime"), "");
  const std::string_view type = TextOf(event, "type");
  if (type != "Normal" && type != "Warning") {
    errors.Invalid(FieldPath("type"), "", "has invalid value: " + std::string(type));
  }
  const auto refuse = [&](std::string_view key) {
    errors.Invalid(FieldPath(key), "", "needs to be unset");
  };
  if (!TextOf(event, kNew.first).empty()) refuse("firstTimestamp");
  if (!TextOf(event, kNew.last).empty()) refuse("lastTimestamp");
  if (IntOf(event, kNew.count).value_or(0) != 0) refuse("count");
  const Value* source = MemberOf(event, kNew.source);
  if (!TextOf(source, "component").empty() || !TextOf(source, "host").empty()) refuse("source");
}

}  // namespace plimsoll::api

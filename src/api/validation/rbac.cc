#include <string>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/object_meta.h"
#include "api/validation/tree_reads.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
constexpr FieldPath kRoleRef("roleRef");

void CheckRule(const Value& rule, Scope scope, const FieldPath& at, FieldErrors& errors) {
  if (ItemsOf(&rule, "verbs").empty()) {
    errors.Required(at / "verbs", "verbs must contain at least one value");
  }
  const bool has_groups = !ItemsOf(&rule, "apiGroups").empty();
  const bool has_resources = !ItemsOf(&rule, "resources").empty();
  const auto paths = DecodedOf<std::vector<std::string_view>>(&rule, "nonResourceURLs");
  if (!paths.empty()) {
    const FieldPath paths_at = at / "nonResourceURLs";
    const auto refuse = [&](std::string_view detail) {
      errors.Invalid(paths_at, BadValue::Json(GoJson(paths)), detail);
    };
    if (scope == Scope::Namespaced) {
      refuse("namespaced rules cannot apply to non-resource URLs");
    }
    if (has_groups || has_resources || !ItemsOf(&rule, "resourceNames").empty()) {
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (!has_groups) {
    errors.Required(at / "apiGroups", "resource rules must supply at least one api group");
  }
  if (!has_resources) {
    errors.Required(at / "resources", "resource rules must supply at least one resource");
  }
}

void CheckRules(const KindChange& change, Scope scope, FieldErrors& errors) {
  static constexpr FieldPath kRules("rules");
  const auto rules = ItemsOf(change.tree(), "rules");
  for (std::size_t i = 0; i < rules.size(); ++i) CheckRule(rules[i], scope, kRules[i], errors);
}

void CheckSubject(const Value& subject, Scope scope, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = TextOf(&subject, "name");
  const std::string_view kind = TextOf(&subject, "kind");
  const std::string_view group = TextOf(&subject, "apiGroup");
  if (name.empty()) errors.Required(at / "name", "");
  if (kind == "ServiceAccount") {
    if (!name.empty()) AddFaults(at / "name", name, CheckDns1123Subdomain(name), errors);
    if (!group.empty()) CheckOneOf(group, {""}, at / "apiGroup", errors);
    if (scope == Scope::Cluster && TextOf(&subject, "namespace").empty()) {
      errors.Required(at / "namespace", "");
    }
  } else if (kind == "User" || kind == "Group") {
    CheckOneOf(group, {kGroup}, at / "apiGroup", errors);
  } else {
    CheckOneOf(kind, {"ServiceAccount", "User", "Group"}, at / "kind", errors);
  }
}

std::string RoleRefJson(const Value* ref) {
  return R"({"APIGroup":)" + GoJsonQuote(TextOf(ref, "apiGroup")) + R"(,"Kind":)" +
         GoJsonQuote(TextOf(ref, "kind")) + R"(,"Name":)" + GoJsonQuote(TextOf(ref, "name")) + "}";
}

void CheckBinding(const KindChange& change, Scope scope, FieldErrors& errors) {
  const Value* ref = MemberOf(change.tree(), "roleRef");
  CheckOneOf(TextOf(ref, "apiGroup"), {kGroup}, kRoleRef / "apiGroup", errors);
  const std::string_view kind = TextOf(ref, "kind");
  if (scope == Scope::Namespaced) {
    CheckOneOf(kind, {"Role", "ClusterRole"}, kRoleRef / "kind", errors);
  } else {
    CheckOneOf(kind, {"ClusterRole"}, kRoleRef / "kind", errors);
  }
  const std::string_view name = TextOf(ref, "name");
  if (name.empty()) {
    errors.Required(kRoleRef / "name", "");
  } else {
    AddFaults(kRoleRef / "name", name, CheckName(name, NameRule::PathSegment), errors);
  }
  static constexpr FieldPath kSubjects("subjects");
  const auto subjects = ItemsOf(change.tree(), "subjects");
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    CheckSubject(subjects[i], scope, kSubjects[i], errors);
  }
  // Otherwise, users with update permission could grant roles that only the creator could grant.
  if (change.before == nullptr) return;
  const std::string now = RoleRefJson(ref);
  if (now == RoleRefJson(MemberOf(change.old_tree(), "roleRef"))) return;
  errors.Invalid(kRoleRef, BadValue::Json(now), "cannot change roleRef");
}

std::string NonResourceJson(const Value* attributes) {
  if (attributes == nullptr) return "null";
  return R"({"Path":)" + GoJsonQuote(TextOf(attributes, "path")) + R"(,"Verb":)" +
         GoJsonQuote(TextOf(attributes, "verb")) + "}";
}

}  // namespace

void ValidateRole(const KindChange& change, FieldErrors& errors) {
  CheckRules(change, Scope::Namespaced, errors);
}

void ValidateClusterRole(const KindChange& change, FieldErrors& errors) {
  CheckRules(change, Scope::Cluster, errors);
  const Value* aggregation = MemberOf(change.tree(), "aggregationRule");
  if (aggregation == nullptr) return;
  static constexpr FieldPath kAggregation("aggregationRule");
  static constexpr FieldPath kSelectors = kAggregation / "clusterRoleSelectors";
  const auto selectors = DecodedOf<std::vector<LabelSelector>>(aggregation, "clusterRoleSelectors");
  if (selectors.empty()) {
    errors.Required(kSelectors,
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
  }
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    ValidateLabelSelector(selectors[i], change.before != nullptr, kSelectors[i], errors);
  }
}

void ValidateRoleBinding(const KindChange& change, FieldErrors& errors) {
  CheckBinding(change, Scope::Namespaced, errors);
}

void ValidateClusterRoleBinding(const KindChange& change, FieldErrors& errors) {
  CheckBinding(change, Scope::Cluster, errors);
}

void ValidateSelfSubjectAccessReview(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSpec("spec");
  const Value* spec = MemberOf(change.tree(), "spec");
  const Value* other = MemberOf(spec, "nonResourceAttributes");
  const bool has_resource = MemberOf(spec, "resourceAttributes") != nullptr;
  if (has_resource && other != nullptr) {
    errors.Invalid(kSpec / "nonResourceAttributes", BadValue::Json(NonResourceJson(other)),
                   "cannot be specified in combination with resourceAttributes");
  } else if (!has_resource && other == nullptr) {
    errors.Invalid(kSpec / "resourceAttributes", BadValue::Null(),
                   "exactly one of nonResourceAttributes or resourceAttributes must be specified");
  }
}

void ValidateSubjectAccessReview(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSpec("spec");
  ValidateSelfSubjectAccessReview(change, errors);
  const Value* spec = MemberOf(change.tree(), "spec");
  if (!TextOf(spec, "user").empty() || !ItemsOf(spec, "groups").empty()) return;
  errors.Invalid(kSpec / "user", "", "at least one of user or group must be specified");
}

}  // namespace plimsoll::api

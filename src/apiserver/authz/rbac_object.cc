#include "apiserver/authz/rbac_object.h"

#include <utility>

namespace plimsoll::apiserver {
namespace {

using codec::Value;

api::StringMap ReadMap(const Value* map) {
  std::vector<api::StringMap::Entry> entries;
  if (map != nullptr) {
    for (const codec::Member& member : map->members()) {
      if (member.value.is_string()) entries.emplace_back(member.key, member.value.text());
    }
  }
  return api::StringMap(std::move(entries));
}

/// An invalid selector matches nothing; validation rejects such selectors.
api::Selector ReadSelector(const Value& tree) {
  api::LabelSelector object{.match_labels = ReadMap(tree.Find("matchLabels")),
                            .match_expressions = {}};
  if (const Value* const expressions = tree.Find("matchExpressions"); expressions != nullptr) {
    for (const Value& expression : expressions->items()) {
      api::LabelSelectorRequirement& requirement = object.match_expressions.emplace_back();
      requirement.key = TextAt(expression, "key");
      requirement.op = TextAt(expression, "operator");
      if (const Value* const values = expression.Find("values"); values != nullptr) {
        for (const Value& value : values->items()) {
          if (value.is_string()) requirement.values.push_back(value.text());
        }
      }
    }
  }
  Result<api::Selector> selector = api::Selector::FromObject(&object);
  return selector ? *std::move(selector) : api::Selector::Nothing();
}

const Value& MetadataOf(const Value& tree) {
  static const Value kNone;
  const Value* const metadata = tree.Find("metadata");
  return metadata != nullptr ? *metadata : kNone;
}

}  // namespace

Role ReadRole(const Value& tree) {
  const Value& metadata = MetadataOf(tree);
  Role role;
  role.namespace_ = TextAt(metadata, "namespace");
  role.name = TextAt(metadata, "name");
  for (const auto& [key, value] : ReadMap(metadata.Find("labels"))) role.labels.emplace(key, value);
  role.rules = ReadPolicyRules(tree.Find("rules"));
  const Value* const aggregation = tree.Find("aggregationRule");
  role.is_aggregated = aggregation != nullptr && aggregation->is_object();
  if (!role.is_aggregated) return role;
  if (const Value* const selectors = aggregation->Find("clusterRoleSelectors")) {
    for (const Value& selector : selectors->items()) {
      role.aggregated.push_back(ReadSelector(selector));
    }
  }
  return role;
}

RoleRef ReadRoleRef(const Value& binding) {
  const Value* const ref = binding.Find("roleRef");
  if (ref == nullptr) return {};
  return {.group = std::string(TextAt(*ref, "apiGroup")),
          .kind = std::string(TextAt(*ref, "kind")),
          .name = std::string(TextAt(*ref, "name"))};
}

std::vector<Subject> ReadSubjects(const Value& binding) {
  std::vector<Subject> subjects;
  const Value* const list = binding.Find("subjects");
  if (list == nullptr) return subjects;
  for (const Value& subject : list->items()) {
    subjects.push_back({.kind = std::string(TextAt(subject, "kind")),
                        .group = std::string(TextAt(subject, "apiGroup")),
                        .name = std::string(TextAt(subject, "name")),
                        .namespace_ = std::string(TextAt(subject, "namespace"))});
  }
  return subjects;
}

RoleBinding ReadRoleBinding(const Value& tree) {
  const Value& metadata = MetadataOf(tree);
  return {.namespace_ = std::string(TextAt(metadata, "namespace")),
          .name = std::string(TextAt(metadata, "name")),
          .role = ReadRoleRef(tree),
          .subjects = ReadSubjects(tree)};
}

std::string ServiceAccountUser(std::string_view namespace_, std::string_view name) {
  return std::string("system:serviceaccount:").append(namespace_).append(":").append(name);
}

}  // namespace plimsoll::apiserver

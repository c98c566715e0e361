#include "apiserver/audit/audit_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "api/field_error.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "codec/json.h"
#include "codec/strict_fields.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

using api::BadValue;
using api::FieldErrors;
using api::FieldPath;
using codec::StrictFields;

constexpr std::array<std::string_view, 4> kLevels = {"None", "Metadata", "Request",
                                                     "RequestResponse"};
constexpr std::array<std::string_view, 4> kStages = {"RequestReceived", "ResponseStarted",
                                                     "ResponseComplete", "Panic"};
// The administrator writes the policy. The limit keeps a wrong file from using all memory.
constexpr codec::ParseLimits kPolicyLimits{.bytes_max = 4u << 20};

template <class Value>
std::optional<Value> FindName(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

bool Contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// Formats a list for an error message: `["a","b"]`.
BadValue ListValue(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ',';
    json += GoJsonQuote(text);
  }
  return BadValue::Json(json + "]");
}

bool MatchesPath(std::string_view path, std::string_view pattern) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

/// Matches `pods`, `pods/log`, `*`, `*/scale` or `pods/*` with a resource and sub-resource.
bool MatchesResourceName(std::string_view pattern, const RequestInfo& info) {
  if (pattern == "*") return true;
  const std::size_t slash = pattern.find('/');
  if (slash == std::string_view::npos) return info.subresource.empty() && pattern == info.resource;
  const std::string_view resource = pattern.substr(0, slash);
  const std::string_view subresource = pattern.substr(slash + 1);
  // `pods/*` covers pods and their sub-resources.
  if (subresource == "*" && resource == info.resource) return true;
  if (info.subresource.empty() || subresource != info.subresource) return false;
  return resource == "*" || resource == info.resource;
}

}  // namespace

std::string_view AuditLevelName(AuditLevel level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

std::string_view AuditStageName(AuditStage stage) {
  return kStages.at(static_cast<std::size_t>(stage));
}

/// Reads the tree and collects upstream's validation errors.
class AuditPolicy::Reader {
 public:
  Result<AuditPolicy> Read(const codec::Value& tree) {
    StrictFields::Fault fault;
    {
      StrictFields root(&tree, "", fault);
      ReadRoot(root);
    }
    if (fault) return Fail(Reason::Invalid, "failed decoding: " + fault->Text());
    if (!errors_.empty()) return Fail(Reason::Invalid, errors_.Text());
    if (policy_.rules_.empty()) {
      return Fail(Reason::Invalid, "loaded illegal policy with 0 rules");
    }
    for (Rule& rule : policy_.rules_) rule.outcome.omitted_stages.Add(policy_.omitted_stages_);
    return std::move(policy_);
  }

 private:
  void ReadRoot(StrictFields& root) {
    std::string api_version;
    std::string kind;
    root.Read("apiVersion", api_version);
    root.Read("kind", kind);
    if (api_version != "audit.k8s.io/v1") {
      root.Refuse("apiVersion", "must be audit.k8s.io/v1, got " + GoQuote(api_version));
    }
    if (kind != "Policy") root.Refuse("kind", "must be Policy, got " + GoQuote(kind));
    // Metadata has no effect, but files in the style of kubectl may have it.
    root.Find("metadata");
    bool omits_managed_fields = false;
    root.Read("omitManagedFields", omits_managed_fields);
    std::vector<std::string> stages;
    root.Read("omitStages", stages);
    policy_.omitted_stages_ = ReadStages(stages, FieldPath("omitStages"));
    const FieldPath rules("rules");
    std::size_t index = 0;
    root.List("rules", [&](StrictFields& item) {
      policy_.rules_.push_back(ReadRule(item, rules[index++], omits_managed_fields));
    });
  }

  Rule ReadRule(StrictFields& item, const FieldPath& at, bool omits_managed_fields) {
    Rule rule;
    std::string level;
    item.Read("level", level);
    item.Read("users", rule.users);
    item.Read("userGroups", rule.user_groups);
    item.Read("verbs", rule.verbs);
    item.Read("namespaces", rule.namespaces);
    item.Read("nonResourceURLs", rule.non_resource_urls);
    std::vector<std::string> stages;
    item.Read("omitStages", stages);
    item.List("resources", [&](StrictFields& fields) {
      GroupResources& group = rule.resources.emplace_back();
      fields.Read("group", group.group);
      fields.Read("resources", group.resources);
      fields.Read("resourceNames", group.resource_names);
    });
    rule.outcome.omits_managed_fields = omits_managed_fields;
    item.Read("omitManagedFields", rule.outcome.omits_managed_fields);
    rule.outcome.level = ReadLevel(level, at / "level");
    CheckUrls(rule.non_resource_urls, at / "nonResourceURLs");
    CheckResources(rule.resources, at / "resources");
    rule.outcome.omitted_stages = ReadStages(stages, at / "omitStages");
    if (!rule.non_resource_urls.empty() && (!rule.resources.empty() || !rule.namespaces.empty())) {
      errors_.Invalid(at / "nonResourceURLs", ListValue(rule.non_resource_urls),
                      "rules cannot apply to both regular resources and non-resource URLs");
    }
    return rule;
  }

  AuditLevel ReadLevel(std::string_view text, const FieldPath& at) {
    const auto level = FindName<AuditLevel>(kLevels, text);
    if (level) return *level;
    if (text.empty()) {
      errors_.Required(at, "");
    } else {
      errors_.NotSupported(at, BadValue::TypedString(text), kLevels);
    }
    return AuditLevel::None;
  }

  AuditStages ReadStages(const std::vector<std::string>& names, const FieldPath& at) {
    AuditStages stages;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const auto stage = FindName<AuditStage>(kStages, names[i])) {
        stages.Add(*stage);
      } else {
        errors_.Invalid(at[i], names[i],
                        fmt::format("allowed stages are {}", fmt::join(kStages, ",")));
      }
    }
    return stages;
  }

  void CheckUrls(const std::vector<std::string>& urls, const FieldPath& at) {
    for (std::size_t i = 0; i < urls.size(); ++i) {
      const std::string& url = urls[i];
      if (url == "*") continue;
      if (!url.starts_with('/')) {
        errors_.Invalid(at[i], url, "non-resource URL rules must begin with a '/' character");
      }
      if (url.find('*') + 1 < url.size() && url.contains('*')) {
        errors_.Invalid(at[i], url,
                        "non-resource URL wildcards '*' must be the final character of the rule");
      }
    }
  }

  void CheckResources(const std::vector<GroupResources>& groups, const FieldPath& at) {
    for (const GroupResources& group : groups) {
      if (!group.group.empty()) {
        if (const Faults faults = CheckDns1123Subdomain(group.group); !faults.empty()) {
          errors_.Invalid(at / "group", group.group, fmt::format("{}", fmt::join(faults, ",")));
        }
      }
      if (!group.resource_names.empty() && group.resources.empty()) {
        errors_.Invalid(at / "resourceNames", ListValue(group.resource_names),
                        "using resourceNames requires at least one resource");
      }
    }
  }

  AuditPolicy policy_;
  FieldErrors errors_;
};

Result<AuditPolicy> AuditPolicy::Parse(std::string_view text) {
  const auto documents = codec::ParseYaml(text, kPolicyLimits);
  if (!documents) return Fail(Reason::Invalid, "failed decoding: " + documents.error().Text());
  if (documents->size() != 1) {
    return Fail(Reason::Invalid, fmt::format("failed decoding: want one Policy, got {} documents",
                                             documents->size()));
  }
  const codec::Document& document = *documents->front();
  if (!document.duplicates().empty()) {
    return Fail(Reason::Invalid, fmt::format("failed decoding: duplicate field \"{}\"",
                                             document.duplicates().front().path));
  }
  return Reader().Read(document.root());
}

AuditPolicy AuditPolicy::Default() {
  AuditPolicy policy;
  Rule& rule = policy.rules_.emplace_back();
  rule.outcome.level = AuditLevel::Metadata;
  rule.outcome.omitted_stages.Add(AuditStage::RequestReceived);
  return policy;
}

bool AuditPolicy::MatchesResource(const Rule& rule, const RequestInfo& info) {
  if (!info.is_resource_request) return false;
  if (!rule.namespaces.empty() && !Contains(rule.namespaces, info.namespace_)) return false;
  if (rule.resources.empty()) return true;
  return std::ranges::any_of(rule.resources, [&](const GroupResources& group) {
    if (group.group != info.group) return false;
    if (group.resources.empty()) return true;
    if (!group.resource_names.empty() && !Contains(group.resource_names, info.name)) return false;
    return std::ranges::any_of(group.resources, [&](const std::string& pattern) {
      return MatchesResourceName(pattern, info);
    });
  });
}

bool AuditPolicy::Matches(const Rule& rule, const User* user, const RequestInfo& info) {
  if (!rule.users.empty() && (user == nullptr || !Contains(rule.users, user->name))) return false;
  if (!rule.user_groups.empty()) {
    const bool is_member =
        user != nullptr && std::ranges::any_of(user->groups, [&](const std::string& group) {
          return Contains(rule.user_groups, group);
        });
    if (!is_member) return false;
  }
  if (!rule.verbs.empty() && !Contains(rule.verbs, info.verb)) return false;
  if (!rule.namespaces.empty() || !rule.resources.empty()) return MatchesResource(rule, info);
  if (rule.non_resource_urls.empty()) return true;
  if (info.is_resource_request) return false;
  return std::ranges::any_of(rule.non_resource_urls, [&](const std::string& pattern) {
    return MatchesPath(info.path, pattern);
  });
}

AuditRule AuditPolicy::Evaluate(const User* user, const RequestInfo& info) const {
  for (const Rule& rule : rules_) {
    if (Matches(rule, user, info)) return rule.outcome;
  }
  AuditRule none;
  none.omitted_stages = omitted_stages_;
  return none;
}

}  // namespace plimsoll::apiserver

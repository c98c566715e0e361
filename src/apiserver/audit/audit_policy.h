#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/audit/audit_record.h"
#include "apiserver/request/request_info.h"
#include "apiserver/request/user.h"
#include "base/result.h"

namespace plimsoll::apiserver {

std::string_view AuditLevelName(AuditLevel level);
std::string_view AuditStageName(AuditStage stage);

/// An audit policy: `Policy` of `audit.k8s.io/v1`. The first rule that matches a request applies.
/// Immutable after loading, safe for use by many threads.
class AuditPolicy {
 public:
  /// Parses a policy in YAML or JSON. Fails with Invalid and, where upstream has one, upstream's
  /// text. The error names the path of a field that is unknown or has the wrong type.
  static Result<AuditPolicy> Parse(std::string_view text);
  /// Returns the policy of a server without a policy file: level Metadata for everything, without
  /// the stage RequestReceived.
  static AuditPolicy Default();

  /// Returns the rule for a request. `user` is null if it was not authenticated.
  AuditRule Evaluate(const User* user, const RequestInfo& info) const;

 private:
  struct GroupResources {
    std::string group;
    std::vector<std::string> resources;
    std::vector<std::string> resource_names;
  };
  struct Rule {
    AuditRule outcome;
    std::vector<std::string> users;
    std::vector<std::string> user_groups;
    std::vector<std::string> verbs;
    std::vector<GroupResources> resources;
    std::vector<std::string> namespaces;
    std::vector<std::string> non_resource_urls;
  };
  class Reader;

  static bool Matches(const Rule& rule, const User* user, const RequestInfo& info);
  static bool MatchesResource(const Rule& rule, const RequestInfo& info);

  AuditStages omitted_stages_;
  std::vector<Rule> rules_;
};

}  // namespace plimsoll::apiserver

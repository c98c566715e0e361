// Parses an audit policy. A policy that is accepted must yield a level for every request.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/audit/audit_policy.h"
#include "base/assert.h"
#include "cost_bound.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  using plimsoll::apiserver::AuditLevel;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto policy = plimsoll::apiserver::AuditPolicy::Parse(text);
  if (!policy.has_value()) {
    PL_ASSERT(!policy.error().message.empty());
    return 0;
  }
  plimsoll::apiserver::User user;
  user.name = "jane";
  user.groups = {"devs", "system:authenticated"};
  plimsoll::apiserver::RequestInfo info;
  info.verb = "get";
  info.path = "/healthz";
  PL_ASSERT(policy->Evaluate(nullptr, info).level <= AuditLevel::RequestResponse);
  info.is_resource_request = true;
  info.resource = "pods";
  info.subresource = "log";
  info.namespace_ = "default";
  PL_ASSERT(policy->Evaluate(&user, info).level <= AuditLevel::RequestResponse);
  return 0;
}

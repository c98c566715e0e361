#include "client/leader_core.h"

#include <utility>

#include "base/time_arithmetic.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::client {
namespace {

using codec::Value;

constexpr double kJitter = 1.2;

std::int64_t Number(const Value& tree, std::string_view key) {
  const Value* value = tree.Find(key);
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

/// Returns the member, and replaces it by an empty object if it is none.
Value& ObjectMember(codec::Document& document, Value& tree, std::string_view key) {
  Value* found = tree.Find(key);
  if (found != nullptr && found->is_object()) return *found;
  return document.Set(tree, key, document.NewObject());
}

}  // namespace

Status Check(const LeaderElectionOptions& options) {
  if (options.identity.empty()) return FailAt(Reason::Invalid, "identity", "may not be empty");
  if (options.lease_name.empty()) return FailAt(Reason::Invalid, "leaseName", "may not be empty");
  if (options.retry_period <= Duration::zero()) {
    return FailAt(Reason::Invalid, "retryPeriod", "must be greater than zero");
  }
  if (options.lease_duration <= options.renew_deadline) {
    return FailAt(Reason::Invalid, "leaseDuration", "must be greater than renewDeadline");
  }
  if (static_cast<double>(options.renew_deadline.count()) <=
      kJitter * static_cast<double>(options.retry_period.count())) {
    return FailAt(Reason::Invalid, "renewDeadline", "must be greater than 1.2 times retryPeriod");
  }
  return {};
}

LeaseRecord ReadLease(const api::Object& lease) {
  const Value* spec = lease.tree().Find("spec");
  if (spec == nullptr) return {};
  return {.holder = std::string(TextAt(*spec, "holderIdentity")),
          .duration_seconds = Number(*spec, "leaseDurationSeconds"),
          .acquire_time = std::string(TextAt(*spec, "acquireTime")),
          .renew_time = std::string(TextAt(*spec, "renewTime")),
          .transitions = Number(*spec, "leaseTransitions")};
}

std::string LeaseJson(const LeaderElectionOptions& options, const LeaseRecord& record,
                      const api::Object* base) {
  codec::Document document;
  Value root = base != nullptr ? document.Clone(base->tree()) : document.NewObject();
  document.Set(root, "apiVersion", Value::String("coordination.k8s.io/v1"));
  document.Set(root, "kind", Value::String("Lease"));
  Value& metadata = ObjectMember(document, root, "metadata");
  document.Set(metadata, "namespace", Value::String(options.lease_namespace));
  document.Set(metadata, "name", Value::String(options.lease_name));
  Value& spec = ObjectMember(document, root, "spec");
  document.Set(spec, "holderIdentity", Value::String(record.holder));
  document.Set(spec, "leaseDurationSeconds", Value::Int(record.duration_seconds));
  document.Set(spec, "acquireTime", Value::String(record.acquire_time));
  document.Set(spec, "renewTime", Value::String(record.renew_time));
  document.Set(spec, "leaseTransitions", Value::Int(record.transitions));
  return codec::WriteJson(root);
}

void LeaderCore::Observe(LeaseRecord record, Instant now) {
  if (std::exchange(has_observed_, true) && record == observed_) return;
  observed_ = std::move(record);
  changed_at_ = now;
}

void LeaderCore::Forget() {
  has_observed_ = false;
  observed_ = {};
}

bool LeaderCore::IsLive(Instant now) const {
  return SaturatingAdd(changed_at_, SaturatingSeconds(observed_.duration_seconds)) > now;
}

std::optional<LeaseRecord> LeaderCore::Claim(Instant now) const {
  const bool is_held = has_observed_ && !observed_.holder.empty();
  if (is_held && !is_leader() && IsLive(now)) return std::nullopt;
  const std::string time = FormatMicroTime(now);
  LeaseRecord claim{
      .holder = options_.identity,
      .duration_seconds =
          std::chrono::duration_cast<std::chrono::seconds>(options_.lease_duration).count(),
      .acquire_time = time,
      .renew_time = time,
      .transitions = 0};
  if (is_leader()) {
    claim.acquire_time = observed_.acquire_time;
    claim.transitions = observed_.transitions;
  } else if (has_observed_) {
    claim.transitions = observed_.transitions + 1;
  }
  return claim;
}

LeaseRecord LeaderCore::Release(Instant now) const {
  const std::string time = FormatMicroTime(now);
  return {.holder = {},
          .duration_seconds = 1,
          .acquire_time = time,
          .renew_time = time,
          .transitions = observed_.transitions};
}

}  // namespace plimsoll::client

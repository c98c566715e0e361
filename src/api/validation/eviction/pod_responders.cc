#include "api/validation/eviction/pod_responders.h"

#include <span>

#include "api/validation/eviction/eviction_checks.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

constexpr std::int64_t kUserPriorityMin = 1000;

}  // namespace

void ValidateEvictionResponders(const PodSpec& spec, const FieldPath& at, FieldErrors& errors) {
  if (spec.eviction_responders == nullptr) return;
  const std::span<const codec::Value> responders = spec.eviction_responders->items();
  if (responders.empty()) return;
  const FieldPath list_path = at / "evictionResponders";
  if (MemberOf(spec.source, "schedulingGroup") != nullptr) {
    errors.Forbidden(list_path, "may not be set together with `schedulingGroup`");
  }
  if (responders.size() > kEvictionRespondersMax) {
    return errors.TooMany(list_path, responders.size(), kEvictionRespondersMax);
  }
  SeenTexts seen;
  for (std::size_t i = 0; i < responders.size(); ++i) {
    const FieldPath item_path = list_path[i];
    const std::string_view name = TextOf(&responders[i], "name");
    if (!seen.Insert(name)) errors.Duplicate(item_path, BadValue::String(name));
    const bool is_key = CheckDomainKey(name, item_path / "name", errors);
    const FieldPath priority_path = item_path / "priority";
    const std::optional<std::int64_t> priority = IntOf(&responders[i], "priority");
    if (!priority) {
      errors.Required(priority_path, "");
      continue;
    }
    CheckRange(*priority, {0, kResponderPriorityMax}, priority_path, errors);
    const bool is_reserved = *priority >= 0 && *priority < kUserPriorityMin;
    if (is_key && is_reserved && !HasReservedDomain(name)) {
      errors.Invalid(priority_path, BadValue::Int(*priority),
                     "priorities 0 to 999 are reserved for responders of *.k8s.io");
    }
  }
}

}  // namespace plimsoll::api

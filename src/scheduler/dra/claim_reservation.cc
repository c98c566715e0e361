#include "scheduler/dra/claim_reservation.h"

#include <algorithm>
#include <utility>

#include "api/extension/extended_claim.h"
#include "base/go_text.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/dra/extended_resources.h"
#include "scheduler/dra/pod_devices.h"

namespace plimsoll::scheduler {
namespace {

constexpr Duration kPollPeriod = std::chrono::seconds(5);

std::string OfThisUid(const api::ObjectMeta& metadata) {
  return R"({"metadata":{"uid":)" + GoJsonQuote(metadata.uid);
}

PreBindOutcome Failed(std::string error) {
  PreBindOutcome outcome;
  outcome.verdict = Verdict::Of(Code::Error, std::move(error));
  return outcome;
}

}  // namespace

ClaimReservation::ClaimReservation(Devices& devices, std::string_view node_name,
                                   std::vector<Part> parts)
    : node_name_(node_name), parts_(std::move(parts)) {
  for (const Part& part : parts_) {
    const api::ObjectMeta& of = part.claim->metadata();
    if (part.allocation) devices.AddPending(of.uid, *part.allocation);
    if (part.is_new()) devices.ExpectClaim(of.uid, of.namespace_, of.name);
  }
}

ObjectPtr ClaimReservation::Latest(const Devices& devices, const Part& part) {
  const api::ObjectMeta& of = part.claim->metadata();
  ObjectPtr known = devices.claims().Find(of.namespace_, of.name);
  const bool is_this = known != nullptr && (part.is_new() || known->metadata().uid == of.uid);
  return is_this ? known : nullptr;
}

std::string ClaimReservation::Obstacle(const Devices& devices, const Part& part) {
  const api::ObjectMeta& of = part.claim->metadata();
  if (part.is_new()) return {};
  const ObjectPtr known = Latest(devices, part);
  std::string text = "claim ";
  text.append(of.namespace_).append("/").append(of.name);
  if (known == nullptr || !known->metadata().deletion_timestamp.empty()) {
    return text += " got deleted in the meantime";
  }
  const bool is_allocated = known->As<api::ResourceClaim>()->allocation.has_value();
  if (is_allocated && part.allocation) return text += " got allocated elsewhere in the meantime";
  if (!is_allocated && !part.allocation) return text += " got deallocated in the meantime";
  return {};
}

std::vector<api::Write> ClaimReservation::Writes(const Part& part, const api::ObjectMeta& pod,
                                                 Instant now) const {
  const api::ObjectMeta& of = part.claim->metadata();
  std::vector<api::Write> writes;
  if (part.is_new()) {
    if (!is_made_) {
      writes.emplace_back(api::CreateObject{.object = part.claim, .body = part.create});
    }
  } else if (part.allocation &&
             std::ranges::find(of.finalizers, kDeleteProtection) == of.finalizers.end()) {
    writes.emplace_back(api::PatchObject{
        .object = part.claim,
        .body = OfThisUid(of) + R"(,"finalizers":[)" + GoJsonQuote(kDeleteProtection) + "]}}",
        .form = api::PatchForm::StrategicMerge});
  }
  // Repeat an existing allocation, so that the server rejects the write if it has changed.
  const std::string allocation =
      part.allocation
          ? part.allocation->ToJson(FormatTime(now))
          : api::WriteUnextended(*part.claim->As<api::ResourceClaim>()->allocation->source);
  writes.emplace_back(
      api::PatchObject{.object = part.claim,
                       .subresource = "status",
                       .body = (part.is_new() ? R"({"metadata":{)" : OfThisUid(of)) +
                               R"(},"status":{"allocation":)" + allocation +
                               R"(,"reservedFor":[{"resource":"pods","name":)" +
                               GoJsonQuote(pod.name) + R"(,"uid":)" + GoJsonQuote(pod.uid) + "}]}}",
                       .form = api::PatchForm::StrategicMerge});
  writes.insert(writes.end(), part.then.begin(), part.then.end());
  return writes;
}

PreBindOutcome ClaimReservation::Continue(const Devices& devices, const api::ObjectMeta& pod,
                                          Instant now) {
  if (std::exchange(is_writing_, false)) {
    ++written_;
    is_made_ = false;
  }
  for (; written_ < parts_.size(); ++written_) {
    const Part& part = parts_[written_];
    const ObjectPtr known = Latest(devices, part);
    if (!part.is_new() && known != nullptr &&
        IsReservedFor(*known->As<api::ResourceClaim>(), pod.uid))
      continue;
    if (std::string obstacle = Obstacle(devices, part); !obstacle.empty()) {
      return Failed(std::move(obstacle));
    }
    PreBindOutcome outcome;
    outcome.verdict.code = Code::Wait;
    outcome.writes = Writes(part, pod, now);
    is_writing_ = true;
    return outcome;
  }
  return AwaitDrivers(devices, now);
}

PreBindOutcome ClaimReservation::AwaitDrivers(const Devices& devices, Instant now) {
  bool is_ready = true;
  for (const Part& part : parts_) {
    const auto& results = part.allocation
                              ? part.allocation->result.results
                              : part.claim->As<api::ResourceClaim>()->allocation->results;
    const bool needs_driver = std::ranges::any_of(results, [](const api::DeviceResult& result) {
      return !result.binding_conditions.empty();
    });
    if (!needs_driver) continue;
    const ObjectPtr known = Latest(devices, part);
    if (known == nullptr && !part.is_new()) return Failed(Obstacle(devices, part));
    if (known == nullptr) {
      is_ready = false;  // not in the informer yet
      continue;
    }
    std::string error;
    switch (ReadinessOf(*known, &error)) {
      case DeviceReadiness::Ready:
        break;
      case DeviceReadiness::Waiting:
        is_ready = false;
        break;
      case DeviceReadiness::Failed:
        return Failed(std::move(error));
    }
  }
  PreBindOutcome outcome;
  if (is_ready) return outcome;
  if (deadline_ && now >= *deadline_) return Failed("device binding timeout");
  if (!deadline_) {
    deadline_ = now + devices.settings().binding_timeout;
    outcome.event_reason = "BindingConditionsPending";
    outcome.event_note = "waiting for binding conditions for device on node " + node_name_;
  }
  outcome.verdict.code = Code::Wait;
  outcome.waits_for = {{EventResource::ResourceClaim, kUpdate | kDelete}};
  outcome.deadline = std::min(now + kPollPeriod, *deadline_);
  return outcome;
}

Verdict ClaimReservation::WritesFailed(const Devices& devices, const Error& error) {
  is_writing_ = false;
  if (error.reason == Reason::Timeout || error.reason == Reason::ServiceUnavailable ||
      error.reason == Reason::InternalError || error.reason == Reason::TooManyRequests) {
    return {Code::Wait, {}, {}};
  }
  if (error.reason == Reason::AlreadyExists && parts_[written_].is_new() && !is_made_) {
    is_made_ = true;  // an earlier create had an unknown result; nobody else uses this name
    return {Code::Wait, {}, {}};
  }
  // The informer's state may explain the failure better than the server's message.
  std::string obstacle = Obstacle(devices, parts_[written_]);
  return Verdict::Of(Code::Error, obstacle.empty() ? error.message : std::move(obstacle));
}

std::vector<api::Write> ClaimReservation::Undo(Devices& devices, const api::ObjectMeta& pod) {
  std::vector<api::Write> writes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    // A write in flight may still succeed. It was sent before the writes that follow.
    const bool may_be_written = i < written_ || (i == written_ && is_writing_);
    if (part.allocation && i >= written_) devices.DropPending(part.claim->metadata().uid);
    const ObjectPtr known = Latest(devices, part);
    if (known == nullptr) continue;
    if (part.is_new()) {
      for (api::Write& write : DeletionOf(known)) writes.push_back(std::move(write));
      continue;
    }
    if (!may_be_written && !IsReservedFor(*known->As<api::ResourceClaim>(), pod.uid)) continue;
    writes.emplace_back(
        api::PatchObject{.object = part.claim,
                         .subresource = "status",
                         .body = OfThisUid(part.claim->metadata()) +
                                 R"(},"status":{"reservedFor":[{"$patch":"delete","uid":)" +
                                 GoJsonQuote(pod.uid) + "}]}}",
                         .form = api::PatchForm::StrategicMerge});
  }
  return writes;
}

}  // namespace plimsoll::scheduler

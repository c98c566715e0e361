#include "agent/devices/device_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/status_reader.h"
#include "base/assert.h"

namespace plimsoll::agent {
namespace {

constexpr std::string_view kFieldManager = "plimsoll-dra-driver";
constexpr Duration kRetryMin = std::chrono::milliseconds(200);
constexpr Duration kRetryMax = std::chrono::seconds(30);

const api::KindDesc& KindOf(std::string_view kind) {
  const api::KindDesc* const found = api::FindKind("resource.k8s.io", "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

std::pair<std::string, std::string> NameOf(const api::ObjectMeta& metadata) {
  return {std::string(metadata.namespace_), std::string(metadata.name)};
}

bool IsControlledBy(const api::ObjectMeta& object, std::string_view uid) {
  return std::ranges::any_of(object.owner_references, [&](const api::OwnerReference& owner) {
    return owner.controller.value_or(false) && owner.uid == uid;
  });
}

bool HoldsAll(const api::ResourceClaim& claim, const api::DeviceResult& result,
              const std::vector<std::string_view>& types) {
  for (const api::AllocatedDeviceStatus& device : claim.devices) {
    if (device.driver != result.driver || device.pool != result.pool ||
        device.device != result.device || device.share_id != result.share_id) {
      continue;
    }
    return std::ranges::all_of(types, [&](std::string_view type) {
      const auto found = std::ranges::find(device.conditions, type, &api::StatusCondition::type);
      return found != device.conditions.end() && found->status == "True";
    });
  }
  return false;
}

}  // namespace

void DeviceDriver::AddNode(const HostedNode& hosted) {
  if (hosted.slices.empty()) return;
  Node& node = nodes_[hosted.name];
  node.hosted = &hosted;
  for (std::size_t i = 0; i < hosted.slices.size(); ++i) {
    const HostedSlice& slice = hosted.slices[i];
    node.slices.push_back({.name = fmt::format("{}-{}-{}", hosted.name, slice.driver, i),
                           .stored = nullptr,
                           .written = std::nullopt});
    places_[node.slices.back().name] = {hosted.name, i};
    if (!slice.is_of_taints) pools_[{slice.driver, slice.pool}] = &slice;
  }
}

void DeviceDriver::ObserveNode(const ObjectPtr& object, const Turn& turn) {
  const auto at = nodes_.find(object->metadata().name);
  if (at == nodes_.end()) return;
  const ObjectPtr before = std::exchange(at->second.object, object);
  if (before != nullptr && before->metadata().uid == object->metadata().uid &&
      before->metadata().annotations == object->metadata().annotations) {
    return;
  }
  Publish(at->second, turn);
}

void DeviceDriver::ForgetNode(std::string_view name) {
  const auto at = nodes_.find(name);
  if (at != nodes_.end()) at->second.object = nullptr;
}

std::vector<DeviceHealth> DeviceDriver::HealthOf(Node& node, const Turn& turn) {
  std::vector<std::string> faults;
  std::vector<DeviceHealth> health =
      ReadDeviceHealth(node.object->metadata().annotations, node.hosted->slices, faults);
  for (const std::string& fault : faults) {
    if (std::ranges::find(node.faults, fault) != node.faults.end()) continue;
    turn.Do(RecordEvent{.regarding = node.object,
                        .type = EventType::Warning,
                        .reason = "InvalidDeviceTaints",
                        .message = fault,
                        .host = node.hosted->name});
  }
  node.faults = std::move(faults);
  return health;
}

void DeviceDriver::Publish(Node& node, const Turn& turn) {
  if (node.object == nullptr) return;
  node.is_stale = std::ranges::any_of(node.slices, [](const Slice& one) { return one.write != 0; });
  if (node.is_stale) return;
  const std::vector<HostedSlice>& hosted = node.hosted->slices;
  const std::vector<SliceContent> contents = ContentsOf(hosted, HealthOf(node, turn));
  std::vector<bool> is_done(hosted.size());
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    if (is_done[i]) continue;
    std::vector<std::size_t> places;
    for (std::size_t j = i; j < hosted.size(); ++j) {
      if (hosted[j].driver != hosted[i].driver || hosted[j].pool != hosted[i].pool) continue;
      places.push_back(j);
      is_done[j] = true;
    }
    // The slices of a pool must be published together; other pools need not wait for them.
    const bool must_wait = std::ranges::any_of(
        places, [&](std::size_t place) { return node.slices[place].retry_at.has_value(); });
    if (must_wait) continue;
    PublishPool(node, places, contents, turn);
  }
}

void DeviceDriver::PublishPool(Node& node, const std::vector<std::size_t>& places,
                               const std::vector<SliceContent>& contents, const Turn& turn) {
  // Returns the latest known state: a write counts even before its watch event.
  const auto current = [](const Slice& slice) -> Slice::Written {
    if (slice.written) return *slice.written;
    if (slice.stored == nullptr) return {};
    const auto& view = *slice.stored->As<api::ResourceSlice>();
    return {std::string(PublishedContent(view)),
            {view.pool.generation, view.pool.resource_slice_count}};
  };
  PoolNumbers pool{0, static_cast<std::int64_t>(places.size())};
  for (const std::size_t place : places) {
    pool.generation = std::max(pool.generation, current(node.slices[place]).pool.generation);
  }
  std::vector<std::size_t> changed;
  bool is_whole = true;
  for (const std::size_t place : places) {
    const Slice::Written known = current(node.slices[place]);
    is_whole &= known.pool == pool && pool.generation > 0;
    if (known.fingerprint != contents[place].fingerprint) changed.push_back(place);
  }
  if (is_whole && changed.empty()) return;
  if (!is_whole || changed.size() > 1) {
    ++pool.generation;
    changed = places;
  }
  for (const std::size_t place : changed) {
    Slice& slice = node.slices[place];
    slice.write = next_action_++;
    slice.written = Slice::Written{contents[place].fingerprint, pool, contents[place].taints};
    pending_[slice.write] = {.node = node.hosted->name, .slice = place, .claim = {}};
    turn.Do(PatchObject{.id = slice.write,
                        .object = api::ObjectRef(KindOf("ResourceSlice"), {}, slice.name),
                        .body = SliceJson(slice.name, *node.object, node.hosted->slices[place],
                                          contents[place], pool, slice.stored, turn.now),
                        .form = PatchForm::Apply,
                        .field_manager = std::string(kFieldManager)});
  }
}

void DeviceDriver::Observe(const ObjectChanged& event, const Turn& turn) {
  const api::Object& any = event.new_object != nullptr ? *event.new_object : *event.old_object;
  if (any.As<api::ResourceSlice>() != nullptr) {
    ObserveSlice(event.old_object, event.new_object, turn);
  } else if (any.As<api::ResourceClaim>() != nullptr) {
    ObserveClaim(event.old_object, event.new_object, turn.now);
  }
}

void DeviceDriver::ObserveSlice(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  const auto at = places_.find((after != nullptr ? after : before)->metadata().name);
  if (at == places_.end()) return;
  Node& node = nodes_.find(at->second.first)->second;
  Slice& slice = node.slices[at->second.second];
  slice.stored = after;
  slice.is_deleted = after == nullptr && slice.write != 0;
  if (slice.write != 0) return;
  if (after == nullptr) {
    slice.written.reset();
    return Publish(node, turn);
  }
  const auto& view = *after->As<api::ResourceSlice>();
  // A watch event that is older than the last write is ignored.
  const bool is_seen = slice.written && PublishedContent(view) == slice.written->fingerprint &&
                       view.pool.generation >= slice.written->pool.generation;
  if (!is_seen) return;
  WarnIfTaintsWereDropped(node, slice, turn);
  slice.written.reset();
}

void DeviceDriver::WarnIfTaintsWereDropped(const Node& node, const Slice& slice,
                                           const Turn& turn) const {
  const std::size_t stored = CountTaints(*slice.stored->As<api::ResourceSlice>());
  if (stored >= slice.written->taints || node.object == nullptr) return;
  turn.Do(RecordEvent{
      .regarding = node.object,
      .type = EventType::Warning,
      .reason = "DroppedResourceSliceFields",
      .message = fmt::format("The API server dropped {} of {} taints of ResourceSlice {}: it does "
                             "not know the field, or its feature gate DRADeviceTaints is off",
                             slice.written->taints - stored, slice.written->taints, slice.name),
      .host = node.hosted->name});
}

bool DeviceDriver::Finish(const ActionFinished& event, const Turn& turn) {
  const auto at = pending_.find(event.id);
  if (at == pending_.end()) return false;
  const Pending pending = std::move(at->second);
  pending_.erase(at);
  if (!pending.node.empty()) {
    FinishSlice(pending, event.status, turn);
  } else if (!event.status && claims_.contains(pending.claim)) {
    bindings_[pending.claim] = turn.now + kRetryMin;
    bindings_due_.emplace(turn.now + kRetryMin, pending.claim);
  }
  return true;
}

void DeviceDriver::FinishSlice(const Pending& pending, const Status& status, const Turn& turn) {
  Node& node = nodes_.find(pending.node)->second;
  Slice& slice = node.slices[pending.slice];
  slice.write = 0;
  const bool is_deleted = std::exchange(slice.is_deleted, false);
  if (status) {
    slice.retry_wait = {};
    // The deletion may have come before the write or after it: publish again to be sure.
    if (is_deleted) {
      slice.written.reset();
      return Publish(node, turn);
    }
    // The watch event may have arrived before the outcome.
    if (slice.stored != nullptr) ObserveSlice(slice.stored, slice.stored, turn);
    if (node.is_stale) Publish(node, turn);
    return;
  }
  slice.written.reset();
  if (node.object != nullptr) {
    turn.Do(RecordEvent{.regarding = node.object,
                        .type = EventType::Warning,
                        .reason = "FailedResourceSlicePublish",
                        .message = fmt::format("Failed to publish ResourceSlice {}: {}", slice.name,
                                               status.error().Text()),
                        .host = node.hosted->name});
  }
  slice.retry_wait =
      slice.retry_wait == Duration::zero() ? kRetryMin : std::min(slice.retry_wait * 2, kRetryMax);
  slice.retry_at = turn.now + slice.retry_wait;
  nodes_due_.emplace(*slice.retry_at, node.hosted->name);
}

void DeviceDriver::ObserveClaim(const ObjectPtr& before, const ObjectPtr& after, Instant now) {
  const ClaimName name = NameOf((after != nullptr ? after : before)->metadata());
  const auto drop_binding = [&] {
    const auto at = bindings_.find(name);
    if (at == bindings_.end()) return;
    bindings_due_.erase({at->second, name});
    bindings_.erase(at);
  };
  if (after == nullptr) {
    claims_.erase(name);
    return drop_binding();
  }
  claims_[name] = after;
  Duration delay{};
  if (BindingsOf(*after->As<api::ResourceClaim>(), delay).empty()) return drop_binding();
  if (const auto [at, is_new] = bindings_.try_emplace(name, now + delay); is_new) {
    bindings_due_.emplace(at->second, name);
  }
}

const HostedSlice* DeviceDriver::FindPool(std::string_view driver, std::string_view pool) const {
  const auto at = pools_.find({std::string(driver), std::string(pool)});
  return at == pools_.end() ? nullptr : at->second;
}

std::vector<BindingReport> DeviceDriver::BindingsOf(const api::ResourceClaim& claim,
                                                    Duration& delay) const {
  std::vector<BindingReport> reports;
  if (!claim.allocation) return reports;
  bool is_news = false;
  for (std::size_t i = 0; i < claim.allocation->results.size(); ++i) {
    const api::DeviceResult& result = claim.allocation->results[i];
    if (result.binding_conditions.empty()) continue;
    const HostedSlice* const pool = FindPool(result.driver, result.pool);
    if (pool == nullptr) continue;
    reports.push_back({i, pool->binding_fails});
    is_news |= !HoldsAll(
        claim, result,
        pool->binding_fails ? result.binding_failure_conditions : result.binding_conditions);
    delay = std::max(delay, pool->binding_delay);
  }
  if (!is_news) reports.clear();
  return reports;
}

void DeviceDriver::ReportBindings(const ClaimName& name, const Turn& turn) {
  const auto at = claims_.find(name);
  if (at == claims_.end()) return;
  Duration delay{};
  const auto reports = BindingsOf(*at->second->As<api::ResourceClaim>(), delay);
  if (reports.empty()) return;
  const ActionId id = next_action_++;
  pending_[id] = {.node = {}, .slice = 0, .claim = name};
  turn.Do(PatchObject{.id = id,
                      .object = api::ObjectRef(KindOf("ResourceClaim"), name.first, name.second),
                      .subresource = "status",
                      .body = BindingJson(*at->second, reports, turn.now),
                      .form = PatchForm::Apply,
                      .field_manager = std::string(kFieldManager)});
}

void DeviceDriver::Wake(const Turn& turn) {
  while (!nodes_due_.empty() && nodes_due_.begin()->first <= turn.now) {
    Node& node = nodes_.find(nodes_due_.begin()->second)->second;
    nodes_due_.erase(nodes_due_.begin());
    for (Slice& slice : node.slices) {
      if (slice.retry_at && *slice.retry_at <= turn.now) slice.retry_at.reset();
    }
    Publish(node, turn);
  }
  while (!bindings_due_.empty() && bindings_due_.begin()->first <= turn.now) {
    const ClaimName name = bindings_due_.begin()->second;
    bindings_due_.erase(bindings_due_.begin());
    bindings_.erase(name);
    ReportBindings(name, turn);
  }
}

std::optional<Instant> DeviceDriver::NextWake() const {
  std::optional<Instant> next;
  if (!nodes_due_.empty()) next = nodes_due_.begin()->first;
  if (!bindings_due_.empty() && (!next || bindings_due_.begin()->first < *next)) {
    next = bindings_due_.begin()->first;
  }
  return next;
}

std::optional<std::string> DeviceDriver::WhyUnprepared(const api::Object& pod) const {
  const api::ObjectMeta& metadata = pod.metadata();
  const auto why_not = [&](std::string_view name,
                           bool must_be_owner) -> std::optional<std::string> {
    const auto at = claims_.find({std::string(metadata.namespace_), std::string(name)});
    if (at == claims_.end()) {
      return fmt::format(
          "fetch ResourceClaim {0}: resourceclaims.resource.k8s.io \"{0}\" not found", name);
    }
    const auto& claim = *at->second->As<api::ResourceClaim>();
    if (must_be_owner && !IsControlledBy(claim.metadata, metadata.uid)) {
      return fmt::format("ResourceClaim {0}/{1} was not created for pod {0}/{2} (pod is not owner)",
                         metadata.namespace_, name, metadata.name);
    }
    // A reserved claim is allocated, too.
    if (std::ranges::find(claim.reserved_for, metadata.uid, &api::ConsumerReference::uid) ==
        claim.reserved_for.end()) {
      return fmt::format("pod {} ({}) is not allowed to use ResourceClaim {} ({})", metadata.name,
                         metadata.uid, name, claim.metadata.uid);
    }
    return std::nullopt;
  };
  for (const api::PodResourceClaim& entry : pod.As<api::Pod>()->spec.resource_claims) {
    const std::optional<std::string_view> name = ReadClaimName(pod, entry);
    if (!name) {
      return fmt::format("prepare resource claim: pod \"{}/{}\": ResourceClaim not created yet",
                         metadata.namespace_, metadata.name);
    }
    if (name->empty()) continue;  // according to the status, none is needed
    auto why = why_not(*name, entry.resource_claim_template_name.has_value());
    if (why) return why;
  }
  const std::string_view extended = ReadExtendedClaim(pod);
  return extended.empty() ? std::nullopt : why_not(extended, true);
}

}  // namespace plimsoll::agent

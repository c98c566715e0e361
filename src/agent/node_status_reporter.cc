#include "agent/node_status_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/limits.h"
#include "base/assert.h"

namespace plimsoll::agent {
namespace {

/// Delay of a report of new images, to combine several, and its spread over the nodes.
constexpr Duration kImageDelay = std::chrono::seconds(10);
constexpr Duration kImageSpread = std::chrono::seconds(50);
constexpr Duration kRetryMin = std::chrono::milliseconds(200);
constexpr Duration kRetryMax = std::chrono::seconds(10);
/// Time during which a node with a different status may still be an old version.
constexpr Duration kConfirmTime = std::chrono::seconds(10);

/// Returns a part of `period` that differs from node to node.
Duration Spread(Duration period, const NodeRecord& node) {
  return period / 1000 * (node.index * 127 % 1000);
}

const api::KindDesc& NodeKind() {
  static const api::KindDesc* const kind = api::FindKind("", "v1", "Node");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

}  // namespace

NodeStatusReporter::NodeStatusReporter(Options options, ActionId& next_action,
                                       const Runtime& runtime, EventRecorder& events)
    : options_(std::move(options)), runtime_(runtime), events_(events), pending_(next_action) {}

NodeStatusReporter::State& NodeStatusReporter::StateOf(NodeRecord& node) {
  if (states_.size() <= node.index) states_.resize(node.index + 1);
  states_[node.index].node = &node;
  return states_[node.index];
}

bool NodeStatusReporter::HasRegistered(const NodeRecord& node) const {
  return node.index < states_.size() && states_[node.index].is_registered;
}

void NodeStatusReporter::AssignAddress(NodeRecord& node) {
  if (!node.address.empty()) return;
  const auto address = options_.addresses.Allocate();
  node.address = address ? AddressText(*address) : "127.0.0.1";
}

NodeReport NodeStatusReporter::FullReport(const NodeRecord& node, Instant now) const {
  return {.conditions = node.conditions,
          .dropped = {},
          .now = now,
          .images = {},
          .address = node.address,
          .hostname = node.name,
          .status = node.hosted == nullptr ? std::string_view() : node.hosted->status,
          .runtime = runtime_.Version()};
}

void NodeStatusReporter::Register(NodeRecord& node, const Turn& turn) {
  State& state = StateOf(node);
  state.shall_register = true;
  if (state.registration != 0) return;
  if (node.address.empty()) node.address = node.hosted->address;
  AssignAddress(node);
  node.conditions = ConditionsOf({}, {}, turn.now);
  state.registration = pending_.Begin({Purpose::Register, &node});
  turn.Do(CreateObject{.id = state.registration,
                       .object = api::ObjectRef(NodeKind(), {}, node.name),
                       .body = NodeJson(*node.hosted, FullReport(node, turn.now))});
}

void NodeStatusReporter::Join(NodeRecord& node, const Turn& turn) {
  State& state = StateOf(node);
  state.shall_register = false;
  if (const std::string_view address = ReadAddress(*node.object); !address.empty()) {
    if (const auto number = ParseAddress(address)) options_.addresses.Reserve(*number);
    node.address = address;
  }
  AssignAddress(node);
  events_.Record(node.object, node, {{}, EventType::Normal, "Starting", "Starting kubelet."}, {},
                 turn);
  events_.WarnOfDeprecatedAnnotations(node.object, node, turn);
  if (!state.is_registered) node.conditions = ReadConditions(*node.object);
  state.needs_full_report = !state.is_registered;
  UpdateConditions(node, turn);
  state.needs_report = !state.is_registered || state.needs_report;
}

void NodeStatusReporter::StartReports(NodeRecord& node, const Turn& turn) {
  State& state = StateOf(node);
  state.reported_at = turn.now;
  Report(node, turn);
  // Spread the next reports of many nodes, like their leases.
  state.report_due = turn.now + options_.period - Spread(options_.period, node);
  Schedule(state, state.report_due);
}

void NodeStatusReporter::Forget(NodeRecord& node) {
  StateOf(node).is_registered = false;
  node.conditions.clear();
}

void NodeStatusReporter::UpdateConditions(NodeRecord& node, const Turn& turn) {
  State& state = StateOf(node);
  NodeConditions conditions =
      ConditionsOf(node.object->metadata().annotations, node.conditions, turn.now);
  for (const NodeCondition& condition : conditions) {
    const auto before = std::ranges::find(node.conditions, condition.type, &NodeCondition::type);
    if (before != node.conditions.end() && before->EqualsIgnoringTime(condition)) continue;
    state.needs_report = true;
    const std::string_view reason = EventReason(condition);
    const bool is_other = before == node.conditions.end() || before->status != condition.status;
    if (reason.empty() || !is_other) continue;
    events_.Record(node.object, node,
                   {{},
                    EventType::Normal,
                    reason,
                    fmt::format("Node {} status is now: {}", node.name, reason)},
                   {}, turn);
  }
  for (const NodeCondition& before : node.conditions) {
    if (std::ranges::find(conditions, before.type, &NodeCondition::type) != conditions.end() ||
        before.reason != "Simulated") {
      continue;
    }
    state.dropped_conditions.push_back(before.type);
    state.needs_report = true;
  }
  node.conditions = std::move(conditions);
}

void NodeStatusReporter::CheckReadiness(NodeRecord& node, Instant now) {
  const bool is_same =
      IsTrue(ReadConditions(*node.object), "Ready") == IsTrue(node.conditions, "Ready");
  if (is_same || node.is_silent) return;
  State& state = StateOf(node);
  const Instant settled_at = state.reported_at + kConfirmTime;
  if (settled_at <= now) {
    state.needs_report = true;
  } else {
    Schedule(state, settled_at);
  }
}

void NodeStatusReporter::AddImages(const NodeRecord& node, const api::PodSpec& spec, Instant now) {
  State& state = states_[node.index];
  bool has_new = false;
  for (const auto* const list : {&spec.init_containers, &spec.containers}) {
    for (const api::Container& container : *list) {
      Interner::Id id = image_names_.Find(container.image);
      if (id == Interner::kNone) id = image_names_.Acquire(container.image).id;
      const auto at = std::ranges::lower_bound(state.images, id);
      if (at != state.images.end() && *at == id) continue;
      state.images.insert(at, id);
      has_new = true;
    }
  }
  if (!has_new || std::exchange(state.has_new_images, true)) return;
  Schedule(state, now + kImageDelay + Spread(kImageSpread, node));
}

void NodeStatusReporter::RequestReport(const NodeRecord& node) {
  states_[node.index].needs_report = true;
}

std::vector<NodeImageEntry> NodeStatusReporter::LargestImages(const State& state) const {
  std::vector<NodeImageEntry> images;
  for (const Interner::Id id : state.images) {
    images.push_back({image_names_.text(id), runtime_.ImageBytes(image_names_.text(id))});
  }
  std::ranges::stable_sort(images, std::greater(), &NodeImageEntry::bytes);
  if (images.size() > kNodeStatusImagesMax) images.resize(kNodeStatusImagesMax);
  return images;
}

void NodeStatusReporter::Report(NodeRecord& node, const Turn& turn) {
  State& state = StateOf(node);
  if (!state.needs_report || node.is_silent || !node.is_there || state.report != 0) return;
  const bool is_full = std::exchange(state.needs_full_report, false);
  NodeReport report = is_full ? FullReport(node, turn.now)
                              : NodeReport{.conditions = node.conditions,
                                           .dropped = {},
                                           .now = turn.now,
                                           .images = {},
                                           .address = {},
                                           .hostname = {},
                                           .status = {},
                                           .runtime = {}};
  if (is_full && node.hosted == nullptr && !HasCapacity(*node.object)) {
    report.status = options_.adopted_status;
  }
  for (const std::string& type : state.dropped_conditions) report.dropped.emplace_back(type);
  state.reports_images = std::exchange(state.has_new_images, false);
  if (state.reports_images) report.images = LargestImages(state);
  state.needs_report = false;
  state.reported_at = turn.now;
  state.report_due = turn.now + options_.period;
  state.report = pending_.Begin({Purpose::Report, &node});
  turn.Do(PatchObject{.id = state.report,
                      .object = node.object,
                      .subresource = "status",
                      .body = NodeStatusPatch(*node.object, report),
                      .form = PatchForm::StrategicMerge});
  state.reported_drops = std::exchange(state.dropped_conditions, {});
}

bool NodeStatusReporter::Finish(const ActionFinished& event, const Turn& turn) {
  const std::optional<Pending> pending = pending_.Finish(event.id);
  if (!pending) return false;
  State& state = StateOf(*pending->node);
  if (event.status) state.retry_wait = {};
  if (pending->purpose == Purpose::Report) {
    FinishReport(state, event.status, turn);
    return true;
  }
  state.registration = 0;
  state.is_registered = event.status.has_value();
  // If the node exists already, its watch event follows.
  if (!event.status && event.status.error().reason != Reason::AlreadyExists) Retry(state, turn.now);
  return true;
}

void NodeStatusReporter::FinishReport(State& state, const Status& status, const Turn& turn) {
  state.report = 0;
  if (!status && status.error().reason != Reason::NotFound) {
    state.needs_report = true;
    state.needs_full_report = !state.is_registered;
    state.has_new_images |= state.reports_images;
    std::ranges::move(state.reported_drops, std::back_inserter(state.dropped_conditions));
    state.reported_drops.clear();
    Retry(state, turn.now);
  } else if (state.needs_report) {
    Report(*state.node, turn);
  }
}

void NodeStatusReporter::Retry(State& state, Instant now) {
  state.retry_wait =
      state.retry_wait == Duration::zero() ? kRetryMin : std::min(state.retry_wait * 2, kRetryMax);
  Schedule(state, now + state.retry_wait);
}

/// An earlier time takes precedence.
void NodeStatusReporter::Schedule(State& state, Instant when) {
  if (state.due && *state.due <= when) return;
  if (state.due) due_.erase({*state.due, state.node->index});
  state.due = when;
  due_.emplace(when, state.node->index);
}

void NodeStatusReporter::Wake(const Turn& turn) {
  while (!due_.empty() && due_.begin()->first <= turn.now) {
    State& state = states_[due_.begin()->second];
    due_.erase(due_.begin());
    state.due.reset();
    WakeNode(state, turn);
  }
}

std::optional<Instant> NodeStatusReporter::NextWake() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

void NodeStatusReporter::WakeNode(State& state, const Turn& turn) {
  NodeRecord& node = *state.node;
  if (!node.is_there) {
    if (state.shall_register) Register(node, turn);
    return;
  }
  CheckReadiness(node, turn.now);
  state.needs_report |= state.has_new_images || state.report_due <= turn.now;
  Report(node, turn);
  // A silent node, or one with a report in flight, reports when that is over.
  Schedule(state, state.report_due > turn.now ? state.report_due : turn.now + options_.period);
}

}  // namespace plimsoll::agent

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/address_pool.h"
#include "agent/event_recorder.h"
#include "agent/pending_actions.h"
#include "agent/records.h"
#include "api/core/pod.h"
#include "base/interner.h"

namespace plimsoll::agent {

/// Registers the agent's nodes and reports their status: addresses, conditions and images. A report
/// is sent when the status changes, and once per period. A node has at most one report in flight;
/// a failed one is repeated with a growing delay.
class NodeStatusReporter {
 public:
  struct Options {
    Duration period;             // between reports without a change
    std::string adopted_status;  // of a node without capacity; see HostedNode
    AddressPool addresses;
  };

  /// The references must outlive this object. So must the nodes given to other methods.
  NodeStatusReporter(Options options, ActionId& next_action, const Runtime& runtime,
                     EventRecorder& events);

  /// Creates a hosted node that the server does not have. REQUIRES: `node.hosted` is set.
  void Register(NodeRecord& node, const Turn& turn);
  /// Returns true if Register created the node's object.
  bool HasRegistered(const NodeRecord& node) const;

  /// Sets address and conditions of a node that now exists on the server.
  void Join(NodeRecord& node, const Turn& turn);
  /// Sends the first report of a node that has joined, and schedules the next ones.
  void StartReports(NodeRecord& node, const Turn& turn);
  /// Forgets the status of a node that was deleted.
  void Forget(NodeRecord& node);

  /// Recomputes the conditions from the node's annotations.
  void UpdateConditions(NodeRecord& node, const Turn& turn);
  /// Another component may have marked the node as not ready while it was silent or late. Requests
  /// a report that corrects it once the object cannot be an old version any more.
  void CheckReadiness(NodeRecord& node, Instant now);
  /// Adds the images of a pod; they are reported some seconds later.
  void AddImages(const NodeRecord& node, const api::PodSpec& spec, Instant now);
  void RequestReport(const NodeRecord& node);
  /// Sends the report that was requested, if any.
  void Report(NodeRecord& node, const Turn& turn);

  /// Returns false if the action is not one of these.
  bool Finish(const ActionFinished& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

 private:
  enum class Purpose : std::uint8_t { Register, Report };
  struct Pending {
    Purpose purpose = Purpose::Register;
    NodeRecord* node = nullptr;
  };
  struct State {
    NodeRecord* node = nullptr;
    ActionId registration = 0;  // action in flight; 0: none
    ActionId report = 0;
    bool shall_register = false;
    bool is_registered = false;  // this agent created the object
    bool needs_report = false;
    bool needs_full_report = false;  // including addresses and capacity
    bool has_new_images = false;
    std::vector<Interner::Id> images;             // sorted
    std::vector<std::string> dropped_conditions;  // types to remove from the object
    // Content of the report in flight. A failed report is sent again with them.
    bool reports_images = false;
    std::vector<std::string> reported_drops;
    Instant reported_at;
    Instant report_due;
    Duration retry_wait{};
    std::optional<Instant> due;  // entry in due_
  };

  State& StateOf(NodeRecord& node);
  void AssignAddress(NodeRecord& node);
  NodeReport FullReport(const NodeRecord& node, Instant now) const;
  std::vector<NodeImageEntry> LargestImages(const State& state) const;
  void FinishReport(State& state, const Status& status, const Turn& turn);
  void Retry(State& state, Instant now);
  void Schedule(State& state, Instant when);
  void WakeNode(State& state, const Turn& turn);

  Options options_;
  const Runtime& runtime_;
  EventRecorder& events_;
  Interner image_names_;
  std::vector<State> states_;  // by index of the node
  std::set<std::pair<Instant, std::uint32_t>> due_;
  PendingActions<Pending> pending_;
};

}  // namespace plimsoll::agent

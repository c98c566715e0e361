#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/admission.h"
#include "agent/node_status.h"
#include "agent/pod_life.h"
#include "agent/pod_volumes.h"
#include "base/interner.h"

/// State that a NodeAgent keeps for each node and pod.
namespace plimsoll::agent {

struct PodRecord;

struct NodeRecord {
  std::string name;
  std::uint32_t index = 0;
  const HostedNode* hosted = nullptr;  // null: adopted
  ObjectPtr object;                    // as last seen; null: never
  bool is_there = false;               // it exists on the server
  bool is_joined = false;              // this agent runs it
  bool is_silent = false;
  std::string address;
  NodeConditions conditions;
  Occupancy occupancy;
  std::vector<PodRecord*> pods;
  std::vector<Interner::Id> images;  // sorted
  std::set<std::uint64_t> waiting;   // pods that wait for preempted pods to end

  ActionId create = 0;  // action in flight; 0: none
  ActionId report = 0;
  ActionId lease = 0;
  bool wants_create = false;
  bool is_ours = false;  // this agent created the object
  bool lacks_lease = false;
  bool needs_report = false;
  bool needs_full_report = false;  // including addresses and capacity
  bool has_new_images = false;
  std::vector<std::string> dropped_conditions;
  // Content of the status patch in flight. A failed patch is sent again with them.
  bool reports_images = false;
  std::vector<std::string> reported_drops;
  Instant reported_at;
  Instant report_due;
  Duration retry_wait{};
  std::optional<Instant> due;  // entry in nodes_due_
};

struct PodRecord {
  enum class State : std::uint8_t {
    New,       // not checked yet
    Checking,  // the node is being read for a second check
    Waiting,   // for preempted pods to end, or for the check to continue
    Refused,
    Living,
    Done,  // ended before this agent saw it
  };

  PodRecord(std::uint64_t number, NodeRecord& its_node, ObjectPtr pod)
      : life(number, std::move(pod)), node(its_node) {}

  PodLife life;
  NodeRecord& node;
  State state = State::New;
  std::optional<Refusal> refusal;
  Instant refused_at;
  Amounts requests;
  std::vector<HostPort> ports;
  std::optional<std::uint32_t> address;
  std::size_t place = 0;    // index in the node's list
  bool is_counted = false;  // in the node's occupancy
  bool is_preempted = false;
  bool is_touched = false;
  bool is_dirty = false;                   // its status must be written
  bool is_unconfirmed = false;             // no watch event has confirmed the write yet
  bool is_deleted = false;                 // the server has accepted the deletion
  bool waits_for_server_deletion = false;  // the server deletes pods without grace by itself
  std::optional<Duration> stop_grace;      // passed to the runtime
  ActionId write = 0;                      // action in flight; 0: none
  Instant written_at;
  std::optional<std::int64_t> written_generation;
  Duration retry_wait{};
  std::optional<Instant> retry_at;
  std::optional<Instant> confirm_at;  // when a different status is no longer an old version
  std::vector<std::pair<std::string, std::string>> awaited_claims;  // namespace and name
  std::string unprepared;                                           // reported reason of the hold
  std::optional<Instant> complain_at;                               // when to report that reason
  std::optional<Instant> admit_at;                                  // when the check continues
  bool has_volumes = true;      // false: its PersistentVolumes may be unusable on this node
  bool has_new_labels = false;  // of the node, since volume_read was sent
  ActionId volume_read = 0;     // action in flight; 0: none
  std::unique_ptr<VolumeReads> volumes;  // while they are read
  std::string volume_fault;              // reported reason for which it waits for them
  std::optional<Instant> volumes_awaited_since;
  Duration volume_wait{};
  std::optional<Instant> volume_retry_at;
  std::optional<Instant> due;

  std::uint64_t number() const { return life.number(); }
};

}  // namespace plimsoll::agent

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/admission.h"
#include "agent/node_status.h"
#include "agent/pod_life.h"
#include "base/interner.h"

/// What a NodeAgent knows of each node and pod.
namespace plimsoll::agent {

struct PodRecord;

struct NodeRecord {
  std::string name;
  std::uint32_t index = 0;
  const HostedNode* hosted = nullptr;  // null: adopted
  ObjectPtr object;                    // as last seen; null: never
  bool is_there = false;               // at the server
  bool is_joined = false;              // and lives here
  bool is_silent = false;
  std::string address;
  NodeConditions conditions;
  Occupancy occupancy;
  std::vector<PodRecord*> pods;
  std::vector<Interner::Id> images;  // in order
  std::set<std::uint64_t> waiting;   // pods for which others are going

  ActionId create = 0;  // under way; 0: none
  ActionId report = 0;
  ActionId lease = 0;
  bool wants_create = false;
  bool is_ours = false;  // this agent created the object
  bool lacks_lease = false;
  bool needs_report = false;
  bool needs_full_report = false;  // addresses and capacity too
  bool has_new_images = false;
  std::vector<std::string> dropped_conditions;
  Instant reported_at;
  Instant report_due;
  Duration retry_wait{};
  std::optional<Instant> due;  // its place among the nodes that are due
};

struct PodRecord {
  enum class State : std::uint8_t {
    New,       // not looked at yet
    Checking,  // the node is being read for a second look
    Waiting,   // others have to go first, or the check goes on later
    Refused,
    Living,
    Done,  // ended before this agent came
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
  std::size_t place = 0;    // in the node's list
  bool is_counted = false;  // in the node's occupancy
  bool is_preempted = false;
  bool is_touched = false;
  bool is_dirty = false;                // its status is to be written
  bool is_unconfirmed = false;          // what was written has not come back yet
  bool is_deleted = false;              // the server was told to delete it
  bool has_left_end_to_server = false;  // which deletes what has no grace right after its mark
  std::optional<Duration> stop_grace;   // as the runtime was told
  ActionId write = 0;                   // under way; 0: none
  Instant written_at;
  std::optional<std::int64_t> written_generation;
  Duration retry_wait{};
  std::optional<Instant> retry_at;
  std::optional<Instant> confirm_at;  // when another status is no old version any more
  std::vector<std::pair<std::string, std::string>> awaited_claims;  // by namespace and name
  std::string unprepared;                                           // why it is held, as was told
  std::optional<Instant> complain_at;                               // when that is to be told
  std::optional<Instant> admit_at;                                  // when the check goes on
  bool has_volumes = true;      // false: its PersistentVolumes are not known to be usable here
  bool has_new_labels = false;  // the node's, since they were asked for
  ActionId volume_read = 0;     // under way; 0: none
  std::string volume_fault;     // why it waits for them, as was told
  std::optional<Instant> volumes_awaited_since;
  Duration volume_wait{};
  std::optional<Instant> volume_retry_at;
  std::optional<Instant> due;

  std::uint64_t number() const { return life.number(); }
};

}  // namespace plimsoll::agent

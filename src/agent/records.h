#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/admission.h"
#include "agent/node_status.h"
#include "agent/pod_life.h"
#include "agent/pod_status_writer.h"

/// State of each node and pod that the parts of a NodeAgent share. Each part keeps the rest of its
/// state to itself.
namespace plimsoll::agent {

struct PodRecord;

/// A node. NodeAgent follows its object; NodeStatusReporter sets address and conditions.
struct NodeRecord {
  std::string name;
  std::uint32_t index = 0;             // of all nodes of the agent, from 0
  const HostedNode* hosted = nullptr;  // null: adopted
  ObjectPtr object;                    // as last seen; null: never
  bool is_there = false;               // it exists on the server
  bool is_joined = false;              // this agent runs it
  bool is_silent = false;              // it must not write; see IsSilenced
  std::string address;
  NodeConditions conditions;
};

/// The pods of one node. Only PodWorkers changes it.
struct NodePods {
  Occupancy occupancy;
  std::vector<PodRecord*> pods;
  std::set<std::uint64_t> waiting;  // numbers of pods that wait for preempted pods to end
};

/// A pod of one of the nodes. Only PodWorkers changes it.
struct PodRecord {
  enum class State : std::uint8_t {
    New,       // not checked yet
    Checking,  // the node is being read for a second check
    Waiting,   // for preempted pods to end, or for the check to continue
    Refused,
    Living,
    Done,  // ended before this agent saw it
  };

  PodRecord(std::uint64_t number, const NodeRecord& its_node, NodePods& its_neighbours,
            ObjectPtr pod)
      : life(number, std::move(pod)), node(its_node), neighbours(its_neighbours) {}

  PodLife life;
  PodStatusWriter writer;
  const NodeRecord& node;
  NodePods& neighbours;  // pods of the node, with this one
  State state = State::New;
  std::optional<Refusal> refusal;
  Instant refused_at;
  Amounts requests;
  std::vector<HostPort> ports;
  std::optional<std::uint32_t> address;
  std::size_t place = 0;    // index in neighbours.pods
  bool is_counted = false;  // in neighbours.occupancy
  bool is_preempted = false;
  bool is_queued = false;              // for the end of the turn
  std::optional<Duration> stop_grace;  // passed to the runtime
  ActionId node_read = 0;              // in flight, for the second check; 0: none
  std::optional<Instant> admit_at;     // when the check continues
  std::optional<Instant> due;          // entry in the worker's queue

  std::uint64_t number() const { return life.number(); }
  bool is_deleting() const { return !life.pod()->metadata().deletion_timestamp.empty(); }
};

}  // namespace plimsoll::agent

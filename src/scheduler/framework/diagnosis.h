#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

/// Reason why a pod could not be placed: PreFilter's verdict, or the nodes of each refusal.
struct Diagnosis {
  struct Refusal {
    Verdict verdict;          // includes the plugin's name
    std::uint32_t nodes = 0;  // number of nodes
    Bitmap which;             // indexed by node slot
  };

  /// First taint of a node that the pod does not tolerate.
  struct TaintRefusal {
    std::string text;         // the taint, the closest toleration, and why it failed
    std::uint32_t nodes = 0;  // number of nodes with it
  };

  /// A device that cannot satisfy a request of the pod's claims.
  struct DeviceRefusal {
    std::string node;
    std::string claim;
    std::string request;  // `request`, or `request/sub`
    std::string device;   // `driver/pool/device`
    std::string reason;   // InUse, …; for a taint also the closest toleration

    friend bool operator==(const DeviceRefusal&, const DeviceRefusal&) = default;
  };

  std::size_t node_count = 0;
  Verdict error;                                        // set if a plugin failed
  Verdict pre_filter;                                   // set if PreFilter refused
  std::vector<Refusal> refusals;                        // in order of first occurrence
  std::vector<std::string_view> unschedulable_plugins;  // sorted and unique
  std::vector<std::string_view> pending_plugins;
  std::vector<TaintRefusal> taints;    // from TaintToleration; at most 100
  std::vector<DeviceRefusal> devices;  // from nodes that cannot satisfy the claims; at most 100
  bool has_numeric_mismatch = false;
  bool has_toleration_parse_failure = false;
  bool has_label_parse_failure = false;
  std::string post_filter;  // preemption's message, if it ran

  /// Returns `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) were unschedulable.`
  std::string FilterMessage() const;
  /// Returns FilterMessage() and preemption's message: the text of the event and the condition.
  std::string Message() const;
};

}  // namespace plimsoll::scheduler

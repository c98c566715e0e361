#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

/// Why a pod could not be placed: what PreFilter said, or which nodes each refusal holds for.
struct Diagnosis {
  struct Refusal {
    Verdict verdict;          // with the plugin that said it
    std::uint32_t nodes = 0;  // how many
    Bitmap which;             // over node slots
  };

  /// A taint that the pod does not tolerate, the first one of its nodes.
  struct TaintRefusal {
    std::string text;         // the taint, the toleration that came nearest, and why it failed
    std::uint32_t nodes = 0;  // how many have it
  };

  /// A device that a request of the pod's claims does not get.
  struct DeviceRefusal {
    std::string node;
    std::string claim;
    std::string request;  // `request`, or `request/sub`
    std::string device;   // `driver/pool/device`
    std::string reason;   // InUse, …; of a taint also the toleration that came nearest

    friend bool operator==(const DeviceRefusal&, const DeviceRefusal&) = default;
  };

  std::size_t node_count = 0;
  Verdict error;                                        // a plugin could not tell
  Verdict pre_filter;                                   // when it was PreFilter that refused
  std::vector<Refusal> refusals;                        // in the order in which they were first met
  std::vector<std::string_view> unschedulable_plugins;  // names, each once, sorted
  std::vector<std::string_view> pending_plugins;
  std::vector<TaintRefusal> taints;    // of TaintToleration's refusals, a hundred at most
  std::vector<DeviceRefusal> devices;  // of nodes that cannot satisfy the claims; a hundred at most
  bool has_numeric_mismatch = false;
  bool has_toleration_parse_failure = false;
  bool has_label_parse_failure = false;
  std::string post_filter;  // what preemption said, if it was asked

  /// `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) were unschedulable.`
  std::string FilterMessage() const;
  /// The same, and then what preemption said: the text of the event and the condition.
  std::string Message() const;
};

}  // namespace plimsoll::scheduler

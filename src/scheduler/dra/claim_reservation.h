#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "dra/allocation.h"
#include "scheduler/dra/devices.h"
#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

/// The claims of one pod on its way to a node: their devices are taken in memory when the pod is
/// reserved, each claim is written when the pod is about to be bound, and then drivers are waited
/// for where a device needs that.
///
/// A write sets what it says or is refused as a whole, whatever happened to the claim meanwhile:
/// the server takes neither another allocation than the one that there is, nor a user of a claim
/// without allocation or one that is being deleted. So it needs no resourceVersion, and may be sent
/// again.
class ClaimReservation {
 public:
  struct Part {
    ObjectPtr claim;                            // as it was seen
    std::optional<dra::Allocation> allocation;  // unset: it has one already
  };

  /// Takes the devices. They are given back by Undo, as far as they are not written.
  ClaimReservation(Devices& devices, std::string_view node_name, std::vector<Part> parts);

  /// See Plugin::PreBind.
  PreBindOutcome Continue(const Devices& devices, const api::ObjectMeta& pod, Instant now);
  /// See Plugin::RepeatsWrites.
  bool Repeats(const Devices& devices, Error& error);
  /// What the server has to take back, too.
  std::vector<ObjectWrite> Undo(Devices& devices, const api::ObjectMeta& pod);

 private:
  /// What stands in the way of writing the part, in upstream's words; empty: nothing.
  static std::string Obstacle(const Devices& devices, const Part& part);
  static std::vector<ObjectWrite> Writes(const Part& part, const api::ObjectMeta& pod, Instant now);
  PreBindOutcome AwaitDrivers(const Devices& devices, Instant now);

  std::string node_name_;
  std::vector<Part> parts_;
  std::size_t written_ = 0;  // so many of the parts are through
  bool is_writing_ = false;
  std::optional<Instant> deadline_;  // of the wait for drivers
};

}  // namespace plimsoll::scheduler

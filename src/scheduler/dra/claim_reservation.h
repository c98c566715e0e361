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
    /// Of a claim that is yet to be made, and bears a uid that only the scheduler knows: what it is
    /// made from, and what is written once it is there.
    std::string create = {};
    std::vector<ObjectWrite> then = {};

    bool is_new() const { return !create.empty(); }
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
  std::vector<ObjectWrite> Writes(const Part& part, const api::ObjectMeta& pod, Instant now) const;
  PreBindOutcome AwaitDrivers(const Devices& devices, Instant now);

  /// The claim as it is known now; null when it is not, or replaced by another of its name.
  static ObjectPtr Latest(const Devices& devices, const Part& part);

  std::string node_name_;
  std::vector<Part> parts_;
  std::size_t written_ = 0;  // so many of the parts are through
  bool is_writing_ = false;
  bool is_made_ = false;             // the part that is being written was new, and is there by now
  std::optional<Instant> deadline_;  // of the wait for drivers
};

}  // namespace plimsoll::scheduler

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

/// The claims of one pod between Reserve and binding. Reserve takes their devices in memory.
/// PreBind writes each claim, and then waits for drivers whose devices have binding
/// conditions.
///
/// A write succeeds or fails as a whole, whatever happened to the claim meanwhile. The server
/// accepts no other allocation than the existing one. It also rejects a consumer of a claim
/// that is unallocated or being deleted. So a write needs no resourceVersion and can be
/// repeated.
class ClaimReservation {
 public:
  struct Part {
    ObjectPtr claim;                            // version that was used
    std::optional<dra::Allocation> allocation;  // unset: already allocated
    /// For a claim that does not exist yet and has a temporary uid: the body of the create, and the
    /// writes after it.
    std::string create = {};
    std::vector<api::Write> then = {};

    bool is_new() const { return !create.empty(); }
  };

  /// Takes the devices. Undo releases those that are not written yet.
  ClaimReservation(Devices& devices, std::string_view node_name, std::vector<Part> parts);

  /// See PreBindPlugin::PreBind.
  PreBindOutcome Continue(const Devices& devices, const api::ObjectMeta& pod, Instant now);
  /// See PreBindPlugin::WritesFailed.
  Verdict WritesFailed(const Devices& devices, const Error& error);
  /// Returns the writes that undo the reservation at the API server.
  std::vector<api::Write> Undo(Devices& devices, const api::ObjectMeta& pod);

 private:
  /// Returns why the part cannot be written, worded as in upstream; empty if it can.
  static std::string Obstacle(const Devices& devices, const Part& part);
  std::vector<api::Write> Writes(const Part& part, const api::ObjectMeta& pod, Instant now) const;
  PreBindOutcome AwaitDrivers(const Devices& devices, Instant now);

  /// Returns the informer's version of the claim; null if it is unknown or was replaced.
  static ObjectPtr Latest(const Devices& devices, const Part& part);

  std::string node_name_;
  std::vector<Part> parts_;
  std::size_t written_ = 0;  // number of parts that are written
  bool is_writing_ = false;
  bool is_made_ = false;             // the new claim of the current part was already created
  std::optional<Instant> deadline_;  // end of the wait for drivers
};

}  // namespace plimsoll::scheduler

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/runtime.h"
#include "api/core/pod.h"
#include "base/result.h"

namespace plimsoll::agent {

/// Returns true if a volume of the pod uses a PersistentVolumeClaim.
bool HasVolumeClaims(const api::PodSpec& spec);

/// Reads the PersistentVolumes that a pod's claims are bound to, in the order of its volumes. Each
/// claim is read before its volume, one object at a time.
class VolumeReads {
 public:
  explicit VolumeReads(const api::Object& pod);

  /// Returns the claim or volume to read next; nothing if all volumes are known.
  std::optional<api::ObjectRef> Next() const;
  /// Handles the outcome of reading the object that Next named. An error names the claim that
  /// cannot be used yet, in upstream's words.
  Status FinishRead(const ActionFinished& read);

  const std::vector<ObjectPtr>& volumes() const { return volumes_; }

 private:
  Status FinishClaimRead(const ActionFinished& read);
  Status FinishVolumeRead(const ActionFinished& read);

  std::string namespace_;
  std::vector<std::string> claims_;  // names
  std::vector<ObjectPtr> volumes_;   // of the first claims
  std::string volume_name_;          // of the next claim; empty: the claim is not read yet
};

}  // namespace plimsoll::agent
